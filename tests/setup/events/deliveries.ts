// Deliveries when a test asks for them, on the house of a service, to receivers that the test plays.

import { generateKeyPairSync } from 'node:crypto';
import type { SendWebhook } from '../../../src/actions/events/delivery-queue.ts';
import type { House } from '../../../src/actions/core/context.ts';
import type { WebhookOutcome, WebhookPost } from '../../../src/gateways/webhook-sender.ts';
import { Deliveries, type DeliveriesOptions } from '../../../src/jobs/delivery-worker.ts';
import { eventWords } from '../../../src/surfaces/v1/events/event.ts';
import { houseAt } from '../limits/rounds.ts';

/** An answer as a receiver gives it at once. */
export function answerOf(status: number, more: { retryAfterMs?: number; answer?: string } = {}): WebhookOutcome {
  const { retryAfterMs = null, answer = '' } = more;
  return { kind: 'answered', status, retryAfterMs, answerStart: answer, durationMs: 0 };
}

export const noAnswer: WebhookOutcome = {
  kind: 'failed',
  reason: 'connection',
  detail: 'The receiver refused the connection.',
  durationMs: 0,
};

/** The pair that deliveries of the standard track are signed with in tests of other things than keys. */
export const standardKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** What delivers on a node. Failures are kept for whoever looks. */
export function deliveriesOn(
  house: House,
  send: SendWebhook,
  options: Partial<DeliveriesOptions> = {},
): Deliveries & { failures: unknown[] } {
  const failures: unknown[] = [];
  const deliveries = new Deliveries({
    house,
    ports: { send, words: eventWords, signingKeys: async () => [standardKey.privateKey] },
    onFailure: (error) => void failures.push(error),
    ...options,
  });
  return Object.assign(deliveries, { failures });
}

/** Until nothing is due any more. */
export async function deliverAll(house: House, deliveries: Deliveries & { failures: unknown[] }): Promise<void> {
  let isMore = true;
  while (isMore && deliveries.failures.length === 0) {
    await deliveries.sweep();
    await deliveries.settle();
    isMore = house.deliveryHints.take(house.clock.now()).length > 0;
  }
  if (deliveries.failures.length > 0) throw new Error('Deliveries failed.', { cause: deliveries.failures[0] });
}

/** All that is due on the service at an address, to receivers that take everything. */
export async function makeDeliveries(address: string): Promise<WebhookPost[]> {
  const posts: WebhookPost[] = [];
  const house = houseAt(address);
  const deliveries = deliveriesOn(house, async (post) => {
    posts.push(post);
    return answerOf(204);
  });
  await deliverAll(house, deliveries);
  return posts;
}
