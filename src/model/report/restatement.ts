// The difference between two answers about one day, as known at two moments: what is held otherwise, and what has become known in
// between. Knows not how it is found.

import { amount, anyInteger, anyText, date, instant, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';
import { valueAndCostShape, valueAndCostMembers } from './holding.ts';
import { positionKeyMembers } from './lot.ts';

const figuresShape = objectOf({
  quantity: member(amount, 'Units; of cash the balance.'),
  ...valueAndCostMembers,
});
export type RestatedFigures = ValueOf<typeof figuresShape>;

export const restatedHoldingShape = objectOf({
  ...positionKeyMembers,
  before: member(nullable(figuresShape), 'As known at the first moment. None where it was not held then.'),
  after: member(nullable(figuresShape), 'As known at the second moment. None where it is not held then.'),
  difference: member(
    nullable(figuresShape),
    'After less before. None where the reference currency is another one, so that the two do not compare.',
  ),
});
export type RestatedHolding = ValueOf<typeof restatedHoldingShape>;

export const restatedTotalsShape = objectOf({
  before: member(valueAndCostShape, 'As known at the first moment.'),
  after: member(valueAndCostShape, 'As known at the second moment.'),
  difference: member(
    nullable(valueAndCostShape),
    'After less before. None where the reference currency is another one.',
  ),
});
export type RestatedTotals = ValueOf<typeof restatedTotalsShape>;

/** What figures are made of. */
export const inputKinds = [
  'account',
  'account-depository',
  'client',
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

export const inputChanges = ['added', 'changed', 'removed'] as const;

const kind = member(
  oneOf(inputKinds),
  'What it is: two with a hyphen between, such as `portfolio-account`, are a link between the two.',
);
const change = member(oneOf(inputChanges), 'Whether it was known before, is known after, or both.');

export const changedInputShape = objectOf({
  kind,
  id: member(anyText, 'The thing; of a link its first end.'),
  otherId: member(nullable(anyText), 'Of a link the other end.'),
  change,
  at: member(instant, 'When it became known, was corrected or was deleted: the last time in between.'),
  date: member(nullable(date), 'The day it is about.'),
  instrumentId: member(nullable(anyText), 'The instrument it is about.'),
  accountId: member(nullable(anyText), 'The account it is about.'),
});
export type ReportedInputChange = ValueOf<typeof changedInputShape>;

export const inputChangeCountShape = objectOf({ kind, change, count: member(anyInteger, 'How many.') });
export type InputChangeCount = ValueOf<typeof inputChangeCountShape>;
