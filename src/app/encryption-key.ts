// Gets the encryption keys from the settings, or the one from a file beside the embedded database's data that is created once.

import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from './config.ts';
import { SettingFault } from './setting-reader.ts';
import type { AppContext } from '../actions/core/context.ts';
import { learnReplacedKeys } from '../actions/access/replaced-keys.ts';
import { listSealingKeys } from '../actions/access/token.ts';
import { KeyOrderFault, Keyring, SealBroken } from '../signing/keyring.ts';
import { toDataDirFault } from '../store/postgres/embedded/data-dir-fault.ts';
import { syncFolder } from '../store/postgres/embedded/folders.ts';

type KeySettings = Pick<Config, 'encryptionKey' | 'dataDir'> &
  Partial<Pick<Config, 'previousEncryptionKey' | 'nextEncryptionKey'>>;

export async function getKeyring(config: KeySettings): Promise<Keyring> {
  const { previousEncryptionKey: previous, nextEncryptionKey: next } = config;
  const present = (await findKey(config)) ?? (await putKeyFile(config.dataDir, Keyring.generate()));
  const keyring = Keyring.fromTexts({ present, previous, next });
  const { present: own, ...others } = keyring.fingerprints();
  for (const [name, fingerprint] of Object.entries(others))
    if (fingerprint === own)
      throw new SettingFault(
        `ENCRYPTION_KEY_${name.toUpperCase()} is the same key as ENCRYPTION_KEY. Remove it, or set the key that it should be.`,
      );
  return keyring;
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

/**
 * Refuses to start with a wrong key, which would otherwise look like wrong secrets everywhere, or without one that is still needed; and
 * learns what the database keeps of those that were replaced.
 */
export async function checkKeyring(context: AppContext): Promise<void> {
  const keys = await listSealingKeys(context);
  const closed = keys.find(({ isOpen }) => !isOpen);
  if (closed !== undefined) throw new SettingFault(describeClosed(context.keyring, keys, closed.fingerprint));
  try {
    await learnReplacedKeys(context);
  } catch (error) {
    if (error instanceof KeyOrderFault)
      throw new SettingFault(
        `${error.message} Set ENCRYPTION_KEY to the newest key, and ENCRYPTION_KEY_PREVIOUS to the one before it until \`holdfast reseal\` has finished.`,
      );
    if (!(error instanceof SealBroken)) throw error;
    throw new SettingFault(describeClosed(context.keyring, keys, ''));
  }
}

function describeClosed(keyring: Keyring, keys: readonly { readonly isOpen: boolean }[], fingerprint: string): string {
  const own = keyring.fingerprint();
  if (fingerprint !== '')
    return `This database has signing keys that are sealed with the key ${fingerprint}, and ENCRYPTION_KEY has the fingerprint ${own}. Start with that key, or set ENCRYPTION_KEY_PREVIOUS to it until \`holdfast reseal\` has finished.`;
  if (keys.some(({ isOpen }) => isOpen))
    return `A part of this database is still sealed with the key before ENCRYPTION_KEY (${own}). Set ENCRYPTION_KEY_PREVIOUS to that key until \`holdfast reseal\` has finished.`;
  return 'ENCRYPTION_KEY is not the key that this database was created with. Start with the original key.';
}
