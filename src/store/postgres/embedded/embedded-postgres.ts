// Runs the PostgreSQL that comes with the service on a data folder, and restarts it if it ends.

import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toDataDirFault } from './data-dir-fault.ts';
import type { FileOwner } from './os-account.ts';
import { chooseAccount } from './os-account.ts';
import { putCluster, superuser } from './cluster.ts';
import { findOwner, port, putDataDir, putSocketDir, socketDirFor, socketFile } from './folders.ts';
import type { Connection, LaunchOptions } from './launch.ts';
import { stopServer, launchServer } from './launch.ts';
import { waitUntilFree } from './running-server.ts';
import { getPrograms } from './programs.ts';
import type { PostgresServer } from './server-process.ts';

export { DataDirFault } from './data-dir-fault.ts';
export { DataDirInUse } from './running-server.ts';

interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Server settings that add to or replace the default ones. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  readonly connection: Connection;
  /** Ends open connections, then the server. May be called again. */
  readonly stop: () => Promise<void>;
}

/** Rejects with DataDirInUse if another process serves the folder. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const launchOptions = await prepareFolders(options).catch((error) => {
    throw toDataDirFault(error, resolve(options.dataDir));
  });
  const stopping = new AbortController();
  const first = await launchServer(launchOptions, stopping.signal);
  const running = keepRunning(launchOptions, { first, signal: stopping.signal });
  return {
    connection: launchOptions.connection,
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

/** How to reach the server that another process runs on a data folder. */
export function runningConnection(dataDir: string): Connection {
  return { host: socketDirFor(resolve(dataDir)), port, user: superuser, database: 'holdfast' };
}

async function prepareFolders(options: EmbeddedPostgresOptions): Promise<LaunchOptions> {
  const programs = await getPrograms();
  const dataDir = resolve(options.dataDir);
  await putDataDir(dataDir);
  const cluster = join(dataDir, 'postgres');
  const socketDir = socketDirFor(dataDir);
  const paths = { dataDir, cluster, socket: socketFile(socketDir) };
  await waitUntilFree(paths);
  const owners = [await findOwner(cluster), await findOwner(dataDir)].filter(
    (owner): owner is FileOwner => owner !== undefined,
  );
  const folders = [dataDir, dirname(socketDir)];
  const account = await chooseAccount({ program: programs.postgres, folders, owners });
  await putCluster({ cluster, initdb: programs.initdb, account });
  await putSocketDir({ socketDir, dataDir }, account);
  const connection = runningConnection(dataDir);
  const { log, settings = {} } = options;
  return { ...programs, paths, cluster, socketDir, account, connection, log, settings };
}

/** Restarts a server that ends by itself, until the signal. */
async function keepRunning(
  launchOptions: LaunchOptions,
  run: { first: PostgresServer; signal: AbortSignal },
): Promise<void> {
  const { signal } = run;
  const aborted = new Promise((done) => signal.addEventListener('abort', done));
  for (
    let server: PostgresServer | undefined = run.first;
    server !== undefined;
    server = await relaunchServer(launchOptions, signal)
  ) {
    const end = await Promise.race([server.exit, aborted]);
    if (signal.aborted) return stopServer(server);
    launchOptions.log(`PostgreSQL ended by itself (${String(end)}); starting it again.`);
  }
}

const backOffMsMax = 5_000;

async function relaunchServer(launchOptions: LaunchOptions, signal: AbortSignal): Promise<PostgresServer | undefined> {
  for (let backOffMs = 50; !signal.aborted; backOffMs = Math.min(backOffMsMax, backOffMs * 2)) {
    try {
      await delay(backOffMs, undefined, { signal });
      return await launchServer(launchOptions, signal);
    } catch (error) {
      if (!signal.aborted) launchOptions.log(`PostgreSQL could not be started again: ${String(error)}`);
    }
  }
  return undefined;
}
