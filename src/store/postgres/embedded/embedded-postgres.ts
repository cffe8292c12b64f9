// Runs the PostgreSQL that comes with the service on a data folder, and keeps it running. Knows no table and no migration.

import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Owner } from './os-account.ts';
import { chooseAccount } from './os-account.ts';
import { putCluster, superuser } from './cluster.ts';
import { findOwner, port, putDataDir, putSocketDir, socketDirFor, socketFile } from './folders.ts';
import type { Connection, LaunchNeed } from './launch.ts';
import { endServer, launchServer } from './launch.ts';
import { awaitVacancy } from './running-server.ts';
import { getPrograms } from './programs.ts';
import type { Server } from './server-process.ts';

export { DataDirInUse } from './running-server.ts';

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Server settings beside or instead of the usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  readonly connection: Connection;
  /** Ends open connections, then the server. May be called again. */
  readonly stop: () => Promise<void>;
}

/** Rejects with DataDirInUse where another process serves the folder. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const need = await prepareFolders(options);
  const stopping = new AbortController();
  const first = await launchServer(need, stopping.signal);
  const kept = keepRunning(need, { first, signal: stopping.signal });
  return {
    connection: need.connection,
    stop: () => {
      stopping.abort();
      return kept;
    },
  };
}

async function prepareFolders(options: EmbeddedPostgresOptions): Promise<LaunchNeed> {
  const programs = await getPrograms();
  const dataDir = resolve(options.dataDir);
  await putDataDir(dataDir);
  const cluster = join(dataDir, 'postgres');
  const socketDir = socketDirFor(dataDir);
  const place = { dataDir, cluster, socket: socketFile(socketDir) };
  await awaitVacancy(place);
  const owners = [await findOwner(cluster), await findOwner(dataDir)].filter(
    (owner): owner is Owner => owner !== undefined,
  );
  const folders = [dataDir, dirname(socketDir)];
  const account = await chooseAccount({ program: programs.postgres, folders, owners });
  await putCluster({ cluster, initdb: programs.initdb, account });
  await putSocketDir({ socketDir, dataDir }, account);
  const connection = { host: socketDir, port, user: superuser, database: 'holdfast' };
  const { log, settings = {} } = options;
  return { ...programs, place, cluster, socketDir, account, connection, log, settings };
}

/** Until the signal: a server that ends by itself is started again. */
async function keepRunning(need: LaunchNeed, run: { first: Server; signal: AbortSignal }): Promise<void> {
  const { signal } = run;
  const aborted = new Promise((settle) => signal.addEventListener('abort', settle));
  for (let server: Server | undefined = run.first; server !== undefined; server = await relaunchServer(need, signal)) {
    const end = await Promise.race([server.exit, aborted]);
    if (signal.aborted) return endServer(server);
    need.log(`PostgreSQL ended by itself (${String(end)}); starting it again.`);
  }
}

const backOffMsMax = 5_000;

async function relaunchServer(need: LaunchNeed, signal: AbortSignal): Promise<Server | undefined> {
  for (let backOffMs = 50; !signal.aborted; backOffMs = Math.min(backOffMsMax, backOffMs * 2)) {
    try {
      await delay(backOffMs, undefined, { signal });
      return await launchServer(need, signal);
    } catch (error) {
      if (!signal.aborted) need.log(`PostgreSQL could not be started again: ${String(error)}`);
    }
  }
  return undefined;
}
