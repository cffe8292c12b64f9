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

const requestsDetail =
  'Too many requests of this workspace are running or waiting. Try again in a second, with fewer at a time.';

export class InFlight {
  readonly #waitingMax: number;
  readonly #limit: KeyedLimit;
  readonly #detail: string;

  /** `detail`: what a caller is told for whom there is no room. */
  constructor({ running, waiting }: InFlightSize, detail = requestsDetail) {
    this.#limit = new KeyedLimit(running);
    this.#waitingMax = waiting;
    this.#detail = detail;
  }

  /**
   * Enters at once if there is room, else when an earlier request leaves. Must be followed by `leave`, unless its caller leaves while it
   * waits.
   */
  enter(workspace: string, signal?: LeaveSignal): Promise<void> | undefined {
    if (this.#limit.isFull(workspace) && this.#limit.waitingCount(workspace) >= this.#waitingMax) {
      throw new Refusal('too-many-in-flight', this.#detail, { retryAfterSeconds: 1 });
    }
    return this.#limit.enter(workspace, { signal });
  }

  /** Takes a place that was given up. Waits for as long as it takes: the request has begun, and is refused no more. */
  enterAgain(workspace: string): Promise<void> | undefined {
    return this.#limit.enter(workspace);
  }

  isFull(workspace: string): boolean {
    return this.#limit.isFull(workspace);
  }

  leave(workspace: string): void {
    this.#limit.leave(workspace);
  }
}
