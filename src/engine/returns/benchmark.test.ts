// Checks the returns of a benchmark against worked figures and against a portfolio that holds only the benchmark.

import { onePiece } from '../../../tests/setup/engine/one-piece.ts';
import { computeAtOnce } from '../../kit/turns/pieces.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { dayFromCivil } from '../../kit/day.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { toFixed, type Fixed } from '../../kit/fixed.ts';
import { AmountColumn } from '../amounts/amount-column.ts';
import { benchmarkReturn } from './benchmark.ts';
import { ExchangeRates } from '../currencies/exchange-rates.ts';
import { segmentReturns } from './segments/segment-returns.ts';
import { Series } from '../amounts/series.ts';

const start = dayFromCivil({ year: 2024, month: 1, day: 1 });

function fixed(value: number): Fixed {
  return toFixed(parseDecimal(String(value)));
}

function seriesOf(points: readonly (readonly [offset: number, value: number])[]): Series {
  return new Series(points.map(([offset, value]) => ({ day: start + offset, value: fixed(value) })));
}

function ratiosOf(series: Series, dayCount: number): number[] {
  return [...benchmarkReturn({ window: { start, end: start + dayCount - 1 }, series }).path.ratios];
}

test('a day without a point has the latest level before it', () => {
  const series = seriesOf([
    [-5, 100],
    [1, 110],
    [3, 99],
  ]);
  expect(ratiosOf(series, 5)).toEqual([0, 0.1, 0, -0.1, 0]);
  const { days, path } = benchmarkReturn({ window: { start, end: start + 4 }, series });
  expect(days.every(({ flag }) => flag === null)).toBe(true);
  expect(days[1]).toMatchObject({
    begin: { amount: fixed(100), point: { day: start - 5 } },
    end: { amount: fixed(110) },
  });
  expect(path.cumulativeReturn).toBeCloseTo(-0.01, 15);
  expect(path.maximumDrawdown()).toMatchObject({ peak: start + 2, trough: start + 3, recovery: null });
});

test('days that begin before the first point have no return and are flagged', () => {
  const series = seriesOf([
    [1, 100],
    [2, 105],
  ]);
  const { days } = benchmarkReturn({ window: { start, end: start + 3 }, series });
  expect(days.map(({ ratio, flag }) => [ratio, flag])).toEqual([
    [0, 'no-point'],
    [0, 'no-point'],
    [0.05, null],
    [0, null],
  ]);
});

test('a level of zero is flagged like every base of zero', () => {
  const series = seriesOf([
    [-1, 0],
    [0, 100],
  ]);
  expect(benchmarkReturn({ window: { start, end: start }, series }).days[0]).toMatchObject({
    ratio: 0,
    flag: 'zero-base',
  });
});

describe('the yearly return', () => {
  const window = { start, end: start + 729 };

  test.each([
    ['counts from the window’s start if there is an earlier point', -100, 0, 730],
    ['counts from the first point', 100, 100, 630],
  ])('%s', (_fact, first, from, days) => {
    const series = seriesOf([
      [first, 100],
      [500, 121],
    ]);
    const annualised = benchmarkReturn({ window, series }).path.annualised();
    expect(annualised).toMatchObject({ from: start + from, days });
    expect(annualised.ratio).toBeCloseTo(1.21 ** (365 / days) - 1, 14);
  });

  test('is missing without points', () => {
    const { days, path } = benchmarkReturn({ window, series: new Series([]) });
    expect(path.annualised()).toMatchObject({ ratio: null, days: 0 });
    expect(days.every(({ flag }) => flag === 'no-point')).toBe(true);
  });
});

test('in another currency the level also moves with the rate', () => {
  const rates = new ExchangeRates([
    {
      base: 'USD',
      quote: 'CHF',
      points: [
        { day: start - 1, value: fixed(0.8) },
        { day: start, value: fixed(0.88) },
      ],
    },
  ]);
  const series = seriesOf([
    [-1, 100],
    [1, 90],
  ]);
  const conversionOn = (day: number) => rates.get({ from: 'USD', to: 'CHF', day });
  const { days, path } = benchmarkReturn({ window: { start, end: start + 1 }, series, conversionOn });
  expect([...path.ratios]).toEqual([0.1, -0.1]);
  expect(days[1]!.end).toMatchObject({
    amount: fixed(79.2),
    point: { value: fixed(90) },
    conversion: { quoted: [{ rate: fixed(0.88), day: start }] },
  });
});

test('no rate is needed before the first point', () => {
  const requested: number[] = [];
  const rates = new ExchangeRates([]);
  const conversionOn = (day: number) => {
    requested.push(day - start);
    return rates.get({ from: 'CHF', to: 'CHF', day });
  };
  benchmarkReturn({ window: { start, end: start + 3 }, series: seriesOf([[2, 1]]), conversionOn });
  expect(requested).toEqual([2, 3]);
});

test('volatility uses the requested number of days per year', () => {
  const series = seriesOf(Array.from({ length: 11 }, (_, index) => [index - 1, 100 + (index % 3)] as const));
  const request = { window: { start, end: start + 9 }, series };
  const { deviation, ratio } = benchmarkReturn({ ...request, volatilityDays: 250 }).path.volatility();
  expect(ratio).toBe(deviation! * Math.sqrt(250));
  expect(benchmarkReturn(request).path.volatility().ratio).toBe(deviation! * Math.sqrt(252));
});

test('a portfolio that holds only the benchmark has its returns, to the last bit', () => {
  const level = fc.bigInt({ min: 1n, max: 10n ** 24n });
  fc.assert(
    fc.property(fc.array(level, { minLength: 2, maxLength: 30 }), (levels) => {
      const window = { start, end: start + levels.length - 2 };
      const series = new Series(levels.map((value, index) => ({ day: start - 1 + index, value })));
      const columns = { values: AmountColumn.from(levels), flows: new AmountColumn(levels.length) };
      const request = { window, method: 'modified-dietz', axes: [] } as const;
      const { whole } = computeAtOnce(segmentReturns(request, [{ columns: () => onePiece(columns), segments: {} }]));
      expect(benchmarkReturn({ window, series }).path.ratios).toEqual(whole.path.ratios);
    }),
  );
});
