// The restatement report: how the holdings of a day differ between what was known at two moments, and which data changed in between.

import { anyInteger, anyText, date, instant, nullable, oneOf, quantity, type ValueOf } from '../../kit/field.ts';
import { keysOf } from '../../kit/keys.ts';
import { member, objectOf } from '../../kit/structured-field.ts';
import { explanationsMember } from './explanation.ts';
import { valueAndCostMembers } from './holding.ts';
import { positionKeyMembers } from './lot.ts';

export const restatedTotalFigures = keysOf(valueAndCostMembers);
export const restatedFigures = ['quantity', ...restatedTotalFigures] as const;

const figuresMembers = { quantity: member(quantity, 'Units; for cash the balance.'), ...valueAndCostMembers };
const plainFiguresShape = objectOf(figuresMembers);
export type RestatedFigures = ValueOf<typeof plainFiguresShape>;

const figuresShape = objectOf({ ...figuresMembers, explanations: explanationsMember(restatedFigures) });
const totalShape = objectOf({ ...valueAndCostMembers, explanations: explanationsMember(restatedTotalFigures) });

export const restatedHoldingShape = objectOf({
  ...positionKeyMembers,
  before: {
    ...member(nullable(figuresShape), 'As known at the first moment. Null if nothing was held according to it.'),
    unit: 'beforeCurrency',
  },
  after: member(nullable(figuresShape), 'As known at the second moment. Null if nothing was held according to it.'),
  difference: member(
    nullable(figuresShape),
    '`after` less `before`. Null if the reference currency changed, so that they cannot be compared.',
  ),
});
export type RestatedHolding = ValueOf<typeof restatedHoldingShape>;

export const restatedTotalsShape = objectOf({
  before: { ...member(totalShape, 'As known at the first moment.'), unit: 'beforeCurrency' },
  after: member(totalShape, 'As known at the second moment.'),
  difference: member(nullable(totalShape), '`after` less `before`. Null if the reference currency changed.'),
});
export type RestatedTotals = ValueOf<typeof restatedTotalsShape>;

/** The kinds of data that figures are computed from. */
const inputKinds = [
  'account',
  'account-depository',
  'client',
  'custodian',
  'depository',
  'fx-rate',
  'historical-holding',
  'index-factor',
  'instrument',
  'instrument-class',
  'interest-rate',
  'net-asset-value',
  'portfolio',
  'portfolio-account',
  'portfolio-depository',
  'price',
  'reporting-entity',
  'transaction',
] as const;
export type InputKind = (typeof inputKinds)[number];

const inputChanges = ['added', 'changed', 'removed'] as const;

const kind = member(
  oneOf(inputKinds),
  'The kind of record. Two kinds with a hyphen between them, such as `portfolio-account`, are a link.',
);
const change = member(oneOf(inputChanges), 'Whether the record was added, changed or removed between the two moments.');

export const changedInputShape = objectOf({
  kind,
  id: member(anyText, 'The record; for a link its first end.'),
  otherId: member(nullable(anyText), 'For a link its other end.'),
  change,
  at: member(instant, 'The last time between the two moments that it was added, corrected or deleted.'),
  date: member(nullable(date), 'The day of the record.'),
  instrumentId: member(nullable(anyText), 'The instrument of the record.'),
  accountId: member(nullable(anyText), 'The account of the record.'),
});
export type ReportedInputChange = ValueOf<typeof changedInputShape>;

export const inputChangeCountShape = objectOf({ kind, change, count: member(anyInteger, 'How many.') });
export type InputChangeCount = ValueOf<typeof inputChangeCountShape>;
