// What makes a wire: its media types, how it says no, and what it does around an operation. A wire is only its differences.

import type { JsonSchema, WritingStyle } from '../../../kit/field.ts';
import type { Resource, WireName } from '../../../kit/resource.ts';
import type { Scope } from '../../../model/access/scope.ts';
import type { RequestContext, Operation } from './operation.ts';
import type { Problem } from './problem.ts';

export type HostName = 'base' | 'legacy' | 'auth';

/** An answer as it goes out. */
export interface RenderedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Each a `Set-Cookie` header. */
  readonly cookies?: readonly string[];
  readonly text: string | null;
  /** In place of the text, where it is longer than should be held at once. */
  readonly chunks?: AsyncIterable<string | Uint8Array>;
}

export interface OperationCall {
  readonly request: RequestContext;
  readonly operation: Operation;
  /** Does the work and renders its answer. */
  proceed(): Promise<RenderedResponse>;
  /** Renders a refusal as an answer. */
  refuse(error: unknown): RenderedResponse;
}

export interface Wire {
  readonly name: WireName;
  readonly title: string;
  readonly host: HostName;
  readonly mediaType: string;
  readonly problemMediaType: string;
  readonly style: WritingStyle;
  /** Whether a write may carry an Idempotency-Key, and a read is answered conditionally. */
  readonly supportsIdempotencyAndETags: boolean;
  readonly problemSchema: JsonSchema;
  problemBody(problem: Problem): unknown;
  /** Where in a body a declared field stands. */
  pointer(resource: Resource | undefined, field: string, item?: number | string): string;
  /** How far a caller sees through this wire. */
  scope(scope: Scope): Scope;
  around(around: OperationCall): Promise<RenderedResponse>;
}
