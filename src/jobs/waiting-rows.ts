// Books rows of feeds that waited for accounts, where they are too many for the request that has connected these.

import { secondMs } from '../kit/clock.ts';
import type { AppContext } from '../actions/core/context.ts';
import { forEachTenant } from '../actions/core/each-tenant.ts';
import { bookRequestedRows } from '../actions/custody/waiting-rows.ts';
import type { Job } from './scheduler.ts';

/** Returns how many imports were booked again. */
export async function bookWaiting(context: AppContext, signal: AbortSignal): Promise<number> {
  let count = 0;
  const tenants = await context.stores.preAuth.dueTenants.withWaitingRows();
  const describe = (failed: number): string =>
    `Rows of ${failed} environments that waited for accounts were not booked.`;
  await forEachTenant(
    tenants,
    async (tenant) => {
      count += await bookRequestedRows(context, tenant, signal);
    },
    { signal, describe },
  );
  return count;
}

export function waitingRowsJob(context: AppContext): Job {
  return { name: 'waiting-rows', intervalMs: 10 * secondMs, run: (signal) => bookWaiting(context, signal) };
}
