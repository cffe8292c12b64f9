// Counts the connections that wait for a lock in a test's database, for tests that hold a lock until others wait for it.

import { expect } from 'vitest';
import type { TestDatabase } from './test-database.ts';
import { runSql } from './sql.ts';

const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Returns how many connections to this database wait for a lock. */
export async function countLockWaits(database: TestDatabase): Promise<number> {
  const [row] = await runSql<{ count: number }>(database, waiting);
  return row!.count;
}

/** Waits until exactly this many connections wait for a lock. */
export async function awaitLockWaits(database: TestDatabase, count: number): Promise<void> {
  await expect.poll(() => countLockWaits(database)).toBe(count);
}
