// A process that only chains and ships the audit log, for tests that kill it.

import { chainAuditLines } from '../../../src/actions/access/audit-chain.ts';
import { workerConfig, workerContext } from '../node/worker-context.ts';
import { createShipping } from './shipping.ts';
import { HttpDestination } from '../../../src/gateways/log-shipping/http-destination.ts';

const { https } = workerConfig.shipping;
const destination = new HttpDestination({
  name: 'https',
  ...https!,
  authorities: undefined,
  release: '1.2.3',
  clock: workerContext.clock,
});
const shipping = createShipping(workerContext, [destination]);

for (;;) {
  await chainAuditLines(workerContext);
  await shipping.sweep();
  await shipping.drain();
}
