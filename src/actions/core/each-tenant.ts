// Runs background work tenant by tenant: one that fails keeps none of the others from its turn.

import type { Tenant } from '../../model/access/scope.ts';

interface EachTenantOptions {
  /** Once it is aborted, no further tenant has its turn. */
  readonly signal: AbortSignal | undefined;
  /** What to report where it failed for so many. */
  describe(failedCount: number): string;
}

/** Throws after the last one where any failed. */
export async function forEachTenant(
  tenants: readonly Tenant[],
  task: (tenant: Tenant) => Promise<void>,
  { signal, describe }: EachTenantOptions,
): Promise<void> {
  const errors: unknown[] = [];
  for (const tenant of tenants) {
    if (signal?.aborted === true) break;
    await task(tenant).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new Error(describe(errors.length), { cause: errors[0] });
}
