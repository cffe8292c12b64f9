// Lines that are to be shipped and that their destination has not taken yet: retention holds them back, up to a bound, and counts what it deletes then.

import { dayMs } from '../../kit/clock.ts';
import type { Tenant } from '../../model/access/scope.ts';
import type { ShippedLog, ShippingDestination } from '../../model/operations/shipped-log.ts';
import type { DropResult } from '../../store/access/retention.ts';
import type { AppContext } from '../core/context.ts';
import { serviceAuthor } from '../core/work.ts';
import { cutoffsOf, readSettings } from './workspace-settings.ts';

/** How much longer than others lines are kept that were not shipped. */
export const heldBackMs = 30 * dayMs;
/** How many lines of the request log of an environment are kept at most while they are not shipped. */
export const heldRequestLinesMax = 1_000_000;
/** The lines of one transaction. */
const numberedMax = 500;
/** At most this many batches in one run; the next run continues. */
const batchesMax = 200;

/** Where a log is shipped to; nowhere if it is not. */
export function destinationsOf(
  { logShipping }: Pick<AppContext, 'logShipping'>,
  log: ShippedLog,
): readonly ShippingDestination[] {
  return logShipping.logs.includes(log) ? logShipping.destinations : [];
}

/** For the operator, who has an alert for it. */
export function countUnshipped({ figures }: Pick<AppContext, 'figures'>, log: ShippedLog, count: number): void {
  if (count > 0) figures.add(`deleted-unshipped/${log}`, count);
}

/** Gives numbers to the lines of the request log that have none. Returns how many; no more once the signal is aborted. */
export async function numberRequestLines(context: AppContext, tenant: Tenant, signal?: AbortSignal): Promise<number> {
  let numberedCount = 0;
  for (let batch = 0, count = numberedMax; count === numberedMax && batch < batchesMax; batch++) {
    if (signal?.aborted === true) break;
    count = await context.stores.forWriting(serviceAuthor(tenant), ({ logShipments }) =>
      logShipments.numberRequests(numberedMax),
    );
    numberedCount += count;
  }
  return numberedCount;
}

/** Deletes lines of the request log that were held back for too long, or are too many. Each has its number by then, so that its absence shows. */
export async function dropUnshippedRequests(context: AppContext, tenant: Tenant): Promise<DropResult> {
  const destinations = destinationsOf(context, 'requests');
  if (destinations.length === 0) return { count: 0, hasMore: false };
  await numberRequestLines(context, tenant);
  const now = context.clock.now();
  const { count, hasMore } = await context.stores.forWriting(serviceAuthor(tenant), async (store) => {
    const { requestsBefore } = cutoffsOf(await readSettings(context, store), now);
    const limits = { before: requestsBefore - heldBackMs, linesMax: heldRequestLinesMax };
    const dropped = await store.requestLog.dropUnshipped(limits);
    if (dropped.count > 0) store.logShipments.pass('requests', { destinations, position: dropped.lastNumber, now });
    return dropped;
  });
  countUnshipped(context, 'requests', count);
  return { count, hasMore };
}
