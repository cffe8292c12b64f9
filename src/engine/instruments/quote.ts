// Finds the point of a series that counts on a day: the latest on or before it, adjusted for later splits, and whether it is stale.

import type { Day } from '../../kit/day.ts';
import { divideRounded, oneFixed, type Fixed } from '../../kit/fixed.ts';
import { changesBetween, type UnitChange } from './unit-change-span.ts';
import type { Point, Series } from '../amounts/series.ts';

/** How many days old a point may be before it is stale. */
export interface Staleness {
  readonly daysMax: number;
}

export interface Quote {
  /** The point as it was stored. */
  readonly point: Point;
  /** The price of one unit of the day, as a fraction: the point's value divided by the ratios of later splits. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly changes: readonly UnitChange[];
  readonly ageDays: number;
  readonly isStale: boolean;
}

export interface QuotedSeries {
  readonly series: Series;
  /** Splits and similar changes, by ex-date. */
  readonly changes: readonly UnitChange[];
  readonly staleness: Staleness;
}

export function findQuote({ series, changes, staleness }: QuotedSeries, day: Day): Quote | undefined {
  const point = series.find(day);
  return point && quoteFromPoint(point, changes, { day, staleness });
}

/** Points are as traded: before an ex-date they price old units, from the ex-date on new ones. */
export function quoteFromPoint(
  point: Point,
  changes: readonly UnitChange[],
  { day, staleness }: { day: Day; staleness: Staleness },
): Quote {
  const ageDays = day - point.day;
  const age = { ageDays, isStale: ageDays > staleness.daysMax };
  if (changes.length === 0) return { point, numerator: point.value, denominator: 1n, changes, ...age };
  const later = changesBetween(changes, { after: point.day, until: day });
  return {
    point,
    numerator: point.value * later.unitsBefore,
    denominator: later.unitsAfter,
    changes: later.changes,
    ...age,
  };
}

/** What a price is for: one unit, 100 of nominal, or one unit in hundredths of the currency (pence). */
export type QuoteUnit = '1' | 'per 100' | 'hundredths';

export const unitsPerPrice: Readonly<Record<QuoteUnit, bigint>> = { '1': 1n, 'per 100': 100n, hundredths: 100n };

const fixedPerPrice: Readonly<Record<QuoteUnit, bigint>> = {
  '1': oneFixed * unitsPerPrice['1'],
  'per 100': oneFixed * unitsPerPrice['per 100'],
  hundredths: oneFixed * unitsPerPrice.hundredths,
};

/** Units × price, rounded once. */
export function quotedValue(units: Fixed, { numerator, denominator }: Quote, unit: QuoteUnit): Fixed {
  const perPrice = fixedPerPrice[unit];
  return divideRounded(units * numerator, denominator === 1n ? perPrice : perPrice * denominator);
}
