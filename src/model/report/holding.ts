// What is held, as reports answer it: summed by instrument, or by the segments of an axis. Knows no position and no wire.

import {
  amountShape,
  shapeMember,
  instantShape,
  nullableShape,
  objectShape,
  ratioShape,
  textShape,
  type ShapeValue,
} from '../../kit/shape.ts';
import { valuationShape } from './valuation.ts';

/** What any sum of holdings has. All of it is in the reference currency. */
export const valueAndCostMembers = {
  marketValue: shapeMember(amountShape, 'What it is worth, accrued interest included, in the reference currency.'),
  costBasis: shapeMember(
    amountShape,
    'What the open lots cost, in the reference currency at the rates of their acquisition. Cash costs what it is worth.',
  ),
  unrealisedPnl: shapeMember(amountShape, 'Market value − cost basis, exactly.'),
} as const;

export const instrumentIdMember = shapeMember(
  textShape,
  'What is held: the id of an instrument; `cash:CHF` for cash in francs, `fees:CHF` for fees owed in francs, `unidentified` for units of trades that named no instrument.',
);

export const currencyMember = shapeMember(textShape, 'What the amounts are in: the reference currency.');
export const asOfMember = shapeMember(
  instantShape,
  'The instant up to which everything counts: the end of its day in the zone of the workspace.',
);
export const valuationMember = shapeMember(valuationShape, 'What the value rests on.');
export const reportingEntityIdMember = shapeMember(textShape, 'The reporting entity that the report is about.');

/** Everything held of one instrument. */
export const holdingShape = objectShape({
  reportingEntityId: reportingEntityIdMember,
  instrumentId: instrumentIdMember,
  quantity: shapeMember(amountShape, 'Units; of cash the balance.'),
  ...valueAndCostMembers,
  currency: currencyMember,
  valuation: valuationMember,
  asOf: asOfMember,
});

export type ReportedHolding = ShapeValue<typeof holdingShape>;

export const segmentMembers = {
  segmentId: shapeMember(
    nullableShape(textShape),
    'The id of the account, depository, portfolio, instrument or class, or the currency. None for what the axis does not name.',
  ),
  segmentName: shapeMember(
    nullableShape(textShape),
    'What it is called now. Under `known_at` none for accounts, depositories and portfolios, whose former names are not kept.',
  ),
} as const;

export const shareMember = shapeMember(
  nullableShape(ratioShape),
  'Its part of the total market value; none where the total is zero.',
);

/** Everything held in one segment of an axis. */
export const segmentHoldingShape = objectShape({
  ...segmentMembers,
  quantity: shapeMember(
    nullableShape(amountShape),
    'Units; of cash the balance. None where several instruments are added up.',
  ),
  ...valueAndCostMembers,
  share: shareMember,
  valuation: valuationMember,
});

export type ReportedSegmentHolding = ShapeValue<typeof segmentHoldingShape>;

export const valueAndCostShape = objectShape(valueAndCostMembers);
export type ValueAndCost = ShapeValue<typeof valueAndCostShape>;
