// Tells whether a node can serve requests: it is not stopping, the database answers soon, and it accepts changes.

import { secondMs } from '../../kit/clock.ts';
import { withDeadline } from '../../kit/concurrency/deadline.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AppContext } from './context.ts';

const unwritableStates = ['database-read-only', 'database-full'] as const;

/** `ready`, or why not. */
export const readyStates = ['ready', 'stopping', 'database-away', ...unwritableStates] as const;
export type ReadyState = (typeof readyStates)[number];

/** How often changes are tried, however often readiness is asked for. */
const writeIntervalMs = 5 * secondMs;
/** How often it is tried whether there is room for new records, as long as there was. */
const roomIntervalMs = 15 * secondMs;

interface ReadinessOptions {
  /** Load balancers ask every few seconds and do not wait for long. */
  readonly answerMs: number;
  /** Resolves once the node's threads can take work. */
  untilStarted(): Promise<void>;
}

export class Readiness {
  readonly #context: Pick<AppContext, 'stores' | 'clock'>;
  readonly #options: ReadinessOptions;
  #isStopping = false;
  #state: ReadyState = 'ready';
  #writtenAt = -Infinity;
  #roomFoundAt = -Infinity;
  #fullCountSeen = 0;

  constructor(context: Pick<AppContext, 'stores' | 'clock'>, options: ReadinessOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** From now on the node is not ready, so that it gets no new requests. */
  beginStopping(): void {
    this.#isStopping = true;
  }

  /** The servers that are away while others answer: requests of their workspaces are refused, and no others. */
  async listAway(): Promise<readonly string[]> {
    const servers = await this.#context.stores.checkServers().catch(() => []);
    return servers.filter(({ isAway }) => isAway).map(({ name }) => name);
  }

  async check(): Promise<ReadyState> {
    if (this.#isStopping) return 'stopping';
    await this.#options.untilStarted();
    try {
      await this.#inTime(this.#context.stores.ping());
    } catch {
      return 'database-away';
    }
    await this.#checkChanges();
    return this.#isStopping ? 'stopping' : this.#state;
  }

  /** A change that has just been refused because the disk is full needs no further proof. */
  async #checkChanges(): Promise<void> {
    const { stores, clock } = this.#context;
    const now = clock.now();
    if (stores.fullDiskCount > this.#fullCountSeen) {
      this.#state = 'database-full';
      this.#writtenAt = now;
    } else if (Math.abs(now - this.#writtenAt) >= writeIntervalMs) {
      this.#writtenAt = now;
      this.#state = await this.#tryChange(now);
    }
    this.#fullCountSeen = stores.fullDiskCount;
  }

  async #tryChange(now: number): Promise<ReadyState> {
    const { stores } = this.#context;
    const needsRoom = this.#state === 'database-full' || Math.abs(now - this.#roomFoundAt) >= roomIntervalMs;
    try {
      await this.#inTime(needsRoom ? stores.checkRoom() : stores.checkWritable());
      if (needsRoom) this.#roomFoundAt = now;
      return 'ready';
    } catch (error) {
      const code = error instanceof Refusal ? error.code : undefined;
      const unwritable = unwritableStates.find((state) => state === code);
      // Whatever else has failed says nothing about changes: the operator may have denied this one.
      return unwritable ?? (this.#state === 'database-full' ? this.#state : 'ready');
    }
  }

  #inTime(answer: Promise<void>): Promise<void> {
    return withDeadline(answer, this.#options.answerMs, () => new Error('The database did not answer in time.'));
  }
}
