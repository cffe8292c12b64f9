// A node that does nothing but deliver, as a process of its own, so that it can be killed in the midst of it. Its clock begins at
// STARTED_AT.

import { readConfig } from '../../src/config.ts';
import { connectionTo, openHouse } from '../../src/house.ts';
import { WebhookSender } from '../../src/gateways/webhook-sender.ts';
import { deliveriesOn } from './deliveries.ts';

const [startedAt, begunAt] = [Number(process.env['STARTED_AT']), Date.now()];
const clock = { now: (): number => startedAt + Date.now() - begunAt };
const config = readConfig(process.env);
const house = await openHouse({
  config,
  connection: connectionTo(config, { connectionString: config.databaseUrl! }),
  poolSize: 4,
  clock,
  addresses: { baseUrl: '', legacyUrl: '', authUrl: '' },
  walls: undefined,
  onIdleError: () => {},
});
const sender = new WebhookSender({ allowPrivate: true, clock });
const deliveries = deliveriesOn(house, (post) => sender.send(post), { sideBySide: 4 });

for (;;) {
  await deliveries.sweep();
  await deliveries.settle();
}
