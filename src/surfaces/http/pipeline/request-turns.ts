// Performs requests with the same Idempotency-Key one after the other. Those that wait hold no connection to the database: on one node they
// wait in memory, and for another node they try again after a pause.

import { setTimeout } from 'node:timers/promises';
import { backoffMs } from '../../../kit/backoff.ts';
import { KeyedLimit, WaitedTooLong } from '../../../kit/concurrency/keyed-limit.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { RequestInProgress } from '../operation/request-in-progress.ts';
import { InFlight } from './in-flight.ts';

/** As long as a request waits for the records that it changes. */
const waitMsMax = 25_000;
/** How long a request pauses before it looks again whether its records are free. */
const pauseMs = { first: 20, max: 320 };
/** With these pauses, about as many as fit into the longest wait. */
const triesMax = 80;

function stillInProgress(cause: unknown): Refusal {
  const detail =
    'A request with this Idempotency-Key is still in progress. Repeat the request later, with the same key.';
  return new Refusal('records-busy', detail, { retryAfterSeconds: 2, cause });
}

export class RequestTurns {
  readonly #turns = new KeyedLimit(1);
  /** Each request that waits keeps its body in memory. */
  readonly #waiting: InFlight;

  /** `waitingMax`: how many requests of one workspace may wait, whatever their keys. */
  constructor(waitingMax: number) {
    this.#waiting = new InFlight({ running: waitingMax, waiting: 0 });
  }

  /** `key` names the requests of the workspace that take turns. */
  async take<T>(workspace: string, key: string, perform: () => Promise<T>): Promise<T> {
    const name = `${workspace}/${key}`;
    if (this.#turns.isFull(name)) await this.#wait(workspace, name);
    else await this.#turns.enter(name);
    try {
      return await perform();
    } finally {
      this.#turns.leave(name);
    }
  }

  async #wait(workspace: string, name: string): Promise<void> {
    await this.#waiting.enter(workspace);
    try {
      await this.#turns.enter(name, { waitMsMax });
    } catch (error) {
      throw error instanceof WaitedTooLong ? stillInProgress(error) : error;
    } finally {
      this.#waiting.leave(workspace);
    }
  }
}

/** Performs a request again as long as another node is performing the same one. */
export async function whenFree<T>(perform: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await perform();
    } catch (error) {
      if (!(error instanceof RequestInProgress)) throw error;
      if (tries >= triesMax) throw stillInProgress(error);
    }
    await setTimeout(backoffMs(pauseMs, tries));
  }
}
