// Who waits for a lock in a test's database, for tests that hold one and let go of it once others wait.

import { expect } from 'vitest';
import type { TestDatabase } from './test-database.ts';
import { runSql } from './sql.ts';

const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** How many connections to this database wait for a lock. */
export async function countLockWaits(database: TestDatabase): Promise<number> {
  const [row] = await runSql<{ count: number }>(database, waiting);
  return row!.count;
}

/** Waits until exactly that many connections wait for a lock. */
export async function awaitLockWaits(database: TestDatabase, count: number): Promise<void> {
  await expect.poll(() => countLockWaits(database)).toBe(count);
}
