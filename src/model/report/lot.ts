// Positions with every open lot, and lots by themselves, as reports answer them. Knows no wire.

import {
  amountShape,
  dateShape,
  booleanShape,
  arrayShape,
  shapeMember,
  nullableShape,
  objectShape,
  enumShape,
  textShape,
  type ShapeValue,
} from '../../kit/shape.ts';
import {
  asOfMember,
  currencyMember,
  instrumentIdMember,
  reportingEntityIdMember,
  valuationMember,
  valueAndCostMembers,
} from './holding.ts';

export const gainClassifications = ['short_term', 'long_term'] as const;

export const lotIdMember = shapeMember(
  textShape,
  'Names the lot within its position: the id of the transaction that brought the units, followed by `.1`, `.2`… where it brought several lots. `upload:` and a date for units that an upload stated and no transaction explains. A sell under SPECIFIC_ID names lots by it.',
);

const lotMembers = {
  id: lotIdMember,
  acquisitionDate: shapeMember(
    dateShape,
    'When the units were acquired, wherever that was: splits, mergers and transfers between own places keep it. Of a short, when they were sold.',
  ),
  quantity: shapeMember(amountShape, 'Units; negative for a short.'),
  unitCost: shapeMember(amountShape, 'Cost of one unit.'),
  costBasis: shapeMember(amountShape, 'What the lot cost, fees and taxes included, at the rate of its acquisition.'),
  marketValue: shapeMember(
    amountShape,
    'The part of the position’s market value that its units make up. The lots of a position add up to it exactly.',
  ),
  unrealisedPnl: shapeMember(amountShape, 'Market value − cost basis, exactly.'),
  currency: currencyMember,
  gainClassification: shapeMember(
    enumShape(gainClassifications),
    'How a gain would count if the units were sold on the day of the report: long term after the first anniversary of acquisition.',
  ),
  estimated: shapeMember(
    booleanShape,
    'The cost is the market’s on the day the units appeared, since nothing tells what they cost.',
  ),
  sourceTransactionId: shapeMember(
    nullableShape(textShape),
    'The transaction that brought the units into the position: a buy, a transfer in kind, a merger. None where an upload did.',
  ),
} as const;

export const lotShape = objectShape(lotMembers);
export type ReportedLot = ShapeValue<typeof lotShape>;

/** Where a position is, and of what. */
export const positionKeyMembers = {
  accountId: shapeMember(
    nullableShape(textShape),
    'The account; none where units were uploaded for a depository that several accounts share.',
  ),
  depositoryId: shapeMember(
    nullableShape(textShape),
    'The depository; none for cash, and where no transaction names one.',
  ),
  instrumentId: instrumentIdMember,
} as const;

/** What a position says of itself besides where it is. */
export const positionFigureMembers = {
  quantity: shapeMember(amountShape, 'Units; of cash the balance.'),
  ...valueAndCostMembers,
  currency: currencyMember,
  valuation: valuationMember,
  asOf: asOfMember,
  lots: shapeMember(arrayShape(lotShape), 'Every open lot, the oldest first. Cash has none.'),
} as const;

/** One position with its lots. */
export const instrumentHoldingShape = objectShape({
  reportingEntityId: reportingEntityIdMember,
  ...positionKeyMembers,
  ...positionFigureMembers,
});
export type ReportedInstrumentHolding = ShapeValue<typeof instrumentHoldingShape>;

/** The same where its place is told by relationships. */
export const instrumentHoldingAttributesShape = objectShape(positionFigureMembers);

/** One lot by itself. */
export const lotWithPositionShape = objectShape({ ...positionKeyMembers, ...lotMembers });
export type LotWithPosition = ShapeValue<typeof lotWithPositionShape>;
