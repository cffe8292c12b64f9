// Ships logs in a test, on the context of a service, to destinations of the test.

import type { ShipmentEnd, ShipmentItem } from '../../../src/actions/access/log-shipping.ts';
import type { AppContext } from '../../../src/actions/core/context.ts';
import type { QueueWorker } from '../../../src/jobs/leased-worker.ts';
import { createLogShipping } from '../../../src/jobs/log-shipping.ts';
import { HttpDestination } from '../../../src/gateways/log-shipping/http-destination.ts';
import type { LogDestination } from '../../../src/model/operations/shipped-log.ts';
import type { HttpReceiver } from './receivers.ts';

export type ObservedShipping = QueueWorker & {
  readonly ends: (ShipmentEnd & ShipmentItem)[];
  readonly failures: unknown[];
};

/** The worker of a node that ships these logs, with lists of what became of its batches. */
export function createShipping(
  context: AppContext,
  destinations: readonly LogDestination[],
  logs: AppContext['logShipping']['logs'] = ['audit'],
): ObservedShipping {
  const ends: (ShipmentEnd & ShipmentItem)[] = [];
  const failures: unknown[] = [];
  const worker = createLogShipping({
    context: { ...context, logShipping: { logs, destinations: destinations.map(({ name }) => name) } },
    destinations,
    observer: {
      onEnd: (shipment, end) => void ends.push({ ...shipment, ...end }),
      onFailure: (error) => void failures.push(error),
    },
  });
  return Object.assign(worker, { ends, failures });
}

/** Ships what is due, once for each batch of lines that is found. */
export async function shipDue(...nodes: readonly ObservedShipping[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.sweep()));
  await Promise.all(nodes.map((node) => node.drain()));
}

export function httpTo(
  receiver: HttpReceiver,
  { clock }: Pick<AppContext, 'clock'>,
  more: Partial<ConstructorParameters<typeof HttpDestination>[0]> = {},
): HttpDestination {
  return new HttpDestination({
    name: 'https',
    url: `${receiver.address}/services/collector/raw`,
    headers: {},
    authorities: undefined,
    release: '1.2.3',
    clock,
    ...more,
  });
}
