// Runs deliveries in a test, on the context of a service, with fake receivers.

import { generateKeyPairSync } from 'node:crypto';
import type { DeliveryObserver, SendWebhook } from '../../../src/actions/events/delivery-attempt.ts';
import type { AppContext } from '../../../src/actions/core/context.ts';
import type { WebhookOutcome, WebhookPost } from '../../../src/gateways/webhook-sender.ts';
import { createDeliveryWorker, type DeliveryWorkerOptions } from '../../../src/jobs/delivery-worker.ts';
import type { QueueWorker } from '../../../src/jobs/leased-worker.ts';
import { eventRenderers } from '../../../src/surfaces/v1/events/event.ts';
import { contextAt } from '../limits/rounds.ts';

/** An immediate answer of a receiver. */
export function webhookAnswer(status: number, more: { retryAfterMs?: number; answer?: string } = {}): WebhookOutcome {
  const { retryAfterMs = null, answer = '' } = more;
  return { kind: 'answered', status, retryAfterMs, responseStart: answer, durationMs: 0 };
}

export const connectionRefused: WebhookOutcome = {
  kind: 'failed',
  reason: 'connection',
  detail: 'The receiver refused the connection.',
  durationMs: 0,
};

/** Signs deliveries of the standard scheme in tests that are not about keys. */
export const standardKeyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface DeliveryTestOptions extends Partial<DeliveryWorkerOptions> {
  readonly observer?: DeliveryObserver;
  /** Called with the id of each event that is rendered for webhooks that have a secret. */
  onRender?(event: string): void;
}

/** The delivery worker of a node, with a list of its failures. */
export function createDeliveries(
  context: AppContext,
  send: SendWebhook,
  { observer, onRender, ...options }: DeliveryTestOptions = {},
): QueueWorker & { failures: unknown[] } {
  const failures: unknown[] = [];
  const event: typeof eventRenderers.event = (expanded) => {
    onRender?.(expanded.id);
    return eventRenderers.event(expanded);
  };
  const renderer = { ...eventRenderers, event };
  const deliveries = createDeliveryWorker({
    context,
    ports: { send, renderer, signingKeys: async () => [standardKeyPair.privateKey], observer },
    onFailure: (error) => void failures.push(error),
    ...options,
  });
  return Object.assign(deliveries, { failures });
}

/** Delivers until nothing is due. */
export async function deliverAllDue(
  context: AppContext,
  deliveries: QueueWorker & { failures: unknown[] },
): Promise<void> {
  let hasMore = true;
  while (hasMore && deliveries.failures.length === 0) {
    await deliveries.sweep();
    await deliveries.drain();
    hasMore = context.deliveryWakeUps.take(context.clock.now()).length > 0;
  }
  if (deliveries.failures.length > 0) throw new Error('Deliveries failed.', { cause: deliveries.failures[0] });
}

/** Delivers all that is due on the service at an address, to receivers that accept everything. */
export async function deliverDueAt(address: string): Promise<WebhookPost[]> {
  const posts: WebhookPost[] = [];
  const context = contextAt(address);
  const deliveries = createDeliveries(context, async (post) => {
    posts.push(post);
    return webhookAnswer(204);
  });
  await deliverAllDue(context, deliveries);
  return posts;
}
