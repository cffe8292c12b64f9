// What the listener and the jobs say to a thread that works for them, and it to them. Knows no thread.

import type { Caller } from '../../../model/access/caller.ts';
import type { ParsedRequest } from '../operation/operation.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';

/** What a thread needs of a request: all of it but what cannot be handed over. */
export interface ThreadTask {
  readonly operationId: string;
  readonly caller: Caller;
  readonly requestId: string;
  readonly parsed: Pick<ParsedRequest, 'params' | 'query' | 'headers'>;
  /** As text: what is handed over as it is loses what its numbers are. */
  readonly body: string | undefined;
  /** The moment it happens at: clocks are not handed over. */
  readonly now: number;
}

/** A piece of a job: what it takes and gives can be handed over. */
export interface ThreadJob {
  readonly name: string;
  readonly input: unknown;
  /** The moment it happens at. */
  readonly now: number;
}

/** `more`: a piece was taken, another may come. `gone`: nobody takes the rest. */
export type MessageToThread =
  | { readonly kind: 'task'; readonly number: number; readonly task: ThreadTask }
  | { readonly kind: 'job'; readonly number: number; readonly job: ThreadJob }
  | { readonly kind: 'more' | 'gone'; readonly number: number }
  | { readonly kind: 'stop' };

/** What only operators are told. */
export interface FailureReport {
  readonly kind: 'defect' | 'outage';
  readonly error: unknown;
}

export type MessageFromThread =
  /** It has loaded all it needs, and takes tasks. */
  | { readonly kind: 'begun' }
  | {
      readonly kind: 'answer';
      readonly number: number;
      readonly rendered: Omit<RenderedResponse, 'pieces'>;
      /** Whether its text follows in pieces. */
      readonly hasChunks: boolean;
      readonly failure: FailureReport | undefined;
    }
  | { readonly kind: 'piece'; readonly number: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly number: number }
  | { readonly kind: 'broken'; readonly number: number; readonly error: unknown }
  /** How far a job has come, what came of it, or that it failed. */
  | { readonly kind: 'told' | 'done' | 'failed'; readonly number: number; readonly value: unknown };

/** So many pieces are under way before one has to be taken. */
export const chunksAheadMax = 4;
