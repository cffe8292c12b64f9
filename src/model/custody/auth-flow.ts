// The auth flow: the way from asking for consent to an authority, step by step, and the files that are handed in on it.

import { instant, integer, oneOf, someOf, text, uuid } from '../../kit/field.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';
import { textSet } from '../../kit/structured-field.ts';
import { createdAt, inheritedClient, nameField } from '../shared-fields.ts';
import { authorityStates } from './authority-state.ts';
import { consentTypes, consentTypesText } from './consent-type.ts';

/** The names of files that a custodian expects. */
export const fileNames = textSet({ lengthMax: 100, itemsMax: 20 });

export const authFlow = declareResource({
  type: 'auth-flow',
  plural: 'auth-flows',
  description:
    'An auth flow: how a legal entity gives its consent to a custodian. Granting it makes its authority active, or connects an active one again.',
  usage: {
    purpose: 'It is how an office gets a custodian to send data, step by step: files, consent, submission and grant.',
    list: 'See which consents are under way, and what each is waiting for.',
    read: 'Look up where a consent stands, and which files are still missing.',
  },
  table: 'auth_flow',
  owner: { relation: 'client', from: 'legalEntity' },
  attributes: {
    state: {
      kind: oneOf(authorityStates),
      description: 'What it waits for. A granted flow is `active` and from then on has the state of its authority.',
      writable: 'never',
      filter: true,
      example: 'waiting-for-consent',
    },
    purpose: {
      kind: oneOf(['grant', 'reconnect']),
      description: '`grant`: it leads to a new authority. `reconnect`: it renews one.',
      writable: 'never',
      example: 'grant',
    },
    expectedFiles: {
      kind: fileNames,
      description: 'The files that the custodian expects before consent can be given.',
      writable: 'never',
      example: ['Signed mandate'],
    },
    missingFiles: {
      kind: fileNames,
      description: 'Those of the expected files that were not handed in yet.',
      writable: 'never',
      computed: true,
      example: [],
    },
    supportedConsentTypes: {
      kind: someOf(consentTypes),
      description: `The ways of giving consent that the custodian supports. ${consentTypesText}`,
      writable: 'never',
      example: ['signed-document', 'operator'],
    },
    consentType: {
      kind: oneOf(consentTypes),
      description: 'How consent was given; null before that.',
      writable: 'never',
      nullable: true,
    },
    operatorId: {
      kind: uuid,
      description: 'The user who takes care of it; null if nobody is assigned.',
      writable: 'never',
      nullable: true,
    },
    createdAt,
    grantedAt: { kind: instant, description: 'When it was granted.', writable: 'never', nullable: true },
    cancelledAt: { kind: instant, description: 'When it was cancelled.', writable: 'never', nullable: true },
  },
  relations: {
    client: inheritedClient,
    legalEntity: {
      to: 'legal-entity',
      description: 'The legal entity that gives consent.',
      writable: 'never',
      required: true,
      filter: true,
    },
    custodian: {
      to: 'custodian',
      description: 'The custodian that is to send the data.',
      writable: 'never',
      required: true,
      filter: true,
    },
    depository: {
      to: 'depository',
      description: 'The depository that consent is asked for; null for everything the legal entity has there.',
      writable: 'never',
      filter: true,
    },
    authority: {
      to: 'authority',
      description: 'The authority that it grants.',
      writable: 'never',
      required: true,
      filter: true,
    },
  },
});

export type AuthFlow = RecordOf<typeof authFlow>;

/** The longest consent file. */
export const authFlowFileBytesMax = 720 * 1024;
/** How many files one flow takes. */
export const authFlowFilesMax = 50;

export const authFlowFile = declareResource({
  type: 'auth-flow-file',
  plural: 'files',
  description: 'A consent file of an auth flow, such as a signed mandate. It is stored encrypted.',
  table: 'auth_flow_file',
  owner: { relation: 'client', from: 'authFlow' },
  attributes: {
    name: { ...nameField('The name of the file.'), writable: 'never', example: 'mandate.pdf' },
    expectedFile: {
      kind: text({ lengthMax: 100 }),
      description: 'Which of the expected files it is; null for another one.',
      writable: 'never',
      nullable: true,
      example: 'Signed mandate',
    },
    mediaType: {
      kind: text({ lengthMax: 200 }),
      description: 'The media type that it was sent with.',
      writable: 'never',
      example: 'application/pdf',
    },
    size: {
      kind: integer({ min: 0, max: authFlowFileBytesMax }),
      description: 'How many bytes it has.',
      writable: 'never',
      example: 48_213,
    },
    digest: {
      kind: text({ lengthMax: 64 }),
      description: 'The SHA-256 of its content, in hexadecimal digits.',
      writable: 'never',
    },
    createdAt,
  },
  relations: {
    client: inheritedClient,
    authFlow: {
      to: 'auth-flow',
      description: 'The auth flow that it was handed in for.',
      writable: 'never',
      required: true,
      filter: true,
    },
  },
});

export type AuthFlowFile = RecordOf<typeof authFlowFile>;
