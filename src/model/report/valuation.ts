// What is said of a value wherever one is answered: what it rests on, and whether it should be trusted. Knows no figure.

import { boolean, date, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';

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

export const valuationShape = objectOf({
  source: member(
    oneOf(valuationSources),
    'What the value rests on: a point of a series, an upload, the last trade, cost, or the terms; a `balance` is worth itself. `several` where values of different sources are added up.',
  ),
  date: member(
    nullable(date),
    'The day of the point, upload or trade that the value rests on; of several the oldest. None where it rests on no day.',
  ),
  stale: member(boolean, 'A point is older than its class allows.'),
  estimated: member(boolean, 'A figure stands in for one that is missing.'),
});

export type ReportedValuation = ValueOf<typeof valuationShape>;
