// The legal entity: the owner of accounts and depositories. It never changes its client.

import { declareResource, type RecordOf } from '../../kit/resource.ts';
import { createdAt, nameField, permanentClient } from '../shared-fields.ts';
import { consentedStates } from '../custody/authority-state.ts';

export const legalEntity = declareResource({
  type: 'legal-entity',
  plural: 'legal-entities',
  description:
    'A legal entity: a person, company, trust or foundation of a client that owns accounts and depositories.',
  usage: {
    purpose: 'It says who owns what in law, which reports can then cut across.',
    list: 'See who the owners within a client are, for example to choose the owner of a new account.',
    read: 'Look up the owner that an account or a depository names.',
    create: 'Create one for each person, company, trust or foundation before its accounts are opened.',
    change: 'Correct its name. It stays with its client, and so do its accounts.',
    delete: 'Remove an owner that was entered twice or by mistake.',
  },
  table: 'legal_entity',
  owner: { relation: 'client', from: 'client' },
  attributes: {
    name: {
      ...nameField('The registered legal name, or a display name.'),
      required: true,
      example: 'Lindqvist Holding AG',
    },
    createdAt,
  },
  relations: {
    client: permanentClient,
  },
  deletion: {
    code: 'legal-entity-in-use',
    blockedBy: [
      { one: 'account', several: 'accounts', table: 'account', column: 'legal_entity_id' },
      { one: 'depository', several: 'depositories', table: 'depository', column: 'legal_entity_id' },
      {
        one: 'custodian authority',
        several: 'custodian authorities',
        table: 'authority',
        column: 'legal_entity_id',
        states: consentedStates,
      },
    ],
  },
});

export type LegalEntity = RecordOf<typeof legalEntity>;
