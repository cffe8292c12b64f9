// Generates, hashes and checks the client secrets of applications (flow C).

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keyring } from './keyring.ts';

/** Lets secret scanners and people recognise a leaked secret. */
const clientSecretPrefix = 'hfs_';

export function makeClientSecret(): string {
  return clientSecretPrefix + randomBytes(32).toString('base64url');
}

interface SaltedSecret {
  /** Unique to the application, such as its client_id, so that equal secrets have different hashes. */
  readonly salt: Uint8Array | string;
  readonly secret: string;
}

/**
 * Uses a keyed hash, not a slow one: without ENCRYPTION_KEY even a short secret cannot be brute-forced from a stolen table, and a check
 * takes microseconds, so that guessing at the token endpoint does not exhaust the service.
 */
export function hashClientSecret(keyring: Keyring, secret: SaltedSecret): Buffer {
  return keyring.digest('client-secret', saltedMessage(secret));
}

function saltedMessage({ salt, secret }: SaltedSecret): Buffer {
  const saltBytes = typeof salt === 'string' ? Buffer.from(salt, 'utf8') : salt;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(saltBytes.length);
  return Buffer.concat([length, saltBytes, Buffer.from(secret, 'utf8')]);
}

export function matchesClientSecret(keyring: Keyring, given: SaltedSecret & { readonly hash: Uint8Array }): boolean {
  const isHash = (expected: Buffer): boolean =>
    given.hash.length === expected.length && timingSafeEqual(expected, given.hash);
  return keyring.digests('client-secret', saltedMessage(given)).some(isHash);
}
