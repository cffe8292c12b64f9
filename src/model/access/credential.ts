// Credentials: an application proves itself with a secret, a key with a signed assertion. Deleting one ends its tokens.

import { anyObject, instant, oneOf, someOf, text } from '../../kit/field.ts';
import { declareResource, type Attribute, type RecordOf, type ToOne } from '../../kit/resource.ts';
import { environments, rights, type Right } from './scope.ts';

const credentialKinds = ['application', 'rsa-key', 'ec-key'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** The rights of a credential that was created without naming any. */
export const defaultRights: readonly Right[] = ['read', 'write'];

const rightsField = {
  kind: someOf(rights),
  description: 'What its tokens may do; `read` and `write` when it is not sent.',
  writable: 'at-creation',
  example: ['read'],
} as const satisfies Attribute<readonly Right[]>;

const scopedToField = {
  to: 'client',
  description:
    'The client that its tokens are bound to, with its descendants. When it is not sent, they see the whole workspace.',
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
  usage: {
    purpose: 'Use one for each program, so that each can be stopped alone and the audit log says which one acted.',
    list: 'See which programs have access, with which rights, and when each was last used.',
    read: 'Look up the rights and the scope of one program.',
    create:
      'Give a program access. Name only the rights that it needs, and bind it to one client where that is enough. The secret is shown only in this answer.',
    change: 'Rename a program’s access. Rights and scope never change: create another application for other ones.',
    delete: 'End the access of a program. Its tokens stop working at once.',
  },
  table: 'credential',
  only: { kind: ['application'] },
  owner: { relation: 'scopedTo' },
  attributes: {
    name: {
      kind: text({ lengthMax: 200 }),
      description: 'Display name.',
      writable: 'always',
      required: true,
      example: 'Nightly report',
    },
    rights: rightsField,
    environment: {
      kind: oneOf(environments),
      description:
        "The environment its tokens work in; the caller's own when it is not sent. Only a production admin may name the other one.",
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
  usage: {
    purpose:
      'With a key, the secret never leaves your side: you sign assertions, and the service knows the public part only.',
    list: 'See which public keys may request tokens, with which rights, and when each was last used.',
    read: 'Look up the rights and the scope of one key.',
    create:
      'Register the public part of a key pair: RSA as PEM for flow A, or P-256 as JWK for flow B. The answer says what to put into assertions.',
    change: 'Rename a key. Its rights and scope never change: register another one.',
    delete: 'Stop trusting a key. Its assertions are refused and its tokens stop working at once.',
  },
  table: 'credential',
  only: { kind: ['rsa-key', 'ec-key'] },
  owner: { relation: 'scopedTo' },
  attributes: {
    name: {
      kind: text({ lengthMax: 200 }),
      description: 'Display name.',
      writable: 'always',
      required: true,
      snakeCaseName: 'label',
      example: 'Signing key 2026',
    },
    kind: {
      kind: oneOf(['rsa-key', 'ec-key']),
      description: 'The token flow it is for: `rsa-key` for flow A, `ec-key` for flow B.',
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
