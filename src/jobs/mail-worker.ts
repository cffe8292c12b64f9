// Sends mail: finds what is due and works through it, some side by side, each tenant in its turn, on any node. Knows neither what is
// in it nor how it goes out.

import { secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import type { House } from '../actions/core/context.ts';
import { attemptMail, listDueMails, type Mailed, type SendMail } from '../actions/people/mail-queue.ts';
import { tenantKey, type Tenant } from '../actions/core/tenant-wake-ups.ts';
import { listEnvironments } from '../store/access/expiry.ts';
import { mailsFoundMax } from '../store/queues/mail-queue.ts';
import { TurnQueue } from './fair-queue.ts';

/** Where this node has written. */
export const mailHintsEveryMs = secondMs / 5;
/** All tenants: what was written on other nodes, what was left behind, what is due again. */
export const mailSweepEveryMs = 5 * secondMs;

/** Who hears of what became of mail. */
export interface MailObserver {
  mailed(outcome: Mailed): void;
  /** How much waits everywhere, due or not. */
  waiting(count: number): void;
  failure(error: unknown): void;
}

export interface MailsOptions {
  readonly house: House;
  readonly send: SendMail;
  /** So many letters are sent side by side on this node. */
  readonly sideBySide?: number;
  /** What is under way when the node is stopped has so long to end by itself. */
  readonly patienceMs?: number;
  readonly observer: MailObserver;
}

export class Mails {
  readonly #options: MailsOptions;
  readonly #sideBySide: number;
  readonly #queue = new TurnQueue<Tenant, Id>(tenantKey);
  readonly #running = new Map<Id, Promise<void>>();
  readonly #stopping = new AbortController();
  #isStopped = false;

  constructor(options: MailsOptions) {
    this.#options = options;
    this.#sideBySide = options.sideBySide ?? 5;
  }

  async sweep(): Promise<void> {
    const waiting = await this.#lookAt(await listEnvironments(this.#options.house.database));
    this.#options.observer.waiting(waiting);
  }

  async lookWhereHinted(): Promise<void> {
    const { mailHints, clock } = this.#options.house;
    await this.#lookAt(mailHints.take(clock.now()));
  }

  /** Until nothing that was found waits or runs any more. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** What is under way is waited for a little, since it may have arrived already; then it is left to others. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#queue.clear();
    const timer = setTimeout(() => this.#stopping.abort(), this.#options.patienceMs ?? 8 * secondMs);
    await this.settle();
    clearTimeout(timer);
  }

  /** How much waits there. */
  async #lookAt(tenants: readonly Tenant[]): Promise<number> {
    if (tenants.length === 0 || this.#isStopped) return 0;
    const { house } = this.#options;
    let all = 0;
    for (const { tenant, due, waiting } of await listDueMails(house, tenants)) {
      all += waiting;
      for (const id of due) if (!this.#running.has(id)) this.#queue.put(tenant, id, id);
      if (due.length >= mailsFoundMax) house.mailHints.put(tenant, house.clock.now());
    }
    this.#startSome();
    return all;
  }

  #startSome(): void {
    while (this.#running.size < this.#sideBySide && !this.#isStopped) {
      const next = this.#queue.take();
      if (next === undefined) return;
      if (!this.#running.has(next.one)) this.#running.set(next.one, this.#send(next.of, next.one));
    }
  }

  async #send(tenant: Tenant, id: Id): Promise<void> {
    const { house, send, observer } = this.#options;
    try {
      observer.mailed(await attemptMail(house, { tenant, id, signal: this.#stopping.signal }, send));
    } catch (error) {
      observer.failure(error);
    } finally {
      this.#running.delete(id);
      this.#startSome();
    }
  }
}
