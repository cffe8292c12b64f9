// The lock that lets one node at a time prepare a database: migrate it, and create what a new one needs.

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../with-client.ts';

const lockKey = 4_770_271_123;
const askAgainMs = 50;

/** A node waits as long as another one migrates, and a migration may take any time. */
const withoutTimeouts = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  jit: 'off',
};

async function setAll(client: pg.Client, command: 'SET' | 'SET LOCAL'): Promise<void> {
  for (const [name, value] of Object.entries(withoutTimeouts)) await client.query(`${command} ${name} = ${value}`);
}

async function isTaken(client: pg.Client, lockFunction: string): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>(`SELECT ${lockFunction}(${lockKey}) AS ours`);
  return rows[0]?.ours !== true;
}

/** Runs `task` in a transaction, while no other node on the same database runs one under this lock. */
export function withStartLock(connection: pg.ClientConfig, task: (client: pg.Client) => Promise<void>): Promise<void> {
  return withClient(connection, async (client) => {
    await beginLocked(client);
    await task(client);
    await client.query('COMMIT');
  });
}

/** Asks again instead of waiting in a transaction: an index that the other node builds concurrently would wait for its end. */
async function beginLocked(client: pg.Client): Promise<void> {
  for (;;) {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    await setAll(client, 'SET LOCAL');
    if (!(await isTaken(client, 'pg_try_advisory_xact_lock'))) return;
    await client.query('ROLLBACK');
    await delay(askAgainMs);
  }
}

/** Whether a pooler answers, which may send each transaction over another connection: it names a process that is not the server's. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== Reflect.get(client, 'processID');
}

/**
 * Runs `task` under the same lock, without a transaction around it. Behind a pooler a session is nobody's own, and would keep a lock when the
 * task is done: there a transaction of another connection holds it. Whatever is usual for the database, it sees no moment, so that no index waits for its end.
 */
export function withSessionStartLock(
  connection: pg.ClientConfig,
  task: (client: pg.Client) => Promise<void>,
): Promise<void> {
  return withClient(connection, async (client) => {
    if (await isPooled(client)) return withStartLock(connection, () => task(client));
    await setAll(client, 'SET');
    while (await isTaken(client, 'pg_try_advisory_lock')) await delay(askAgainMs);
    await task(client);
  });
}
