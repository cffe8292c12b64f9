// Withdraws consent at custodians every minute, for what was revoked here. Two nodes that do the same at a time harm nobody.

import { minuteMs } from '../kit/clock.ts';
import type { AppContext } from '../actions/core/context.ts';
import { forEachTenant } from '../actions/core/each-tenant.ts';
import { listRevoking, revokeAtCustodian } from '../actions/custody/revocation.ts';
import { ConnectorFailure } from '../model/custody/connector.ts';
import type { Tenant } from '../model/access/scope.ts';
import type { Job } from './scheduler.ts';

/** Returns how many custodians have confirmed. One that does not answer keeps nobody else waiting for long, and is asked again. */
export async function revokeAtCustodians(context: AppContext, signal: AbortSignal): Promise<number> {
  let confirmedCount = 0;
  const revokeFor = async (tenant: Tenant): Promise<void> => {
    for (const authority of await listRevoking(context, tenant)) {
      if (signal.aborted) return;
      try {
        if (await revokeAtCustodian(context, tenant, { authority, signal })) confirmedCount++;
      } catch (error) {
        if (!(error instanceof ConnectorFailure)) throw error;
      }
    }
  };
  const tenants = await context.stores.preAuth.dueTenants.withRevocations();
  const describe = (count: number): string => `Consent of ${count} environments could not be withdrawn.`;
  await forEachTenant(tenants, revokeFor, { signal, describe });
  return confirmedCount;
}

export function revocations(context: AppContext): Job {
  return { name: 'revocations', intervalMs: minuteMs, run: (signal) => revokeAtCustodians(context, signal) };
}
