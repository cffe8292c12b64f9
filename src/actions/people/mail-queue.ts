// What can happen to queued mail: it is found due, leased for an attempt, sent, and finished, tried again later or given up.

import { jitteredBackoffMs } from '../../kit/backoff.ts';
import { hourMs, minuteMs, secondMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import type { OutgoingMessage, MailOutcome } from '../../gateways/mailer.ts';
import type { MailQueue, DueMails, MailAttemptResult, TakenMail } from '../../store/queues/mail-queue.ts';
import type { AppContext } from '../core/context.ts';
import { openMessage } from './mail.ts';
import { handoverLimits } from './mail-limits.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { serviceAuthor } from '../core/work.ts';

/** How long a mail server has for one mail. */
export const mailAttemptTimeoutMs = 60 * secondMs;
/** Longer than an attempt can take. */
export const mailLeaseMs = 2 * minuteMs;
/** From when it was queued. */
const givenUpAfterMs = 24 * hourMs;
/** The first pause before a mail is tried again, and the longest. */
export const mailRetryMs = { first: 10 * secondMs, max: hourMs };

export type SendMail = (message: OutgoingMessage, signal: AbortSignal) => Promise<MailOutcome>;

interface TenantDueMails extends Omit<DueMails, 'keys'> {
  readonly ids: readonly Id[];
}

export async function listDueMails(
  context: AppContext,
  tenants: readonly Tenant[],
): Promise<readonly TenantDueMails[]> {
  const due = await context.stores.findDueMails(tenants, context.clock.now());
  return due.map(({ keys, ...rest }) => ({ ...rest, ids: keys }));
}

/** What an attempt led to. `none`: another node has the mail, or nothing happened to it. */
export type MailResult = 'sent' | 'failed' | 'put-off' | 'none';

/** A mail that this node has taken for one attempt. */
export interface LeasedMail extends TakenMail {
  readonly tenant: Tenant;
  readonly startedAt: number;
}

function openMailQueue(context: AppContext, tenant: Tenant): MailQueue {
  return context.stores.mailQueue(serviceAuthor(tenant).scope);
}

/** Leases a mail, or returns why it is not to be sent now. */
export async function takeMail(
  context: AppContext,
  { tenant, id }: { readonly tenant: Tenant; readonly id: Id },
): Promise<LeasedMail | Exclude<MailResult, 'sent'>> {
  const now = context.clock.now();
  const limits = handoverLimits(context.mailLimits);
  const taken = await openMailQueue(context, tenant).take(id, {
    now,
    leaseUntil: now + mailLeaseMs,
    givenUpAfterMs,
    limits,
    equivalents: (digest) => context.keyring.equivalents('mail-address', digest),
  });
  if (taken === undefined) return 'none';
  if (taken === 'put-off') return 'put-off';
  if (taken === 'given-up') return 'failed';
  return { ...taken, tenant, startedAt: now };
}

/** Makes the attempt. A mail is sent at least once, and as a rule once. */
export async function sendMail(
  context: AppContext,
  mail: LeasedMail,
  { send, signal }: { readonly send: SendMail; readonly signal: AbortSignal },
): Promise<MailOutcome> {
  const { id, createdAt, tenant } = mail;
  return send({ id, createdAt, ...openMessage(context, tenant, mail) }, signal);
}

/** Records what the attempt led to, unless the lease was lost. */
export async function finishMail(context: AppContext, mail: LeasedMail, outcome: MailOutcome): Promise<MailResult> {
  const result = attemptResult(mail, outcome, context.clock.now());
  const wasOurs = await openMailQueue(context, mail.tenant).finish(mail, result);
  if (!wasOurs || outcome.kind === 'stopped') return 'none';
  return result.state === 'waiting' ? 'put-off' : result.state;
}

/** The last attempt is made when the time is over, and none after it. */
function attemptResult(mail: LeasedMail, outcome: MailOutcome, now: number): MailAttemptResult {
  if (outcome.kind === 'sent') return { state: 'sent', at: now };
  if (outcome.kind === 'stopped') return { state: 'waiting', nextAttemptAt: now };
  const deadlineAt = mail.createdAt + givenUpAfterMs;
  if (outcome.isFinal || mail.startedAt >= deadlineAt) return { state: 'failed', at: now, failure: outcome.detail };
  const delayMs = jitteredBackoffMs(mailRetryMs, mail.id, mail.attemptCount - 1);
  return { state: 'waiting', nextAttemptAt: Math.max(now, Math.min(deadlineAt, now + delayMs)) };
}
