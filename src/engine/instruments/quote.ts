// Which point of a series counts on a day: the latest on or before it, in the units of that day, and whether it is stale.
// Knows not what the point is of.

import type { Day } from '../../kit/day.ts';
import { divideRounded, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Ratio } from '../lots/lot.ts';
import type { Point, Series } from '../amounts/series.ts';

/** So many new units for old from the day on. */
export interface UnitChange {
  readonly exDay: Day;
  readonly ratio: Ratio;
}

/** How many days a point may be old before it is called stale. */
export interface Staleness {
  readonly daysMax: number;
}

export interface Quote {
  /** As it was given. */
  readonly point: Point;
  /** What one unit of the day is quoted at, as a fraction: the point's value by what has become of its unit since. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly changes: readonly UnitChange[];
  readonly ageDays: number;
  readonly isStale: boolean;
}

export interface QuotedSeries {
  readonly series: Series;
  /** Splits and the like, in the order of their ex-dates. */
  readonly changes: readonly UnitChange[];
  readonly staleness: Staleness;
}

export function findQuote({ series, changes, staleness }: QuotedSeries, day: Day): Quote | undefined {
  const point = series.find(day);
  return point && quoteFromPoint(point, changes, { day, staleness });
}

/** Points are as traded: one from before an ex-date is of old units, one of the ex-date itself of new ones. */
export function quoteFromPoint(
  point: Point,
  changes: readonly UnitChange[],
  { day, staleness }: { day: Day; staleness: Staleness },
): Quote {
  const ageDays = day - point.day;
  const age = { ageDays, isStale: ageDays > staleness.daysMax };
  if (changes.length === 0) return { point, numerator: point.value, denominator: 1n, changes, ...age };
  const laterChanges = changes.filter(({ exDay }) => point.day < exDay && exDay <= day);
  return {
    point,
    numerator: laterChanges.reduce((product, { ratio }) => product * ratio.denominator, point.value),
    denominator: laterChanges.reduce((product, { ratio }) => product * ratio.numerator, 1n),
    changes: laterChanges,
    ...age,
  };
}

/** What one price is quoted for: one unit, a hundred of nominal, or units of which the price counts hundredths. */
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
