// Holds locks in a test's database and counts the connections that wait for one, so that a test decides who comes first.

import { expect, vi } from 'vitest';
import type { TestDatabase } from './test-database.ts';
import { LockHolder, runOnServers } from './database-parts.ts';

const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Returns how many connections to this database wait for a lock. */
export async function countLockWaits(database: TestDatabase): Promise<number> {
  const found = await runOnServers<{ count: number }>(database, waiting);
  return found.reduce((sum, { count }) => sum + count, 0);
}

/** Waits until exactly this many connections wait for a lock. */
export async function awaitLockWaits(database: TestDatabase, count: number): Promise<void> {
  // Not `expect.poll`, which concurrent tests cannot share.
  await vi.waitFor(async () => expect(await countLockWaits(database)).toBe(count), { timeout: 120_000, interval: 20 });
}

/** Runs a statement that locks rows and holds the lock until the returned function is called. */
export async function holdLock(database: TestDatabase, statement: string): Promise<() => Promise<void>> {
  const holder = await LockHolder.open(database);
  await holder.query(statement);
  return () => holder.release();
}
