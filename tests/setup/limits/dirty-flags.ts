// Reads and clears the dirty flags of clients, and opens a store for the first workspace of a service.

import type { Id } from '../../../src/kit/id.ts';
import { allClients, type Scope, type VisibleClients } from '../../../src/model/access/scope.ts';
import { spreadSharedFlags } from '../../../src/store/queues/dirty-flags.ts';
import type { Store } from '../../../src/store/store.ts';
import type { SharedService } from '../node/test-service.ts';
import { runSql } from '../database/sql.ts';

export function withStore<T>(
  { context, first }: SharedService,
  task: (store: Store) => Promise<T>,
  visibleClients: VisibleClients = allClients,
): Promise<T> {
  const workspaceId = first.workspaceId as Id;
  const scope: Scope = { workspaceId, environment: 'production', visibleClients, credentialId: null };
  return context.stores.forWriting({ scope }, task);
}

/** Spreads shared flags. Returns the flagged clients with their causes. */
export async function listDirtyFlags(service: SharedService): Promise<Record<string, string[]>> {
  await withStore(service, (store) => spreadSharedFlags(store));
  const rows = await runSql<{ client_id: string; causes: string[] }>(
    service.database,
    'SELECT client_id, causes FROM round_mark',
  );
  return Object.fromEntries(rows.map(({ client_id: client, causes }) => [client, causes]));
}

export async function clearDirtyFlags({ database }: SharedService): Promise<void> {
  await runSql(database, 'WITH shared AS (DELETE FROM shared_round_mark) DELETE FROM round_mark');
}
