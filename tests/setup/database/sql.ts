// Runs SQL directly on a test's database, bypassing the service and both tenant filters: to create what no operation creates yet, and to
// read what was really stored.

import type pg from 'pg';
import { inject } from 'vitest';
import { runInParts } from './database-parts.ts';
import { poolOf } from './pools.ts';
import type { TestDatabase } from './test-database.ts';

export async function runSql<Row extends object = Record<string, unknown>>(
  { url }: TestDatabase,
  text: string | pg.QueryConfig,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    return (await poolOf(url).query<Row>(text, [...values])).rows;
  } catch (error) {
    const isForParts =
      inject('databaseServers').length > 1 && (error as pg.DatabaseError).code === notForSeveralServers;
    if (!isForParts || typeof text !== 'string') throw error;
    return runInParts({ url }, text, values);
  }
}

/** PostgreSQL's feature_not_supported, as Citus says of what does not name its workspace. */
const notForSeveralServers = '0A000';

export async function countAuditEntries(database: TestDatabase): Promise<number> {
  const [row] = await runSql<{ count: string }>(database, 'SELECT count(*) FROM audit_entry');
  return Number(row!.count);
}
