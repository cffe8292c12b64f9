// What may happen to a lane of deliveries: it is found to be due, taken, worked through from its head, and left. What is sent, how it is
// signed, and when it is tried again. Knows neither connections nor when to do which.

import { hash, type KeyObject } from 'node:crypto';
import { hourMs, secondMs } from '../kit/clock.ts';
import { formatInstant } from '../kit/instant.ts';
import { writeJson } from '../kit/json.ts';
import type { Event, EventData } from '../model/event.ts';
import type { WebhookOutcome, WebhookPost } from '../gateways/webhook-sender.ts';
import { serviceSignature, standardSignature } from '../signing/webhook-signature.ts';
import { EventHandout } from '../store/event-handout.ts';
import { openForWriting } from '../store/store.ts';
import {
  findDueLanes,
  WebhookLanes,
  type DueLanes,
  type Head,
  type HeldLane,
  type LaneName,
} from '../store/webhook-lanes.ts';
import { showEvents, type EventWords } from './event.ts';
import type { House } from './house.ts';
import type { Tenant } from './tenant-hints.ts';
import { disableGoneWebhook, secretsOf } from './webhook.ts';
import { ownDoing, readingWork } from './work.ts';

/** Whoever has not been heard of for so long has lost its lane. Longer than an attempt can take. */
const leaseMs = 30 * secondMs;
/** From the first attempt on. */
const givenUpAfterMs = 24 * hourMs;
const retryMs = { first: 10 * secondMs, most: hourMs };
/** A receiver has so long for its whole answer, of which so much is kept. */
export const attemptMs = 10 * secondMs;
const answerBytesMax = 1_024;

export interface LaneOf extends LaneName {
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

/** Some of a tenant's events become deliveries. Whether there may be more. */
export function handOutEvents(house: House, tenant: Tenant): Promise<boolean> {
  return openForWriting(house.database, ownDoing(tenant), (store) =>
    new EventHandout(store, { ids: house.ids, now: house.clock.now() }).handOut(),
  );
}

/** Undefined where it is not due, or somebody else has it. */
export function takeLane(house: House, { tenant, ...name }: LaneOf): Promise<HeldLane | undefined> {
  const now = house.clock.now();
  return lanesOf(house, tenant).take(name, house.ids.next(), { now, leaseUntil: now + leaseMs });
}

/** The same lane with what is next in it; undefined where it is not ours any more. */
export function keepLane(house: House, tenant: Tenant, held: HeldLane): Promise<HeldLane | undefined> {
  return lanesOf(house, tenant).keep(held, house.clock.now() + leaseMs);
}

export function leaveLane(house: House, tenant: Tenant, held: HeldLane): Promise<void> {
  return lanesOf(house, tenant).leave(held, house.clock.now());
}

/** Whether something has come into it meanwhile. */
export function leaveEmptyLane(house: House, tenant: Tenant, held: HeldLane): Promise<boolean> {
  return lanesOf(house, tenant).leaveEmpty(held, house.clock.now());
}

/** What is next in a lane, ready to be sent. */
export interface PreparedHeads {
  /** The same at every attempt. */
  readonly bodies: readonly string[];
  /** Of the standard track. */
  readonly keys: readonly KeyObject[];
}

export async function prepareHeads(
  house: House,
  tenant: Tenant,
  { heads, target }: HeldLane,
  { words, signingKeys }: DeliveryPorts,
): Promise<PreparedHeads> {
  const isStandard = target.scheme === 'standard';
  const events = heads.map(({ delivery: _d, attemptCount: _a, firstAttemptAt: _f, ...event }) => event as Event);
  const shown = await showEvents(readingWork(house, ownDoing(tenant)), events, words);
  return {
    bodies: shown.map((event) => writeJson(isStandard ? standardEnvelope(event) : words.event(event))),
    keys: isStandard ? await signingKeys(tenant) : [],
  };
}

/** The envelope of the standard track. */
function standardEnvelope({ type, createdAt, client, data }: Event): Record<string, unknown> {
  const isCalculated = type === 'calculated_data.created';
  const told = isCalculated ? { clientId: client } : { client_id: client, ...(data as EventData) };
  return { type, timestamp: formatInstant(createdAt), data: told };
}

function headersFor(house: House, { tenant, held, head, body, keys }: Attempt): Record<string, string> {
  const timestampSeconds = Math.floor(house.clock.now() / secondMs);
  const common = { 'content-type': 'application/json', 'user-agent': 'Holdfast-Webhooks' };
  if (held.target.scheme === 'hmac') {
    const secrets = secretsOf(house, tenant, held.webhook, held.target);
    return { ...common, 'service-signature': serviceSignature(secrets, { timestampSeconds, body }) };
  }
  return {
    ...common,
    'webhook-id': head.id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignature(keys, { id: head.id, timestampSeconds, body }),
  };
}

/** Twice as long each time, up to an hour, less up to half of that: by chance, and the same for whoever looks. */
export function retryDelayMs({ delivery, attemptCount }: Pick<Head, 'delivery' | 'attemptCount'>): number {
  const longest = Math.min(retryMs.most, retryMs.first * 2 ** Math.min(attemptCount, 20));
  const chance = Number.parseInt(hash('sha256', `${delivery} ${attemptCount}`).slice(0, 8), 16) / 2 ** 32;
  return Math.round(longest * (1 - chance / 2));
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
  const nextAttemptAt = Math.max(now, Math.min(overAt, now + Math.max(asked, retryDelayMs(head))));
  return { state: 'pending', nextAttemptAt };
}

export interface Attempt {
  readonly tenant: Tenant;
  readonly held: HeldLane;
  readonly head: Head;
  readonly body: string;
  readonly keys: readonly KeyObject[];
  readonly signal: AbortSignal;
}

/**
 * One attempt at what is next. `go-on`: it is done with, and the lane is still ours. `failed`: it waits for its next attempt, and
 * the lane with it. `stopped`: it was interrupted and never happened. `closed`: the webhook is another now. `lost`: the lane is.
 */
export async function attemptDelivery(
  house: House,
  attempt: Attempt,
  send: SendWebhook,
): Promise<'go-on' | 'failed' | 'stopped' | 'closed' | 'lost'> {
  const { tenant, held, head, body, signal } = attempt;
  const begunAt = house.clock.now();
  const headers = headersFor(house, attempt);
  const { url } = held.target;
  const outcome = await send({ url, headers, body, timeoutMs: attemptMs, answerBytesMax, signal });
  if (outcome.kind === 'failed' && outcome.reason === 'stopped') return 'stopped';
  const now = house.clock.now();
  const fate = fateOf(head, outcome, { begunAt, now });
  const isAnswered = outcome.kind === 'answered';
  const settled = await lanesOf(house, tenant).settle(held, {
    ...fate,
    delivery: head.delivery,
    at: begunAt,
    status: isAnswered ? outcome.status : null,
    error: isAnswered ? null : `${outcome.reason}: ${outcome.detail}`,
    durationMs: outcome.durationMs,
    answer: isAnswered ? outcome.answerStart : null,
    endedAt: now,
    leaseUntil: now + leaseMs,
  });
  if (settled !== 'lost' && isAnswered && outcome.status === 410) await disableGoneWebhook(house, tenant, held.webhook);
  if (settled === 'lost') return 'lost';
  if (fate.state === 'pending') return 'failed';
  return settled === 'open' ? 'go-on' : 'closed';
}
