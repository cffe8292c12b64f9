// SQL straight into a test's database, past the service and both of its walls: to lay out what no path makes yet, and to
// look at what was really stored.

import pg from 'pg';
import type { TestDatabase } from './test-database.ts';

const pools = new Map<string, pg.Pool>();

/** Connections that stay, since to open one costs more than most questions. They end when their database is dropped. */
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
  return (await poolOf(url).query<Row>(text, [...values])).rows;
}

export async function countAuditEntries(database: TestDatabase): Promise<number> {
  const [row] = await runSql<{ count: string }>(database, 'SELECT count(*) FROM audit_entry');
  return Number(row!.count);
}
