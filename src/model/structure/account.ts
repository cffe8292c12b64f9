// The account: a cash container of one currency, owned by a legal entity, settled through depositories.

import { boolean, text } from '../../kit/field.ts';
import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { currencyCode } from '../currency.ts';
import { inheritedClient, createdAt, externalIdentifierField, nameField } from '../shared-fields.ts';

export const account = declareResource({
  type: 'account',
  plural: 'accounts',
  description: 'An account: a container of cash in one currency, owned by a legal entity.',
  usage: {
    purpose:
      'Every transaction is booked on one, and what is bought through it is held in the depositories that are linked to it.',
    list: 'Find the account that a bank’s number means, or all accounts of one owner or custodian.',
    read: 'Look up the currency, the owner and the depositories of an account before something is booked on it.',
    create:
      'Create one for each bank account and currency, below its owner in law. Transactions can be booked on it at once; reports show it as soon as a portfolio contains it.',
    change:
      'Rename an account, link other depositories to it, or leave it out of consolidated reports without losing its history.',
    delete: 'Remove an account on which nothing was booked. For one with a history, exclude it from reporting instead.',
  },
  table: 'account',
  owner: { relation: 'client', from: 'legalEntity' },
  history: { cause: 'structure', ignoredFields: ['name', 'externalIdentifier'] },
  searched: {
    textFields: ['name', 'externalIdentifier', 'ccyCode'],
    namesOf: ['legalEntity', 'client', 'custodian'],
  },
  attributes: {
    name: {
      ...nameField('Display name. When it is not sent: the external identifier, else the currency.'),
      example: 'Current account CHF',
    },
    externalIdentifier: {
      ...externalIdentifierField('The account number at the custodian. Not unique across custodians.'),
      example: 'CH9300762011623852957',
    },
    ccyCode: {
      kind: currencyCode,
      description: 'ISO 4217 code of its operating currency. It cannot change.',
      writable: 'at-creation',
      required: true,
      filter: true,
      snakeCaseName: 'currency',
      example: 'CHF',
    },
    excludeFromReporting: {
      kind: boolean,
      description: 'When true the account is left out of consolidated reports. False when it is not sent.',
      writable: 'always',
      filter: true,
      example: false,
    },
    institution: {
      kind: text({ lengthMax: 200 }),
      description:
        'The name of the custodian that keeps it. The id of a custodian is accepted too; a name that no custodian has yet creates one.',
      writable: 'always',
      nullable: true,
      through: { relation: 'custodian', table: 'custodian', column: 'name' },
      example: 'Bank Sonnenberg',
    },
    createdAt,
  },
  relations: {
    legalEntity: {
      to: 'legal-entity',
      description: 'The legal entity that owns it. It cannot change.',
      writable: 'at-creation',
      required: true,
      filter: true,
      snakeCaseName: 'entity_id',
      example: exampleIdOfType('legal-entity'),
    },
    client: inheritedClient,
    custodian: {
      to: 'custodian',
      description: 'The custodian that keeps it. `institution` may be sent in its place.',
      writable: 'always',
      filter: true,
    },
    depositories: {
      to: 'depository',
      many: { table: 'account_depository', column: 'account_id', otherColumn: 'depository_id' },
      description: 'The depositories it is split over. A change replaces the whole set.',
      writable: 'always',
      filter: true,
      example: [exampleIdOfType('depository')],
    },
    portfolios: {
      to: 'portfolio',
      many: { table: 'portfolio_account', column: 'account_id', otherColumn: 'portfolio_id' },
      description: 'The portfolios that contain it.',
      writable: 'never',
      filter: true,
    },
  },
  deletion: {
    code: 'account-in-use',
    blockedBy: [
      {
        one: 'transaction',
        several: 'transactions',
        table: 'transaction',
        column: 'account_id',
        currentBy: 'known_until',
      },
      {
        one: 'transaction of another account with it',
        several: 'transactions of other accounts with it',
        table: 'transaction',
        column: 'counter_account_id',
        currentBy: 'known_until',
      },
      {
        one: 'historical holding',
        several: 'historical holdings',
        table: 'historical_holding',
        column: 'account_id',
        currentBy: 'current_environment',
      },
    ],
  },
});

export type Account = RecordOf<typeof account>;
