// Defines the messages between the main thread and a worker thread.

import type { Caller } from '../../../model/access/caller.ts';
import type { ParsedRequest } from '../operation/operation.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';

/** The parts of a request that can be cloned into a thread. */
export interface ThreadTask {
  readonly operationId: string;
  readonly caller: Caller;
  readonly requestId: string;
  readonly parsed: Pick<ParsedRequest, 'params' | 'query' | 'headers'>;
  /** As text, because cloning loses the exact numbers of parsed JSON. */
  readonly body: string | undefined;
  /** The time of the request: a clock cannot be cloned. */
  readonly now: number;
  /** The trace that it belongs to, if it is recorded. */
  readonly traceparent: string | undefined;
}

/** A part of a job. Input and result must be cloneable. */
export interface ThreadJob {
  readonly name: string;
  readonly input: unknown;
  /** The time of the job. */
  readonly now: number;
  /** The trace that it belongs to, if it is recorded. */
  readonly traceparent?: string | undefined;
}

/** `more`: a chunk was consumed, so another may be sent. `cancel`: the answer, or the rest of it, is not wanted. */
export type MessageToThread =
  | { readonly kind: 'task'; readonly number: number; readonly task: ThreadTask }
  | { readonly kind: 'job'; readonly number: number; readonly job: ThreadJob }
  | { readonly kind: 'more' | 'cancel'; readonly number: number }
  | { readonly kind: 'stop' };

/** A failure that is logged and not shown to the caller. */
export interface FailureReport {
  readonly kind: 'defect' | 'outage';
  readonly error: unknown;
}

export type MessageFromThread =
  /** The thread has loaded everything and takes tasks. */
  | { readonly kind: 'ready' }
  /** For how many milliseconds each workspace has held connections of the thread. */
  | { readonly kind: 'database-use'; readonly uses: readonly (readonly [workspaceId: string, ms: number])[] }
  | {
      readonly kind: 'response';
      readonly number: number;
      readonly rendered: Omit<RenderedResponse, 'chunks'>;
      /** Whether the body follows in `chunk` messages. */
      readonly hasChunks: boolean;
      readonly failure: FailureReport | undefined;
    }
  | { readonly kind: 'chunk'; readonly number: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end'; readonly number: number }
  | { readonly kind: 'broken'; readonly number: number; readonly error: unknown }
  /** Progress, result or error of a job. */
  | { readonly kind: 'progress' | 'done' | 'failed'; readonly number: number; readonly value: unknown };

/** Chunks that may be sent before one is consumed. */
export const chunksAheadMax = 4;
