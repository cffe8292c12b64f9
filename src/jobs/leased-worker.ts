// Works through a queue of leased items: looks where something is due, serves tenants in turn, several items at a time, and stops in an
// orderly way. What an item is, and how it is found, taken, worked on and finished, the queue says.

import { tenantKey, type TenantWakeUps } from '../actions/core/tenant-wake-ups.ts';
import type { Tenant } from '../model/access/scope.ts';
import type { AppContext } from '../actions/core/context.ts';
import { minuteMs, secondMs } from '../kit/clock.ts';
import { withDeadline } from '../kit/concurrency/deadline.ts';
import { Refusal } from '../kit/refusal.ts';
import { completeSpan } from '../kit/tracing/span.ts';
import { FairQueue } from './fair-queue.ts';
import type { Job } from './scheduler.ts';

/** Something to do for a tenant. */
export interface QueueItem {
  readonly tenant: Tenant;
}

/** What a tenant has due. */
export interface DueItems<Item> {
  readonly tenant: Tenant;
  readonly items: readonly Item[];
  /** Something is noted for the tenant as a whole and has to be expanded into items. */
  readonly isExpandable: boolean;
  /** When to look at the tenant again without waiting for a sweep; undefined where nothing more is expected. */
  readonly lookAgainAt: number | undefined;
}

/**
 * A queue in the database, shared by all nodes. An item is leased to the node that takes it: a node that dies loses it when the lease
 * ends, and what a node writes after it has lost the lease has no effect.
 */
export interface LeasedQueue<Item extends QueueItem, Lease, Result> {
  /** The name of its jobs. */
  readonly name: string;
  /** Tenants where this node has written, looked at every `wakeUpIntervalMs`. */
  readonly wakeUps: TenantWakeUps;
  readonly wakeUpIntervalMs: number;
  /** A wake-up counts when it is this old, so that changes gather. */
  readonly wakeUpDelayMs: number;
  /** How often all tenants are looked at: what other nodes wrote, what was left behind, what is due again. */
  readonly sweepIntervalMs: number;

  /** Unique among the items of all tenants. */
  keyOf(item: Item): string;
  /** Groups of items take turns; the tenant is the group where the queue names no other. */
  groupOf?(item: Item): string;
  /** Whether an item of this group may start now. */
  canServe?(item: Item): boolean;
  /** Counts an item as running until the returned function is called. */
  occupy?(item: Item): () => void;

  /** All tenants that have something due, in one question. */
  findTenants(): Promise<readonly Tenant[]>;
  /** In the order of the tenants. */
  find(tenants: readonly Tenant[]): Promise<readonly DueItems<Item>[]>;
  /** Turns what is noted for the tenant as a whole into items, which are found afterwards. */
  expand?(tenant: Tenant): Promise<void>;

  /** Undefined where the item is not due any more, or another node has it. */
  take(item: Item): Promise<Lease | undefined>;
  /** Ends early when the signal is aborted: the worker stops, or the lease is lost. */
  work(lease: Lease, signal: AbortSignal): Promise<Result>;
  /** Writes the result down. Returns the lease to go on with where the item has more to do. */
  finish(lease: Lease, result: Result): Promise<Lease | undefined>;
  /** Records that `work` or `finish` failed. Returns the error to report. */
  fail?(lease: Lease, error: unknown): Promise<Error>;
  /** Prolongs a lease while it is worked on. */
  readonly renewal?: {
    readonly intervalMs: number;
    /** False where the lease is lost. */
    renew(lease: Lease): Promise<boolean>;
  };
}

export interface LeasedWorkerOptions {
  readonly context: Pick<AppContext, 'clock'> & Partial<Pick<AppContext, 'tracer'>>;
  /** How many items this node works on at a time. */
  readonly concurrency: number;
  /** How long what is under way may take to end by itself when the worker is stopped. */
  readonly stopPatienceMs?: number;
  /** How long an item may be worked on before it is interrupted; a quarter of an hour unless said otherwise. */
  readonly itemPatienceMs?: number;
  onFailure(error: unknown): void;
}

/** How long one item of a queue may take before it is given up. */
const usualItemPatienceMs = 15 * minuteMs;
/** How long an interrupted item may take to hand back its lease before it is given up. */
const handBackMs = 90 * secondMs;

/** What the rest of the service does with a worker. */
export interface QueueWorker {
  /** What the scheduler runs. */
  readonly jobs: readonly Job[];
  sweep(signal?: AbortSignal): Promise<void>;
  processWakeUps(signal?: AbortSignal): Promise<void>;
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether the workspace was suspended meanwhile: what is due waits until it is resumed. */
function isSuspended(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'workspace-suspended';
}

interface RunningItem {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export class LeasedWorker<Item extends QueueItem, Lease, Result> implements QueueWorker {
  readonly #queue: LeasedQueue<Item, Lease, Result>;
  readonly #options: LeasedWorkerOptions;
  readonly #waiting: FairQueue<Item>;
  readonly #running = new Map<string, RunningItem>();
  #isStopped = false;

  constructor(queue: LeasedQueue<Item, Lease, Result>, options: LeasedWorkerOptions) {
    this.#queue = queue;
    this.#options = options;
    this.#waiting = new FairQueue<Item>({
      keyOf: (item) => queue.keyOf(item),
      groupOf: (item) => queue.groupOf?.(item) ?? tenantKey(item.tenant),
    });
  }

