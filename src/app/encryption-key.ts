// Gets the encryption key from the settings, or from a file beside the embedded database's data that is created once.

import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from './config.ts';
import { SettingFault } from './setting-reader.ts';
import type { AppContext } from '../actions/core/context.ts';
import { canOpenSigningKeys } from '../actions/access/token.ts';
import { Keyring } from '../signing/keyring.ts';
import { toDataDirFault } from '../store/postgres/embedded/data-dir-fault.ts';
import { syncFolder } from '../store/postgres/embedded/folders.ts';

type KeySettings = Pick<Config, 'encryptionKey' | 'dataDir'>;

export async function getKeyring(config: KeySettings): Promise<Keyring> {
  const text = await findKey(config);
  return Keyring.fromText(text ?? (await putKeyFile(config.dataDir, Keyring.generate())));
}

/** Where the key is kept beside the embedded database's data. */
export function keyFile(dataDir: string): string {
  return join(dataDir, 'encryption.key');
}

/** The key of the settings or of the file, if there is one. */
export async function findKey({ encryptionKey, dataDir }: KeySettings): Promise<string | undefined> {
  return encryptionKey ?? (await readFile(keyFile(dataDir), 'utf8').catch(() => undefined))?.trim();
}

/** Keeps a key in the data folder, unless it has one already. Returns the one that is kept there. */
export async function putKeyFile(dataDir: string, key: string): Promise<string> {
  return writeKeyFile(keyFile(dataDir), key).catch((error) => {
    throw toDataDirFault(error, dataDir);
  });
}

/** Writes the file completely before linking its name, so that a crash leaves no key or a complete one. Leaves an existing file as it is. */
export async function writeKeyFile(path: string, key: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'w', 0o600);
  await file.writeFile(`${key}\n`);
  await file.sync();
  await file.close();
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  await syncFolder(dirname(path));
  return readFile(path, 'utf8');
}

/** Refuses to start with a wrong key, which would otherwise look like wrong secrets everywhere. */
export async function checkKeyring(context: AppContext): Promise<void> {
  if (await canOpenSigningKeys(context)) return;
  throw new SettingFault(
    'ENCRYPTION_KEY is not the key that this database was created with. Start with the original key.',
  );
}
