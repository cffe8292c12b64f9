// The depository: a custody relationship of a legal entity, which a custodian's feed can be connected to.

import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { inheritedClient, createdAt, externalIdentifierField, nameField } from '../shared-fields.ts';
import { consentedStates } from '../custody/authority-state.ts';

export const depository = declareResource({
  type: 'depository',
  plural: 'depositories',
  description: 'A depository: a custody relationship of a legal entity, through which accounts settle.',
  usage: {
    purpose: 'Securities are held in depositories, as cash is held in accounts.',
    list: 'Find the securities account that a custodian’s number means, or all of one owner.',
    read: 'Look up the owner and the linked accounts of a depository.',
    create: 'Create one for each securities account at a custodian, then link the accounts that settle through it.',
    change: 'Correct its name or number, or link other accounts to it.',
    delete: 'Remove a depository that was created by mistake and holds nothing.',
  },
  table: 'depository',
  owner: { relation: 'client', from: 'legalEntity' },
  history: { cause: 'structure', ignoredFields: ['name', 'externalIdentifier'] },
  attributes: {
    name: {
      ...nameField('Display name. When it is not sent: the external identifier, else `Depository`.'),
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
      description: 'The accounts that settle through it. A change replaces the whole set.',
      writable: 'always',
      filter: true,
    },
    portfolios: {
      to: 'portfolio',
      many: { table: 'portfolio_depository', column: 'depository_id', otherColumn: 'portfolio_id' },
      description: 'The portfolios that contain it.',
      writable: 'never',
      filter: true,
    },
  },
  deletion: {
    code: 'depository-in-use',
    blockedBy: [
      { one: 'account', several: 'accounts', table: 'account_depository', column: 'depository_id' },
      {
        one: 'transaction',
        several: 'transactions',
        table: 'transaction',
        column: 'depository_id',
        currentBy: 'known_until',
      },
      {
        one: 'transaction of another depository with it',
        several: 'transactions of other depositories with it',
        table: 'transaction',
        column: 'counter_depository_id',
        currentBy: 'known_until',
      },
      {
        one: 'historical holding',
        several: 'historical holdings',
        table: 'historical_holding',
        column: 'depository_id',
        currentBy: 'current_environment',
      },
      {
        one: 'custodian authority',
        several: 'custodian authorities',
        table: 'authority',
        column: 'depository_id',
        states: consentedStates,
      },
      {
        one: 'custodian authority that covers it',
        several: 'custodian authorities that cover it',
        table: 'authority_depository',
        column: 'depository_id',
      },
    ],
  },
});

export type Depository = RecordOf<typeof depository>;
