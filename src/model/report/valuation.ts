// What reports state about a value: what it is based on, and how reliable it is.

import { boolean, date, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { member, objectOf, omissible } from '../../kit/structured-field.ts';

/** `several` if a figure is the total of values with different sources. */
const valuationSources = [
  'price',
  'net-asset-value',
  'upload',
  'last-trade',
  'cost',
  'accretion',
  'par',
  'principal',
  'accrual',
  'flows',
  'legs',
  'balance',
  'nothing',
  'several',
] as const;

const valuationMembers = {
  source: member(
    oneOf(valuationSources),
    'What the value is based on: a time series, an upload, the last trade of the instrument in any account of the client, cost, the terms of the instrument, or a cash `balance`. `several` for the total of values with different sources.',
  ),
  date: member(
    nullable(date),
    'The day of the price, upload or trade that the value is based on; of several the oldest. Null if there is none.',
  ),
  stale: member(boolean, 'Whether a price is older than its instrument class, or else the client, accepts.'),
  estimated: member(boolean, 'Whether an estimate replaces a missing price.'),
} as const;

export const valuationShape = objectOf(valuationMembers);

/** The same, saying also which rate is old. */
export const ratedValuationShape = objectOf({
  ...valuationMembers,
  staleRateDate: omissible(
    date,
    'The day of the oldest exchange rate that is older than the client accepts. Left out if none is.',
  ),
});

export type ReportedValuation = ValueOf<typeof ratedValuationShape>;
