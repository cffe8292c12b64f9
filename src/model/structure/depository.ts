// The depository: a custody relationship of a legal entity, to be wired to a custodian's feed.

import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { inheritedClient, createdAt, externalIdentifierField, nameField } from '../shared-fields.ts';

export const depository = declareResource({
  type: 'depository',
  plural: 'depositories',
  description: 'A depository: a custody relationship of a legal entity, through which accounts settle.',
  table: 'depository',
  owner: { relation: 'client', from: 'legalEntity' },
  history: { cause: 'structure', ignoredFields: ['name', 'externalIdentifier'] },
  attributes: {
    name: {
      ...nameField('Display name. Without one it is called by its external identifier, else `Depository`.'),
      example: 'Custody Zurich',
    },
    externalIdentifier: { ...externalIdentifierField('The identifier the custodian gave it.'), example: 'D-204417' },
    createdAt,
  },
  relations: {
    legalEntity: {
      to: 'legal-entity',
      description: 'The legal entity it belongs to. It cannot change.',
      writable: 'at-creation',
      required: true,
      filter: true,
      example: exampleIdOfType('legal-entity'),
    },
    client: inheritedClient,
    accounts: {
      to: 'account',
      many: { table: 'account_depository', column: 'depository_id', otherColumn: 'account_id' },
      description: 'The accounts that settle through it. Sent, they replace the whole set.',
      writable: 'always',
      filter: true,
    },
    portfolios: {
      to: 'portfolio',
      many: { table: 'portfolio_depository', column: 'depository_id', otherColumn: 'portfolio_id' },
      description: 'The portfolios it stands in.',
      writable: 'never',
      filter: true,
    },
  },
  deletion: {
    code: 'depository-in-use',
    blockedBy: [
      { one: 'account', several: 'accounts', table: 'account_depository', column: 'depository_id' },
      { one: 'transaction', several: 'transactions', table: 'transaction', column: 'depository_id', isCurrent: true },
      {
        one: 'transaction of another place with it',
        several: 'transactions of other places with it',
        table: 'transaction',
        column: 'counter_depository_id',
        isCurrent: true,
      },
      {
        one: 'historical holding',
        several: 'historical holdings',
        table: 'historical_holding',
        column: 'depository_id',
        isCurrent: true,
      },
    ],
  },
});

export type Depository = RecordOf<typeof depository>;
