// Locks rows of a test's database, so that requests that change them wait until the test lets them go.

import pg from 'pg';
import type { TestDatabase } from './test-database.ts';

/** Locks the rows of these clients. */
export async function lockClients(
  { url }: Pick<TestDatabase, 'url'>,
  ...ids: readonly string[]
): Promise<{ release(): Promise<void> }> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM client WHERE id = ANY ($1) FOR UPDATE', [ids]);
  return { release: () => holder.query('COMMIT').then(() => holder.end()) };
}
