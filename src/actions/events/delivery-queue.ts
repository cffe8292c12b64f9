// What may happen to a lane of deliveries: it is found to be due, taken, worked through from its head, and left. What is sent, how it is
// signed, and when it is tried again. Knows neither connections nor when to do which.

import type { KeyObject } from 'node:crypto';
import { scatteredBackoffMs } from '../../kit/backoff.ts';
import { hourMs, secondMs } from '../../kit/clock.ts';
import { formatInstant } from '../../kit/instant.ts';
import { writeJson } from '../../kit/json.ts';
import type { Event, EventData } from '../../model/event/event.ts';
import type { WebhookOutcome, WebhookPost } from '../../gateways/webhook-sender.ts';
import { serviceSignature, standardSignature } from '../../signing/webhook-signature.ts';
import { EventHandout, type HandoutLeft } from '../../store/events/event-fanout.ts';
import { openForWriting } from '../../store/store.ts';
import {
  findDueLanes,
  WebhookLanes,
  type AskedLane,
  type Attempted,
  type DueLanes,
  type Head,
  type HeldLane,
  type LaneAfter,
  type LaneName,
  type Lease,
} from '../../store/queues/delivery-queues.ts';
import { showEvents, type EventWords } from './event.ts';
import type { House } from '../core/context.ts';
import type { Tenant } from '../core/tenant-wake-ups.ts';
import { disableGoneWebhook, secretsOf, type WebhookSecret } from './webhook.ts';
import { ownDoing, readingWork } from '../core/work.ts';

/** Whoever has not been heard of for so long has lost its lane. Longer than an attempt can take. */
const leaseMs = 30 * secondMs;
/** From the first attempt on. */
const givenUpAfterMs = 24 * hourMs;
export const retryMs = { first: 10 * secondMs, most: hourMs };
/** A receiver has so long for its whole answer, of which so much is kept. */
export const attemptMs = 10 * secondMs;
const answerBytesMax = 1_024;

export interface LaneOf extends LaneName {
  readonly tenant: Tenant;
}

export interface AskedLaneOf extends AskedLane {
  readonly tenant: Tenant;
}

export interface HeldLaneOf extends HeldLane {
  readonly tenant: Tenant;
}

export interface AttemptedOf extends Attempted {
  readonly tenant: Tenant;
}

export interface DueLanesOf extends DueLanes {
  readonly tenant: Tenant;
}

export type SendWebhook = (post: WebhookPost) => Promise<WebhookOutcome>;

/** The outside that deliveries meet. */
export interface DeliveryPorts {
  readonly send: SendWebhook;
  readonly words: EventWords;
  /** The private keys that deliveries of the standard track are signed with now. */
  signingKeys(tenant: Tenant): Promise<readonly KeyObject[]>;
}

function lanesOf(house: House, tenant: Tenant): WebhookLanes {
  return new WebhookLanes(house.database, ownDoing(tenant).reach);
}

export async function listDueLanes(house: House, tenants: readonly Tenant[]): Promise<readonly DueLanesOf[]> {
  const reaches = tenants.map((tenant) => ownDoing(tenant).reach);
  const due = await findDueLanes(house.database, reaches, house.clock.now());
  return due.map((one, index) => ({ ...one, tenant: tenants[index]! }));
}

/** Some of a tenant's events become deliveries: what is left. */
export function handOutEvents(house: House, tenant: Tenant): Promise<HandoutLeft> {
  return openForWriting(house.database, ownDoing(tenant), (store) =>
    new EventHandout(store, { ids: house.ids, now: house.clock.now() }).handOut(),
  );
}

function leaseFrom(now: number): Lease {
  return { now, until: now + leaseMs, prolongedBefore: now + leaseMs - attemptMs };
}

/** Lanes of one tenant. Undefined where one is not due, or somebody else has it. */
export function takeLanes(house: House, asked: readonly [AskedLaneOf, ...AskedLaneOf[]]) {
  return lanesOf(house, asked[0].tenant).take(asked, house.ids.next(), leaseFrom(house.clock.now()));
}

/** Attempts in lanes of one tenant: what became of each lane. */
export function settleAttempts(house: House, attempted: readonly [AttemptedOf, ...AttemptedOf[]]) {
  return lanesOf(house, attempted[0].tenant).settle(attempted, leaseFrom(house.clock.now()));
}

export function leaveLane(house: House, held: HeldLaneOf): Promise<void> {
  return lanesOf(house, held.tenant).leave(held, house.clock.now());
}

/** One that nothing was found in. */
export async function leaveEmptyLane(house: House, held: HeldLaneOf): Promise<LaneAfter> {
  return (await lanesOf(house, held.tenant).leaveEmpty(held, house.clock.now())) ? 'refilled' : 'empty';
}

/** What is next in a lane, ready to be sent. */
export interface PreparedHeads {
  /** The same at every attempt. */
  readonly bodies: readonly string[];
  readonly signer: Signer;
}

/** What deliveries to a webhook are signed with: secrets until a moment each, or the keys of the tenant. */
type Signer =
  | { readonly scheme: 'hmac'; readonly secrets: readonly WebhookSecret[] }
  | { readonly scheme: 'standard'; readonly keys: readonly KeyObject[] };

