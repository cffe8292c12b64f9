// The custodian: the institution that keeps accounts, and the settings that its data is connected with. Shared by all clients of a
// workspace, as instruments are.

import { boolean, integer, oneOf, someOf, text } from '../../kit/field.ts';
import { declareResource, type Attribute, type RecordOf } from '../../kit/resource.ts';
import { listOf } from '../../kit/structured-field.ts';
import { fileNames } from '../custody/auth-flow.ts';
import { connectorKinds } from '../custody/connector.ts';
import { consentTypes, consentTypesText } from '../custody/consent-type.ts';
import { accountingMethods } from './accounting-method.ts';
import { createdAt, nameField } from '../shared-fields.ts';

const name = {
  ...nameField('Display name. No two custodians have the same, upper and lower case aside.'),
  required: true,
  filter: true,
  example: 'Privatbank Seefeld',
} as const;

const accountingMethod = {
  kind: oneOf(accountingMethods),
  description:
    "How this custodian matches sales with lots, where it enforces a method: it then counts for all that the custodian keeps, in place of the client's. Null if it enforces none.",
  writable: 'never',
  nullable: true,
} as const satisfies Attribute;

const supportedConsentTypes = {
  kind: someOf(consentTypes),
  description: `The ways of giving consent that it supports. ${consentTypesText}`,
  writable: 'never',
  example: ['signed-document', 'operator'],
} as const satisfies Attribute;

const expectedFiles = {
  kind: fileNames,
  description: 'The files that it expects before consent can be given, such as a signed mandate.',
  writable: 'never',
  example: ['Signed mandate'],
} as const satisfies Attribute;

export const custodian = declareResource({
  type: 'custodian',
  plural: 'custodians',
  description: 'A custodian: the bank or other institution that keeps accounts. All clients of a workspace share them.',
  usage: {
    purpose: 'Accounts name the bank that keeps them; consents, feeds and files are about one.',
    list: 'Find a bank by its name before an account or a consent names it.',
    read: 'Look up what a bank needs for consent, and which accounting method it enforces.',
    create:
      'Add a bank before its first account exists. An account that names an unknown institution does the same by itself, with a token of the whole workspace.',
    change:
      'Correct the name of a bank for all clients of the workspace. How its data is fetched is changed with its settings.',
    delete: 'Remove a bank that no account and no authority names.',
  },
  table: 'custodian',
  owner: 'workspace',
  attributes: { name, accountingMethod, supportedConsentTypes, expectedFiles, createdAt },
  relations: {},
  deletion: {
    code: 'custodian-in-use',
    blockedBy: [
      { one: 'account', several: 'accounts', table: 'account', column: 'custodian_id' },
      { one: 'authority', several: 'authorities', table: 'authority', column: 'custodian_id' },
    ],
  },
});

export type Custodian = RecordOf<typeof custodian>;

function address(description: string) {
  return {
    kind: text({ lengthMax: 2_048 }),
    description,
    writable: 'always',
    nullable: true,
  } as const satisfies Attribute;
}

const httpsOnly = 'An https address; private ones are accepted in development only.';

