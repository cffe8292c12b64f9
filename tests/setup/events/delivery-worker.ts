// A node that does nothing but deliver.

import { WebhookSender } from '../../../src/gateways/webhook-sender.ts';
import { deliveriesOn } from './deliveries.ts';
import { workerHouse } from '../node/worker-context.ts';

const sender = new WebhookSender({ allowPrivate: true, clock: workerHouse.clock });
const deliveries = deliveriesOn(workerHouse, (post) => sender.send(post), { sideBySide: 4 });

for (;;) {
  await deliveries.sweep();
  await deliveries.settle();
}
