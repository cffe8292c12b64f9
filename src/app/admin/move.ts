// The command `move`: copies the database of the settings into an empty one, from embedded to a server or back, while the service is stopped.

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { defined } from '../../kit/assert.ts';
import { sumOf, type RowCounts } from '../../kit/compared-counts.ts';
import { checkTarget, loadSnapshot } from '../../store/postgres/backup/load-snapshot.ts';
import { blockWriters, requireNoOthers } from '../../store/postgres/backup/other-connections.ts';
import { withDatabaseSnapshot } from '../../store/postgres/backup/snapshot.ts';
import { withStartLock } from '../../store/postgres/start-lock.ts';
import { isDatabaseUrl, readConfig, type Config } from '../config.ts';
import { findKey, keyFile, putKeyFile } from '../encryption-key.ts';
import { SettingFault, type EnvironmentVariables } from '../setting-reader.ts';
import { withContextOn, withTarget } from './admin-context.ts';
import { fingerprintOf } from './backup-key.ts';
import { Misuse, printJson, readOptions, resolvePath, type Command, type Invocation, type Print } from './command.ts';

export const moveCommand: Command = {
  name: 'move',
  usage: '--to postgresql://… | --to-embedded FOLDER [--json]',
  summary: 'copies the database of the settings into an empty one elsewhere; the service must be stopped',
  details: [
    '--to is the DATABASE_URL of the new database, --to-embedded the DATA_DIR of a new embedded one.',
    'The old database stays as it is. Nobody may be connected to it meanwhile, and no node can start on it.',
    'The encryption key stays the same: an embedded database gets it in its folder, for a server set it as ENCRYPTION_KEY.',
  ],
  run: move,
};

type Target = Pick<Config, 'databaseUrl' | 'dataDir' | 'databaseStatements'>;

async function move({ args, environment, print }: Invocation): Promise<boolean> {
  const { target, json } = readTarget(args, environment);
  const config = readConfig(environment);
  const isEmbedded = config.databaseUrl === undefined;
  if (isEmbedded) await requireCluster(config.dataDir);
  await withTarget(config, async (source) => {
    await withContextOn(config, source, async () => {});
    await requireSameKey(config, target);
    const counts = await withTarget(target, (connection) => copyDatabase(source, connection));
    await report({ config, target, counts, json }, print);
  });
  return true;
}

function readTarget(args: readonly string[], environment: EnvironmentVariables): { target: Target; json: boolean } {
  const {
    to,
    'to-embedded': folder,
    json = false,
  } = readOptions(args, {
    to: { type: 'string' },
    'to-embedded': { type: 'string' },
    json: { type: 'boolean' },
  });
  if ((to === undefined) === (folder === undefined))
    throw new Misuse('Say where to: --to postgresql://… or --to-embedded FOLDER.');
  if (to !== undefined && !isDatabaseUrl(to))
    throw new Misuse('--to must be an address such as postgresql://user:password@host:5432/database.');
  const dataDir = folder === undefined ? '' : resolvePath(folder, environment);
  return { target: { databaseUrl: to, dataDir, databaseStatements: 'named' }, json };
}

/** The key of a folder cannot be replaced: what was sealed with it could not be opened any more. */
async function requireSameKey(config: Config, { databaseUrl, dataDir }: Target): Promise<void> {
  if (databaseUrl !== undefined) return;
  const kept = await findKey({ encryptionKey: undefined, dataDir });
  const key = defined(await findKey(config), 'opening the context has found the key');
  if (kept !== undefined && fingerprintOf(kept) !== fingerprintOf(key))
    throw new SettingFault(`${keyFile(dataDir)} is another key. Nothing was changed. Choose another folder.`);
}

/** Only an embedded database that is there is moved; none is created. */
async function requireCluster(dataDir: string): Promise<void> {
  await access(join(dataDir, 'postgres')).catch(() => {
    throw new SettingFault(`DATA_DIR is ${dataDir}, which holds no database that this user can open.`);
  });
}

/** Holds the lock of a start, so that no node can start on the old database before all is copied. */
async function copyDatabase(source: pg.PoolConfig, target: pg.PoolConfig): Promise<RowCounts> {
  await checkTarget(target);
  let counts: RowCounts | undefined;
  await withStartLock(source, async (client) => {
    await requireNoOthers(client);
    await blockWriters(client);
    counts = await withDatabaseSnapshot(source, (snapshot) => loadSnapshot(target, snapshot));
  });
  return defined(counts, 'the task has run under the lock');
}

interface Moved {
  readonly config: Config;
  readonly target: Target;
  readonly counts: RowCounts;
  readonly json: boolean;
}

async function report({ config, target, counts, json }: Moved, print: Print): Promise<void> {
  const key = defined(await findKey(config), 'opening the context has found the key');
  if (target.databaseUrl === undefined) await putKeyFile(target.dataDir, key);
  if (json)
    return printJson(print, {
      rows: sumOf(counts),
      tables: counts.size,
      data_dir: target.databaseUrl === undefined ? target.dataDir : null,
      key_file: target.databaseUrl === undefined ? keyFile(target.dataDir) : null,
    });
  print(
    `Moved ${sumOf(counts)} rows of ${counts.size} tables. The old database is as it was: delete it when the new one has proved good.`,
  );
  if (target.databaseUrl === undefined) {
    print(
      `Start the service with DATA_DIR=${target.dataDir} and without DATABASE_URL; the encryption key is in ${keyFile(target.dataDir)}.`,
    );
  } else {
    const from = config.encryptionKey === undefined ? `to what is in ${keyFile(config.dataDir)}` : 'as it is now';
    print(`Start the service with DATABASE_URL set to the new database and ENCRYPTION_KEY ${from}.`);
  }
}
