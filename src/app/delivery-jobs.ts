// Builds what makes deliveries: the sender, the words of events, the keys. Made once, beside everything else that lives long.

import type { AppContext } from '../actions/core/context.ts';
import { listSigningKeys } from '../actions/events/webhook-key.ts';
import { WebhookSender } from '../gateways/webhook-sender.ts';
import { DeliveryWorker, deliveryWakeUpIntervalMs, deliverySweepIntervalMs } from '../jobs/delivery-worker.ts';
import type { Job } from '../jobs/scheduler.ts';
import { eventRenderers } from '../surfaces/v1/events/event.ts';

export interface DeliveryJobs {
  readonly jobs: readonly Job[];
  stop(): Promise<void>;
}

export function makeDeliveryJobs(context: AppContext, onFailure: (error: unknown) => void): DeliveryJobs {
  const sender = new WebhookSender({ allowPrivate: context.allowsPrivateWebhooks, clock: context.clock });
  const worker = new DeliveryWorker({
    context,
    ports: {
      send: (post) => sender.send(post),
      renderer: eventRenderers,
      signingKeys: async (tenant) => (await listSigningKeys(context, tenant)).map(({ key }) => key),
    },
    onFailure,
  });
  return {
    jobs: [
      { name: 'deliveries', intervalMs: deliveryWakeUpIntervalMs, run: () => worker.processWakeUps() },
      { name: 'all deliveries', intervalMs: deliverySweepIntervalMs, run: () => worker.sweep() },
    ],
    async stop() {
      await worker.stop();
      await sender.close();
    },
  };
}
