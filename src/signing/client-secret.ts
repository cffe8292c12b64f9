// Makes and checks the secrets of flow C's applications. Does not know the applications, nor where the hashes are kept.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keyring } from './keyring.ts';

/** The prefix lets secret scanners, and people, see what leaked. */
const clientSecretPrefix = 'hfs_';

export function makeClientSecret(): string {
  return clientSecretPrefix + randomBytes(32).toString('base64url');
}

export interface SaltedSecret {
  /** Whatever is the application's own, such as its client_id: equal secrets then have unequal hashes. */
  readonly salt: Uint8Array | string;
  readonly secret: string;
}

/**
 * Keyed rather than slow: without ENCRYPTION_KEY even a short secret chosen by an operator cannot be searched for in a
 * stolen table, and a check costs microseconds, so that guessing at the token endpoint wears out nobody but the guesser.
 */
export function hashClientSecret(keyring: Keyring, { salt, secret }: SaltedSecret): Buffer {
  const saltBytes = typeof salt === 'string' ? Buffer.from(salt, 'utf8') : salt;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(saltBytes.length);
  return keyring.mac('client-secret', Buffer.concat([length, saltBytes, Buffer.from(secret, 'utf8')]));
}

export function matchesClientSecret(keyring: Keyring, given: SaltedSecret & { readonly hash: Uint8Array }): boolean {
  const expected = hashClientSecret(keyring, given);
  return given.hash.length === expected.length && timingSafeEqual(expected, given.hash);
}
