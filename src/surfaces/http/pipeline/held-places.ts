// The places that one request holds among those of its workspace. A request whose answer is read slowly gives them up while it waits for its
// reader, and takes them again before it goes on: a slow reader keeps nobody else waiting.

import type { LeaveSignal } from '../../../kit/concurrency/caller-left.ts';
import type { InFlight } from './in-flight.ts';

/** How long a reader may take for one piece of its answer before the places are given up. */
const slowReaderMs = 1_000;

export class HeldPlaces {
  readonly #workspaceId: string;
  /** Answers of a workspace that wait for their readers without a place. */
  readonly #parked: InFlight;
  readonly #taken: InFlight[] = [];
  #isParked = false;

  constructor(workspaceId: string, parked: InFlight) {
    this.#workspaceId = workspaceId;
    this.#parked = parked;
  }

  /** Rejects, with no place taken, if its caller leaves while it waits. */
  async enter(limit: InFlight, callerLeft?: LeaveSignal): Promise<void> {
    await limit.enter(this.#workspaceId, callerLeft);
    this.#taken.push(limit);
  }

  /** Keeps the places if too many answers wait already: what was computed for each is still in memory. */
  giveUp(): void {
    if (this.#isParked || this.#parked.isFull(this.#workspaceId)) return;
    this.#isParked = true;
    void this.#parked.enter(this.#workspaceId);
    this.#leave(this.#taken);
  }

  /** Takes the places again, in the order in which they were taken first. */
  async takeAgain(): Promise<void> {
    if (!this.#isParked) return;
    const taken: InFlight[] = [];
    for (const limit of this.#taken) {
      await limit.enterAgain(this.#workspaceId);
      taken.push(limit);
      if (!this.#isParked) return this.#leave(taken);
    }
    this.#unpark();
  }

  leave(): void {
    const taken = this.#taken.splice(0);
    if (this.#isParked) this.#unpark();
    else this.#leave(taken);
  }

  #leave(taken: readonly InFlight[]): void {
    for (const limit of taken) limit.leave(this.#workspaceId);
  }

  #unpark(): void {
    this.#isParked = false;
    this.#parked.leave(this.#workspaceId);
  }
}

/** Keeps a streamed response in flight until its last chunk is written or its reader is gone; `end` is then called once. */
export function inFlightUntilLast<T>(
  chunks: AsyncIterable<T>,
  places: Pick<HeldPlaces, 'giveUp' | 'takeAgain'>,
  end: () => void,
): AsyncIterable<T> {
  const iterator = chunks[Symbol.asyncIterator]();
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const finish = (): void => {
    clearTimeout(timer);
    if (!hasEnded) end();
    hasEnded = true;
  };
  // A generator that is never started never runs its `finally`, so the iterator is written by hand.
  const guarded: AsyncIterator<T> = {
    async next() {
      clearTimeout(timer);
      try {
        await places.takeAgain();
        if (hasEnded) return { done: true, value: undefined };
        const chunk = await iterator.next();
        if (chunk.done) finish();
        else if (!hasEnded) timer = setTimeout(() => places.giveUp(), slowReaderMs).unref();
        return chunk;
      } catch (error) {
        finish();
        throw error;
      }
    },
    async return() {
      finish();
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => guarded };
}
