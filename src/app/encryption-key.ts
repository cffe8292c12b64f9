// Where ENCRYPTION_KEY comes from: the settings, or a file beside the embedded database's data, made once.

import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from './config.ts';
import { SettingFault } from './setting-reader.ts';
import type { AppContext } from '../actions/core/context.ts';
import { canOpenSigningKeys } from '../actions/access/token.ts';
import { Keyring } from '../signing/keyring.ts';
import { syncFolder } from '../store/postgres/embedded/folders.ts';

export async function getKeyring({ encryptionKey, dataDir }: Config): Promise<Keyring> {
  if (encryptionKey !== undefined) return Keyring.fromText(encryptionKey);
  const path = join(dataDir, 'encryption.key');
  const existing = await readFile(path, 'utf8').catch(() => undefined);
  return Keyring.fromText(existing ?? (await makeKeyFile(path)));
}

/** Written whole before it has its name, so that a crash leaves either no key or a good one. */
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

/** A start with another key than the database was written under would look like wrong secrets everywhere: say it at once. */
export async function checkKeyring(context: AppContext): Promise<void> {
  if (await canOpenSigningKeys(context)) return;
  throw new SettingFault('ENCRYPTION_KEY is not the one that this database was written under. Start with that one.');
}
