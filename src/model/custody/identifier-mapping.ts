// The identifier mapping: which account, depository, instrument or type of transaction the words of custodians' files mean.

import { oneOf, text } from '../../kit/field.ts';
import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import {
  corporateActions,
  transactionTypes,
  type CorporateActionType,
  type TransactionType,
} from '../ledger/transaction-kind.ts';
import { currencyCode } from '../currency.ts';
import { marketCode } from '../instrument/security-code.ts';
import { createdAt } from '../shared-fields.ts';

/** The kinds of records that words name, and of types that they mean. */
export const mappedKinds = ['account', 'depository', 'instrument', 'type'] as const;
/** What a word may lead to, besides a type. */
export const mappedRecords = ['account', 'depository', 'instrument'] as const satisfies readonly MappedKind[];
export type MappedKind = (typeof mappedKinds)[number];

/** How instruments are named, the strongest first. */
export const instrumentSchemes = ['isin', 'cusip', 'sedol', 'ticker', 'custodian-code', 'name'] as const;
export type InstrumentScheme = (typeof instrumentSchemes)[number];

const mappingSchemes = ['number', ...instrumentSchemes, 'word'] as const;
export type MappingScheme = (typeof mappingSchemes)[number];

/** What a word of the kind `type` means: the type, and the corporate action behind a slash. */
export type MappedType = TransactionType | `corporate-action/${CorporateActionType}`;

export const identifierMapping = declareResource({
  type: 'identifier-mapping',
  plural: 'identifier-mappings',
  description:
    'An identifier mapping: what a word of custodians’ files means, such as the number of an account, a custodian’s own code of a security, or a bank’s word for a type of transaction. Imports, feeds and bulk rows use it.',
  usage: {
    purpose:
      'Without it, a row that names an unknown account or security, or a type of transaction that nobody knows, waits until somebody says what is meant.',
    list: 'See which words of custodians are understood, and what they mean.',
    read: 'Look up what one word was taken for, and whether a person or an import has said so.',
    create: 'Say once what a custodian’s number or code means; rows that waited for it can then be booked.',
    change:
      'Correct a word that was taken for the wrong record. What was booked before stays: undo its import to book it again.',
    delete: 'Forget what a word means. Rows of later files that use it wait until somebody says it again.',
  },
  table: 'identifier_mapping',
  owner: { relation: 'client', shared: true },
  attributes: {
    kind: {
      kind: oneOf(mappedKinds),
      description: 'What kind of record it names; `type` for a word that says what kind of transaction a row is.',
      writable: 'at-creation',
      required: true,
      filter: true,
      example: 'instrument',
    },
    scheme: {
      kind: oneOf(mappingSchemes),
      description:
        'How it names it: accounts and depositories by `number`; instruments by `isin`, `cusip`, `sedol`, `ticker`, `custodian-code` (the identifier that the custodian itself uses) or `name`; types of transactions by `word`.',
      writable: 'at-creation',
      required: true,
      filter: true,
      example: 'custodian-code',
    },
    value: {
      kind: text({ lengthMax: 200 }),
      description: 'The word of the file. Spaces, and upper and lower case, make no difference.',
      writable: 'at-creation',
      required: true,
      filter: true,
      example: '1200526',
    },
    currency: {
      kind: currencyCode,
      description: 'Only for the part of an account number that is in this currency.',
      writable: 'at-creation',
      nullable: true,
    },
    mic: {
      kind: marketCode,
      description: 'Only for a ticker on this market.',
      writable: 'at-creation',
      nullable: true,
    },
    transactionType: {
      kind: oneOf(transactionTypes),
      description:
        'Of the kind `type`: the type of transaction that the word means. It decides where the mapping profile of the file does not, and goes before what the service itself takes the word for.',
      writable: 'always',
      nullable: true,
    },
    action: {
      kind: oneOf(corporateActions),
      description: 'Of the type `corporate-action`: which one.',
      writable: 'always',
      nullable: true,
    },
    source: {
      kind: oneOf(['learned', 'manual']),
      description:
        'Who set it: `learned` from a file that named the record in several ways, or `manual`. A manual one goes before the codes that records have themselves.',
      writable: 'never',
      filter: true,
    },
    createdAt,
  },
  relations: {
    client: {
      to: 'client',
      description:
        'The client whose files it is for. When it is not sent: all clients, for instruments that all of them share and for types.',
      writable: 'at-creation',
      filter: true,
      example: exampleIdOfType('client'),
    },
    custodian: {
      to: 'custodian',
      description: 'The custodian whose files it is for. When it is not sent: any.',
      writable: 'at-creation',
      filter: true,
      example: exampleIdOfType('custodian'),
    },
    account: { to: 'account', description: 'The account that is meant.', writable: 'always', filter: true },
    depository: { to: 'depository', description: 'The depository that is meant.', writable: 'always', filter: true },
    instrument: {
      to: 'instrument',
      description: 'The instrument that is meant.',
      writable: 'always',
      filter: true,
      example: exampleIdOfType('instrument'),
    },
  },
});

export type IdentifierMapping = RecordOf<typeof identifierMapping>;
