// Runs SQL directly on a test's database, bypassing the service and both tenant filters: to create what no operation creates yet, and to
// read what was really stored.

import pg from 'pg';
import { inject } from 'vitest';
import { runInParts } from './database-parts.ts';
import type { TestDatabase } from './test-database.ts';

const pools = new Map<string, pg.Pool>();

/** Connections stay open, since opening one costs more than most queries. They end when their database is dropped. */
export function poolOf(url: string): pg.Pool {
  const existing = pools.get(url);
  if (existing !== undefined) return existing;
  const pool = new pg.Pool({ connectionString: url, max: 4, idleTimeoutMillis: 0, allowExitOnIdle: true });
  pool.on('error', () => {});
  pools.set(url, pool);
  return pool;
}

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
