// The reporting entity: a view of a client's wealth that reports are made for.

import { declareResource, type RecordOf } from '../../kit/resource.ts';
import { createdAt, nameField, permanentClient } from '../shared-fields.ts';

export const reportingEntity = declareResource({
  type: 'reporting-entity',
  plural: 'reporting-entities',
  description: 'A reporting entity: the view of its wealth that a client looks at, divided into portfolios.',
  usage: {
    purpose:
      'Every report is asked for one. One may show the whole family, another a single person, over the same accounts.',
    list: 'Get the ids that reports ask for, and see which views of the wealth exist.',
    read: 'Look up the name and the client of a view before you show its figures.',
    create:
      'Create one for each view that somebody wants to look at, then give it portfolios: without them it covers nothing.',
    change: 'Rename a view. What it covers is changed through its portfolios.',
    delete: 'Remove a view. The accounts that it showed and their bookings stay.',
  },
  table: 'reporting_entity',
  owner: { relation: 'client', from: 'client' },
  history: { cause: 'structure', ignoredFields: ['name'] },
  attributes: {
    name: { ...nameField('Display label.'), required: true, example: 'Lindqvist consolidated' },
    createdAt,
  },
  relations: {
    client: permanentClient,
    portfolios: {
      to: 'portfolio',
      many: { table: 'portfolio', column: 'reporting_entity_id', otherColumn: 'id' },
      description: 'The portfolios it is divided into.',
      writable: 'never',
    },
  },
  deletion: {
    code: 'reporting-entity-in-use',
    blockedBy: [
      { one: 'portfolio', several: 'portfolios', table: 'portfolio', column: 'reporting_entity_id' },
      { one: 'private instrument', several: 'private instruments', table: 'instrument', column: 'reporting_entity_id' },
      { one: 'limit of its own', several: 'limits of its own', table: 'limit_rule', column: 'reporting_entity_id' },
      {
        one: 'user who may read it',
        several: 'users who may read it',
        table: 'read_grant',
        column: 'reporting_entity_id',
      },
    ],
  },
});

export type ReportingEntity = RecordOf<typeof reportingEntity>;
