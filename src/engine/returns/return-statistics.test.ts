// Checks the statistics of daily returns against published figures, exact arithmetic and laws.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { cumulativeReturn } from '../../../tests/setup/engine/cumulative-return.ts';
import { weekdayOf } from '../../kit/day.ts';
import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import {
  annualisedReturn,
  compensatedSum,
  cumulativeReturns,
  linkedReturn,
  volatility,
  weekdayStarts,
} from './return-statistics.ts';

const monday = toDayNumber(parseCalendarDate('2024-01-01'));

/** The returns on consecutive weekdays, starting on a Monday. */
function onWeekdays(ratios: readonly number[]) {
  return { days: ratios.map((_, index) => monday + index + 2 * Math.floor(index / 5)), ratios };
}

/** A double as numerator / 2^500. */
function exact(value: number): bigint {
  let [whole, halvings] = [value, 0];
  for (; !Number.isInteger(whole); halvings++) whole *= 2;
  return BigInt(whole) << BigInt(500 - halvings);
}

const ratio = fc.double({ min: -0.3, max: 0.3, noNaN: true });

describe('cumulative return', () => {
  test('is the product of 1 + r, minus 1, to the last bit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -(2 ** 48), max: 2 ** 48 }), { maxLength: 12 }), (parts) => {
        const ratios = parts.map((part) => part / 2 ** 50);
        const product = ratios.reduce((growth, value) => (growth * (exact(1) + exact(value))) >> 500n, exact(1));
        const expected = Number(product - exact(1)) / 2 ** 500;
        expect(Math.abs(cumulativeReturn(ratios) - expected)).toBeLessThanOrEqual(Math.abs(expected) * 2.3e-16);
      }),
    );
  });

  test('ten thousand days up and down by the same factor leave only the rounding of 1 + r', () => {
    const down = -1 / 1025; // a double, so that up and down gives 1 + 1.6e-20 and not 1
    const rest = Number(((exact(1) + exact(1 / 1024)) * (exact(1) + exact(down)) - exact(1) * exact(1)) >> 500n);
    const ratios = Array.from({ length: 10_000 }, (_, index) => (index % 2 === 0 ? 1 / 1024 : down));
    expect(cumulativeReturn(ratios)).toBeCloseTo((5_000 * rest) / Number(exact(1)), 25);
  });

  test.each([[[0.1, 0.2, 0.3]], [[1 / 3, -0.07, 1 / 7]], [[-0.9, 1.5, 1e-9, 0.6]], [[1, 1, -0.5, 2 ** -60]]])(
    'of %j is that of the exact product, and stays on days without a return',
    (ratios) => {
      const product = ratios.reduce((growth, value) => (growth * (exact(1) + exact(value))) >> 500n, exact(1));
      const expected = Number(product - exact(1)) / 2 ** 500;
      expect(cumulativeReturns([...ratios, 0, -0]).slice(-3)).toEqual(Float64Array.of(expected, expected, expected));
    },
  );

  test('each day continues from the day before', () => {
    expect(cumulativeReturns([0.5, -0.5, 0.25])).toEqual(Float64Array.of(0.5, -0.25, -0.0625));
    expect(cumulativeReturns([])).toEqual(Float64Array.of());
    expect(cumulativeReturn([0.5, -1, 0.5])).toBe(-1);
  });
});

