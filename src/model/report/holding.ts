// The holdings reports: holdings by instrument, or by the segments of an axis.

import { amount, anyText, instant, nullable, quantity, ratio, type ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';
import { ratedValuationShape, valuationShape } from './valuation.ts';

/** The figures of any total of holdings, in the reference currency. */
export const valueAndCostMembers = {
  marketValue: member(amount, 'Market value including accrued interest, in the reference currency.'),
  costBasis: member(
    amount,
    'Cost of the open lots, in the reference currency at the rates of their acquisition. The cost of cash is its value.',
  ),
  unrealisedPnl: member(amount, 'Market value − cost basis, exactly.'),
} as const;

/** What value and gain consist of, in the reference currency. */
export const splitMembers = {
  accruedInterest: member(
    amount,
    'The part of the market value that is accrued interest (of a fee instrument, the accrued fee), in the reference currency.',
  ),
  unrealisedPricePart: member(
    amount,
    'What the price brought: the unrealised gain less its currency part. The two add up exactly.',
  ),
  unrealisedCurrencyPart: member(
    amount,
    'What the currency brought: the cost in the currency of the instrument × (rate of the day − rate of the acquisition). Cash has none, since its cost is its value.',
  ),
} as const;

export const instrumentIdMember = member(
  anyText,
  'The id of the instrument. Cash in each currency, fees owed in it, and units of trades that named no instrument are instruments too, which the service provides and which can be read like any other.',
);

export const currencyMember = member(anyText, 'The currency of all amounts: the reference currency.');
export const asOfMember = member(
  instant,
  'The moment of the report: the end of the day in the time zone of the workspace.',
);
export const ledgerVersionMember = member(
  anyText,
  'Identifies the data that the figures were computed from: it changes whenever any of that data changes, and the same data has the same version, also with `known_at`.',
);
export const valuationMember = member(valuationShape, 'What the value is based on.');
export const reportingEntityIdMember = member(anyText, 'The reporting entity that the report is about.');

/** All holdings of one instrument, as the frozen shape has them. */
export const holdingShape = objectOf({
  reportingEntityId: reportingEntityIdMember,
  instrumentId: instrumentIdMember,
  quantity: member(quantity, 'Units; for cash the balance.'),
  ...valueAndCostMembers,
  asOf: asOfMember,
});

export type ReportedHolding = ValueOf<typeof holdingShape>;

export const segmentMembers = {
  segmentId: member(
    nullable(anyText),
    'The id of the account, depository, portfolio, instrument or class, or the currency. Null for holdings that belong to no segment of the axis.',
  ),
  segmentName: member(
    nullable(anyText),
    'Its name. Of accounts, depositories and portfolios always the present one, also with `known_at`: their former names are not stored, so that they can be erased.',
  ),
} as const;

export const shareMember = member(nullable(ratio), 'Its share of the total market value; null if the total is zero.');

/** All holdings in one segment of an axis. */
export const segmentHoldingMembers = {
  ...segmentMembers,
  quantity: member(nullable(quantity), 'Units; for cash the balance. Null if the row covers several instruments.'),
  ...valueAndCostMembers,
  ...splitMembers,
  share: shareMember,
  valuation: member(ratedValuationShape, 'What the value is based on.'),
  settledQuantity: member(
    nullable(quantity),
    'For the cash of one currency: the balance without what is booked by then and settles later. `quantity` counts every row from its trade date. Null for anything else.',
  ),
} as const;

export const segmentHoldingShape = objectOf(segmentHoldingMembers);

export type ReportedSegmentHolding = ValueOf<typeof segmentHoldingShape>;

/** A holding of a reporting entity outside its report, as events carry it: a row by instrument, with what the report says once for all rows. */
export const valuedHoldingShape = objectOf({
  reportingEntityId: reportingEntityIdMember,
  ...segmentHoldingMembers,
  currency: currencyMember,
  asOf: asOfMember,
});

export const valueAndCostShape = objectOf(valueAndCostMembers);
export type ValueAndCost = ValueOf<typeof valueAndCostShape>;

export const splitWorthMembers = { ...valueAndCostMembers, ...splitMembers } as const;
const splitWorthShape = objectOf(splitWorthMembers);
export type SplitWorth = ValueOf<typeof splitWorthShape>;
