// The portfolio: accounts and depositories grouped within a reporting entity. It owns neither.

import { declareResource, exampleIdOf, type RecordOf } from '../../kit/resource.ts';
import { clientAbove, createdAt, nameOf } from '../shared-fields.ts';

export const portfolio = declareResource({
  type: 'portfolio',
  plural: 'portfolios',
  description: 'A portfolio: accounts and depositories of the client, grouped within a reporting entity.',
  table: 'portfolio',
  owner: { relation: 'client', from: 'reportingEntity' },
  past: { cause: 'structure', without: ['name'] },
  attributes: {
    name: { ...nameOf('Display label. `Portfolio` when it is not sent.'), example: 'Liquid assets' },
    createdAt,
  },
  relations: {
    reportingEntity: {
      to: 'reporting-entity',
      description: 'The reporting entity it divides. It cannot change.',
      on: ['json-api', 'v1'],
      writable: 'at-creation',
      required: true,
      filter: true,
      example: exampleIdOf('reporting-entity'),
    },
    client: clientAbove,
    accounts: {
      to: 'account',
      many: { table: 'portfolio_account', column: 'portfolio_id', gives: 'account_id' },
      description:
        'The accounts grouped in it; an account may stand in several portfolios. Sent, they replace the whole set.',
      on: ['json-api', 'v1'],
      writable: 'always',
      filter: true,
      example: [exampleIdOf('account')],
    },
    depositories: {
      to: 'depository',
      many: { table: 'portfolio_depository', column: 'portfolio_id', gives: 'depository_id' },
      description: 'The depositories grouped in it. Sent, they replace the whole set.',
      on: ['json-api', 'v1'],
      writable: 'always',
      filter: true,
      example: [exampleIdOf('depository')],
    },
  },
});

export type Portfolio = RecordOf<typeof portfolio>;
