// The bodies of deliveries: rendered once for all webhooks that get an event, and signed once for all that trust the same keys.

import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { defined } from '../../kit/assert.ts';
import { formatInstant } from '../../kit/instant.ts';
import { writeJson } from '../../kit/json.ts';
import type { WebhookScheme } from '../../model/event/webhook.ts';
import { standardSignature } from '../../signing/webhook-signature.ts';
import type { NextDelivery } from '../../store/queues/delivery-queue-types.ts';
import { tenantKey } from '../core/tenant-wake-ups.ts';
import type { Work } from '../core/work.ts';
import { expandEvents, type EventRenderer, type ExpandedEvent } from './event.ts';

interface Signed {
  readonly keys: readonly KeyObject[];
  readonly timestampSeconds: number;
  readonly signature: string;
}

/** The same at every attempt. */
export class DeliveryBody {
  readonly text: string;
  readonly #event: string;
  #signed: Signed | undefined;

  constructor(event: string, text: string) {
    this.#event = event;
    this.text = text;
  }

  /** Signs by the standard scheme. The last signature is returned again while it would sign the same. */
  standardSignature(keys: readonly KeyObject[], timestampSeconds: number): string {
    const last = this.#signed;
    if (last?.timestampSeconds === timestampSeconds && isSame(last.keys, keys)) return last.signature;
    const signature = standardSignature(keys, { id: this.#event, timestampSeconds, body: this.text });
    this.#signed = { keys, timestampSeconds, signature };
    return signature;
  }
}

function isSame(some: readonly KeyObject[], others: readonly KeyObject[]): boolean {
  return some.length === others.length && some.every((key, index) => key === others[index]);
}

/** An event for a webhook of a scheme. */
export interface BodyRequest {
  readonly scheme: WebhookScheme;
  readonly event: NextDelivery;
}

/** Renders bodies, and keeps the last ones: the same event goes to several webhooks at about the same time. An event never changes. */
export class DeliveryBodies {
  readonly #renderer: EventRenderer;
  readonly #recent = new LRUCache<string, DeliveryBody>({
    max: 2_000,
    maxSize: 8 * 1_024 * 1_024,
    sizeCalculation: ({ text }) => text.length,
  });

  constructor(renderer: EventRenderer) {
    this.#renderer = renderer;
  }

  /** Returns the body of each request, which are of one tenant. */
  async get(work: Work, requests: readonly BodyRequest[]): Promise<DeliveryBody[]> {
    const tenant = tenantKey(work.store.scope);
    const keys = requests.map(({ scheme, event }) => `${tenant} ${scheme} ${event.id}`);
    const missing = new Map<string, BodyRequest>();
    const bodies = new Map<string, DeliveryBody>();
    for (const [index, key] of keys.entries()) {
      const body = bodies.get(key) ?? this.#recent.get(key);
      if (body === undefined) missing.set(key, requests[index]!);
      else bodies.set(key, body);
    }
    const events = [...missing.values()].map(({ event }) => event);
    const expanded = await expandEvents(work, events, this.#renderer);
    for (const [index, [key, { scheme }]] of [...missing].entries()) {
      const event = defined(expanded[index], 'every event is expanded');
      const body = new DeliveryBody(event.id, this.#render(scheme, event));
      bodies.set(key, body);
      this.#recent.set(key, body);
    }
    return keys.map((key) => defined(bodies.get(key), 'every body is rendered'));
  }

  #render(scheme: WebhookScheme, event: ExpandedEvent): string {
    return writeJson(scheme === 'standard' ? standardEnvelope(event) : this.#renderer.event(event));
  }
}

/** The envelope of the standard scheme. */
function standardEnvelope({ type, createdAt, client, data }: ExpandedEvent): Record<string, unknown> {
  const isCalculated = type === 'calculated_data.created';
  const payload = isCalculated ? { clientId: client } : { client_id: client, ...data };
  return { type, timestamp: formatInstant(createdAt), data: payload };
}
