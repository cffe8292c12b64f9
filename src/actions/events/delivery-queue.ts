// What may happen to a lane of deliveries: it is found to be due, taken, worked through from its head, and left. What is sent, how it is
// signed, and when it is tried again. Knows neither connections nor when to do which.

import type { KeyObject } from 'node:crypto';
import { jitteredBackoffMs } from '../../kit/backoff.ts';
import { hourMs, secondMs } from '../../kit/clock.ts';
import { formatInstant } from '../../kit/instant.ts';
import { writeJson } from '../../kit/json.ts';
import type { Event, EventData } from '../../model/event/event.ts';
import type { WebhookOutcome, WebhookPost } from '../../gateways/webhook-sender.ts';
import { serviceSignature, standardSignature } from '../../signing/webhook-signature.ts';
import { EventFanout, type FanoutRemainder } from '../../store/events/event-fanout.ts';
import type {
  DeliveryQueues,
  QueueToTake,
  AttemptResult,
  DueDeliveries,
  NextDelivery,
  TakenQueue,
  QueueOutcome,
  DeliveryQueueKey,
  DeliveryLease,
} from '../../store/queues/delivery-queues.ts';
import { expandEvents, type EventRenderer } from './event.ts';
import type { AppContext } from '../core/context.ts';
import type { Tenant } from '../core/tenant-wake-ups.ts';
import { disableGoneWebhook, openSecrets, type WebhookSecret } from './webhook.ts';
import { serviceAuthor, openReadWork } from '../core/work.ts';

/** Whoever has not been heard of for so long has lost its lane. Longer than an attempt can take. */
const leaseMs = 30 * secondMs;
/** From the first attempt on. */
const givenUpAfterMs = 24 * hourMs;
export const retryMs = { first: 10 * secondMs, max: hourMs };
/** A receiver has so long for its whole answer, of which so much is kept. */
export const attemptTimeoutMs = 10 * secondMs;
const answerBytesMax = 1_024;

export interface TenantQueue extends DeliveryQueueKey {
  readonly tenant: Tenant;
}

export interface TenantRequestedQueue extends QueueToTake {
  readonly tenant: Tenant;
}

export interface TenantHeldQueue extends TakenQueue {
  readonly tenant: Tenant;
}

export interface TenantAttempt extends AttemptResult {
  readonly tenant: Tenant;
}

export type SendWebhook = (post: WebhookPost) => Promise<WebhookOutcome>;

/** The outside that deliveries meet. */
export interface DeliveryPorts {
  readonly send: SendWebhook;
  readonly renderer: EventRenderer;
  /** The private keys that deliveries of the standard track are signed with now. */
  signingKeys(tenant: Tenant): Promise<readonly KeyObject[]>;
}

function openQueues(context: AppContext, tenant: Tenant): DeliveryQueues {
  return context.stores.deliveryQueues(serviceAuthor(tenant).scope);
}

export function listDueQueues(context: AppContext, tenants: readonly Tenant[]): Promise<readonly DueDeliveries[]> {
  return context.stores.findDueDeliveries(tenants, context.clock.now());
}

/** Some of a tenant's events become deliveries: what is left. */
export function fanOutEvents(context: AppContext, tenant: Tenant): Promise<FanoutRemainder> {
  return context.stores.forWriting(serviceAuthor(tenant), (store) =>
    new EventFanout(store, { ids: context.ids, now: context.clock.now() }).fanOut(),
  );
}

function leaseFrom(now: number): DeliveryLease {
  return { now, until: now + leaseMs, renewBefore: now + leaseMs - attemptTimeoutMs };
}

/** Lanes of one tenant. Undefined where one is not due, or somebody else has it. */
export function takeQueues(context: AppContext, requested: readonly [TenantRequestedQueue, ...TenantRequestedQueue[]]) {
  return openQueues(context, requested[0].tenant).take(requested, context.ids.next(), leaseFrom(context.clock.now()));
}

/** Attempts in lanes of one tenant: what became of each lane. */
export function finishAttempts(context: AppContext, attempted: readonly [TenantAttempt, ...TenantAttempt[]]) {
  return openQueues(context, attempted[0].tenant).finish(attempted, leaseFrom(context.clock.now()));
}

export function releaseQueue(context: AppContext, held: TenantHeldQueue): Promise<void> {
  return openQueues(context, held.tenant).release(held, context.clock.now());
}

/** One that nothing was found in. */
export async function releaseEmptyQueue(context: AppContext, held: TenantHeldQueue): Promise<QueueOutcome> {
  return (await openQueues(context, held.tenant).releaseEmpty(held, context.clock.now())) ? 'refilled' : 'empty';
}

/** What is next in a lane, ready to be sent. */
export interface PreparedDeliveries {
  /** The same at every attempt. */
  readonly bodies: readonly string[];
  readonly signer: Signer;
}

/** What deliveries to a webhook are signed with: secrets until a moment each, or the keys of the tenant. */
type Signer =
  | { readonly scheme: 'hmac'; readonly secrets: readonly WebhookSecret[] }
  | { readonly scheme: 'standard'; readonly keys: readonly KeyObject[] };

