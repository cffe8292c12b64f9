// The command `restore`: loads a backup into an empty database, all of it or nothing; or one workspace of it into a new one beside the living.

import { sumOf } from '../../kit/compared-counts.ts';
import { withBackupFile, type OpenedBackup } from '../../store/postgres/backup/backup-file.ts';
import { BackupFault } from '../../store/postgres/backup/backup-fault.ts';
import { loadSnapshot } from '../../store/postgres/backup/load-snapshot.ts';
import type { Manifest, OtherKey } from '../../store/postgres/backup/manifest.ts';
import { readConfig, type Config } from '../config.ts';
import { findKey, keyFile, writeKeyFile } from '../encryption-key.ts';
import { SettingReader, type EnvironmentVariables } from '../setting-reader.ts';
import { withTarget } from './admin-context.ts';
import { identityOptions, readIdentities } from './age-options.ts';
import { fingerprintOf, keyOptions, openKey, otherKeySettings, readPassphrase } from './backup-key.ts';
import { restoreWorkspace, workspaceOptions } from './restore-workspace.ts';
import { Misuse, printJson, readOptions, resolvePath, type Command, type Invocation } from './command.ts';

export const restoreCommand: Command = {
  name: 'restore',
  usage:
    '--from FILE [--identity FILE] [--with-key --passphrase-file FILE [--key-to FILE]] [--json]\n' +
    '  | --workspace ID [--client ID] --as NAME (--from FILE|FOLDER [--at MOMENT] [--identity FILE] [--scratch postgresql://…] | --from-database postgresql://…) [--json]',
  summary:
    'loads a backup into the database of the settings, which must be empty; or one workspace of it beside the living',
  details: [
    'Checks the whole file first, then loads it in one transaction: a file that is damaged leaves the database empty.',
    'The key of the settings must be the one that the backup was made with. --with-key takes it out of the backup instead,',
    'and keeps it in DATA_DIR; with DATABASE_URL it is written to the FILE of --key-to, to be set as ENCRYPTION_KEY.',
    '--identity names the file with the identity of age that opens an encrypted backup.',
    'A backup of an older release is brought to the schema of this one.',
    'With --workspace, the database of the settings is the one in use: it gets a new workspace of that name, with the rows of that workspace, or of that client and those below it.',
    '--at takes the latest backup in the folder that was made by that moment. --from-database reads a database that was recovered to a moment.',
    'It sends and fetches nothing, and nobody signs in with rights of then. On the way, rows are loaded into a database in the folder for temporary files, or the empty one of --scratch.',
  ],
  run: restore,
};

async function restore({ args, environment, print }: Invocation): Promise<boolean> {
  const options = readOptions(args, {
    from: { type: 'string' },
    'key-to': { type: 'string' },
    json: { type: 'boolean' },
    ...workspaceOptions,
    ...identityOptions,
    ...keyOptions,
  });
  if (options.workspace !== undefined) {
    if (options['key-to'] !== undefined || options['with-key'] === true || options['passphrase-file'] !== undefined)
      throw new Misuse(
        'A workspace is restored beside the living one, with the key of the settings: leave out --with-key and --key-to.',
      );
    return restoreWorkspace(options, { environment, print });
  }
  const stray = Object.keys(workspaceOptions).find((name) => Object.hasOwn(options, name));
  if (stray !== undefined) throw new Misuse(`--${stray} is for one workspace: name it with --workspace ID.`);
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
    const other = passphrase === undefined ? undefined : await takeOtherKey(manifest, passphrase);
    const config = readConfig(key === undefined ? environment : withKey(withOther(environment, other), key));
    await checkKey(config, manifest);
    const counts = await withTarget(config, (connection) => loadSnapshot(connection, snapshot));
    const keptAt = keyTo ?? keyFile(config.dataDir);
    const keyPath = key === undefined ? undefined : await keepKey(key, keptAt);
    const otherPath = other === undefined ? undefined : await keepKey(other.key, `${keptAt}.${other.use}`);
    if (options.json === true)
      return printJson(print, {
        rows: sumOf(counts),
        tables: counts.size,
        as_of: manifest.madeAt,
        release: manifest.release,
        key_file: keyPath ?? null,
        other_key_file: otherPath ?? null,
      });
    if (keyPath !== undefined) print(`The encryption key is in ${keyPath}.`);
    if (other !== undefined)
      print(
        `The ${other.use} encryption key is in ${otherPath}: set ${otherKeySettings[other.use]}_FILE to it until the key is replaced.`,
      );
    print(
      `Restored ${sumOf(counts)} rows of ${counts.size} tables, as of ${manifest.madeAt} (release ${manifest.release}).`,
    );
    print('Run `holdfast verify` with the same settings, then start the service.');
  };
  await withBackupFile(resolvePath(options.from, environment), restoreFrom, identities);
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
