// What reports will ask the store for beside the wires: marks of rounds, and a store for the first workspace of a service.

import type { Id } from '../../../src/kit/id.ts';
import { everything, type Reach, type Sight } from '../../../src/model/access/scope.ts';
import { spreadSharedMarks } from '../../../src/store/queues/dirty-flags.ts';
import { openForWriting, type Store } from '../../../src/store/store.ts';
import type { TestService } from '../node/test-service.ts';
import { runSql } from '../database/sql.ts';

export function inStore<T>(
  { house, first }: TestService,
  task: (store: Store) => Promise<T>,
  sight: Sight = everything,
): Promise<T> {
  const workspaceId = first.workspaceId as Id;
  const reach: Reach = { workspaceId, environment: 'production', sight, credentialId: null };
  return openForWriting(house.database, { reach, view: null }, task);
}

/** Whoever is marked once what concerns several is spread out, and why. */
export async function listMarks(service: TestService): Promise<Record<string, string[]>> {
  await inStore(service, (store) => spreadSharedMarks(store));
  const rows = await runSql<{ client_id: string; causes: string[] }>(
    service.database,
    'SELECT client_id, causes FROM round_mark',
  );
  return Object.fromEntries(rows.map(({ client_id: client, causes }) => [client, causes]));
}

export async function unmark({ database }: TestService): Promise<void> {
  await runSql(database, 'WITH shared AS (DELETE FROM shared_round_mark) DELETE FROM round_mark');
}
