// Reports consent that nears its end or has ended, in the environments where there is any.

import { minuteMs } from '../kit/clock.ts';
import type { AppContext } from '../actions/core/context.ts';
import { forEachTenant } from '../actions/core/each-tenant.ts';
import { reportAuthorityEnds } from '../actions/custody/authority-end.ts';
import type { Tenant } from '../model/access/scope.ts';
import type { Job } from './scheduler.ts';

const intervalMs = 10 * minuteMs;
/** There may be very many environments. */
const giveUpMs = 60 * minuteMs;

/** An environment or authority that fails does not keep the others from being looked at. */
export async function reportEnds(context: AppContext, signal?: AbortSignal): Promise<void> {
  const tenants = await context.stores.preAuth.dueTenants.withAuthorityEnds(context.clock.now());
  const report = async (tenant: Tenant): Promise<void> => {
    const [error] = await reportAuthorityEnds(context, tenant);
    if (error !== undefined) throw error;
  };
  const describe = (count: number): string => `The end of consent could not be reported in ${count} environments.`;
  await forEachTenant(tenants, report, { signal, describe });
}

export function authorityEndsJob(context: AppContext): Job {
  return { name: 'authority-ends', intervalMs, giveUpMs, run: (signal) => reportEnds(context, signal) };
}
