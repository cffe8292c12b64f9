// The command `backup`: writes everything that the database holds, as of one moment, to a file. The service may run meanwhile.

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../kit/assert.ts';
import { writeBackupFile } from '../../store/postgres/backup/backup-file.ts';
import type { Manifest } from '../../store/postgres/backup/manifest.ts';
import { withDatabaseSnapshot } from '../../store/postgres/backup/snapshot.ts';
import { readConfig } from '../config.ts';
import { findKey } from '../encryption-key.ts';
import { readRelease } from '../release.ts';
import { withAdminDatabase, withContextOn } from './admin-context.ts';
import { fingerprintOf, keyOptions, otherKeyOf, readPassphrase, sealKey } from './backup-key.ts';
import { readRecipients, recipientOptions } from './age-options.ts';
import { Misuse, printJson, readOptions, resolvePath, type Command, type Invocation, type Print } from './command.ts';
import { writeMetricsFile } from './metrics-file.ts';

export const backupCommand: Command = {
  name: 'backup',
  usage:
    '--to FILE|FOLDER [--recipient age1…]… [--with-key --passphrase-file FILE] [--metrics-file FILE.prom] [--json]',
  summary: 'writes the whole database, as of one moment, to a file; the service may run meanwhile',
  details: [
    'In a folder, the file is named after the moment: holdfast-20261117T103000Z.tar, and ends with .age where it is encrypted.',
    '--recipient encrypts it to a public key of age; several may be named. Without it, those of BACKUP_RECIPIENTS are taken.',
    'The encryption key is not in it, unless --with-key puts it there, sealed with the passphrase in FILE.',
    '--metrics-file writes when the backup was made, and its size, for the textfile collector of node_exporter.',
    'The file is a tar of tables (PostgreSQL text format, zstd) and a manifest with their rows and hashes.',
  ],
  run: backup,
};

async function backup({ args, environment, print }: Invocation): Promise<boolean> {
  const options = readOptions(args, {
    to: { type: 'string' },
    'metrics-file': { type: 'string' },
    json: { type: 'boolean' },
    ...recipientOptions,
    ...keyOptions,
  });
  if (options.to === undefined) throw new Misuse('Say where to: --to FILE or --to FOLDER.');
  const passphrase = await readPassphrase(options, environment);
  const config = readConfig(environment);
  const madeAt = new Date().toISOString();
  const recipients = readRecipients(options.recipient, config.backupRecipients);
  const path = await filePath(resolvePath(options.to, environment), madeAt, recipients.length > 0);
  await withAdminDatabase(config, async (connection) => {
    // A backup that no known key opens is of little use: this is noticed now rather than when it is restored.
    await withContextOn(config, connection, async () => {});
    const key = defined(await findKey(config), 'opening the context has found the key');
    const { version, commit } = await readRelease();
    const sealedKey = passphrase === undefined ? undefined : await sealKey(key, passphrase);
    const otherKey = await otherKeyOf(config, passphrase);
    const origin = { release: version, commit, madeAt, keyFingerprint: fingerprintOf(key), sealedKey, otherKey };
    const manifest = await withDatabaseSnapshot(connection, (snapshot) =>
      writeBackupFile(path, snapshot, origin, recipients),
    );
    await report({ path, manifest, recipients, json: options.json === true }, print);
    const metricsFile = options['metrics-file'];
    if (metricsFile !== undefined) await writeFigures(resolvePath(metricsFile, environment), path, manifest);
  });
  return true;
}

async function writeFigures(metricsFile: string, path: string, { madeAt, tables }: Manifest): Promise<void> {
  await writeMetricsFile(metricsFile, [
    {
      name: 'holdfast_backup_timestamp_seconds',
      help: 'The moment of the last backup that was made.',
      value: Date.parse(madeAt) / 1000,
    },
    { name: 'holdfast_backup_bytes', help: 'Its size.', value: (await stat(path)).size },
    {
      name: 'holdfast_backup_rows',
      help: 'The rows that it holds.',
      value: tables.reduce((sum, { rows }) => sum + rows, 0),
    },
  ]);
}

async function filePath(to: string, madeAt: string, isEncrypted: boolean): Promise<string> {
  const isFolder = (await stat(to).catch(() => undefined))?.isDirectory() === true;
  const moment = madeAt.replaceAll(/[-:]|\.\d+/g, '');
  return isFolder ? join(to, `holdfast-${moment}.tar${isEncrypted ? '.age' : ''}`) : to;
}

interface Made {
  readonly path: string;
  readonly manifest: Manifest;
  readonly recipients: readonly string[];
  readonly json: boolean;
}

async function report({ path, manifest, recipients, json }: Made, print: Print): Promise<void> {
  const { tables, keyFingerprint, sealedKey, otherKey, madeAt } = manifest;
  const rowCount = tables.reduce((sum, { rows }) => sum + rows, 0);
  const { size } = await stat(path);
  if (json)
    return printJson(print, {
      file: path,
      made_at: madeAt,
      rows: rowCount,
      tables: tables.length,
      bytes: size,
      recipients,
      key_fingerprint: keyFingerprint,
      holds_key: sealedKey !== undefined,
      other_key: otherKey === undefined ? null : { use: otherKey.use, fingerprint: otherKey.fingerprint },
    });
  print(`${path}: ${rowCount} rows of ${tables.length} tables, ${size} bytes.`);
  if (recipients.length > 0)
    print(`It is encrypted to ${recipients.join(', ')}: nobody opens it without the identity of one of them.`);
  print(
    sealedKey === undefined
      ? `It does not hold the encryption key: keep that one (fingerprint ${keyFingerprint}) somewhere else. Without it the backup cannot be used.`
      : `It holds the encryption key (fingerprint ${keyFingerprint}), sealed with the passphrase.`,
  );
  if (otherKey !== undefined)
    print(
      `The encryption key is being replaced: the ${otherKey.use} one (fingerprint ${otherKey.fingerprint}) is needed as well${sealedKey === undefined ? '' : ', and is in it'}.`,
    );
}
