// Generates the secrets that webhook deliveries are signed with.

import { randomBytes } from 'node:crypto';

/** Lets secret scanners and people recognise a leaked secret. */
const webhookSecretPrefix = 'hfw_';

export function makeWebhookSecret(): string {
  return webhookSecretPrefix + randomBytes(32).toString('base64url');
}
