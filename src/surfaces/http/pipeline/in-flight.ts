// Limits how many requests of one workspace run at the same time on this node. The rest wait in a queue, so that a burst of one
// workspace does not slow down the others.

import type { LeaveSignal } from '../../../kit/concurrency/caller-left.ts';
import { KeyedLimit } from '../../../kit/concurrency/keyed-limit.ts';
import { Refusal } from '../../../kit/refusal.ts';

interface InFlightSize {
  /** Requests of one workspace, in all its environments, that run at the same time. */
  readonly running: number;
  /** Requests of one workspace that may wait for these. */
  readonly waiting: number;
}

export class InFlight {
  readonly #waitingMax: number;
  readonly #limit: KeyedLimit;

  constructor({ running, waiting }: InFlightSize) {
    this.#limit = new KeyedLimit(running);
    this.#waitingMax = waiting;
  }

  /**
   * Enters at once if there is room, else when an earlier request leaves. Must be followed by `leave`, unless its caller leaves while it
   * waits.
   */
  enter(workspace: string, signal?: LeaveSignal): Promise<void> | undefined {
    if (this.#limit.isFull(workspace) && this.#limit.waitingCount(workspace) >= this.#waitingMax) {
      throw new Refusal(
        'too-many-in-flight',
        'Too many requests of this workspace are running or waiting. Try again in a second, with fewer at a time.',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    return this.#limit.enter(workspace, { signal });
  }

  leave(workspace: string): void {
    this.#limit.leave(workspace);
  }
}

/** Keeps a streamed response in flight until its last chunk is written or its reader is gone. */
export function inFlightUntilLast<T>(chunks: AsyncIterable<T>, leave: () => void): AsyncIterable<T> {
  let isInFlight = true;
  const end = (): void => {
    if (isInFlight) leave();
    isInFlight = false;
  };
  const iterator = chunks[Symbol.asyncIterator]();
  // A generator that is never started never runs its `finally`, so the iterator is written by hand.
  const guarded: AsyncIterator<T> = {
    async next() {
      try {
        const chunk = await iterator.next();
        if (chunk.done) end();
        return chunk;
      } catch (error) {
        end();
        throw error;
      }
    },
    async return() {
      end();
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => guarded };
}
