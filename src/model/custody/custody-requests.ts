// Declares what callers send to auth flows, authorities and custodians' settings. Read like new records, and never stored as such.

import { boolean, id, instant, oneOf, text, uuid } from '../../kit/field.ts';
import { declareResource, exampleIdOfType } from '../../kit/resource.ts';
import { listOf, objectOf } from '../../kit/structured-field.ts';
import { currencyCode } from '../currency.ts';
import { exampleUserId } from '../people/user.ts';
import { custodianSettings } from '../structure/custodian.ts';
import { authFlowFileBytesMax } from './auth-flow.ts';
import { placeKinds } from './consent-account.ts';
import { consentTypes, consentTypesText } from './consent-type.ts';

const inputField = { writable: 'at-creation' } as const;

/** The declaration of a resource needs these. */
const unstored = { table: 'auth_flow', owner: 'workspace' } as const;

export const authFlowStart = declareResource({
  ...unstored,
  type: 'auth-flow-start',
  plural: 'auth-flow-starts',
  description: 'An auth flow to start.',
  attributes: {},
  relations: {
    custodian: {
      ...inputField,
      to: 'custodian',
      description: 'The custodian that is to send the data.',
      required: true,
      example: exampleIdOfType('custodian'),
    },
    legalEntity: {
      ...inputField,
      to: 'legal-entity',
      description: 'The legal entity whose accounts they are. Not needed with a depository.',
      example: exampleIdOfType('legal-entity'),
    },
    depository: {
      ...inputField,
      to: 'depository',
      description: 'The depository, if consent is for one only.',
      example: exampleIdOfType('depository'),
    },
  },
});

export const givenConsent = declareResource({
  ...unstored,
  type: 'given-consent',
  plural: 'given-consents',
  description: 'How consent is given.',
  attributes: {
    consentType: {
      ...inputField,
      kind: oneOf(consentTypes),
      description: `One of the types that the auth flow supports. ${consentTypesText}`,
      required: true,
      example: 'signed-document',
    },
  },
  relations: {},
});

export const operatorAssignment = declareResource({
  ...unstored,
  type: 'operator-assignment',
  plural: 'operator-assignments',
  description: 'Who takes care of an auth flow.',
  attributes: {
    operatorId: {
      ...inputField,
      kind: uuid,
      description: 'A user of the client; null for nobody.',
      required: true,
      nullable: true,
      example: exampleUserId,
    },
  },
  relations: {},
});

const coveredAccounts = {
  ...inputField,
  to: 'account',
  many: { table: 'authority_account', column: 'authority_id', otherColumn: 'account_id' },
} as const;

const coveredDepositories = {
  ...inputField,
  to: 'depository',
  many: { table: 'authority_depository', column: 'authority_id', otherColumn: 'depository_id' },
} as const;

export const grantedConsent = declareResource({
  ...unstored,
  type: 'granted-consent',
  plural: 'granted-consents',
  description: 'What a consent that was granted covers, and until when.',
  attributes: {
    expiresAt: {
      ...inputField,
      kind: instant,
      description:
        "When the consent ends; null if it does not end by itself. When it is not sent: after the custodian's `consent_days`.",
      nullable: true,
      example: '2027-05-15T00:00:00Z',
    },
  },
  relations: {
    accounts: {
      ...coveredAccounts,
      description:
        'The accounts that it covers. When neither these nor depositories are sent: the depository that consent was asked for and its accounts, else all accounts of the legal entity with this custodian.',
    },
    depositories: { ...coveredDepositories, description: 'The depositories that it covers.' },
  },
});

export const linkedRecords = declareResource({
  ...unstored,
  type: 'linked-records',
  plural: 'linked-records',
  description: 'Accounts and depositories that an authority covers.',
  attributes: {},
  relations: {
    accounts: { ...coveredAccounts, description: 'Accounts of the same legal entity.' },
    depositories: { ...coveredDepositories, description: 'Depositories of the same legal entity.' },
  },
});

