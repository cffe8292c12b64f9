// How much of one tenant's work runs at the same time on this node. What exceeds it waits in line, so that a storm of one
// tenant costs that tenant time and leaves the others alone.

import { Refusal } from '../../../kit/refusal.ts';

interface TenantQueue {
  running: number;
  readonly waiting: (() => void)[];
}

export interface InFlightSize {
  /** Pieces of work of one tenant that run at the same time. */
  readonly running: number;
  /** Pieces of work of one tenant that may wait behind them. */
  readonly waiting: number;
}

export class InFlight {
  readonly #size: InFlightSize;
  readonly #queues = new Map<string, TenantQueue>();

  constructor(size: InFlightSize) {
    this.#size = size;
  }

  /** Enters at once where there is room, else when those before have left. Must be followed by `leave`. */
  enter(tenant: string): Promise<void> | undefined {
    let queue = this.#queues.get(tenant);
    if (queue === undefined) this.#queues.set(tenant, (queue = { running: 0, waiting: [] }));
    if (queue.running < this.#size.running) {
      queue.running++;
      return undefined;
    }
    if (queue.waiting.length >= this.#size.waiting) {
      throw new Refusal('too-many-in-flight', 'Too many requests of this workspace are waiting for each other.', {
        retryAfterSeconds: 1,
      });
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

/** Pieces of an answer that stay in flight until the last is written, or until nobody takes any more. */
export function inFlightUntilLast<T>(chunks: AsyncIterable<T>, leave: () => void): AsyncIterable<T> {
  let isInFlight = true;
  const end = (): void => {
    if (isInFlight) leave();
    isInFlight = false;
  };
  const iterator = chunks[Symbol.asyncIterator]();
  // No generator: one that was never begun would never end either.
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
