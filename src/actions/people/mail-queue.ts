// What may happen to mail in line: it is found to be due, taken, sent, and settled: when it is tried again, and when it is given up.
// Knows neither mail servers nor when to do which.

import { jitteredBackoffMs } from '../../kit/backoff.ts';
import { hourMs, minuteMs, secondMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import type { OutgoingMessage, MailOutcome } from '../../gateways/mailer.ts';
import { findDueMails, MailQueue, type DueMails, type MailAttemptResult } from '../../store/queues/mail-queue.ts';
import type { AppContext } from '../core/context.ts';
import { openMessage } from './mail.ts';
import { handoverLimits } from './mail-limits.ts';
import type { Tenant } from '../core/tenant-wake-ups.ts';
import { serviceAuthor } from '../core/work.ts';

/** A mail server has so long for one letter. */
export const mailAttemptTimeoutMs = 60 * secondMs;
/** Whoever has not been heard of for so long has lost its letter. Longer than an attempt can take. */
const leaseMs = 2 * minuteMs;
/** From when it was written on. */
const givenUpAfterMs = 24 * hourMs;
const retryMs = { first: 10 * secondMs, max: hourMs };

export type SendMail = (message: OutgoingMessage, signal: AbortSignal) => Promise<MailOutcome>;

export interface TenantDueMails extends DueMails {
  readonly tenant: Tenant;
}

export async function listDueMails(
  context: AppContext,
  tenants: readonly Tenant[],
): Promise<readonly TenantDueMails[]> {
  const scopes = tenants.map((tenant) => serviceAuthor(tenant).scope);
  const found = await findDueMails(context.database, scopes, context.clock.now());
  return found.map((one, index) => ({ ...one, tenant: tenants[index]! }));
}

/** What came of a letter: `none` where it was somebody else's already, or nothing has happened to it. */
export type MailResult = 'sent' | 'failed' | 'put-off' | 'none';

export interface MailAttempt {
  readonly tenant: Tenant;
  readonly id: Id;
  readonly signal: AbortSignal;
}

/** One attempt at one letter: at least once in all, and as a rule once. */
export async function attemptMail(
  context: AppContext,
  { tenant, id, signal }: MailAttempt,
  send: SendMail,
): Promise<MailResult> {
  const queue = new MailQueue(context.database, serviceAuthor(tenant).scope);
  const now = context.clock.now();
  const limits = handoverLimits(context.mailLimits);
  const taken = await queue.take(id, { now, leaseUntil: now + leaseMs, givenUpAfterMs, limits });
  if (taken === undefined) return 'none';
  if (taken === 'put-off') return 'put-off';
  if (taken === 'given-up') return 'failed';
  const { messageSealed, ...mail } = taken;
  const message = openMessage(context, tenant, { id, messageSealed });
  const outcome = await send({ id, createdAt: mail.createdAt, ...message }, signal);
  const resolution = resolveOutcome(mail, outcome, { startedAt: now, now: context.clock.now() });
  if (!(await queue.finish(mail, resolution))) return 'none';
  if (outcome.kind === 'stopped') return 'none';
  return resolution.state === 'waiting' ? 'put-off' : resolution.state;
}

interface AttemptedMail {
  readonly id: Id;
  readonly createdAt: number;
  readonly attemptCount: number;
}

/** The last attempt is made when the time is over, and none after it. */
function resolveOutcome(
  mail: AttemptedMail,
  outcome: MailOutcome,
  { startedAt, now }: { startedAt: number; now: number },
): MailAttemptResult {
  if (outcome.kind === 'sent') return { state: 'sent', at: now };
  if (outcome.kind === 'stopped') return { state: 'waiting', nextAttemptAt: now };
  const deadlineAt = mail.createdAt + givenUpAfterMs;
  if (outcome.isFinal || startedAt >= deadlineAt) return { state: 'failed', at: now, failure: outcome.detail };
  const delayMs = jitteredBackoffMs(retryMs, mail.id, mail.attemptCount - 1);
  return { state: 'waiting', nextAttemptAt: Math.max(now, Math.min(deadlineAt, now + delayMs)) };
}
