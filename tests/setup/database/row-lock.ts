// Locks rows of a test's database, so that requests that change them wait until the test lets them go.

import { LockHolder } from './database-parts.ts';
import type { TestDatabase } from './test-database.ts';

/** Locks the rows of these clients. */
export async function lockClients(
  database: Pick<TestDatabase, 'url'>,
  ...ids: readonly string[]
): Promise<{ release(): Promise<void> }> {
  const holder = await LockHolder.open(database);
  await holder.query('SELECT FROM client WHERE id = ANY ($1) FOR UPDATE', [ids]);
  return { release: () => holder.release() };
}
