import { describe, expect, test } from 'vitest';
import { oneFixed } from '../../kit/fixed.ts';
import { DailyPrices } from './daily-prices.ts';
import type { UnitChange } from '../instruments/unit-change-span.ts';
import { Series } from '../amounts/series.ts';

const none = Number.NaN;
const point = (day: number, hundredths: number) => ({ day, value: (BigInt(hundredths) * oneFixed) / 100n });
const series = new Series([point(12, 125), point(15, 130), point(18, 150)]);
const window = { first: 10, last: 19 };
const staleness = { daysMax: 1 };

function split(exDay: number): UnitChange {
  return { exDay, ratio: { numerator: 2n, denominator: 1n } };
}

const valuesWith = (changes: readonly UnitChange[]): number[] => [
  ...new DailyPrices({ series, changes, staleness }, '1', window).values,
];

describe('the prices of a window', () => {
  test('are the latest on or before each day', () => {
    expect(valuesWith([])).toEqual([none, none, 125, 125, 125, 130, 130, 130, 150, 150]);
  });

  test.each([
    ['between two points', [14], [none, none, 125, 125, none, 130, 130, 130, 150, 150]],
    ['on the day of a point', [15], [none, none, 125, 125, 125, 130, 130, 130, 150, 150]],
    ['after the last point', [19], [none, none, 125, 125, 125, 130, 130, 130, 150, none]],
    ['before the window', [9], [none, none, 125, 125, 125, 130, 130, 130, 150, 150]],
    ['after the window', [20], [none, none, 125, 125, 125, 130, 130, 130, 150, 150]],
    ['twice', [13, 16], [none, none, 125, none, none, 130, none, none, 150, 150]],
  ])('with a split %s omit the days that still have a price in old units', (_title, exDays, expected) => {
    expect(valuesWith(exDays.map((exDay) => split(exDay)))).toEqual(expected);
  });

  test('in hundredths have two more decimal places', () => {
    expect(new DailyPrices({ series, changes: [], staleness }, '1', window).scale).toBe(2);
    expect(new DailyPrices({ series, changes: [], staleness }, 'hundredths', window).scale).toBe(4);
    expect(new DailyPrices({ series, changes: [], staleness }, 'per 100', window).scale).toBe(4);
  });

  test.each([
    [{ first: 10, last: 11 }, 12],
    [{ first: 10, last: 14 }, 12],
    [{ first: 13, last: 14 }, 13],
    [{ first: 1, last: 2 }, 3],
  ])('of %o begin on day %d', (days, expected) => {
    expect(new DailyPrices({ series, changes: [], staleness }, '1', days).firstPricedDay).toBe(expected);
  });

  test('are stale when their point is older than allowed', () => {
    const stale = (days: { first: number; last: number }) =>
      new DailyPrices({ series, changes: [], staleness }, '1', days).listStale();
    expect(stale({ first: 10, last: 30 })).toEqual([
      { first: 14, last: 14 },
      { first: 17, last: 17 },
      { first: 20, last: 30 },
    ]);
    expect(stale({ first: 24, last: 25 })).toEqual([{ first: 24, last: 25 }]);
    expect(stale({ first: 1, last: 13 })).toEqual([]);
  });
});
