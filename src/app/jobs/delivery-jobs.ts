// Builds what delivers events on a node: the worker, the HTTP sender, the renderer of events and the signing keys.

import type { AppContext } from '../../actions/core/context.ts';
import type { DeliveryObserver } from '../../actions/events/delivery-attempt.ts';
import { listSigningKeys } from '../../actions/events/webhook-key.ts';
import { WebhookSender } from '../../gateways/webhook-sender.ts';
import { createDeliveryWorker } from '../../jobs/delivery-worker.ts';
import { eventRenderers } from '../../surfaces/v1/events/event.ts';
import type { BackgroundJobs } from './background-jobs.ts';

interface DeliveryJobsParts {
  readonly context: AppContext;
  readonly observer: DeliveryObserver;
  onFailure(error: unknown): void;
}

export function makeDeliveryJobs({ context, observer, onFailure }: DeliveryJobsParts): BackgroundJobs {
  const sender = new WebhookSender({ allowPrivate: context.allowsPrivateWebhooks, clock: context.clock });
  const worker = createDeliveryWorker({
    context,
    ports: {
      send: (post) => sender.send(post),
      observer,
      renderer: eventRenderers,
      signingKeys: async (tenant) => (await listSigningKeys(context, tenant)).map(({ key }) => key),
    },
    onFailure,
  });
  return {
    jobs: worker.jobs,
    async stop() {
      await worker.stop();
      await sender.close();
    },
  };
}
