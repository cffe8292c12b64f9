// Opens the application context for a command of the operator: the database and the keys, without listener and jobs.

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { AppContext } from '../../actions/core/context.ts';
import { hourMs, minuteMs, systemClock } from '../../kit/clock.ts';
import {
  DataDirInUse,
  runningConnection,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../store/postgres/embedded/embedded-postgres.ts';
import type { Config } from '../config.ts';
import { checkKeyring } from '../encryption-key.ts';
import { configuredBaseUrl } from '../listeners.ts';
import { connectionConfig, openContext, usualTimeouts, type DatabaseTimeouts } from '../open-context.ts';
import { SettingFault } from '../setting-reader.ts';

/** Commands run one statement at a time. */
const poolSize = 2;

/** A statement over all rows may take long, and whoever runs a command can interrupt it. */
const commandTimeouts: DatabaseTimeouts = {
  // For locks it waits no longer than the service does.
  ...usualTimeouts,
  statementMs: hourMs,
  // Rows that are written may come from another database, which sorts them first.
  writeGapMs: hourMs,
  answerMs: hourMs + minuteMs,
  snapshotGapMs: hourMs,
};

/** Uses the embedded database of a service that is running; else starts it for the time of the command. */
async function openEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  await access(join(dataDir, 'postgres')).catch(() => {
    throw new SettingFault(
      `DATA_DIR is ${dataDir}, which holds no database that this user can open. Set DATA_DIR or DATABASE_URL as for the service.`,
    );
  });
  try {
    return await startEmbeddedPostgres({ dataDir, log: () => {} });
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
    return { connection: runningConnection(dataDir), stop: async () => {} };
  }
}

/** Opens the database of the settings, which must be there. It may be empty, and the key may be another one. */
export async function withAdminDatabase<T>(
  config: Config,
  task: (connection: pg.PoolConfig) => Promise<T>,
): Promise<T> {
  const { dataDir, databaseUrl } = config;
  const embedded = databaseUrl === undefined ? await openEmbedded(dataDir) : undefined;
  try {
    const address = embedded?.connection ?? { connectionString: databaseUrl };
    return await task(connectionConfig(config, address, commandTimeouts));
  } finally {
    await embedded?.stop();
  }
}

/** Opens the database to restore into; an embedded one is created if it is not there. */
export async function withTarget<T>(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'databaseStatements'>,
  task: (connection: pg.PoolConfig) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) return task(connectionConfig(config, { connectionString: databaseUrl }));
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => {} });
  try {
    return await task(connectionConfig(config, embedded.connection));
  } finally {
    await embedded.stop();
  }
}

/** Opens the context on a database, which must have been created with the key of the settings. */
export async function withContextOn<T>(
  config: Config,
  connection: pg.PoolConfig,
  task: (context: AppContext) => Promise<T>,
): Promise<T> {
  const addresses = { baseUrl: configuredBaseUrl(config), legacyUrl: '', authUrl: '' };
  const parts = { config, connection, poolSize, clock: systemClock, addresses };
  const defaults = { timeouts: commandTimeouts, tenantFilters: undefined, onIdleError: () => {} };
  const context = await openContext({ ...parts, ...defaults, workspaces: 'any', modes: 'ignored' });
  try {
    await checkKeyring(context);
    return await task(context);
  } finally {
    await context.stores.close();
  }
}

/** `connection` is how the role that owns the tables connects, for what the service's own role may not do. */
export function withAdminContext<T>(
  config: Config,
  task: (context: AppContext, connection: pg.PoolConfig) => Promise<T>,
): Promise<T> {
  return withAdminDatabase(config, (connection) =>
    withContextOn(config, connection, (context) => task(context, connection)),
  );
}
