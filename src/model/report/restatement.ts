// The difference between two answers about one day, as known at two moments: what is held otherwise, and what has become known in
// between. Knows not how it is found.

import {
  amountShape,
  integerShape,
  dateShape,
  shapeMember,
  instantShape,
  nullableShape,
  objectShape,
  enumShape,
  textShape,
  type ShapeValue,
} from '../../kit/shape.ts';
import { valueAndCostShape, valueAndCostMembers } from './holding.ts';
import { positionKeyMembers } from './lot.ts';

const figuresShape = objectShape({
  quantity: shapeMember(amountShape, 'Units; of cash the balance.'),
  ...valueAndCostMembers,
});
export type RestatedFigures = ShapeValue<typeof figuresShape>;

export const restatedHoldingShape = objectShape({
  ...positionKeyMembers,
  before: shapeMember(nullableShape(figuresShape), 'As known at the first moment. None where it was not held then.'),
  after: shapeMember(nullableShape(figuresShape), 'As known at the second moment. None where it is not held then.'),
  difference: shapeMember(
    nullableShape(figuresShape),
    'After less before. None where the reference currency is another one, so that the two do not compare.',
  ),
});
export type RestatedHolding = ShapeValue<typeof restatedHoldingShape>;

export const restatedTotalsShape = objectShape({
  before: shapeMember(valueAndCostShape, 'As known at the first moment.'),
  after: shapeMember(valueAndCostShape, 'As known at the second moment.'),
  difference: shapeMember(
    nullableShape(valueAndCostShape),
    'After less before. None where the reference currency is another one.',
  ),
});
export type RestatedTotals = ShapeValue<typeof restatedTotalsShape>;

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

const kind = shapeMember(
  enumShape(inputKinds),
  'What it is: two with a hyphen between, such as `portfolio-account`, are a link between the two.',
);
const change = shapeMember(enumShape(inputChanges), 'Whether it was known before, is known after, or both.');

export const changedInputShape = objectShape({
  kind,
  id: shapeMember(textShape, 'The thing; of a link its first end.'),
  otherId: shapeMember(nullableShape(textShape), 'Of a link the other end.'),
  change,
  at: shapeMember(instantShape, 'When it became known, was corrected or was deleted: the last time in between.'),
  date: shapeMember(nullableShape(dateShape), 'The day it is about.'),
  instrumentId: shapeMember(nullableShape(textShape), 'The instrument it is about.'),
  accountId: shapeMember(nullableShape(textShape), 'The account it is about.'),
});
export type ReportedInputChange = ShapeValue<typeof changedInputShape>;

export const inputChangeCountShape = objectShape({ kind, change, count: shapeMember(integerShape, 'How many.') });
export type InputChangeCount = ShapeValue<typeof inputChangeCountShape>;
