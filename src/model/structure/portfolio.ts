// The portfolio: a group of accounts and depositories within a reporting entity. It owns none of them.

import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { inheritedClient, createdAt, nameField } from '../shared-fields.ts';

export const portfolio = declareResource({
  type: 'portfolio',
  plural: 'portfolios',
  description: 'A portfolio: accounts and depositories of the client, grouped within a reporting entity.',
  usage: {
    purpose: 'It decides what a reporting entity covers, and reports can be divided by it.',
    list: 'See into which portfolios a reporting entity is divided, or which of them contain an account.',
    read: 'Look up which accounts and depositories a portfolio contains, and for which reporting entity.',
    create:
      'Group accounts and depositories of the client within a reporting entity. What several portfolios share counts once in the whole.',
    change:
      'Rename a portfolio, or let it contain other accounts and depositories. Its reports then cover these for all days.',
    delete:
      'Dissolve a portfolio. Its accounts stay, but the reporting entity no longer covers what no other portfolio contains.',
  },
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
