// Limits how many requests of one tenant run at the same time on this node. The rest wait in a queue, so that a burst of one
// tenant does not slow down the others.

import { Refusal } from '../../../kit/refusal.ts';

interface TenantQueue {
  running: number;
  readonly waiting: (() => void)[];
}

interface InFlightSize {
  /** Requests of one tenant that run at the same time. */
  readonly running: number;
  /** Requests of one tenant that may wait for these. */
  readonly waiting: number;
}

export class InFlight {
  readonly #size: InFlightSize;
  readonly #queues = new Map<string, TenantQueue>();

  constructor(size: InFlightSize) {
    this.#size = size;
  }

  /** Enters at once if there is room, else when an earlier request leaves. Must be followed by `leave`. */
  enter(tenant: string): Promise<void> | undefined {
    let queue = this.#queues.get(tenant);
    if (queue === undefined) this.#queues.set(tenant, (queue = { running: 0, waiting: [] }));
    if (queue.running < this.#size.running) {
      queue.running++;
      return undefined;
    }
    if (queue.waiting.length >= this.#size.waiting) {
      throw new Refusal(
        'too-many-in-flight',
        'Too many requests of this workspace are running or waiting. Try again in a second, with fewer at a time.',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    const { waiting } = queue;
    return new Promise((resolve) => waiting.push(resolve));
  }

  leave(tenant: string): void {
    const queue = this.#queues.get(tenant);
    if (queue === undefined) return;
    const next = queue.waiting.shift();
    if (next) return next();
    queue.running--;
    if (queue.running === 0) this.#queues.delete(tenant);
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
