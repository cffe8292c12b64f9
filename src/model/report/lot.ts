// Positions with every open lot, and lots by themselves, as reports answer them. Knows no wire.

import { amount, anyText, boolean, date, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import {
  asOfMember,
  currencyMember,
  instrumentIdMember,
  reportingEntityIdMember,
  valuationMember,
  valueAndCostMembers,
} from './holding.ts';

export const gainClassifications = ['short_term', 'long_term'] as const;

export const lotIdMember = member(
  anyText,
  'Names the lot within its position: the id of the transaction that brought the units, followed by `.1`, `.2`… where it brought several lots. `upload:` and a date for units that an upload stated and no transaction explains. A sell under SPECIFIC_ID names lots by it.',
);

const lotMembers = {
  id: lotIdMember,
  acquisitionDate: member(
    date,
    'When the units were acquired, wherever that was: splits, mergers and transfers between own places keep it. Of a short, when they were sold.',
  ),
  quantity: member(amount, 'Units; negative for a short.'),
  unitCost: member(amount, 'Cost of one unit.'),
  costBasis: member(amount, 'What the lot cost, fees and taxes included, at the rate of its acquisition.'),
  marketValue: member(
    amount,
    'The part of the position’s market value that its units make up. The lots of a position add up to it exactly.',
  ),
  unrealisedPnl: member(amount, 'Market value − cost basis, exactly.'),
  currency: currencyMember,
  gainClassification: member(
    oneOf(gainClassifications),
    'How a gain would count if the units were sold on the day of the report: long term after the first anniversary of acquisition.',
  ),
  estimated: member(
    boolean,
    'The cost is the market’s on the day the units appeared, since nothing tells what they cost.',
  ),
  sourceTransactionId: member(
    nullable(anyText),
    'The transaction that brought the units into the position: a buy, a transfer in kind, a merger. None where an upload did.',
  ),
} as const;

export const lotShape = objectOf(lotMembers);
export type ReportedLot = ValueOf<typeof lotShape>;

/** Where a position is, and of what. */
export const positionKeyMembers = {
  accountId: member(
    nullable(anyText),
    'The account; none where units were uploaded for a depository that several accounts share.',
  ),
  depositoryId: member(nullable(anyText), 'The depository; none for cash, and where no transaction names one.'),
  instrumentId: instrumentIdMember,
} as const;

/** What a position says of itself besides where it is. */
export const positionFigureMembers = {
  quantity: member(amount, 'Units; of cash the balance.'),
  ...valueAndCostMembers,
  currency: currencyMember,
  valuation: valuationMember,
  asOf: asOfMember,
  lots: member(listOf(lotShape), 'Every open lot, the oldest first. Cash has none.'),
} as const;

/** One position with its lots. */
export const instrumentHoldingShape = objectOf({
  reportingEntityId: reportingEntityIdMember,
  ...positionKeyMembers,
  ...positionFigureMembers,
});
export type ReportedInstrumentHolding = ValueOf<typeof instrumentHoldingShape>;

/** The same where its place is told by relationships. */
export const instrumentHoldingAttributesShape = objectOf(positionFigureMembers);

/** One lot by itself. */
export const lotWithPositionShape = objectOf({ ...positionKeyMembers, ...lotMembers });
export type LotWithPosition = ValueOf<typeof lotWithPositionShape>;
