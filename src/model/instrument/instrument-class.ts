// Declares the instrument class: a node of the tree by which a workspace classifies its instruments. A new environment starts
// with the tree of default-taxonomy.ts.

import { instant, integer, oneOf, someOf, text, type FieldKind } from '../../kit/field.ts';
import { listOf } from '../../kit/structured-field.ts';
import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { transactionTypes, type TransactionType } from '../ledger/transaction-kind.ts';
import { instrumentTypeNames, type InstrumentType } from './instrument.ts';

const assetClasses = [
  'cash',
  'equity',
  'fixed-income',
  'fund',
  'private-market',
  'real-asset',
  'derivative',
  'other',
] as const;
type AssetClass = (typeof assetClasses)[number];

const liquidities = ['daily', 'weekly', 'monthly', 'quarterly', 'illiquid'] as const;
type Liquidity = (typeof liquidities)[number];

const valuationBases = ['price', 'net-asset-value', 'accrual', 'balance', 'cost'] as const;
type ValuationBasis = (typeof valuationBases)[number];

const performanceMeasures = ['twr', 'irr'] as const;
type PerformanceMeasure = (typeof performanceMeasures)[number];

const anyTypes = someOf(instrumentTypeNames);

/** Types of instruments, or none. */
const instrumentTypeSet: FieldKind<readonly InstrumentType[]> = {
  ...anyTypes,
  read: (value) => (Array.isArray(value) && value.length === 0 ? [] : anyTypes.read(value)),
  schema: () => ({ type: 'array', items: { type: 'string', enum: instrumentTypeNames }, uniqueItems: true }),
};

const summaryFields = {
  name: {
    kind: text({ lengthMax: 200 }),
    description: 'Its name, unique among the classes below the same parent.',
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
    description: 'The asset class, whatever the class is called. Default: that of the parent, else `other`.',
    writable: 'always',
    example: 'equity',
  },
  liquidity: {
    kind: oneOf(liquidities),
    description: 'How often its instruments can be sold. Default: that of the parent, else `daily`.',
    writable: 'always',
    example: 'daily',
  },
  allowedTransactionTypes: {
    kind: someOf(transactionTypes),
    description: 'The types of transactions that its instruments can have. Default: those of the parent, else all.',
    writable: 'always',
  },
  valuationBasis: {
    kind: oneOf(valuationBases),
    description: 'What its instruments are valued by. Default: that of the parent, else `price`.',
    writable: 'always',
  },
  performanceMeasure: {
    kind: oneOf(performanceMeasures),
    description:
      'What its returns are reported as: time-weighted (`twr`) or internal rate of return (`irr`). Default: that of the parent, else `twr`.',
    writable: 'always',
  },
  stalenessDays: {
    kind: integer({ min: 1, max: 3_650 }),
    description: 'The number of days after which a point is stale. Default: that of the parent, else 10.',
    writable: 'always',
  },
} as const;

const defaultFor = {
  kind: instrumentTypeSet,
  description:
    'The types whose instruments are counted in this class, in allocations and limits, while they state no class of their own. A type has one default class at most: naming it here takes it from the class that had it. Default: none.',
  writable: 'always',
} as const;

const parent = {
  to: 'instrument-class',
  description: 'The class above it; null for a root.',
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
  description: 'A class of instruments: a node of the tree by which a workspace classifies its instruments.',
  usage: {
    purpose:
      'Allocation, contributions and limits add up holdings by this tree. A new workspace begins with a common one.',
    list: 'Read the whole tree, to choose the class of an instrument or to label a report.',
    read: 'Look up the name and the place in the tree of a class that a report or an instrument names.',
    create: 'Add a branch where the tree is too coarse for your reports or limits.',
    change: 'Rename a class or move it with everything below it. Reports and limits follow the new tree.',
    delete: 'Remove an empty branch: one without subclasses and instruments.',
  },
  attributes: { ...summaryFields, ...detailFields, defaultFor, createdAt },
  relations: { parent },
});

/** The same classes as a second type, for wires that serve a class and its details under two paths. */
export const instrumentClassDetailed = declareResource({
  ...classDeclaration,
  type: 'instrument-class-detailed',
  plural: 'instrument-classes-detailed',
  exampleId: exampleIdOfType('instrument-class'),
  description:
    'A class of instruments with its details: classification, allowed transactions and reporting conventions.',
  usage: {
    purpose: 'It says how holdings of the class are reported.',
    read: 'Look up how a class is reported: its asset class, liquidity, valuation basis, and the types of transactions that it allows.',
  },
  attributes: { ...summaryFields, ...detailFields },
  relations: { parent },
});

/** The details of a class besides its place in the tree. */
export interface ClassDetails {
  readonly assetClass: AssetClass;
  readonly liquidity: Liquidity;
  readonly allowedTransactionTypes: readonly TransactionType[];
  readonly valuationBasis: ValuationBasis;
  readonly performanceMeasure: PerformanceMeasure;
  readonly stalenessDays: number;
}

export type InstrumentClass = RecordOf<typeof instrumentClass>;
