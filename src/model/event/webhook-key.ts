// The public half of a key that signs deliveries of the `standard` scheme.

import type { Id } from '../../kit/id.ts';

export interface WebhookKey {
  readonly id: Id;
  readonly publicJwk: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };
  /** Epoch milliseconds, like `retiredAt`. */
  readonly createdAt: number;
  /** When another key replaced it; null for the active one. */
  readonly retiredAt: number | null;
}

/** A public key in the form of RFC 7517. */
interface PublishedJwk {
  readonly kid: Id;
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

export function publishedJwk({ id, publicJwk: { kty, crv, x, y } }: WebhookKey): PublishedJwk {
  return { kid: id, kty, crv, x, y, alg: 'ES256', use: 'sig' };
}

const coordinateSchema = (name: string) => ({
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: `The ${name} coordinate of the point, in base64url.`,
});

export const publishedJwkSchema = {
  type: 'object',
  required: ['kid', 'kty', 'crv', 'x', 'y', 'alg', 'use'],
  properties: {
    kid: { type: 'string', description: 'The id of the key.' },
    kty: { type: 'string', enum: ['EC'] },
    crv: { type: 'string', enum: ['P-256'] },
    x: coordinateSchema('x'),
    y: coordinateSchema('y'),
    alg: { type: 'string', enum: ['ES256'] },
    use: { type: 'string', enum: ['sig'] },
  },
  additionalProperties: false,
} as const;
