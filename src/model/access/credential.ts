// What a caller proves itself with: an application (a secret) or a key (a signed assertion). Both end a token when deleted.

import { anyObject, instant, oneOf, someOf, text } from '../../kit/field.ts';
import { declareResource, type Attribute, type RecordOf, type ToOne } from '../../kit/resource.ts';
import { environments, rights, type Right } from './scope.ts';

const credentialKinds = ['application', 'rsa-key', 'ec-key'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** What a credential may do when it was created without a word about it. */
export const defaultRights: readonly Right[] = ['read', 'write'];

const rightsField = {
  kind: someOf(rights),
  description: 'What its tokens may do. Without it `read` and `write`.',
  writable: 'at-creation',
  example: ['read'],
} as const satisfies Attribute<readonly Right[]>;

const scopedToField = {
  to: 'client',
  description: 'The client its tokens are bound to, with its descendants. Without it they see the whole workspace.',
  writable: 'at-creation',
  snakeCaseName: 'scoped_to',
} as const satisfies ToOne;

const createdAt = {
  kind: instant,
  description: 'When it was created.',
  writable: 'never',
} as const;

const lastUsedAt = {
  kind: instant,
  description: 'When a token was last issued for it; null if never.',
  writable: 'never',
  nullable: true,
} as const;

export const application = declareResource({
  type: 'application',
  plural: 'applications',
  description: 'A developer application: client credentials for token flow C.',
  table: 'credential',
  only: { kind: ['application'] },
  owner: { relation: 'scopedTo' },
  attributes: {
    name: {
      kind: text({ lengthMax: 200 }),
      description: 'What it is called.',
      writable: 'always',
      required: true,
      example: 'Nightly report',
    },
    rights: rightsField,
    environment: {
      kind: oneOf(environments),
      description:
        "The environment its tokens work in: the caller's own when it is not sent. Only a production admin may name the other one.",
      writable: 'at-creation',
    },
    clientId: {
      kind: text({ lengthMax: 255 }),
      description: 'The `client_id` of token requests.',
      writable: 'never',
    },
    createdAt,
    lastUsedAt,
  },
  relations: { scopedTo: scopedToField },
});

export const key = declareResource({
  type: 'key',
  plural: 'keys',
  description: 'A registered public key: RSA for token flow A, P-256 for token flow B.',
  table: 'credential',
  only: { kind: ['rsa-key', 'ec-key'] },
  owner: { relation: 'scopedTo' },
  attributes: {
    name: {
      kind: text({ lengthMax: 200 }),
      description: 'What it is called.',
      writable: 'always',
      required: true,
      snakeCaseName: 'label',
      example: 'Signing key 2026',
    },
    kind: {
      kind: oneOf(['rsa-key', 'ec-key']),
      description: 'Which flow it serves: `rsa-key` flow A, `ec-key` flow B.',
      writable: 'never',
    },
    rights: rightsField,
    publicJwk: {
      kind: anyObject,
      description: 'The registered public key as a JWK.',
      writable: 'never',
    },
    createdAt,
    lastUsedAt,
  },
  relations: { scopedTo: scopedToField },
});

export type Application = RecordOf<typeof application>;
export type Key = RecordOf<typeof key>;
