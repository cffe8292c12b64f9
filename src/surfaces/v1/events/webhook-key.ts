// Serves the public keys of the webhook scheme `standard` on v1, and their rotation.

import { formatInstant } from '../../../kit/instant.ts';
import { publishedJwk, publishedJwkSchema, type WebhookKey } from '../../../model/event/webhook-key.ts';
import { listWebhookKeys, rotateWebhookKey, signsUntil } from '../../../actions/events/webhook-key.ts';
import { pageSchema } from '../../http/lists/cursor-page.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { v1 } from '../wire.ts';

const moment = { type: 'string', format: 'date-time' };
const momentOrNull = (description: string) => ({ anyOf: [moment, { type: 'null' }], description });

const schema = {
  type: 'object',
  required: ['id', 'state', 'jwk', 'created_at', 'retired_at', 'signs_until'],
  properties: {
    id: { type: 'string', description: 'The `kid` of the key.' },
    state: { type: 'string', enum: ['active', 'retired'] },
    jwk: publishedJwkSchema,
    created_at: moment,
    retired_at: momentOrNull('When another key replaced it.'),
    signs_until: momentOrNull('Until when a retired key still signs beside the active one; null for the active key.'),
  },
  additionalProperties: false,
} as const;

function render(key: WebhookKey): Record<string, unknown> {
  const instant = (at: number | null): string | null => (at === null ? null : formatInstant(at));
  return {
    id: key.id,
    state: key.retiredAt === null ? 'active' : 'retired',
    jwk: publishedJwk(key),
    created_at: formatInstant(key.createdAt),
    retired_at: instant(key.retiredAt),
    signs_until: instant(signsUntil(key)),
  };
}

const operationBase = { wire: v1, group: 'webhook-keys', query: {}, read: () => undefined } as const;

const trustedPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.webhook-key.trusted',
  method: 'GET',
  path: '/v1/webhook-keys',
  summary: 'List webhook keys',
  description:
    'For your receiver, which fetches them by itself: the keys to verify deliveries of the scheme `standard` with, the active one and the one before it.',
  right: 'read',
  mode: 'read',
  responses: { 200: { description: 'At most two keys, the active one first.', schema: pageSchema(schema) } },
  refusals: [],
  async handle({ work }) {
    return { status: 200, body: { data: (await listWebhookKeys(work)).map(render), has_more: false } };
  },
});

const rotatePath = defineOperation<void>({
  ...operationBase,
  id: 'v1.webhook-key.rotate',
  method: 'POST',
  path: '/v1/webhook-keys/rotate',
  summary: 'Rotate the webhook key',
  description:
    'For a key that others may know, or by a rule of your own. Creates a new active key. The previous key stays trusted until the next rotation, and for seven days each delivery is signed with both. Keys are also rotated automatically every 90 days. To stop trusting a leaked key, rotate twice.',
  right: 'admin',
  mode: 'write',
  addsNothing: true,
  responses: {
    201: { description: 'The new active key.', schema, headers: { Location: 'The address of the list of keys.' } },
  },
  refusals: ['outside-reach'],
  async handle({ work }) {
    const key = await rotateWebhookKey(work);
    return {
      status: 201,
      headers: { location: `${work.context.addresses.baseUrl}/v1/webhook-keys` },
      body: render(key),
    };
  },
});

export const v1WebhookKeyPaths = [trustedPath, rotatePath];
