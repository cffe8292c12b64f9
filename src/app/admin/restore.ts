// The command `restore`: loads a backup into an empty database, all of it or nothing.

import type pg from 'pg';
import { sumOf } from '../../kit/compared-counts.ts';
import { withBackupFile } from '../../store/postgres/backup/backup-file.ts';
import { BackupFault } from '../../store/postgres/backup/backup-fault.ts';
import { loadSnapshot } from '../../store/postgres/backup/load-snapshot.ts';
import type { Manifest, OtherKey } from '../../store/postgres/backup/manifest.ts';
import { startEmbeddedPostgres } from '../../store/postgres/embedded/embedded-postgres.ts';
import { readConfig, type Config } from '../config.ts';
import { findKey, keyFile, writeKeyFile } from '../encryption-key.ts';
import { connectionConfig } from '../open-context.ts';
import { SettingReader, type EnvironmentVariables } from '../setting-reader.ts';
import { fingerprintOf, keyOptions, openKey, otherKeySettings, readPassphrase } from './backup-key.ts';
import { Misuse, readOptions, resolvePath, type Command, type Invocation, type Print } from './command.ts';

export const restoreCommand: Command = {
  name: 'restore',
  usage: '--from FILE [--with-key --passphrase-file FILE [--key-to FILE]]',
  summary: 'loads a backup into the database of the settings, which must be empty',
  details: [
    'Checks the whole file first, then loads it in one transaction: a file that is damaged leaves the database empty.',
    'The key of the settings must be the one that the backup was made with. --with-key takes it out of the backup instead,',
    'and keeps it in DATA_DIR; with DATABASE_URL it is written to the FILE of --key-to, to be set as ENCRYPTION_KEY.',
    'A backup of an older release is brought to the schema of this one.',
  ],
  run: restore,
};

async function restore({ args, environment, print }: Invocation): Promise<boolean> {
  const options = readOptions(args, { from: { type: 'string' }, 'key-to': { type: 'string' }, ...keyOptions });
  if (options.from === undefined) throw new Misuse('Say what to restore: --from FILE.');
  const passphrase = await readPassphrase(options, environment);
  const keyTo = options['key-to'] === undefined ? undefined : resolvePath(options['key-to'], environment);
  const isEmbedded = new SettingReader(environment).text('DATABASE_URL') === undefined;
  if ((keyTo !== undefined) !== (passphrase !== undefined && !isEmbedded))
    throw new Misuse(
      'With DATABASE_URL and --with-key, and only then, say where the key is to be written: --key-to FILE.',
    );
  await withBackupFile(resolvePath(options.from, environment), async ({ manifest, snapshot }) => {
    const key = passphrase === undefined ? undefined : await takeKey(manifest, passphrase);
    const other = passphrase === undefined ? undefined : await takeOtherKey(manifest, passphrase);
    const config = readConfig(key === undefined ? environment : withKey(withOther(environment, other), key));
    await checkKey(config, manifest);
    const counts = await withTarget(config, (connection) => loadSnapshot(connection, snapshot));
    const keptAt = keyTo ?? keyFile(config.dataDir);
    if (key !== undefined) await keepKey(key, keptAt, print);
    if (other !== undefined) await keepOther(other, `${keptAt}.${other.use}`, print);
    print(
      `Restored ${sumOf(counts)} rows of ${counts.size} tables, as of ${manifest.madeAt} (release ${manifest.release}).`,
    );
    print('Run `holdfast verify` with the same settings, then start the service.');
  });
  return true;
}

interface TakenKey {
  readonly use: OtherKey['use'];
  readonly key: string;
}

/** The second key of a backup that was made while one was replacing the other. */
async function takeOtherKey({ otherKey }: Manifest, passphrase: string): Promise<TakenKey | undefined> {
  if (otherKey?.sealedKey === undefined) return undefined;
  return { use: otherKey.use, key: await openKey(otherKey.sealedKey, passphrase, otherKey.fingerprint) };
}

function withOther(environment: EnvironmentVariables, other: TakenKey | undefined): EnvironmentVariables {
  if (other === undefined) return environment;
  const name = otherKeySettings[other.use];
  return { ...environment, [name]: other.key, [`${name}_FILE`]: undefined };
}

async function keepOther({ use, key }: TakenKey, path: string, print: Print): Promise<void> {
  const kept = await writeKeyFile(path, key);
  if (kept.trim() !== key) throw new BackupFault(`Everything was restored, but ${path} exists and is another key.`);
  print(`The ${use} encryption key is in ${path}: set ${otherKeySettings[use]}_FILE to it until the key is replaced.`);
}

async function keepKey(key: string, path: string, print: Print): Promise<void> {
  const kept = await writeKeyFile(path, key);
  if (kept.trim() !== key) throw new BackupFault(`Everything was restored, but ${path} exists and is another key.`);
  print(`The encryption key is in ${path}.`);
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
async function checkKey(config: Config, { keyFingerprint, otherKey }: Manifest): Promise<void> {
  const kept = await findKey({ ...config, encryptionKey: undefined });
  const isEmbedded = config.databaseUrl === undefined;
  const key = config.encryptionKey ?? kept;
  const found = key === undefined ? undefined : fingerprintOf(key);
  const advice = isEmbedded
    ? `Set ENCRYPTION_KEY to that key, put its file at ${keyFile(config.dataDir)}, or use --with-key if the backup holds it.`
    : 'Set ENCRYPTION_KEY to that key, or use --with-key if the backup holds it.';
  const { previousEncryptionKey, nextEncryptionKey } = config;
  const others = [previousEncryptionKey, nextEncryptionKey].filter((one) => one !== undefined).map(fingerprintOf);
  const known = found === undefined ? others : [found, ...others];
  if (otherKey !== undefined && !known.includes(otherKey.fingerprint))
    throw new BackupFault(
      `It was made while the encryption key was being replaced, and also needs the key ${otherKey.fingerprint}. Nothing was changed. Set ${otherKeySettings[otherKey.use]} to it.`,
    );
  if (!known.includes(keyFingerprint))
    throw new BackupFault(
      `It was made with the encryption key ${keyFingerprint}, and ${found === undefined ? 'there is none' : `the one of the settings is ${found}`}. Nothing was changed. ${advice}`,
    );
  if (isEmbedded && kept !== undefined && ![keyFingerprint, ...known].includes(fingerprintOf(kept)))
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
