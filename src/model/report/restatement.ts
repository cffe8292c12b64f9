// The difference between two answers about one day, as known at two moments: what is held otherwise, and what has become known in
// between. Knows not how it is found.

import {
  amount,
  count,
  date,
  member,
  moment,
  nullable,
  objectOf,
  oneOfWords,
  word,
  type Shaped,
} from '../../kit/shape.ts';
import { worth, worthMembers } from './holding.ts';
import { placeMembers } from './lot.ts';

const figures = objectOf({ quantity: member(amount, 'Units; of cash the balance.'), ...worthMembers });
export type RestatedFigures = Shaped<typeof figures>;

export const restatedHolding = objectOf({
  ...placeMembers,
  before: member(nullable(figures), 'As known at the first moment. None where it was not held then.'),
  after: member(nullable(figures), 'As known at the second moment. None where it is not held then.'),
  difference: member(
    nullable(figures),
    'After less before. None where the reference currency is another one, so that the two do not compare.',
  ),
});
export type RestatedHolding = Shaped<typeof restatedHolding>;

export const restatedTotals = objectOf({
  before: member(worth, 'As known at the first moment.'),
  after: member(worth, 'As known at the second moment.'),
  difference: member(nullable(worth), 'After less before. None where the reference currency is another one.'),
});
export type RestatedTotals = Shaped<typeof restatedTotals>;

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
  oneOfWords(inputKinds),
  'What it is: two with a hyphen between, such as `portfolio-account`, are a link between the two.',
);
const change = member(oneOfWords(inputChanges), 'Whether it was known before, is known after, or both.');

export const changedInput = objectOf({
  kind,
  id: member(word, 'The thing; of a link its first end.'),
  otherId: member(nullable(word), 'Of a link the other end.'),
  change,
  at: member(moment, 'When it became known, was corrected or was deleted: the last time in between.'),
  date: member(nullable(date), 'The day it is about.'),
  instrumentId: member(nullable(word), 'The instrument it is about.'),
  accountId: member(nullable(word), 'The account it is about.'),
});
export type ReportedChange = Shaped<typeof changedInput>;

export const changeCount = objectOf({ kind, change, count: member(count, 'How many.') });
export type ChangesOfKind = Shaped<typeof changeCount>;