/** What is next in lanes of one tenant. */
export async function prepareHeads(
  house: House,
  lanes: readonly [HeldLaneOf, ...HeldLaneOf[]],
  { words, signingKeys }: DeliveryPorts,
): Promise<PreparedHeads[]> {
  const [{ tenant }] = lanes;
  const isStandard = ({ target }: HeldLane): boolean => target.scheme === 'standard';
  const events = lanes.flatMap(({ heads }) => heads as readonly unknown[] as readonly Event[]);
  const shown = await showEvents(readingWork(house, ownDoing(tenant)), events, words);
  const keys = lanes.some(isStandard) ? await signingKeys(tenant) : [];
  let next = 0;
  return lanes.map((held) => {
    const own = shown.slice(next, (next += held.heads.length));
    if (isStandard(held)) {
      return { bodies: own.map((one) => writeJson(standardEnvelope(one))), signer: { scheme: 'standard', keys } };
    }
    const secrets = secretsOf(house, tenant, held.webhook, held.target);
    return { bodies: own.map((one) => writeJson(words.event(one))), signer: { scheme: 'hmac', secrets } };
  });
}

/** The envelope of the standard track. */
function standardEnvelope({ type, createdAt, client, data }: Event): Record<string, unknown> {
  const isCalculated = type === 'calculated_data.created';
  const told = isCalculated ? { clientId: client } : { client_id: client, ...(data as EventData) };
  return { type, timestamp: formatInstant(createdAt), data: told };
}

function headersFor(house: House, { head, body, signer }: Attempt): Record<string, string> {
  const now = house.clock.now();
  const timestampSeconds = Math.floor(now / secondMs);
  const common = { 'content-type': 'application/json', 'user-agent': 'Holdfast-Webhooks' };
  if (signer.scheme === 'hmac') {
    const secrets = signer.secrets.filter(({ until }) => now < until).map(({ secret }) => secret);
    return { ...common, 'service-signature': serviceSignature(secrets, { timestampSeconds, body }) };
  }
  return {
    ...common,
    'webhook-id': head.id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignature(signer.keys, { id: head.id, timestampSeconds, body }),
  };
}

type Fate =
  | { readonly state: 'delivered' | 'dead'; readonly nextAttemptAt: null }
  | { readonly state: 'pending'; readonly nextAttemptAt: number };

/** What an attempt that began then makes of its delivery. The last one is made when the time is over, and none after it. */
function fateOf(head: Head, outcome: WebhookOutcome, { begunAt, now }: { begunAt: number; now: number }): Fate {
  const isAnswered = outcome.kind === 'answered';
  if (isAnswered && outcome.status >= 200 && outcome.status < 300) return { state: 'delivered', nextAttemptAt: null };
  const overAt = (head.firstAttemptAt ?? begunAt) + givenUpAfterMs;
  if (begunAt >= overAt) return { state: 'dead', nextAttemptAt: null };
  const asked = (isAnswered ? outcome.retryAfterMs : null) ?? 0;
  const nextAttemptAt = Math.max(
    now,
    Math.min(overAt, now + Math.max(asked, scatteredBackoffMs(retryMs, head.delivery, head.attemptCount))),
  );
  return { state: 'pending', nextAttemptAt };
}

export interface Attempt {
  readonly held: HeldLaneOf;
  readonly head: Head;
  /** Nothing that was seen in the lane comes after it. */
  readonly isLast: boolean;
  readonly body: string;
  readonly signer: Signer;
  readonly signal: AbortSignal;
}

export interface AttemptPorts {
  readonly send: SendWebhook;
  settle(attempted: AttemptedOf): Promise<LaneAfter>;
}

/** One attempt at what is next, and what became of the lane. `stopped`: it was interrupted and never happened. */
export async function attemptDelivery(
  house: House,
  attempt: Attempt,
  { send, settle }: AttemptPorts,
): Promise<LaneAfter | 'stopped'> {
  const { held, head, isLast, body, signal } = attempt;
  const begunAt = house.clock.now();
  const headers = headersFor(house, attempt);
  const { url } = held.target;
  const outcome = await send({ url, headers, body, timeoutMs: attemptMs, answerBytesMax, signal });
  if (outcome.kind === 'failed' && outcome.reason === 'stopped') return 'stopped';
  const now = house.clock.now();
  const isAnswered = outcome.kind === 'answered';
  const after = await settle({
    ...fateOf(head, outcome, { begunAt, now }),
    tenant: held.tenant,
    held,
    delivery: head.delivery,
    at: begunAt,
    status: isAnswered ? outcome.status : null,
    error: isAnswered ? null : `${outcome.reason}: ${outcome.detail}`,
    durationMs: outcome.durationMs,
    answer: isAnswered ? outcome.answerStart : null,
    endedAt: now,
    isLast,
  });
  const isGone = isAnswered && outcome.status === 410;
  if (isGone && after !== 'lost') await disableGoneWebhook(house, held.tenant, held.webhook);
  return after;
}
