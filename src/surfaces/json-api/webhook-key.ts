// The public keys that receivers verify deliveries of the `standard` scheme with, on JSON:API.

import { publishedJwk, publishedJwkSchema } from '../../model/event/webhook-key.ts';
import { listWebhookKeys } from '../../actions/events/webhook-key.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { jsonApi } from './wire.ts';

const type = 'webhook-key';

const schema = {
  type: 'object',
  required: ['data', 'keys'],
  properties: {
    data: {
      type: 'array',
      description: 'The same keys as resources.',
      items: {
        type: 'object',
        required: ['type', 'id', 'attributes'],
        properties: {
          type: { type: 'string', enum: [type] },
          id: { type: 'string', description: 'The `kid`.' },
          attributes: publishedJwkSchema,
        },
        additionalProperties: false,
      },
    },
    keys: {
      type: 'array',
      description: 'A JWK Set (RFC 7517): the whole answer can be given to a library that takes one.',
      items: publishedJwkSchema,
    },
  },
  additionalProperties: false,
} as const;

export const jsonApiWebhookKeyPaths = [
  defineOperation<void>({
    id: 'json-api.webhook-key.list',
    wire: jsonApi,
    group: 'webhook-keys',
    method: 'GET',
    path: '/api/v2/webhooks/keys',
    summary: 'Public keys of webhooks',
    description:
      'For your receiver: every key that is trusted now, the active one first, then the most recently retired one. Verify each `webhook-signature` against all of them, remember them, and ask again when a signature does not verify.',
    right: 'read',
    mode: 'read',
    query: {},
    responses: { 200: { description: 'The keys that are trusted now.', schema } },
    refusals: [],
    read: () => undefined,
    async handle({ work }) {
      const keys = (await listWebhookKeys(work)).map(publishedJwk);
      const data = keys.map((attributes) => ({ type, id: attributes.kid, attributes }));
      return { status: 200, body: { data, keys } };
    },
  }),
];
