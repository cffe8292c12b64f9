// Sends mail: finds what is due and works through it, some side by side, each tenant in its turn, on any node. Knows neither what is
// in it nor how it goes out.

import { secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import type { AppContext } from '../actions/core/context.ts';
import { attemptMail, listDueMails, type MailResult, type SendMail } from '../actions/people/mail-queue.ts';
import { tenantKey, type Tenant } from '../actions/core/tenant-wake-ups.ts';
import { listEnvironments } from '../store/access/expiry.ts';
import { mailsFoundMax } from '../store/queues/mail-queue.ts';
import { FairQueue } from './fair-queue.ts';

/** Where this node has written. */
export const mailWakeUpIntervalMs = secondMs / 5;
/** All tenants: what was written on other nodes, what was left behind, what is due again. */
export const mailSweepIntervalMs = 5 * secondMs;

/** Who hears of what became of mail. */
export interface MailObserver {
  onOutcome(outcome: MailResult): void;
  /** How much waits everywhere, due or not. */
  waiting(count: number): void;
  onFailure(error: unknown): void;
}

export interface MailWorkerOptions {
  readonly context: AppContext;
  readonly send: SendMail;
  /** So many letters are sent side by side on this node. */
  readonly concurrency?: number;
  /** What is under way when the node is stopped has so long to end by itself. */
  readonly stopGraceMs?: number;
  readonly observer: MailObserver;
}

export class MailWorker {
  readonly #options: MailWorkerOptions;
  readonly #concurrency: number;
  readonly #fairQueue = new FairQueue<Tenant, Id>(tenantKey);
  readonly #running = new Map<Id, Promise<void>>();
  readonly #stopController = new AbortController();
  #isStopped = false;

  constructor(options: MailWorkerOptions) {
    this.#options = options;
    this.#concurrency = options.concurrency ?? 5;
  }

  async sweep(): Promise<void> {
    const waiting = await this.#checkTenants(await listEnvironments(this.#options.context.database));
    this.#options.observer.waiting(waiting);
  }

  async processWakeUps(): Promise<void> {
    const { mailWakeUps, clock } = this.#options.context;
    await this.#checkTenants(mailWakeUps.take(clock.now()));
  }

  /** Until nothing that was found waits or runs any more. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** What is under way is waited for a little, since it may have arrived already; then it is left to others. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#fairQueue.clear();
    const timer = setTimeout(() => this.#stopController.abort(), this.#options.stopGraceMs ?? 8 * secondMs);
    await this.drain();
    clearTimeout(timer);
  }

  /** How much waits there. */
  async #checkTenants(tenants: readonly Tenant[]): Promise<number> {
    if (tenants.length === 0 || this.#isStopped) return 0;
    const { context } = this.#options;
    let waitingTotal = 0;
    for (const { tenant, due, waiting } of await listDueMails(context, tenants)) {
      waitingTotal += waiting;
      for (const id of due) if (!this.#running.has(id)) this.#fairQueue.put(tenant, id, id);
      if (due.length >= mailsFoundMax) context.mailWakeUps.put(tenant, context.clock.now());
    }
    this.#startNext();
    return waitingTotal;
  }

  #startNext(): void {
    while (this.#running.size < this.#concurrency && !this.#isStopped) {
      const next = this.#fairQueue.take();
      if (next === undefined) return;
      if (!this.#running.has(next.item)) this.#running.set(next.item, this.#send(next.owner, next.item));
    }
  }

  async #send(tenant: Tenant, id: Id): Promise<void> {
    const { context, send, observer } = this.#options;
    try {
      observer.onOutcome(await attemptMail(context, { tenant, id, signal: this.#stopController.signal }, send));
    } catch (error) {
      observer.onFailure(error);
    } finally {
      this.#running.delete(id);
      this.#startNext();
    }
  }
}