/** How many accounts and depositories one request connects. */
export const connectionsMax = 200;

const newPlace = objectOf({
  name: {
    kind: text({ lengthMax: 200 }),
    description: 'Its name. When it is not sent: the proposed one.',
    optional: true,
  },
  currency: {
    kind: currencyCode,
    description: 'The currency of an account. Required where `proposed.currency` is null.',
    optional: true,
  },
  legalEntityId: {
    kind: id,
    description: 'The legal entity that owns it: that of the authority, which is also taken when it is not sent.',
    optional: true,
  },
});

const connection = objectOf({
  number: { kind: text({ lengthMax: 200 }), description: 'The number, as the list of the authority shows it.' },
  currency: {
    kind: currencyCode,
    description: 'Its currency, as the list shows it. Needed where a number has parts in several currencies.',
    optional: true,
  },
  kind: {
    kind: oneOf(placeKinds),
    description: 'What it is, as the list shows it. Needed where both an account and a depository have the number.',
    optional: true,
  },
  link: {
    kind: id,
    description:
      'The account or depository that it is. One without a number gets this number; for one with another number, an identifier mapping is created.',
    optional: true,
  },
  create: { kind: newPlace, description: 'Creates it. An empty object takes everything as proposed.', optional: true },
});

export const accountConnections = declareResource({
  ...unstored,
  type: 'account-connections',
  plural: 'account-connections',
  description: 'Accounts and depositories of a consent to create or link. Send either `all` or `data`.',
  attributes: {
    all: {
      ...inputField,
      kind: boolean,
      description: `True: creates everything that is new and links everything that exists, up to ${connectionsMax} at a time, except where a person has to decide.`,
      example: true,
    },
    data: {
      ...inputField,
      kind: listOf(connection, { itemsMax: connectionsMax }),
      description:
        'What to do with each. With neither `link` nor `create`, it is created if it is new, and linked if it exists.',
    },
  },
  relations: {
    portfolio: {
      ...inputField,
      to: 'portfolio',
      description:
        'A portfolio that all of them are added to: reports cover an account only if a portfolio contains it.',
    },
  },
});

/** The longest content in base64. */
const base64LengthMax = Math.ceil(authFlowFileBytesMax / 3) * 4;

export const handedInFile = declareResource({
  ...unstored,
  type: 'handed-in-file',
  plural: 'handed-in-files',
  description: 'A consent file to hand in.',
  attributes: {
    name: {
      ...inputField,
      kind: text({ lengthMax: 200 }),
      description: 'The name of the file.',
      required: true,
      example: 'mandate.pdf',
    },
    expectedFile: {
      ...inputField,
      kind: text({ lengthMax: 100 }),
      description: 'Which of the expected files it is; leave it out for another one.',
      nullable: true,
    },
    mediaType: {
      ...inputField,
      kind: text({ lengthMax: 200 }),
      description: 'Its media type.',
      required: true,
      example: 'application/pdf',
    },
    content: {
      ...inputField,
      kind: text({ lengthMax: base64LengthMax }),
      description: `Its content in base64, at most ${authFlowFileBytesMax / 1024} KiB of it.`,
      required: true,
      example: 'JVBERi0xLjcK',
    },
  },
  relations: {},
});

export const custodianSettingsChange = declareResource({
  ...custodianSettings,
  type: 'custodian-settings-change',
  plural: 'custodian-settings-changes',
  attributes: {
    ...custodianSettings.attributes,
    oauthClientSecret: {
      kind: text({ lengthMax: 2_000 }),
      description:
        'The client secret that the custodian has issued; null removes it. Stored encrypted, never shown. Required with an `api_url`, `token_url` or `revocation_url` at another host than those of before: a stored secret is sent only to hosts that it was given for. Tokens are sent only to the hosts that the custodian had when consent was given, whatever is sent here: authorities have to be reconnected for others.',
      writable: 'always',
      nullable: true,
      example: 'a-secret-of-the-custodian',
    },
  },
});
