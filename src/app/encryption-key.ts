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

export async function getKeyring({ encryptionKey, dataDir }: Config): Promise<Keyring> {
  if (encryptionKey !== undefined) return Keyring.fromText(encryptionKey);
  const path = join(dataDir, 'encryption.key');
  const existing = await readFile(path, 'utf8').catch(() => undefined);
  const made = async (): Promise<string> =>
    makeKeyFile(path).catch((error) => {
      throw toDataDirFault(error, dataDir);
    });
  return Keyring.fromText(existing ?? (await made()));
}

/** Writes the file completely before linking its name, so that a crash leaves no key or a complete one. */
async function makeKeyFile(path: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'w', 0o600);
  await file.writeFile(`${Keyring.generate()}\n`);
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
