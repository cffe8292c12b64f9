// How much of one tenant's work runs at the same time on this node. What exceeds it waits in line, so that a storm of one
// tenant costs that tenant time and leaves the others alone.

import { Refusal } from '../../../kit/refusal.ts';

interface Line {
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
  readonly #lines = new Map<string, Line>();

  constructor(size: InFlightSize) {
    this.#size = size;
  }

  /** Enters at once where there is room, else when those before have left. Must be followed by `leave`. */
  enter(tenant: string): Promise<void> | undefined {
    let line = this.#lines.get(tenant);
    if (line === undefined) this.#lines.set(tenant, (line = { running: 0, waiting: [] }));
    if (line.running < this.#size.running) {
      line.running++;
      return undefined;
    }
    if (line.waiting.length >= this.#size.waiting) {
      throw new Refusal('too-many-in-flight', 'Too many requests of this workspace are waiting for each other.', {
        retryAfterSeconds: 1,
      });
    }
    const { waiting } = line;
    return new Promise((resolve) => waiting.push(resolve));
  }

  leave(tenant: string): void {
    const line = this.#lines.get(tenant);
    if (line === undefined) return;
    const next = line.waiting.shift();
    if (next) return next();
    line.running--;
    if (line.running === 0) this.#lines.delete(tenant);
  }
}

/** Pieces of an answer that stay in flight until the last is written, or until nobody takes any more. */
export function inFlightUntilLast<T>(pieces: AsyncIterable<T>, leave: () => void): AsyncIterable<T> {
  let isInFlight = true;
  const end = (): void => {
    if (isInFlight) leave();
    isInFlight = false;
  };
  const iterator = pieces[Symbol.asyncIterator]();
  // No generator: one that was never begun would never end either.
  const held: AsyncIterator<T> = {
    async next() {
      try {
        const piece = await iterator.next();
        if (piece.done) end();
        return piece;
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
  return { [Symbol.asyncIterator]: () => held };
}
