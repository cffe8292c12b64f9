// Starts a server and waits until it answers queries, and stops it again.

import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { DataDirFault, reasonInLines } from './data-dir-fault.ts';
import type { ServerPaths } from './running-server.ts';
import { waitUntilFree, findPidFile } from './running-server.ts';
import type { PostgresServer, ServerOptions } from './server-process.ts';
import { spawnServer } from './server-process.ts';

export interface Connection {
  /** The folder of the Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface LaunchOptions extends ServerOptions {
  readonly paths: ServerPaths;
  readonly connection: Connection;
  /** How long to wait before a start that was blocked is tried again. */
  readonly relaunchMs?: number;
}

/** How often the database is launched before its failure is final. */
const launchesMax = 40;

export async function launchServer(options: LaunchOptions, signal: AbortSignal): Promise<PostgresServer> {
  const { relaunchMs = 250 } = options;
  for (let launches = 1; ; launches += 1) {
    await waitUntilFree(options.paths, signal);
    const server = spawnServer(options);
    try {
      await awaitReady(server, options, signal);
      return server;
    } catch (error) {
      await stopServer(server);
      if (signal.aborted || launches === launchesMax || !isBlocked(server)) throw error;
      await delay(relaunchMs, undefined, { signal });
    }
  }
}

/** Whether processes of a killed server still hold its memory, or another server was faster. */
export function isBlocked(server: Pick<PostgresServer, 'lines'>): boolean {
  return server.lines.some(
    (line) =>
      line.includes('pre-existing shared memory block') ||
      /^[^"]*lock file "[^"]*" (already exists|is empty)/.test(line),
  );
}

async function awaitReady(server: PostgresServer, options: LaunchOptions, signal: AbortSignal): Promise<void> {
  const finished = new AbortController();
  const ended = server.exit.then((end) => {
    const reason = reasonInLines(server.lines);
    if (reason !== undefined)
      throw new DataDirFault(`DATA_DIR is ${options.paths.dataDir}, which PostgreSQL cannot use: ${reason}`);
    throw new Error(`PostgreSQL did not start (${end}).\n${server.lines.join('\n')}`.trimEnd());
  });
  const ready = pollUntilReady(server, options.cluster, AbortSignal.any([signal, finished.signal]));
  try {
    await Promise.race([ended, ready]);
    await Promise.race([ended, putDatabase(options.connection)]);
  } finally {
    finished.abort();
    // Nothing looks for the server any more.
    await ready.catch(() => {});
  }
}

const pollMs = 10;

/** Has no time limit: recovering a large log may take minutes, and giving up would only make it start over. */
async function pollUntilReady(server: PostgresServer, cluster: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const found = await findPidFile(cluster);
    if (found?.pid === server.pid && found?.status === 'ready') return;
    await delay(pollMs, undefined, { signal });
  }
}

async function putDatabase({ database, ...server }: Connection): Promise<void> {
  const client = new Client({ ...server, database: 'postgres', ssl: false });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${database}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const stopSignals = [
  { name: 'SIGINT', waitMs: 10_000 },
  { name: 'SIGQUIT', waitMs: 6_000 },
  { name: 'SIGKILL', waitMs: 2_000 },
] as const;

/** Tries a fast shutdown first, which rolls back open transactions and writes committed ones to disk. */
export async function stopServer(server: PostgresServer): Promise<void> {
  for (const { name, waitMs } of stopSignals) {
    server.signal(name);
    if (await stopsWithin(server, waitMs)) return;
  }
}

async function stopsWithin(server: PostgresServer, waitMs: number): Promise<boolean> {
  const finished = new AbortController();
  const timedOut = delay(waitMs, false, { signal: finished.signal }).catch(() => false);
  const ended = await Promise.race([server.exit.then(() => true), timedOut]);
  finished.abort();
  return ended;
}
