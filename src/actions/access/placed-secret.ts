// Secrets that say in which workspace they belong, so that only the server that has it is asked for them. The id of a workspace is no secret.

import { hash, randomBytes } from 'node:crypto';
import { isId, type Id } from '../../kit/id.ts';
import type { SecretLocator } from '../../store/people/located-secret.ts';

const secretBytes = 32;
const workspaceLength = 24;

export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** For a link or a cookie; only its hash is stored. */
export function newPlacedSecret(workspaceId: Id): string {
  return `${workspaceId}${newSecret()}`;
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export function locateSecret(secret: string): SecretLocator {
  const first = secret.slice(0, workspaceLength);
  const workspaceId = secret.length > newSecretLength && isId(first) ? first : undefined;
  return { secretHash: hashSecret(secret), workspaceId };
}

const newSecretLength = Math.ceil((secretBytes * 8) / 6);
