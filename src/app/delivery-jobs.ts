// Builds what makes deliveries: the sender, the words of events, the keys. Made once, beside everything else that lives long.

import type { House } from '../actions/core/context.ts';
import { signingKeysFor } from '../actions/events/webhook-key.ts';
import { WebhookSender } from '../gateways/webhook-sender.ts';
import { Deliveries, deliveryHintsEveryMs, deliverySweepEveryMs } from '../jobs/delivery-worker.ts';
import type { Job } from '../jobs/scheduler.ts';
import { eventWords } from '../surfaces/v1/events/event.ts';

export interface Delivering {
  readonly jobs: readonly Job[];
  stop(): Promise<void>;
}

export function makeDelivering(house: House, onFailure: (error: unknown) => void): Delivering {
  const sender = new WebhookSender({ allowPrivate: house.allowsPrivateWebhooks, clock: house.clock });
  const deliveries = new Deliveries({
    house,
    ports: {
      send: (post) => sender.send(post),
      words: eventWords,
      signingKeys: async (tenant) => (await signingKeysFor(house, tenant)).map(({ key }) => key),
    },
    onFailure,
  });
  return {
    jobs: [
      { name: 'deliveries', everyMs: deliveryHintsEveryMs, run: () => deliveries.lookWhereHinted() },
      { name: 'all deliveries', everyMs: deliverySweepEveryMs, run: () => deliveries.sweep() },
    ],
    async stop() {
      await deliveries.stop();
      await sender.close();
    },
  };
}
