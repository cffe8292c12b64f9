// What is held, as reports answer it: summed by instrument, or by the segments of an axis. Knows no position and no wire.

import { amount, anyText, instant, nullable, ratio, type ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';
import { valuationShape } from './valuation.ts';

/** What any sum of holdings has. All of it is in the reference currency. */
export const valueAndCostMembers = {
  marketValue: member(amount, 'What it is worth, accrued interest included, in the reference currency.'),
  costBasis: member(
    amount,
    'What the open lots cost, in the reference currency at the rates of their acquisition. Cash costs what it is worth.',
  ),
  unrealisedPnl: member(amount, 'Market value − cost basis, exactly.'),
} as const;

export const instrumentIdMember = member(
  anyText,
  'What is held: the id of an instrument; `cash:CHF` for cash in francs, `fees:CHF` for fees owed in francs, `unidentified` for units of trades that named no instrument.',
);

export const currencyMember = member(anyText, 'What the amounts are in: the reference currency.');
export const asOfMember = member(
  instant,
  'The instant up to which everything counts: the end of its day in the zone of the workspace.',
);
export const ledgerVersionMember = member(
  anyText,
  'Identifies the data that the figures were computed from. It changes whenever any of that data changes.',
);
export const valuationMember = member(valuationShape, 'What the value rests on.');
export const reportingEntityIdMember = member(anyText, 'The reporting entity that the report is about.');

/** Everything held of one instrument. */
export const holdingShape = objectOf({
  reportingEntityId: reportingEntityIdMember,
  instrumentId: instrumentIdMember,
  quantity: member(amount, 'Units; of cash the balance.'),
  ...valueAndCostMembers,
  currency: currencyMember,
  valuation: valuationMember,
  asOf: asOfMember,
});

export type ReportedHolding = ValueOf<typeof holdingShape>;

export const segmentMembers = {
  segmentId: member(
    nullable(anyText),
    'The id of the account, depository, portfolio, instrument or class, or the currency. None for what the axis does not name.',
  ),
  segmentName: member(
    nullable(anyText),
    'What it is called now. Under `known_at` none for accounts, depositories and portfolios, whose former names are not kept.',
  ),
} as const;

export const shareMember = member(nullable(ratio), 'Its part of the total market value; none where the total is zero.');

/** Everything held in one segment of an axis. */
export const segmentHoldingMembers = {
  ...segmentMembers,
  quantity: member(nullable(amount), 'Units; of cash the balance. None where several instruments are added up.'),
  ...valueAndCostMembers,
  share: shareMember,
  valuation: valuationMember,
} as const;

export const segmentHoldingShape = objectOf(segmentHoldingMembers);

export type ReportedSegmentHolding = ValueOf<typeof segmentHoldingShape>;

export const valueAndCostShape = objectOf(valueAndCostMembers);
export type ValueAndCost = ValueOf<typeof valueAndCostShape>;
