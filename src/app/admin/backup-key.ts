// The encryption key of a backup: sealed by a passphrase if it is to travel with it, and recognised by its fingerprint if not.

import { readFile } from 'node:fs/promises';
import { Keyring, SealBroken } from '../../signing/keyring.ts';
import { openWithPassphrase, sealWithPassphrase } from '../../signing/passphrase-seal.ts';
import { BackupFault } from '../../store/postgres/backup/backup-fault.ts';
import type { OtherKey } from '../../store/postgres/backup/manifest.ts';
import type { Config } from '../config.ts';
import type { EnvironmentVariables } from '../setting-reader.ts';
import { Misuse, resolvePath } from './command.ts';

export const keyOptions = { 'with-key': { type: 'boolean' }, 'passphrase-file': { type: 'string' } } as const;

const passphraseLengthMin = 12;

interface KeyOptions {
  readonly 'with-key'?: boolean | undefined;
  readonly 'passphrase-file'?: string | undefined;
}

/** Reads the passphrase if the key is part of the backup. It is not a word of the command, because others can see these. */
export async function readPassphrase(
  { 'with-key': isWithKey, 'passphrase-file': path }: KeyOptions,
  environment: EnvironmentVariables,
): Promise<string | undefined> {
  if (isWithKey !== true && path === undefined) return undefined;
  if (isWithKey !== true || path === undefined)
    throw new Misuse('--with-key and --passphrase-file FILE belong together.');
  const text = await readFile(resolvePath(path, environment), 'utf8').catch((error: Error) => {
    throw new BackupFault(`The passphrase cannot be read: ${error.message}`, { cause: error });
  });
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase.length < passphraseLengthMin)
    throw new BackupFault(`The passphrase must have at least ${passphraseLengthMin} characters.`);
  return passphrase;
}

export function sealKey(key: string, passphrase: string): Promise<string> {
  return sealWithPassphrase(key, passphrase, fingerprintOf(key));
}

export async function openKey(sealed: string, passphrase: string, fingerprint: string): Promise<string> {
  const key = await openWithPassphrase(sealed, passphrase, fingerprint).catch((error: unknown) => {
    if (!(error instanceof SealBroken)) throw error;
    throw new BackupFault('The passphrase does not open the key in this backup.', { cause: error });
  });
  if (fingerprintOf(key) !== fingerprint) throw new BackupFault('The key in this backup is not the one that fits it.');
  return key;
}

/** The setting of a second key. */
export const otherKeySettings = { previous: 'ENCRYPTION_KEY_PREVIOUS', next: 'ENCRYPTION_KEY_NEXT' } as const;

/** The second key of the settings, as a backup names it; undefined if no key is being replaced. */
export async function otherKeyOf(
  { previousEncryptionKey, nextEncryptionKey }: Pick<Config, 'previousEncryptionKey' | 'nextEncryptionKey'>,
  passphrase: string | undefined,
): Promise<OtherKey | undefined> {
  const key = previousEncryptionKey ?? nextEncryptionKey;
  if (key === undefined) return undefined;
  const use = previousEncryptionKey === undefined ? 'next' : 'previous';
  const sealedKey = passphrase === undefined ? undefined : await sealKey(key, passphrase);
  return { use, fingerprint: fingerprintOf(key), sealedKey };
}

export function fingerprintOf(key: string): string {
  return Keyring.fromText(key).fingerprint();
}