describe('annualised return', () => {
  /** A window of the given number of days, all with a value. */
  const over = (days: number) => ({ start: monday, end: monday + days - 1, firstValue: monday });

  test.each([
    ['annualise-gf-2, ghostfolio', 365, 0.05, 0.05, 0.005],
    ['annualise-gf-3, ghostfolio', 575, 0.2374, 0.145, 0.005],
    ['twr-cfa-two-year, CFA', 730, 0.342, 0.1584, 0.00005],
  ])('%s', (_id, days, cumulative, expected, tolerance) => {
    expect(Math.abs(annualisedReturn(cumulative, over(days)).ratio! - expected)).toBeLessThan(tolerance);
  });

  test.each([
    ['the year 2023', '2023-01-01', '2023-12-31', 365, 0.07],
    ['the leap year 2024', '2024-01-01', '2024-12-31', 366, 1.07 ** (365 / 366) - 1],
  ])('%s counts from its first to its last day, both included', (_year, start, end, days, expected) => {
    const window = { start: toDayNumber(parseCalendarDate(start)), end: toDayNumber(parseCalendarDate(end)) };
    const result = annualisedReturn(0.07, { ...window, firstValue: window.start });
    expect(result.days).toBe(days);
    expect(result.ratio).toBeCloseTo(expected, 15);
  });

  test('a day less than a year is not annualised', () => {
    const reason = 'under-one-year';
    expect(annualisedReturn(0.07, over(364))).toEqual({ ratio: null, from: monday, days: 364, reason });
  });

  test('over exactly a year it is the cumulative return itself', () => {
    fc.assert(
      fc.property(fc.double({ min: -1, max: 10, noNaN: true }), (cumulative) => {
        expect(annualisedReturn(cumulative, over(365)).ratio).toBe(cumulative);
      }),
    );
  });

  test('it counts from the first value if that is later than the start of the window', () => {
    const [start, end] = [monday, monday + 799];
    expect(annualisedReturn(0.1, { start, end, firstValue: monday + 400 })).toEqual({
      ratio: annualisedReturn(0.1, over(400)).ratio,
      from: monday + 400,
      days: 400,
      reason: null,
    });
    expect(annualisedReturn(0.1, { start, end, firstValue: monday - 50 })).toMatchObject({ from: monday, days: 800 });
  });

  test('compounded over its years it gives the cumulative return', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -0.99, max: 50, noNaN: true }),
        fc.integer({ min: 365, max: 20_000 }),
        (total, days) => {
          const { ratio } = annualisedReturn(total, over(days));
          expect(Math.abs((1 + ratio!) ** (days / 365) / (1 + total) - 1)).toBeLessThan(1e-12);
        },
      ),
    );
  });

  test('a total loss is a total loss per year, and a greater loss has no yearly rate', () => {
    expect(annualisedReturn(-1, over(1_000))).toMatchObject({ ratio: -1, reason: null });
    expect(annualisedReturn(-1.2, over(1_000))).toMatchObject({ ratio: null, reason: 'below-minus-one' });
  });
});

