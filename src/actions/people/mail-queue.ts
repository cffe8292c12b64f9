// What may happen to mail in line: it is found to be due, taken, sent, and settled: when it is tried again, and when it is given up.
// Knows neither mail servers nor when to do which.

import { scatteredBackoffMs } from '../../kit/backoff.ts';
import { hourMs, minuteMs, secondMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import type { Letter, MailOutcome } from '../../gateways/mailer.ts';
import { findDueMails, MailQueue, type DueMails, type MailFate } from '../../store/queues/mail-queue.ts';
import type { House } from '../core/context.ts';
import { openMessage } from './mail.ts';
import { limitsOfHanding } from './mail-limits.ts';
import type { Tenant } from '../core/tenant-wake-ups.ts';
import { ownDoing } from '../core/work.ts';

/** A mail server has so long for one letter. */
export const mailAttemptMs = 60 * secondMs;
/** Whoever has not been heard of for so long has lost its letter. Longer than an attempt can take. */
const leaseMs = 2 * minuteMs;
/** From when it was written on. */
const givenUpAfterMs = 24 * hourMs;
const retryMs = { first: 10 * secondMs, most: hourMs };

export type SendMail = (letter: Letter, signal: AbortSignal) => Promise<MailOutcome>;

export interface DueMailsOf extends DueMails {
  readonly tenant: Tenant;
}

export async function listDueMails(house: House, tenants: readonly Tenant[]): Promise<readonly DueMailsOf[]> {
  const reaches = tenants.map((tenant) => ownDoing(tenant).reach);
  const found = await findDueMails(house.database, reaches, house.clock.now());
  return found.map((one, index) => ({ ...one, tenant: tenants[index]! }));
}

/** What came of a letter: `none` where it was somebody else's already, or nothing has happened to it. */
export type Mailed = 'sent' | 'failed' | 'put-off' | 'none';

export interface MailAttempt {
  readonly tenant: Tenant;
  readonly id: Id;
  readonly signal: AbortSignal;
}

/** One attempt at one letter: at least once in all, and as a rule once. */
export async function attemptMail(house: House, { tenant, id, signal }: MailAttempt, send: SendMail): Promise<Mailed> {
  const queue = new MailQueue(house.database, ownDoing(tenant).reach);
  const now = house.clock.now();
  const limits = limitsOfHanding(house.mailLimits);
  const taken = await queue.take(id, { now, leaseUntil: now + leaseMs, givenUpAfterMs, limits });
  if (taken === undefined) return 'none';
  if (taken === 'put-off') return 'put-off';
  if (taken === 'given-up') return 'failed';
  const { messageSealed, ...mail } = taken;
  const message = openMessage(house, tenant, { id, messageSealed });
  const outcome = await send({ id, createdAt: mail.createdAt, ...message }, signal);
  const fate = fateOf(mail, outcome, { begunAt: now, now: house.clock.now() });
  if (!(await queue.settle(mail, fate))) return 'none';
  if (outcome.kind === 'stopped') return 'none';
  return fate.state === 'waiting' ? 'put-off' : fate.state;
}

interface Attempted {
  readonly id: Id;
  readonly createdAt: number;
  readonly attemptCount: number;
}

/** The last attempt is made when the time is over, and none after it. */
function fateOf(mail: Attempted, outcome: MailOutcome, { begunAt, now }: { begunAt: number; now: number }): MailFate {
  if (outcome.kind === 'sent') return { state: 'sent', at: now };
  if (outcome.kind === 'stopped') return { state: 'waiting', nextAttemptAt: now };
  const overAt = mail.createdAt + givenUpAfterMs;
  if (outcome.isFinal || begunAt >= overAt) return { state: 'failed', at: now, failure: outcome.detail };
  const delayMs = scatteredBackoffMs(retryMs, mail.id, mail.attemptCount - 1);
  return { state: 'waiting', nextAttemptAt: Math.max(now, Math.min(overAt, now + delayMs)) };
}
