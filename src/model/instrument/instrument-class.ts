// The instrument class: a node of the tree that instruments are sorted into. The tree is the workspace's own; an environment
// begins with the one in default-taxonomy.ts.

import { instant, integer, oneOf, someOf, text } from '../../kit/field.ts';
import { listOf } from '../../kit/structured-field.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';
import { transactionTypes, type TransactionType } from '../ledger/transaction-kind.ts';

export const assetClasses = [
  'cash',
  'equity',
  'fixed-income',
  'fund',
  'private-market',
  'real-asset',
  'derivative',
  'other',
] as const;
export type AssetClass = (typeof assetClasses)[number];

export const liquidities = ['daily', 'weekly', 'monthly', 'quarterly', 'illiquid'] as const;
export type Liquidity = (typeof liquidities)[number];

export const valuationBases = ['price', 'net-asset-value', 'accrual', 'balance', 'cost'] as const;
export type ValuationBasis = (typeof valuationBases)[number];

export const performanceMeasures = ['twr', 'irr'] as const;
export type PerformanceMeasure = (typeof performanceMeasures)[number];

const summaryFields = {
  name: {
    kind: text({ lengthMax: 200 }),
    description: 'What it is called. No two below one parent are called the same.',
    writable: 'always',
    required: true,
    filter: true,
    example: 'Frontier markets',
  },
  path: {
    kind: listOf(text({ lengthMax: 200 }), { itemsMax: 1_000 }),
    description: 'The names from the root down to the class itself.',
    writable: 'never',
  },
} as const;

const detailFields = {
  assetClass: {
    kind: oneOf(assetClasses),
    description:
      'What it is at heart, whatever it is called. Taken from the parent, else `other`, when it is not sent.',
    writable: 'always',
    example: 'equity',
  },
  liquidity: {
    kind: oneOf(liquidities),
    description: 'How often it can be turned into money. Taken from the parent, else `daily`, when it is not sent.',
    writable: 'always',
    example: 'daily',
  },
  allowedTransactionTypes: {
    kind: someOf(transactionTypes),
    description:
      'The kinds of transactions that its instruments can have. Taken from the parent, else all, when they are not sent.',
    writable: 'always',
  },
  valuationBasis: {
    kind: oneOf(valuationBases),
    description: 'What its instruments are valued by. Taken from the parent, else `price`, when it is not sent.',
    writable: 'always',
  },
  performanceMeasure: {
    kind: oneOf(performanceMeasures),
    description:
      'What its returns are reported as: time-weighted (`twr`) or internal rate of return (`irr`). Taken from the parent, else `twr`.',
    writable: 'always',
  },
  stalenessDays: {
    kind: integer({ min: 1, max: 3_650 }),
    description: 'After so many days a point is called stale. Taken from the parent, else 10, when it is not sent.',
    writable: 'always',
  },
} as const;

const parent = {
  to: 'instrument-class',
  description: 'The class above it; none for a root.',
  writable: 'always',
  filter: true,
} as const;

const createdAt = { kind: instant, description: 'When it was created.', writable: 'never' } as const;

const classDeclaration = {
  table: 'instrument_class',
  owner: 'workspace',
  deletion: {
    code: 'instrument-class-in-use',
    blockedBy: [
      { one: 'class below it', several: 'classes below it', table: 'instrument_class', column: 'parent_id' },
      { one: 'instrument', several: 'instruments', table: 'instrument', column: 'instrument_class_id' },
    ],
  },
} as const;

export const instrumentClass = declareResource({
  ...classDeclaration,
  type: 'instrument-class',
  history: { cause: 'class', ignoredFields: ['path', 'lineage'] },
  plural: 'instrument-classes',
  description: 'A class of instruments: a node of the tree that a workspace sorts its instruments into.',
  attributes: { ...summaryFields, ...detailFields, createdAt },
  relations: { parent },
});

/** A class under a type of its own, where a class and a class with its details have two paths. */
export const instrumentClassDetailed = declareResource({
  ...classDeclaration,
  type: 'instrument-class-detailed',
  plural: 'instrument-classes-detailed',
  description:
    'A class of instruments with what is known of it: classification, transactions, conventions of reporting.',
  attributes: { ...summaryFields, ...detailFields },
  relations: { parent },
});

/** What is known of a class beyond its place in the tree. */
export interface ClassDetails {
  readonly assetClass: AssetClass;
  readonly liquidity: Liquidity;
  readonly allowedTransactionTypes: readonly TransactionType[];
  readonly valuationBasis: ValuationBasis;
  readonly performanceMeasure: PerformanceMeasure;
  readonly stalenessDays: number;
}

export type InstrumentClass = RecordOf<typeof instrumentClass>;