describe('volatility', () => {
  test('vol-pp, Portfolio Performance: sample deviation of log returns, over a period of six of them', () => {
    const returns = [0.005, -0.0033333333333333335, -0.005, 0.01, 0.01, -0.005].map(Math.log1p);
    expect(Math.abs(volatility(onWeekdays(returns), 6).ratio! - 0.017736692475)).toBeLessThan(1e-8);
  });

  test.each([0.1, 1 / 3, -0.0123, 0])(
    'vol-constant, Portfolio Performance: a constant return of %d has no volatility',
    (constant) => {
      expect(volatility(onWeekdays(Array.from({ length: 20 }, () => constant)))).toEqual({
        ratio: 0,
        deviation: 0,
        mean: constant,
        count: 20,
        reason: null,
      });
    },
  );

  test('is the sample deviation of 1, 2, 3 and 4 percent, √(5/3) percent, times √252 or another year', () => {
    const series = onWeekdays([0.01, 0.02, 0.03, 0.04]);
    expect(volatility(series).deviation).toBeCloseTo(Math.sqrt(5 / 3) / 100, 17);
    expect(volatility(series).ratio).toBeCloseTo(Math.sqrt((5 / 3) * 252) / 100, 15);
    expect(volatility(series, 365).ratio).toBeCloseTo(Math.sqrt((5 / 3) * 365) / 100, 15);
    expect(volatility(series)).toMatchObject({ mean: 0.025, count: 4 });
  });

  test('a value dated Sunday counts on Monday: a fund of +20, −25 and +44 % on three Sundays has its volatility', () => {
    const days = Array.from({ length: 22 }, (_, index) => monday + index);
    const moves = new Map([
      [6, 0.2],
      [13, -0.25],
      [20, 0.44],
    ]);
    const onDays = (shift: number) => ({ days, ratios: days.map((_, index) => moves.get(index - shift) ?? 0) });
    expect(volatility(onDays(0))).toEqual(volatility(onDays(1)));
    expect(volatility(onDays(0))).toMatchObject({ count: 16, reason: null });
    expect(volatility(onDays(0)).ratio).toBeGreaterThan(2);
  });

  test('returns of a Saturday, a Sunday and the Monday after them are one return', () => {
    const days = Array.from({ length: 8 }, (_, index) => monday + index);
    const linked = volatility({ days, ratios: [0.01, 0, 0, 0, 0, 0.5, -0.5, 1] });
    expect(linked).toEqual(volatility(onWeekdays([0.01, 0, 0, 0, 0, 0.5])));
  });

  test('a weekend at the end counts on the Friday before it, and nothing on it leaves the volatility as it was on Friday', () => {
    const days = Array.from({ length: 7 }, (_, index) => monday + index);
    expect(volatility({ days, ratios: [0.01, 0.02, 0, 0, 0.5, 0, -0.5] })).toEqual(
      volatility(onWeekdays([0.01, 0.02, 0, 0, -0.25])),
    );
    const quiet = [0.01, 0.02, -0.01, 0.04, 0.5];
    expect(volatility({ days, ratios: [...quiet, 0, 0] })).toEqual(volatility(onWeekdays(quiet)));
  });

  test('the returns of weekdays have the product of those of all days', () => {
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 9, maxLength: 60 }), fc.integer({ min: 0, max: 6 }), (ratios, shift) => {
        const days = ratios.map((_, index) => monday + shift + index);
        const starts = weekdayStarts(days);
        const linked = [...starts].map((from, index) => linkedReturn(ratios, from, starts[index + 1] ?? days.length));
        expect(cumulativeReturn(linked)).toBeCloseTo(cumulativeReturn(ratios), 12);
        expect(linked).toHaveLength(days.filter((day) => weekdayOf(day) <= 5).length);
      }),
    );
  });

  test('two returns have one', () => {
    const { deviation, mean, count, reason } = volatility(onWeekdays([0.01, 0.03]));
    expect(mean).toBeCloseTo(0.02, 15);
    expect([count, reason]).toEqual([2, null]);
    expect(deviation).toBeCloseTo(Math.SQRT2 / 100, 15);
  });

  test('a single return has no volatility, and neither has a weekend', () => {
    const none = { ratio: null, deviation: null, reason: 'under-two-returns' };
    expect(volatility(onWeekdays([0.02]))).toEqual({ ...none, mean: 0.02, count: 1 });
    expect(volatility({ days: [monday + 5, monday + 6], ratios: [0.1, 0.2] })).toEqual({
      ...none,
      mean: null,
      count: 0,
    });
  });

  test('adding a constant to all returns does not change it, and multiplying them multiplies it', () => {
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 2, maxLength: 40 }), ratio, (ratios, shift) => {
        const { ratio: plain } = volatility(onWeekdays(ratios));
        expect(volatility(onWeekdays(ratios.map((value) => value + shift))).ratio).toBeCloseTo(plain!, 13);
        expect(volatility(onWeekdays(ratios.map((value) => value * -4))).ratio).toBeCloseTo(plain! * 4, 12);
      }),
    );
  });

  test('a small deviation around a large mean keeps its digits', () => {
    const series = onWeekdays([1e6 + 0.25, 1e6 - 0.25, 1e6 + 0.25, 1e6 - 0.25]);
    expect(volatility(series).deviation).toBe(Math.sqrt(0.25 / 3));
  });
});

describe('compensated sum', () => {
  test('is the exact sum, rounded, of whole numbers of very different size', () => {
    expect(compensatedSum([1e16, 1, 1, 1, 1, -1e16])).toBe(4);
    expect(compensatedSum([1, 1e100, 1, -1e100])).toBe(2);
    expect(compensatedSum([])).toBe(0);
  });

  test('keeps its digits if the terms nearly cancel each other', () => {
    // 2^-107 is left of terms around 2^-53: half an ulp of the compensation.
    const terms = [2 ** -1, 2 ** -54, 2 ** -107, -(2 ** -1), -(2 ** -54)];
    expect(compensatedSum(terms)).toBe(2 ** -107);
  });
});

test.each([
  ['ten times a tenth', Array.from({ length: 10 }, () => 0.1), 1],
  ['what a term beyond 2^53 swallows on its way', [1, 1e17, 3, -1e17, 0.5], 4.5],
  ['terms that cancel each other', [2 ** 54, 1, -(2 ** 54), -1], 0],
  ['terms that nearly cancel each other', [0.1, 1e-30, -0.1], 1e-30],
  ['no terms', [], 0],
  ['zeros', [0, 0], 0],
])('a sum loses nothing: %s', (_fact, terms, sum) => {
  expect(compensatedSum(terms)).toBe(sum);
});
