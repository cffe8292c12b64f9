// The command `restore`: loads a backup into an empty database, all of it or nothing.

import type pg from 'pg';
import { sumOf } from '../../kit/compared-counts.ts';
import { withBackupFile, type OpenedBackup } from '../../store/postgres/backup/backup-file.ts';
import { BackupFault } from '../../store/postgres/backup/backup-fault.ts';
import { loadSnapshot } from '../../store/postgres/backup/load-snapshot.ts';
import type { Manifest } from '../../store/postgres/backup/manifest.ts';
import { startEmbeddedPostgres } from '../../store/postgres/embedded/embedded-postgres.ts';
import { readConfig, type Config } from '../config.ts';
import { findKey, keyFile, writeKeyFile } from '../encryption-key.ts';
import { connectionConfig } from '../open-context.ts';
import { SettingReader, type EnvironmentVariables } from '../setting-reader.ts';
import { identityOptions, readIdentities } from './age-options.ts';
import { fingerprintOf, keyOptions, openKey, readPassphrase } from './backup-key.ts';
import { Misuse, printJson, readOptions, resolvePath, type Command, type Invocation } from './command.ts';

export const restoreCommand: Command = {
  name: 'restore',
  usage: '--from FILE [--identity FILE] [--with-key --passphrase-file FILE [--key-to FILE]] [--json]',
  summary: 'loads a backup into the database of the settings, which must be empty',
  details: [
    'Checks the whole file first, then loads it in one transaction: a file that is damaged leaves the database empty.',
    'The key of the settings must be the one that the backup was made with. --with-key takes it out of the backup instead,',
    'and keeps it in DATA_DIR; with DATABASE_URL it is written to the FILE of --key-to, to be set as ENCRYPTION_KEY.',
    '--identity names the file with the identity of age that opens an encrypted backup.',
    'A backup of an older release is brought to the schema of this one.',
  ],
  run: restore,
};

async function restore({ args, environment, print }: Invocation): Promise<boolean> {
  const options = readOptions(args, {
    from: { type: 'string' },
    'key-to': { type: 'string' },
    json: { type: 'boolean' },
    ...identityOptions,
    ...keyOptions,
  });
  if (options.from === undefined) throw new Misuse('Say what to restore: --from FILE.');
  const passphrase = await readPassphrase(options, environment);
  const identities = await readIdentities(options.identity, environment);
  const keyTo = options['key-to'] === undefined ? undefined : resolvePath(options['key-to'], environment);
  const isEmbedded = new SettingReader(environment).text('DATABASE_URL') === undefined;
  if ((keyTo !== undefined) !== (passphrase !== undefined && !isEmbedded))
    throw new Misuse(
      'With DATABASE_URL and --with-key, and only then, say where the key is to be written: --key-to FILE.',
    );
  const restoreFrom = async ({ manifest, snapshot }: OpenedBackup): Promise<void> => {
    const key = passphrase === undefined ? undefined : await takeKey(manifest, passphrase);
    const config = readConfig(key === undefined ? environment : withKey(environment, key));
    await checkKey(config, manifest);
    const counts = await withTarget(config, (connection) => loadSnapshot(connection, snapshot));
    const keyPath = key === undefined ? undefined : await keepKey(key, keyTo ?? keyFile(config.dataDir));
    if (options.json === true)
      return printJson(print, {
        rows: sumOf(counts),
        tables: counts.size,
        as_of: manifest.madeAt,
        release: manifest.release,
        key_file: keyPath ?? null,
      });
    if (keyPath !== undefined) print(`The encryption key is in ${keyPath}.`);
    print(
      `Restored ${sumOf(counts)} rows of ${counts.size} tables, as of ${manifest.madeAt} (release ${manifest.release}).`,
    );
    print('Run `holdfast verify` with the same settings, then start the service.');
  };
  await withBackupFile(resolvePath(options.from, environment), restoreFrom, identities);
  return true;
}

/** Returns where it is. */
async function keepKey(key: string, path: string): Promise<string> {
  const kept = await writeKeyFile(path, key);
  if (kept.trim() !== key) throw new BackupFault(`Everything was restored, but ${path} exists and is another key.`);
  return path;
}

async function takeKey({ sealedKey, keyFingerprint }: Manifest, passphrase: string): Promise<string> {
  if (sealedKey === undefined)
    throw new BackupFault('It does not hold the encryption key. Leave out --with-key and set ENCRYPTION_KEY.');
  return openKey(sealedKey, passphrase, keyFingerprint);
}

function withKey(environment: EnvironmentVariables, key: string): EnvironmentVariables {
  const set = new SettingReader(environment).text('ENCRYPTION_KEY') ?? key;
  if (fingerprintOf(set) !== fingerprintOf(key))
    throw new BackupFault(
      'ENCRYPTION_KEY is set to another key than the one in the backup. Leave it out with --with-key.',
    );
  return { ...environment, ENCRYPTION_KEY: key, ENCRYPTION_KEY_FILE: undefined };
}

/** Refuses a key with which the service could not start afterwards. */
async function checkKey(config: Config, { keyFingerprint }: Manifest): Promise<void> {
  const kept = await findKey({ ...config, encryptionKey: undefined });
  const isEmbedded = config.databaseUrl === undefined;
  const key = config.encryptionKey ?? kept;
  const found = key === undefined ? undefined : fingerprintOf(key);
  const advice = isEmbedded
    ? `Set ENCRYPTION_KEY to that key, put its file at ${keyFile(config.dataDir)}, or use --with-key if the backup holds it.`
    : 'Set ENCRYPTION_KEY to that key, or use --with-key if the backup holds it.';
  if (found !== keyFingerprint)
    throw new BackupFault(
      `It was made with the encryption key ${keyFingerprint}, and ${found === undefined ? 'there is none' : `the one of the settings is ${found}`}. Nothing was changed. ${advice}`,
    );
  if (isEmbedded && kept !== undefined && fingerprintOf(kept) !== keyFingerprint)
    throw new BackupFault(`${keyFile(config.dataDir)} is another key. Nothing was changed. Choose another DATA_DIR.`);
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
