// What makes a wire: its media types, how it says no, and what it does around an operation. A wire is only its differences.

import type { DecimalStyle, JsonSchema } from '../../../kit/field.ts';
import type { Resource, WireName } from '../../../kit/resource.ts';
import type { Reach } from '../../../model/access/scope.ts';
import type { Ask, Operation } from './operation.ts';
import type { Problem } from './problem.ts';

export type HostName = 'base' | 'legacy' | 'auth';

/** An answer as it goes out. */
export interface Rendered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Each a `Set-Cookie` header. */
  readonly cookies?: readonly string[];
  readonly text: string | null;
  /** In place of the text, where it is longer than should be held at once. */
  readonly pieces?: AsyncIterable<string | Uint8Array>;
}

export interface Around {
  readonly ask: Ask;
  readonly operation: Operation;
  /** Does the work and renders its answer. */
  proceed(): Promise<Rendered>;
  /** Renders a refusal as an answer. */
  refuse(error: unknown): Rendered;
}

export interface Wire {
  readonly name: WireName;
  readonly title: string;
  readonly host: HostName;
  readonly mediaType: string;
  readonly problemMediaType: string;
  readonly decimals: DecimalStyle;
  /** Whether a write may carry an Idempotency-Key, and a read is answered conditionally. */
  readonly keepsAnswers: boolean;
  readonly problemSchema: JsonSchema;
  problemBody(problem: Problem): unknown;
  /** Where in a body a declared field stands. */
  pointer(resource: Resource | undefined, field: string, item?: number | string): string;
  /** How far a caller sees through this wire. */
  reach(reach: Reach): Reach;
  around(around: Around): Promise<Rendered>;
}
