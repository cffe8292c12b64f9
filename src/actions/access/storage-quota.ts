// The storage quota of an environment: measured every few minutes, since counting rows takes a while. Beyond it nothing is added; reading,
// deleting and undoing go on.

import { forEachTenant } from '../core/each-tenant.ts';
import type { AppContext } from '../core/context.ts';
import { serviceAuthor } from '../core/work.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Tenant } from '../../model/access/scope.ts';

/** What is assumed of an environment that cannot be measured, so that it is tried again more rarely. */
const failedMs = 30_000;

export function storageQuotaReached({ used, max }: { readonly used: number; readonly max: number }): Refusal {
  const megabytes = (bytes: number): string =>
    (Math.ceil(bytes / 100_000) / 10).toLocaleString('en', { maximumFractionDigits: 1 });
  const detail = `The rows of the workspace take ${megabytes(used)} MB in this environment. Its quota is ${megabytes(max)} MB. Nothing was changed. Reading and deleting go on: delete clients, undone imports or instruments that are not needed, or ask the operator for a larger quota. What was deleted counts within some minutes.`;
  return new Refusal('storage-quota-reached', detail);
}

/** Measures the environments that have changed since they were measured, and now and then all. Returns how many. */
export async function measureStorage(context: AppContext, signal?: AbortSignal): Promise<number> {
  const tenants = await context.stores.preAuth.dueTenants.withUnmeasuredStorage(context.clock.now());
  let measured = 0;
  const describe = (count: number): string => `The storage of ${count} environments could not be measured.`;
  const measure = async (tenant: Tenant): Promise<void> => {
    await measureTenant(context, tenant);
    measured++;
  };
  await forEachTenant(tenants, measure, { signal, describe });
  return measured;
}

async function measureTenant({ stores, clock }: AppContext, tenant: Tenant): Promise<void> {
  const { scope } = serviceAuthor(tenant);
  const reading = stores.forReading({ scope });
  const [begunAt, begun] = [clock.now(), performance.now()];
  try {
    // Before the rows are counted: what is written meanwhile has it measured again.
    const lastEntry = await reading.workspaceSettings.readLastEntry();
    const size = await reading.usage.estimateSize();
    const measure = { ...size, measuredAt: begunAt, tookMs: performance.now() - begun, lastEntry };
    await stores.forWriting({ scope }, ({ workspaceSettings }) => workspaceSettings.putMeasure(measure));
  } catch (error) {
    const tookMs = Math.max(failedMs, performance.now() - begun);
    await stores.forWriting({ scope }, ({ workspaceSettings }) =>
      workspaceSettings.postponeMeasure({ at: begunAt, tookMs }),
    );
    throw error;
  }
}
