// What the listener and a thread that works for it say to each other. Knows no thread.

import type { Caller } from '../../model/reach.ts';
import type { Sent } from './operation.ts';
import type { Rendered } from './wire.ts';

/** What a thread needs of a request: all of it but what cannot be handed over. */
export interface ThreadTask {
  readonly operationId: string;
  readonly caller: Caller;
  readonly requestId: string;
  readonly sent: Pick<Sent, 'params' | 'query' | 'body' | 'headers'>;
  /** The moment it happens at: clocks are not handed over. */
  readonly now: number;
}

/** `more`: a piece was taken, another may come. `gone`: nobody takes the rest. */
export type ToThread =
  | { readonly kind: 'task'; readonly number: number; readonly task: ThreadTask }
  | { readonly kind: 'more' | 'gone'; readonly number: number }
  | { readonly kind: 'stop' };

/** What only operators are told. */
export interface Trouble {
  readonly kind: 'defect' | 'outage';
  readonly error: unknown;
}

export type FromThread =
  | {
      readonly kind: 'answer';
      readonly number: number;
      readonly rendered: Omit<Rendered, 'pieces'>;
      /** Whether its text follows in pieces. */
      readonly hasPieces: boolean;
      readonly trouble: Trouble | undefined;
    }
  | { readonly kind: 'piece'; readonly number: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly number: number }
  | { readonly kind: 'broken'; readonly number: number; readonly error: unknown };

/** So many pieces are under way before one has to be taken. */
export const piecesAhead = 4;