/** What is next in lanes of one tenant. */
export async function prepareDeliveries(
  context: AppContext,
  queues: readonly [TenantHeldQueue, ...TenantHeldQueue[]],
  { renderer, signingKeys }: DeliveryPorts,
): Promise<PreparedDeliveries[]> {
  const [{ tenant }] = queues;
  const isStandard = ({ target }: TakenQueue): boolean => target.scheme === 'standard';
  const events = queues.flatMap(({ nextDeliveries }) => nextDeliveries as readonly unknown[] as readonly Event[]);
  const expanded = await expandEvents(openReadWork(context, serviceAuthor(tenant)), events, renderer);
  const keys = queues.some(isStandard) ? await signingKeys(tenant) : [];
  let next = 0;
  return queues.map((held) => {
    const ownEvents = expanded.slice(next, (next += held.nextDeliveries.length));
    if (isStandard(held)) {
      return { bodies: ownEvents.map((one) => writeJson(standardEnvelope(one))), signer: { scheme: 'standard', keys } };
    }
    const secrets = openSecrets(context, tenant, held.webhook, held.target);
    return { bodies: ownEvents.map((one) => writeJson(renderer.event(one))), signer: { scheme: 'hmac', secrets } };
  });
}

/** The envelope of the standard track. */
function standardEnvelope({ type, createdAt, client, data }: Event): Record<string, unknown> {
  const isCalculated = type === 'calculated_data.created';
  const payload = isCalculated ? { clientId: client } : { client_id: client, ...(data as EventData) };
  return { type, timestamp: formatInstant(createdAt), data: payload };
}

function headersFor(context: AppContext, { nextDelivery, body, signer }: Attempt): Record<string, string> {
  const now = context.clock.now();
  const timestampSeconds = Math.floor(now / secondMs);
  const common = { 'content-type': 'application/json', 'user-agent': 'Holdfast-Webhooks' };
  if (signer.scheme === 'hmac') {
    const secrets = signer.secrets.filter(({ until }) => now < until).map(({ secret }) => secret);
    return { ...common, 'service-signature': serviceSignature(secrets, { timestampSeconds, body }) };
  }
  return {
    ...common,
    'webhook-id': nextDelivery.id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignature(signer.keys, { id: nextDelivery.id, timestampSeconds, body }),
  };
}

type DeliveryResolution =
  | { readonly state: 'delivered' | 'dead'; readonly nextAttemptAt: null }
  | { readonly state: 'pending'; readonly nextAttemptAt: number };

/** What an attempt that began then makes of its delivery. The last one is made when the time is over, and none after it. */
function resolveOutcome(
  nextDelivery: NextDelivery,
  outcome: WebhookOutcome,
  { startedAt, now }: { startedAt: number; now: number },
): DeliveryResolution {
  const isAnswered = outcome.kind === 'answered';
  if (isAnswered && outcome.status >= 200 && outcome.status < 300) return { state: 'delivered', nextAttemptAt: null };
  const deadlineAt = (nextDelivery.firstAttemptAt ?? startedAt) + givenUpAfterMs;
  if (startedAt >= deadlineAt) return { state: 'dead', nextAttemptAt: null };
  const requested = (isAnswered ? outcome.retryAfterMs : null) ?? 0;
  const nextAttemptAt = Math.max(
    now,
    Math.min(
      deadlineAt,
      now + Math.max(requested, jitteredBackoffMs(retryMs, nextDelivery.delivery, nextDelivery.attemptCount)),
    ),
  );
  return { state: 'pending', nextAttemptAt };
}

export interface Attempt {
  readonly held: TenantHeldQueue;
  readonly nextDelivery: NextDelivery;
  /** Nothing that was seen in the lane comes after it. */
  readonly isLast: boolean;
  readonly body: string;
  readonly signer: Signer;
  readonly signal: AbortSignal;
}

export interface AttemptPorts {
  readonly send: SendWebhook;
  finish(attempted: TenantAttempt): Promise<QueueOutcome>;
}

/** One attempt at what is next, and what became of the lane. `stopped`: it was interrupted and never happened. */
export async function attemptDelivery(
  context: AppContext,
  attempt: Attempt,
  { send, finish }: AttemptPorts,
): Promise<QueueOutcome | 'stopped'> {
  const { held, nextDelivery, isLast, body, signal } = attempt;
  const startedAt = context.clock.now();
  const headers = headersFor(context, attempt);
  const { url } = held.target;
  const outcome = await send({
    url,
    headers,
    body,
    timeoutMs: attemptTimeoutMs,
    responseBytesMax: answerBytesMax,
    signal,
  });
  if (outcome.kind === 'failed' && outcome.reason === 'stopped') return 'stopped';
  const now = context.clock.now();
  const isAnswered = outcome.kind === 'answered';
  const after = await finish({
    ...resolveOutcome(nextDelivery, outcome, { startedAt, now }),
    tenant: held.tenant,
    takenQueue: held,
    delivery: nextDelivery.delivery,
    at: startedAt,
    status: isAnswered ? outcome.status : null,
    error: isAnswered ? null : `${outcome.reason}: ${outcome.detail}`,
    durationMs: outcome.durationMs,
    answer: isAnswered ? outcome.responseStart : null,
    endedAt: now,
    isLast,
  });
  const isGone = isAnswered && outcome.status === 410;
  if (isGone && after !== 'lost') await disableGoneWebhook(context, held.tenant, held.webhook);
  return after;
}
