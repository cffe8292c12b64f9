// The identifier mapping: which account, depository or instrument the words of custodians' files mean.

import { oneOf, text } from '../../kit/field.ts';
import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { currencyCode } from '../currency.ts';
import { marketCode } from '../instrument/security-code.ts';
import { createdAt } from '../shared-fields.ts';

export const mappedKinds = ['account', 'depository', 'instrument'] as const;
export type MappedKind = (typeof mappedKinds)[number];

/** How instruments are named, the strongest first. */
export const instrumentSchemes = ['isin', 'cusip', 'sedol', 'ticker', 'custodian-code', 'name'] as const;
export type InstrumentScheme = (typeof instrumentSchemes)[number];

const mappingSchemes = ['number', ...instrumentSchemes] as const;
export type MappingScheme = (typeof mappingSchemes)[number];

export const identifierMapping = declareResource({
  type: 'identifier-mapping',
  plural: 'identifier-mappings',
  description:
    'An identifier mapping: what a word of custodians’ files means, such as the number of an account or a custodian’s own code of a security. Imports, feeds and bulk rows use it.',
  usage: {
    purpose: 'Without it, a row that names an unknown account or security waits until somebody says what is meant.',
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
      description: 'What kind of record it names.',
      writable: 'at-creation',
      required: true,
      filter: true,
      example: 'instrument',
    },
    scheme: {
      kind: oneOf(mappingSchemes),
      description:
        'How it names it: accounts and depositories by `number`; instruments by `isin`, `cusip`, `sedol`, `ticker`, `custodian-code` (the identifier that the custodian itself uses) or `name`.',
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
      description:
        'Only for rows and accounts in this currency, where one account number has several. A mapping with a currency goes before one without.',
      writable: 'at-creation',
      nullable: true,
    },
    mic: {
      kind: marketCode,
      description: 'Only for a ticker on this market.',
      writable: 'at-creation',
      nullable: true,
    },
    source: {
      kind: oneOf(['learned', 'manual']),
      description:
        'Who set it: `learned` from a file that named the record in several ways, or by a word that only one record fitted or that it was created for; or `manual`. A manual one goes before the codes that records have themselves.',
      writable: 'never',
      filter: true,
    },
    createdAt,
  },
  relations: {
    client: {
      to: 'client',
      description:
        'The client whose files it is for. When it is not sent: all clients, for instruments that all of them share.',
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
