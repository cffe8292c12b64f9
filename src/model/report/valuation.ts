// What is said of a value wherever one is answered: what it rests on, and whether it should be trusted. Knows no figure.

import { date, flag, member, nullable, objectOf, oneOfWords, type Shaped } from '../../kit/shape.ts';

/** `several` where a figure adds up values of different sources. */
export const valuationSources = [
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

export const valuation = objectOf({
  source: member(
    oneOfWords(valuationSources),
    'What the value rests on: a point of a series, an upload, the last trade, cost, or the terms; a `balance` is worth itself. `several` where values of different sources are added up.',
  ),
  date: member(
    nullable(date),
    'The day of the point, upload or trade that the value rests on; of several the oldest. None where it rests on no day.',
  ),
  stale: member(flag, 'A point is older than its class allows.'),
  estimated: member(flag, 'A figure stands in for one that is missing.'),
});

export type ReportedValuation = Shaped<typeof valuation>;
