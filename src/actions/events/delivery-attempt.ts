// One attempt at a delivery: its body, its signature, the request, and when to try again.

import type { KeyObject } from 'node:crypto';
import { jitteredBackoffMs } from '../../kit/backoff.ts';
import { hourMs, secondMs } from '../../kit/clock.ts';
import { activeSpan, type Span } from '../../kit/tracing/span.ts';
import type { WebhookOutcome, WebhookPost } from '../../gateways/webhook-sender.ts';
import { serviceSignature } from '../../signing/webhook-signature.ts';
import type { AttemptResult, NextDelivery, TakenQueue } from '../../store/queues/delivery-queue-types.ts';
import type { AppContext } from '../core/context.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { openReadWork, serviceAuthor } from '../core/work.ts';
import type { DeliveryBodies, DeliveryBody } from './delivery-body.ts';
import { attemptTimeoutMs, type TenantHeldQueue } from './delivery-queue.ts';
import type { EventRenderer } from './event.ts';
import { openSecrets, type WebhookSecrets } from './webhook.ts';

/** From when a delivery was ready for its webhook, whether it was tried or held back by an earlier one. */
export const givenUpAfterMs = 24 * hourMs;
/** The first pause before a delivery is tried again, and the longest. */
export const retryMs = { first: 10 * secondMs, max: hourMs };
/** How much of an answer is kept. */
const answerBytesMax = 1_024;

export type SendWebhook = (post: WebhookPost) => Promise<WebhookOutcome>;

/** What became of an attempt: it was accepted, is tried again, or was the last. */
export type DeliveryEnd = 'delivered' | 'retried' | 'dead';

/** Receives what happens to deliveries. */
export interface DeliveryObserver {
  onAttempt(end: DeliveryEnd, durationMs: number): void;
  onDeadLetters(count: number): void;
}

export interface DeliveryPorts {
  readonly send: SendWebhook;
  readonly renderer: EventRenderer;
  /** The private keys that sign deliveries of the standard scheme now. */
  signingKeys(tenant: Tenant): Promise<readonly KeyObject[]>;
  readonly observer?: DeliveryObserver | undefined;
}

/** What signs deliveries to a webhook: its secrets, or the keys of the tenant. */
type Signer =
  | { readonly scheme: 'hmac'; readonly secrets: WebhookSecrets }
  | { readonly scheme: 'standard'; readonly keys: readonly KeyObject[] };

/** The next deliveries of a queue, ready to be sent. */
export interface PreparedDeliveries {
  readonly bodies: readonly DeliveryBody[];
  readonly signer: Signer;
}

/** Prepares the next deliveries of queues of one tenant. */
export async function prepareDeliveries(
  context: AppContext,
  queues: readonly [TenantHeldQueue, ...TenantHeldQueue[]],
  { bodies, signingKeys }: Pick<DeliveryPorts, 'signingKeys'> & { readonly bodies: DeliveryBodies },
): Promise<PreparedDeliveries[]> {
  const [{ tenant }] = queues;
  const isStandard = ({ target }: TakenQueue): boolean => target.scheme === 'standard';
  const work = openReadWork(context, serviceAuthor(tenant));
  const requests = queues.flatMap(({ target: { scheme }, nextDeliveries }) =>
    nextDeliveries.map((event) => ({ scheme, event })),
  );
  const found = await bodies.get(work, requests);
  const keys = queues.some(isStandard) ? await signingKeys(tenant) : [];
  let next = 0;
  return queues.map((held) => {
    const own = found.slice(next, (next += held.nextDeliveries.length));
    if (isStandard(held)) return { bodies: own, signer: { scheme: 'standard', keys } };
    const secrets = openSecrets(context, tenant, held.webhook, held.target);
    return { bodies: own, signer: { scheme: 'hmac', secrets } };
  });
}

function headersFor(context: AppContext, { nextDelivery, body, signer }: Attempt): Record<string, string> {
  const now = context.clock.now();
  const timestampSeconds = Math.floor(now / secondMs);
  const common = { 'content-type': 'application/json', 'user-agent': 'Holdfast-Webhooks' };
  if (signer.scheme === 'hmac') {
    const { present, previous } = signer.secrets;
    const sign = (secret: string): string => serviceSignature(secret, { timestampSeconds, body: body.text });
    const former = previous && now < previous.until ? { 'service-signature-previous': sign(previous.secret) } : {};
    return { ...common, 'service-signature': sign(present), ...former };
  }
  return {
    ...common,
    'webhook-id': nextDelivery.id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': body.standardSignature(signer.keys, timestampSeconds),
  };
}

