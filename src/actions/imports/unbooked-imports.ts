// Deletes imports that were checked and never booked, once they are older than the settings let them become.

import type { Tenant } from '../../model/access/scope.ts';
import type { DropResult } from '../../store/access/retention.ts';
import type { Store } from '../../store/store.ts';
import type { AppContext } from '../core/context.ts';
import { deleteRecord } from '../core/resource.ts';
import { runInTransaction, serviceAuthor } from '../core/work.ts';
import { importRules } from './import-record.ts';

/** Deletes the oldest in a transaction of its own: an import may have very many rows. Leaves out one that somebody is booking now. */
export async function dropUnbookedImport(
  context: AppContext,
  tenant: Tenant,
  readBefore: (store: Store) => Promise<number>,
): Promise<DropResult> {
  return runInTransaction(context, serviceAuthor(tenant), async (work) => {
    const oldest = await work.store.importRows.lockUnbooked(await readBefore(work.store));
    if (oldest === undefined) return { count: 0, hasMore: false };
    await deleteRecord(work, importRules, oldest.id);
    return { count: oldest.rows + 1, hasMore: true };
  });
}