/** The same rows as custodians, with all settings: for administrators. */
export const custodianSettings = declareResource({
  type: 'custodian-settings',
  plural: 'custodian-settings',
  description: 'A custodian with the settings that its data is connected with.',
  table: 'custodian',
  owner: 'workspace',
  history: {
    cause: 'setting',
    // Everything that is stored but the accounting method. A new custodian has none, so its first state is stored when one is set.
    ignoredFields: [
      'name',
      'foldedName',
      'supportedConsentTypes',
      'expectedFiles',
      'consentDays',
      'expiryWarningDays',
      'connector',
      'apiUrl',
      'authorizationUrl',
      'tokenUrl',
      'revocationUrl',
      'oauthIssuer',
      'oauthClientId',
      'oauthScope',
      'oauthClientSecretSealed',
      'hasOauthClientSecret',
      'usesOwnCallback',
      'hasSharedCallback',
    ],
  },
  attributes: {
    name: { ...name, writable: 'never' },
    accountingMethod: { ...accountingMethod, writable: 'always', example: 'AVERAGE' },
    supportedConsentTypes: { ...supportedConsentTypes, writable: 'always' },
    expectedFiles: { ...expectedFiles, writable: 'always' },
    consentDays: {
      kind: integer({ min: 1, max: 36_500 }),
      description: 'After how many days consent ends, where the grant does not say; null if it does not end by itself.',
      writable: 'always',
      nullable: true,
      example: 180,
    },
    expiryWarningDays: {
      kind: listOf(integer({ min: 1, max: 365 }), { itemsMax: 10 }),
      description:
        "How many days before consent ends it is reported: as the event `authority.expiring`, and by mail to the client's administrators. Once each. 30, 7 and 1 unless changed.",
      writable: 'always',
      example: [30, 7, 1],
    },
    connector: {
      kind: oneOf(connectorKinds),
      description:
        'How data is fetched: `oauth-pull` over HTTPS with OAuth 2, which needs `authorization_url`, `token_url`, `api_url` and `oauth_client_id`; `file-drop` from files that the custodian puts into a folder, which needs the setting `IMPORT_DIR` of the service. Null: not at all.',
      writable: 'always',
      nullable: true,
      example: 'oauth-pull',
    },
    apiUrl: { ...address(`Where data is fetched from. ${httpsOnly}`), example: 'https://api.bank.example' },
    authorizationUrl: {
      ...address('Where people give consent: the authorization endpoint of OAuth 2.'),
      example: 'https://login.bank.example/authorize',
    },
    tokenUrl: {
      ...address('The token endpoint of OAuth 2.'),
      example: 'https://login.bank.example/token',
    },
    revocationUrl: {
      ...address('The revocation endpoint of OAuth 2; null if it has none.'),
      example: 'https://bank.example/oauth/revoke',
    },
    oauthIssuer: {
      ...address(
        'The issuer of OAuth 2, where the custodian announces that it names itself in its answers (RFC 9207). An answer of another issuer, or of none, is then refused.',
      ),
      example: 'https://login.bank.example',
    },
    oauthClientId: {
      kind: text({ lengthMax: 500 }),
      description: 'The client id that the custodian has issued.',
      writable: 'always',
      nullable: true,
      example: 'holdfast',
    },
    oauthScope: {
      kind: text({ lengthMax: 500 }),
      description: 'The scope that is asked for.',
      writable: 'always',
      nullable: true,
    },
    hasOauthClientSecret: {
      kind: boolean,
      description: 'Whether a client secret is set. The secret itself is stored encrypted and never shown.',
      writable: 'never',
      example: true,
    },
    usesOwnCallback: {
      kind: boolean,
      description:
        'Whether it sends browsers back to `callback_url`. False only for custodians of earlier releases, which use `shared_callback_url`: register `callback_url` with the custodian, then set this to true. The answer of one custodian can then no longer be taken for the answer of another.',
      writable: 'always',
      example: true,
    },
    callbackUrl: {
      kind: text({ lengthMax: 2_048 }),
      description: 'Its own redirect URI: register this address with the custodian.',
      writable: 'never',
      computed: true,
      example: 'https://wealth.example/connect/callback/0123456789abcdef01234567',
    },
    sharedCallbackUrl: {
      kind: text({ lengthMax: 2_048 }),
      description:
        'The redirect URI that custodians of earlier releases share; null if this custodian never had it. Ask the custodian to remove it once `uses_own_callback` is true.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    /** Whether the shared redirect URI may be registered with it. Shown as `shared_callback_url`. */
    hasSharedCallback: {
      kind: boolean,
      description: 'Whether it had pages for consent before each custodian got a redirect URI of its own.',
      writable: 'never',
    },
    createdAt,
  },
  relations: {},
});

export type CustodianSettings = RecordOf<typeof custodianSettings>;
