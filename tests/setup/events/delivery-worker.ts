// A process that only delivers, for tests that kill it.

import { WebhookSender } from '../../../src/gateways/webhook-sender.ts';
import { createDeliveries } from './deliveries.ts';
import { workerContext } from '../node/worker-context.ts';

const sender = new WebhookSender({ allowPrivate: true, clock: workerContext.clock });
const deliveries = createDeliveries(workerContext, (post) => sender.send(post), { concurrency: 4 });

for (;;) {
  await deliveries.sweep();
  await deliveries.drain();
}
