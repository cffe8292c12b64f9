// What callers can do with deliveries: list them with their attempts, test a webhook, and replay what was delivered or given up.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { delivery, type Delivery } from '../../model/event/delivery.ts';
import { testEventType } from '../../model/event/event.ts';
import { webhook, type Webhook } from '../../model/event/webhook.ts';
import { emit } from './event.ts';
import { audit, type Work } from '../core/work.ts';
import { getRecord, notFound, type Rules } from '../core/resource.ts';
import { webhookRules } from './webhook.ts';

/** How many dead letters one request can replay. */
export const replayMax = 1_000;

/** Deliveries can be read, and are never written by callers. */
export const deliveryRules: Rules<typeof delivery> = {
  resource: delivery,
  async show({ store }, records) {
    const attempts = await store.deliveries.listAttempts(records.map(({ id }) => id));
    return records.map((record) => ({
      ...record,
      attempts: defined(attempts.get(record.id), 'attempts are listed for each delivery'),
    }));
  },
};

/** A delivery whose webhook was deleted is gone with it, though its row may still be there for a while. */
export async function getDelivery(work: Work, id: string): Promise<Delivery> {
  const found = await getRecord(work, deliveryRules, id);
  const [kept] = await work.store.table(webhook).listVisibleIds([found.webhook]);
  if (kept === undefined) throw notFound(delivery);
  return found;
}

/** Queues a test event for this webhook alone. */
export async function testWebhook(work: Work, id: string): Promise<Delivery> {
  const { id: webhookId, client, state } = await getRecord(work, webhookRules, id);
  refuseDisabled(state);
  const deliveryId = work.ids.next();
  const [event] = emit(work, {
    type: testEventType,
    client,
    object: { webhook_id: webhookId, message: 'This is a test. Nothing has happened.' },
  });
  const eventId = defined(event, 'an event that is emitted has an id');
  work.store.deliveries.put({ id: deliveryId, client, webhook: webhookId, event: eventId }, work.now);
  auditDelivery(work, 'create', { id: deliveryId, client, webhook: webhookId });
  return getRecord(work, deliveryRules, deliveryId);
}

function refuseDisabled(state: string): void {
  if (state === 'enabled') return;
  throw new Refusal('webhook-disabled', 'The webhook is disabled. Enable it first.');
}

function auditDelivery(
  work: Work,
  act: 'create' | 'change',
  { id, client, webhook: webhookId }: { readonly id: Id; readonly client: Id | null; readonly webhook: Id },
): void {
  const details = { webhook_id: webhookId, ...(act === 'create' ? {} : { state: 'pending' }) };
  audit(work, { act, type: delivery.type, id, clientId: client, before: null, after: details });
}

/** Queues a delivery once more. It arrives out of order: later events may have arrived already. */
export async function replayDelivery(work: Work, id: string): Promise<Delivery> {
  const present = await getDelivery(work, id);
  refuseDisabled((await getRecord(work, webhookRules, present.webhook)).state);
  if (!(await work.store.deliveries.replay(id, work.now))) {
    // Refuses with `not-found` where the delivery was moved away meanwhile.
    await getDelivery(work, id);
    throw new Refusal(
      'delivery-pending',
      'The delivery is still pending. Only a delivery that was made or given up can be replayed.',
    );
  }
  auditDelivery(work, 'change', present);
  return getRecord(work, deliveryRules, id);
}

/** Queues the deliveries that were given up since a moment, the oldest first. Returns how many. */
export async function replayDeadLetters(work: Work, id: string, since: number): Promise<number> {
  const { id: webhookId, client, state } = await getRecord(work, webhookRules, id);
  refuseDisabled(state);
  const count = await work.store.deliveries.replayDead(webhookId, { since, limit: replayMax, now: work.now });
  const after = { replayed_count: count };
  if (count > 0)
    audit(work, { act: 'change', type: webhook.type, id: webhookId, clientId: client, before: null, after });
  return count;
}

interface WebhookDiagnosis {
  readonly webhookId: Id;
  readonly state: Webhook['state'];
  readonly pendingCount: number;
  readonly oldestPendingAt: number | null;
  readonly deadLetterCount: number;
  readonly newestDeadLetterAt: number | null;
}

/** More than any workspace is expected to have. */
const webhooksMax = 10_000;

/** Lists webhooks that are disabled, or have deliveries that are pending or were given up. */
export async function listWebhookDiagnostics({ store }: Work): Promise<readonly WebhookDiagnosis[]> {
  const webhooks = await store.table(webhook).list({ limit: webhooksMax });
  const counts = await store.deliveries.count(webhooks.map(({ id }) => id));
  const byId = new Map(counts.map((one) => [one.webhook, one]));
  return webhooks.flatMap(({ id, state }) => {
    const { pending, oldestPendingAt, dead, newestDeadAt } = defined(
      byId.get(id),
      'deliveries are counted for each webhook',
    );
    if (state === 'enabled' && pending === 0 && dead === 0) return [];
    return {
      webhookId: id,
      state,
      pendingCount: pending,
      oldestPendingAt,
      deadLetterCount: dead,
      newestDeadLetterAt: newestDeadAt,
    };
  });
}
