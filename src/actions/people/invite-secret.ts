// The secret in the link of an invite. Only its hash is stored.

import { hash, randomBytes } from 'node:crypto';

const secretBytes = 32;

export function makeInviteSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

export function hashInviteSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
