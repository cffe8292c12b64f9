// Tells what a node can do: whether it answers reads (it is not stopping, and the database answers soon), and whether changes are accepted.
// Follows the mode that the operator sets, and looks by itself whether changes are accepted again.

import { secondMs } from '../../kit/clock.ts';
import { withDeadline } from '../../kit/concurrency/deadline.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { ModeNotice } from '../../model/operations/service-mode.ts';
import { unwritableStates, type ServerState, type UnwritableState } from '../../store/server-state.ts';
import { followOperatorMode } from './stored-mode.ts';
import type { AppContext } from './context.ts';

/** `ready`, or why reads are not answered. */
export const readyStates = ['ready', 'stopping', 'database-away', 'maintenance'] as const;
export type ReadyState = (typeof readyStates)[number];

/** `ready`, or why nothing can be changed: the operator or the database allows no changes. */
export const writeStates = ['ready', 'read-only', 'maintenance', ...unwritableStates] as const;
export type WriteState = (typeof writeStates)[number];

export interface ReadinessReport {
  /** Of reads. */
  readonly status: ReadyState;
  readonly writes: WriteState;
  readonly notice: ModeNotice;
}

/** How often changes are tried, however often readiness is asked for. */
const writeIntervalMs = 5 * secondMs;
/** How often it is tried whether there is room for new records, as long as there was. */
const roomIntervalMs = 15 * secondMs;
/** How often the operator's mode is read, and how often it is tried whether the database accepts changes again where it did not. */
const usualWatchMs = 2 * secondMs;

interface ReadinessOptions {
  /** Load balancers ask every few seconds and do not wait for long. */
  readonly answerMs: number;
  /** Resolves once the node's threads can take work. */
  untilStarted(): Promise<void>;
  /** How often the node looks by itself. */
  readonly watchMs?: number | undefined;
  /** Is called every few seconds while changes are accepted: what waited for that is done. */
  catchUp?(): Promise<void>;
}

type ReadinessContext = Pick<AppContext, 'stores' | 'clock' | 'operatorMode'>;
/** What the database says of changes, whatever the operator allows. */
type DatabaseState = 'ready' | UnwritableState;

export class Readiness {
  readonly #context: ReadinessContext;
  readonly #options: ReadinessOptions;
  #isStopping = false;
  #state: DatabaseState = 'ready';
  #writtenAt = -Infinity;
  #roomFoundAt = -Infinity;
  #refusedCountSeen: number;
  #checking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: ReadinessContext, options: ReadinessOptions) {
    this.#context = context;
    this.#options = options;
    this.#refusedCountSeen = context.stores.refusedChanges.count;
  }

  /** Follows the operator's mode from now on, and looks whether changes are accepted again. */
  async watch(): Promise<void> {
    await followOperatorMode(this.#context);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isStopping) return;
    const { watchMs = usualWatchMs } = this.#options;
    this.#timer = setTimeout(() => void this.#look().finally(() => this.#schedule()), watchMs).unref();
  }

  async #look(): Promise<void> {
    await followOperatorMode(this.#context);
    // Where changes succeed, whoever makes one notices soon enough that they do not any more.
    if (this.writes !== 'ready') await this.#checkChanges();
    // What cannot be done now is tried again with the next look.
    if (this.writes === 'ready') await this.#options.catchUp?.().catch(() => {});
  }

  /** From now on the node is not ready, so that it gets no new requests. */
  beginStopping(): void {
    this.#isStopping = true;
    clearTimeout(this.#timer);
  }

  /** The servers that workspaces are spread over; none where there is only one. */
  listServers(): Promise<readonly ServerState[]> {
    return this.#context.stores.checkServers().catch(() => []);
  }

  /** Whether changes are accepted, as far as the node knows without asking. */
  get writes(): WriteState {
    this.#noteRefused();
    return this.#writes;
  }

  get #writes(): WriteState {
    const { mode } = this.#context.operatorMode.current;
    return mode === 'normal' ? this.#state : mode;
  }

  async check(): Promise<ReadinessReport> {
    if (this.#isStopping) return this.#report('stopping');
    await this.#options.untilStarted();
    try {
      await this.#inTime(this.#context.stores.ping());
    } catch {
      return this.#report('database-away');
    }
    await this.#checkChanges();
    return this.#report('ready');
  }

  #report(status: ReadyState): ReadinessReport {
    const notice = this.#context.operatorMode.current;
    const present = this.#isStopping ? 'stopping' : status;
    const isInMaintenance = present === 'ready' && notice.mode === 'maintenance';
    return { status: isInMaintenance ? 'maintenance' : present, writes: this.#writes, notice };
  }

  /** A change that has just been refused because the database accepts none needs no further proof. */
  #noteRefused(): void {
    const { count, state } = this.#context.stores.refusedChanges;
    if (count === this.#refusedCountSeen || state === undefined) return;
    this.#refusedCountSeen = count;
    this.#state = state;
    this.#writtenAt = this.#context.clock.now();
  }

  #checkChanges(): Promise<void> {
    return (this.#checking ??= this.#checkDueChanges().finally(() => (this.#checking = undefined)));
  }

  /** In the operator's mode nothing is changed, not even to find out whether it could be. */
  async #checkDueChanges(): Promise<void> {
    const { clock, operatorMode } = this.#context;
    this.#noteRefused();
    const now = clock.now();
    if (operatorMode.current.mode !== 'normal' || Math.abs(now - this.#writtenAt) < writeIntervalMs) return;
    this.#writtenAt = now;
    this.#state = await this.#tryChange(now);
    this.#refusedCountSeen = this.#context.stores.refusedChanges.count;
  }

  async #tryChange(now: number): Promise<DatabaseState> {
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
