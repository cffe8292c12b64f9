// The portfolio: a group of accounts and depositories within a reporting entity. It owns none of them.

import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { inheritedClient, createdAt, nameField } from '../shared-fields.ts';

export const portfolio = declareResource({
  type: 'portfolio',
  plural: 'portfolios',
  description: 'A portfolio: accounts and depositories of the client, grouped within a reporting entity.',
  table: 'portfolio',
  owner: { relation: 'client', from: 'reportingEntity' },
  history: { cause: 'structure', ignoredFields: ['name'] },
  attributes: {
    name: { ...nameField('Display label. `Portfolio` when it is not sent.'), example: 'Liquid assets' },
    createdAt,
  },
  relations: {
    reportingEntity: {
      to: 'reporting-entity',
      description: 'The reporting entity it belongs to. It cannot change.',
      writable: 'at-creation',
      required: true,
      filter: true,
      example: exampleIdOfType('reporting-entity'),
    },
    client: inheritedClient,
    accounts: {
      to: 'account',
      many: { table: 'portfolio_account', column: 'portfolio_id', otherColumn: 'account_id' },
      description: 'The accounts in it; an account may be in several portfolios. A change replaces the whole set.',
      writable: 'always',
      filter: true,
      example: [exampleIdOfType('account')],
    },
    depositories: {
      to: 'depository',
      many: { table: 'portfolio_depository', column: 'portfolio_id', otherColumn: 'depository_id' },
      description: 'The depositories in it. A change replaces the whole set.',
      writable: 'always',
      filter: true,
      example: [exampleIdOfType('depository')],
    },
  },
});

export type Portfolio = RecordOf<typeof portfolio>;
