// What is held, as reports answer it: summed by instrument, or by the segments of an axis. Knows no position and no wire.

import { amount, member, moment, nullable, objectOf, ratio, word, type Shaped } from '../../kit/shape.ts';
import { valuation } from './valuation.ts';

/** What any sum of holdings has. All of it is in the reference currency. */
export const worthMembers = {
  marketValue: member(amount, 'What it is worth, accrued interest included, in the reference currency.'),
  costBasis: member(
    amount,
    'What the open lots cost, in the reference currency at the rates of their acquisition. Cash costs what it is worth.',
  ),
  unrealisedPnl: member(amount, 'Market value − cost basis, exactly.'),
} as const;

export const instrumentIdMember = member(
  word,
  'What is held: the id of an instrument; `cash:CHF` for cash in francs, `fees:CHF` for fees owed in francs, `unidentified` for units of trades that named no instrument.',
);

export const currencyMember = member(word, 'What the amounts are in: the reference currency.');
export const asOfMember = member(
  moment,
  'The instant up to which everything counts: the end of its day in the zone of the workspace.',
);
export const valuationMember = member(valuation, 'What the value rests on.');
export const reportingEntityIdMember = member(word, 'The reporting entity that the report is about.');

/** Everything held of one instrument. */
export const holding = objectOf({
  reportingEntityId: reportingEntityIdMember,
  instrumentId: instrumentIdMember,
  quantity: member(amount, 'Units; of cash the balance.'),
  ...worthMembers,
  currency: currencyMember,
  valuation: valuationMember,
  asOf: asOfMember,
});

export type ReportedHolding = Shaped<typeof holding>;

export const segmentMembers = {
  segmentId: member(
    nullable(word),
    'The id of the account, depository, portfolio, instrument or class, or the currency. None for what the axis does not name.',
  ),
  segmentName: member(
    nullable(word),
    'What it is called now. Under `known_at` none for accounts, depositories and portfolios, whose former names are not kept.',
  ),
} as const;

export const shareMember = member(nullable(ratio), 'Its part of the total market value; none where the total is zero.');

/** Everything held in one segment of an axis. */
export const segmentHolding = objectOf({
  ...segmentMembers,
  quantity: member(nullable(amount), 'Units; of cash the balance. None where several instruments are added up.'),
  ...worthMembers,
  share: shareMember,
  valuation: valuationMember,
});

export type ReportedSegmentHolding = Shaped<typeof segmentHolding>;

export const worth = objectOf(worthMembers);
export type Worth = Shaped<typeof worth>;
