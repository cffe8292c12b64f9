// Sends queued mail: finds what is due, leases each mail, hands it to the mailer and records the outcome.

import { secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import type { AppContext } from '../actions/core/context.ts';
import {
  finishMail,
  listDueMails,
  sendMail,
  takeMail,
  type LeasedMail,
  type MailResult,
  type SendMail,
} from '../actions/people/mail-queue.ts';
import type { Tenant } from '../model/access/scope.ts';
import type { MailOutcome } from '../gateways/mailer.ts';
import { LeasedWorker, type DueItems, type LeasedQueue, type QueueItem, type QueueWorker } from './leased-worker.ts';

/** How many mails a node sends at a time. */
const mailsAtATime = 5;
/** How long mail under way may take to end by itself when a node stops. */
const mailStopMs = 8 * secondMs;

/** Receives what happens to mail. */
export interface MailObserver {
  onOutcome(outcome: MailResult): void;
  onFailure(error: unknown): void;
}

export interface MailWorkerOptions {
  readonly context: AppContext;
  readonly send: SendMail;
  readonly concurrency?: number;
  /** How long a mail under way may take to end by itself when the worker is stopped. */
  readonly stopPatienceMs?: number;
  readonly observer: MailObserver;
}

interface MailItem extends QueueItem {
  readonly id: Id;
}

class Mails implements LeasedQueue<MailItem, LeasedMail, MailOutcome> {
  readonly name = 'mails';
  readonly wakeUps;
  readonly wakeUpDelayMs = 0;
  readonly wakeUpIntervalMs = secondMs / 5;
  readonly sweepIntervalMs = 5 * secondMs;
  readonly #options: MailWorkerOptions;

  constructor(options: MailWorkerOptions) {
    this.#options = options;
    this.wakeUps = options.context.mailWakeUps;
  }

  keyOf({ id }: MailItem): string {
    return id;
  }

  findTenants(): Promise<readonly Tenant[]> {
    const { stores, clock } = this.#options.context;
    return stores.preAuth.dueTenants.withMails(clock.now());
  }

  async find(tenants: readonly Tenant[]): Promise<readonly DueItems<MailItem>[]> {
    const { context } = this.#options;
    const due = await listDueMails(context, tenants);
    const lookAgainAt = context.clock.now() + this.wakeUpIntervalMs;
    return due.map(({ tenant, ids, isFull }) => ({
      tenant,
      items: ids.map((id) => ({ tenant, id })),
      isExpandable: false,
      lookAgainAt: isFull ? lookAgainAt : undefined,
    }));
  }

  async take(item: MailItem): Promise<LeasedMail | undefined> {
    const { context, observer } = this.#options;
    const taken = await takeMail(context, item);
    if (typeof taken === 'object') return taken;
    observer.onOutcome(taken);
    return undefined;
  }

  work(mail: LeasedMail, signal: AbortSignal): Promise<MailOutcome> {
    const { context, send } = this.#options;
    return sendMail(context, mail, { send, signal });
  }

  async finish(mail: LeasedMail, outcome: MailOutcome): Promise<undefined> {
    const { context, observer } = this.#options;
    observer.onOutcome(await finishMail(context, mail, outcome));
  }
}

/** A stopped worker waits a little for mail under way, since the server may have accepted it already; then it leaves it to other nodes. */
export function createMailWorker(options: MailWorkerOptions): QueueWorker {
  const { context, observer, concurrency = mailsAtATime, stopPatienceMs = mailStopMs } = options;
  const onFailure = (error: unknown): void => observer.onFailure(error);
  return new LeasedWorker(new Mails(options), { context, concurrency, stopPatienceMs, onFailure });
}
