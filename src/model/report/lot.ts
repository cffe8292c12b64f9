// The lots reports: positions with their open lots, and lots as rows.

import { amount, anyText, boolean, date, nullable, oneOf, quantity, type ValueOf } from '../../kit/field.ts';
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

const lotIdMember = member(
  anyText,
  'Identifies the lot within its position: the id of the transaction that opened it, followed by `.1`, `.2`… if that opened several lots; `upload:` and a date for units that were uploaded and that no transaction explains. A sale under SPECIFIC_ID names lots by this id.',
);

const lotMembers = {
  id: lotIdMember,
  acquisitionDate: member(
    date,
    'When the units were acquired. Splits, mergers and transfers between own accounts keep the date. For a short lot, when the units were sold.',
  ),
  quantity: member(quantity, 'Units; negative for a short.'),
  unitCost: member(quantity, 'Cost of one unit.'),
  costBasis: member(amount, 'Cost of the lot including fees and taxes, at the exchange rate of its acquisition.'),
  marketValue: member(
    amount,
    'The share of the market value of the position, by units. The lots of a position add up to it exactly.',
  ),
  unrealisedPnl: member(amount, 'Market value − cost basis, exactly.'),
  currency: currencyMember,
  gainClassification: member(
    oneOf(gainClassifications),
    'How a gain would be classified if the units were sold on the day of the report: long term after the first anniversary of acquisition.',
  ),
  estimated: member(
    boolean,
    'The cost is unknown and was estimated by the market value on the day the units appeared.',
  ),
  sourceTransactionId: member(
    nullable(anyText),
    'The transaction that brought the units into the position: a purchase, a transfer in kind, a merger. Null if they were uploaded.',
  ),
} as const;

const lotShape = objectOf(lotMembers);
export type ReportedLot = ValueOf<typeof lotShape>;

/** What identifies a position. */
export const positionKeyMembers = {
  accountId: member(
    nullable(anyText),
    'The account; null if the units were uploaded for a depository that several accounts share.',
  ),
  depositoryId: member(nullable(anyText), 'The depository; null for cash, and if no transaction names one.'),
  instrumentId: instrumentIdMember,
} as const;

/** The figures of a position. */
const positionFigureMembers = {
  quantity: member(quantity, 'Units; for cash the balance.'),
  ...valueAndCostMembers,
  currency: currencyMember,
  valuation: valuationMember,
  asOf: asOfMember,
  lots: member(listOf(lotShape), 'The open lots, oldest first. Cash has no lots.'),
} as const;

/** One position with its lots. */
export const instrumentHoldingShape = objectOf({
  reportingEntityId: reportingEntityIdMember,
  ...positionKeyMembers,
  ...positionFigureMembers,
});
export type ReportedInstrumentHolding = ValueOf<typeof instrumentHoldingShape>;

/** The attributes of a position whose ids are given elsewhere. */
export const instrumentHoldingAttributesShape = objectOf(positionFigureMembers);

/** One lot as a row. */
export const lotWithPositionMembers = {
  ...positionKeyMembers,
  ...lotMembers,
  unrealisedPricePart: member(
    amount,
    'The part of `unrealised_pnl` that the price brought: `unrealised_pnl` − `unrealised_currency_part`, exactly.',
  ),
  unrealisedCurrencyPart: member(
    amount,
    'The part of `unrealised_pnl` that the currency brought: cost × (rate of the day − rate of the acquisition). The lots of a position add up to its part.',
  ),
} as const;
export const lotWithPositionShape = objectOf(lotWithPositionMembers);
export type LotWithPosition = ValueOf<typeof lotWithPositionShape>;
