// Makes the secrets that deliveries of webhooks are signed with. Does not know whose they are, nor where they are kept.

import { randomBytes } from 'node:crypto';

/** The prefix lets secret scanners, and people, see what leaked. */
const webhookSecretPrefix = 'hfw_';

export function makeWebhookSecret(): string {
  return webhookSecretPrefix + randomBytes(32).toString('base64url');
}