  get jobs(): readonly Job[] {
    const { name, wakeUpIntervalMs, sweepIntervalMs } = this.#queue;
    return [
      { name, intervalMs: wakeUpIntervalMs, run: (signal) => this.processWakeUps(signal) },
      { name: `all ${name}`, intervalMs: sweepIntervalMs, run: (signal) => this.sweep(signal) },
    ];
  }

  /** Looks at all tenants that have something due. */
  async sweep(signal?: AbortSignal): Promise<void> {
    await this.#checkTenants(await this.#queue.findTenants(), signal);
  }

  /** Looks where this node has written, until no wake-up is left: tenants in turn, so that none waits until another is emptied. */
  async processWakeUps(signal?: AbortSignal): Promise<void> {
    while (!this.#isEnding(signal)) {
      const awakened = this.#queue.wakeUps.take(this.#options.context.clock.now() - this.#queue.wakeUpDelayMs);
      if (awakened.length === 0) return;
      await this.#checkTenants(awakened, signal);
    }
  }

  /** Waits until nothing that was found waits or runs. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Starts nothing more, interrupts what is still under way when patience ends, and waits until it has handed back its leases. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    const interrupt = (): void => this.#running.forEach(({ controller }) => controller.abort());
    const { stopPatienceMs = 0 } = this.#options;
    if (stopPatienceMs === 0) interrupt();
    const timer = setTimeout(interrupt, stopPatienceMs);
    await this.drain();
    clearTimeout(timer);
  }

  #report(error: unknown): void {
    if (!isSuspended(error)) this.#options.onFailure(error);
  }

  #isEnding(signal: AbortSignal | undefined): boolean {
    return this.#isStopped || signal?.aborted === true;
  }

  async #checkTenants(tenants: readonly Tenant[], signal: AbortSignal | undefined): Promise<void> {
    if (tenants.length === 0 || this.#isStopped) return;
    const due = await this.#queue.find(tenants);
    this.#enqueue(due);
    for (const { tenant, isExpandable } of due)
      if (isExpandable && !this.#isEnding(signal))
        await this.#expand(tenant).catch((error: unknown) => this.#report(error));
  }

  async #expand(tenant: Tenant): Promise<void> {
    await this.#queue.expand?.(tenant);
    this.#enqueue(await this.#queue.find([tenant]));
  }

  #enqueue(due: readonly DueItems<Item>[]): void {
    if (this.#isStopped) return;
    for (const { tenant, items, lookAgainAt } of due) {
      for (const item of items) this.#waiting.put(item);
      if (lookAgainAt !== undefined) this.#queue.wakeUps.put(tenant, lookAgainAt);
    }
    this.#startNext();
  }

  #startNext(): void {
    while (this.#running.size < this.#options.concurrency && !this.#isStopped) {
      const item = this.#waiting.take((next) => this.#queue.canServe?.(next) ?? true);
      if (item === undefined) return;
      const key = this.#queue.keyOf(item);
      if (this.#running.has(key)) continue;
      const controller = new AbortController();
      this.#running.set(key, { controller, done: this.#serve(key, item, controller) });
    }
  }

  /** Interrupts an item that takes too long, and gives it up if it does not end: by then its lease is anybody's. */
  async #serve(key: string, item: Item, controller: AbortController): Promise<void> {
    const { itemPatienceMs = usualItemPatienceMs } = this.#options;
    const leave = this.#queue.occupy?.(item);
    const interruptTimer = setTimeout(() => controller.abort(), itemPatienceMs);
    const notBack = (): Error => new Error(`Work on ${key} did not come back and was given up.`);
    try {
      await withDeadline(
        this.#trace(() => this.#processItem(item, controller)),
        itemPatienceMs + handBackMs,
        notBack,
      );
    } catch (error) {
      this.#report(error);
    } finally {
      clearTimeout(interruptTimer);
      leave?.();
      this.#running.delete(key);
      this.#startNext();
    }
  }

  #trace(task: () => Promise<void>): Promise<void> {
    const { tracer } = this.#options.context;
    return tracer === undefined ? task() : completeSpan(tracer.begin(this.#queue.name, { kind: 'consumer' }), task);
  }

  async #processItem(item: Item, controller: AbortController): Promise<void> {
    let lease = await this.#queue.take(item);
    while (lease !== undefined) lease = await this.#workOn(lease, controller);
  }

  async #workOn(lease: Lease, controller: AbortController): Promise<Lease | undefined> {
    try {
      const stopRenewal = this.#keepRenewing(lease, controller);
      const result = await this.#queue.work(lease, controller.signal).finally(stopRenewal);
      return await this.#queue.finish(lease, result);
    } catch (error) {
      throw (await this.#queue.fail?.(lease, error)) ?? error;
    }
  }

  #keepRenewing(lease: Lease, controller: AbortController): () => void {
    const { renewal } = this.#queue;
    if (renewal === undefined) return () => {};
    const renew = (): Promise<void> =>
      renewal.renew(lease).then(
        (isOurs) => {
          if (!isOurs) controller.abort();
        },
        (error: unknown) => this.#report(error),
      );
    const timer = setInterval(renew, renewal.intervalMs);
    return () => clearInterval(timer);
  }
}