type DeliveryResolution =
  | { readonly state: 'delivered' | 'dead'; readonly nextAttemptAt: null }
  | { readonly state: 'pending'; readonly nextAttemptAt: number };

/** The state an attempt leaves its delivery in. The last attempt is made when the time is over, and none after it. */
function resolveOutcome(
  nextDelivery: NextDelivery,
  outcome: WebhookOutcome,
  { startedAt, now }: { startedAt: number; now: number },
): DeliveryResolution {
  const isAnswered = outcome.kind === 'answered';
  if (isAnswered && outcome.status >= 200 && outcome.status < 300) return { state: 'delivered', nextAttemptAt: null };
  // Where the clock was set back, the day counts from now.
  const deadlineAt = Math.min(nextDelivery.readyAt, startedAt) + givenUpAfterMs;
  if (startedAt >= deadlineAt) return { state: 'dead', nextAttemptAt: null };
  const requestedMs = (isAnswered ? outcome.retryAfterMs : null) ?? 0;
  const backoffMs = jitteredBackoffMs(retryMs, nextDelivery.delivery, nextDelivery.attemptCount);
  const nextAttemptAt = Math.min(deadlineAt, now + Math.max(requestedMs, backoffMs));
  return { state: 'pending', nextAttemptAt: Math.max(now, nextAttemptAt) };
}

interface Attempt {
  readonly held: TenantHeldQueue;
  readonly nextDelivery: NextDelivery;
  readonly body: DeliveryBody;
  readonly signer: Signer;
  readonly signal: AbortSignal;
}

/** Nothing is sent: whoever has the webhook does not see the client any more, nor what happened there before. */
function refuseMovedAway({ delivery }: NextDelivery, now: number): AttemptResult {
  const error = 'moved-away: The client of the event no longer belongs to the client of the webhook.';
  const ended = { state: 'dead', nextAttemptAt: null, at: now, endedAt: now } as const;
  return { ...ended, delivery, status: null, error, durationMs: 0, answer: null };
}

/** Makes one attempt. Returns `stopped` where it was interrupted, which leaves no trace. */
export async function attemptDelivery(
  context: AppContext,
  attempt: Attempt,
  send: SendWebhook,
): Promise<AttemptResult | 'stopped'> {
  const startedAt = context.clock.now();
  if (attempt.nextDelivery.isMovedAway) return refuseMovedAway(attempt.nextDelivery, startedAt);
  const outcome = await sendTraced(context, attempt, send);
  if (outcome.kind === 'failed' && outcome.reason === 'stopped') return 'stopped';
  const now = context.clock.now();
  const isAnswered = outcome.kind === 'answered';
  return {
    ...resolveOutcome(attempt.nextDelivery, outcome, { startedAt, now }),
    delivery: attempt.nextDelivery.delivery,
    at: startedAt,
    status: isAnswered ? outcome.status : null,
    error: isAnswered ? null : `${outcome.reason}: ${outcome.detail}`,
    durationMs: outcome.durationMs,
    answer: isAnswered ? outcome.responseStart : null,
    endedAt: now,
  };
}

/** Sends it, in the trace of what caused its event where that was recorded: the receiver can continue it. */
async function sendTraced(context: AppContext, attempt: Attempt, send: SendWebhook): Promise<WebhookOutcome> {
  const { held, nextDelivery, body, signal } = attempt;
  const span = beginDeliverySpan(context, nextDelivery);
  const headers = headersFor(context, attempt);
  const outcome = await send({
    url: held.target.url,
    headers: span === undefined ? headers : { ...headers, traceparent: span.traceparent },
    body: body.text,
    timeoutMs: attemptTimeoutMs,
    responseBytesMax: answerBytesMax,
    signal,
  });
  if (outcome.kind === 'answered') span?.set({ 'http.response.status_code': outcome.status });
  else span?.fail(outcome.reason);
  span?.end();
  return outcome;
}

function beginDeliverySpan({ tracer }: AppContext, nextDelivery: NextDelivery): Span | undefined {
  const { traceparent, type, attemptCount } = nextDelivery;
  const attributes = { 'http.request.method': 'POST', 'holdfast.event': type, 'holdfast.attempt': attemptCount + 1 };
  const options = { kind: 'client', attributes } as const;
  if (traceparent === null) return activeSpan()?.begin('delivery', options);
  return tracer?.resume(traceparent, 'delivery', options);
}
