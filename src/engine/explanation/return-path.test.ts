// Checks explained return statistics against figures worked out by hand and against their own formulas.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { checkedFigureNames, explanationLines } from '../../../tests/setup/engine/explanation-check.ts';
import { day } from '../../../tests/setup/engine/valued-holding.ts';
import { ReturnPath } from '../returns/return-path.ts';
import { explainAnnualised, explainCumulative, explainDrawdown, explainVolatility } from './return-path.ts';

const monday = day('2024-01-01');

function path(ratios: readonly number[], volatilityDays?: number): ReturnPath {
  const days = Int32Array.from(ratios, (_, index) => monday + index);
  return new ReturnPath({ days, ratios: Float64Array.from(ratios), firstValue: monday, volatilityDays });
}

test('a cumulative return is the product of the days that have a return', () => {
  expect(explanationLines(explainCumulative(path([0.5, 0, -0.25])))).toEqual([
    'cumulative-return 0.125 = (1 + 0.5) × (1 + (-0.25)) − 1',
    '  daily-return 0.5',
    '  daily-return -0.25',
  ]);
  expect(explanationLines(explainCumulative(path([0, 0])))).toEqual(['cumulative-return 0 = 1 − 1']);
});

test('volatility is the deviation of weekday returns times the square root of the days in a year', () => {
  const figure = explainVolatility(path([1, 0, 0, 0.5, 1], 256));
  checkedFigureNames(figure);
  expect(explanationLines(figure)).toEqual([
    'volatility 8 = 0.5 × 16',
    '  deviation 0.5 = square-root',
    '    variance 0.25 = ((1 − 0.5) × (1 − 0.5) + (0.5 − 0.5) × (0.5 − 0.5) + (1 − 0.5) × (1 − 0.5) + 0.5 × 0.5 × 2) ÷ (5 − 1)',
    '      daily-return 1',
    '      mean 0.5 = (1 + 0.5 + 1) ÷ 5',
    '        daily-return 1',
    '        daily-return 0.5',
    '        daily-return 1',
    '        weekdays 5',
    '      daily-return 0.5',
    '      daily-return 1',
    '      days-without-return 2',
    '      weekdays 5',
    '  root-of-days 16 = square-root',
    '    days-a-year 256',
  ]);
  expect(explainVolatility(path([0.1]))).toMatchObject({ value: null, notes: ['under-two-returns'] });
});

test('the returns of a weekend are linked into the weekday after them, or at the end into the one before them', () => {
  const figure = explainVolatility(path([0, 0, 0, 0, 0, 0.5, 0, 1, -0.5, 0, 0, 0, 1, 0.5], 256));
  checkedFigureNames(figure);
  const linked = explanationLines(figure).filter((line) => /linked-return/.test(line));
  expect([...new Set(linked.map((line) => line.trim()))]).toEqual([
    'linked-return 2 = (1 + 0.5) × (1 + 1) − 1',
    'linked-return 2 = (1 + 1) × (1 + 0.5) − 1',
  ]);
  expect(Number(figure.value)).toBeCloseTo(16 * Math.sqrt((4 + 4 + 0.25 - 3.5 ** 2 / 10) / 9), 13);
});

test('a drawdown is the fall from its peak to its trough', () => {
  const figure = explainDrawdown(path([1, -0.5, 0.25]));
  checkedFigureNames(figure);
  expect(explanationLines(figure)).toEqual([
    'maximum-drawdown 0.5 = (2 − 1) ÷ 2',
    '  peak-level 2 = 1 + 1',
    '    cumulative-return 1',
    '  trough-level 1 = 1 + 0',
    '    cumulative-return 0',
  ]);
  expect(explanationLines(explainDrawdown(path([-0.5])))).toEqual([
    'maximum-drawdown 0.5 = (1 − 0.5) ÷ 1',
    '  peak-level 1',
    '  trough-level 0.5 = 1 + (-0.5)',
    '    cumulative-return -0.5',
  ]);
  expect(explanationLines(explainDrawdown(path([0.5])))).toEqual(['maximum-drawdown 0']);
});

test('an annualised return is the growth to the power of the days in a year over the days of the window', () => {
  const two = explainAnnualised(path([3, ...Array.from({ length: 729 }, () => 0)]));
  checkedFigureNames(two);
  expect(explanationLines(two)).toEqual([
    'annualised-return 1 = 2 − 1',
    '  annual-growth 2 = power',
    '    growth 4 = 1 + 3',
    '      cumulative-return 3 = (1 + 3) − 1',
    '        daily-return 3',
    '    exponent 0.5 = 365 ÷ 730',
    '      days-in-year 365',
    '      days 730',
  ]);
  const one = explainAnnualised(path([0.21, ...Array.from({ length: 364 }, () => 0)]));
  expect(explanationLines(one)[0]).toBe('annualised-return 0.21 = (1 + 0.21) − 1');
  expect(explainAnnualised(path([0.21]))).toMatchObject({ value: null, notes: ['under-one-year'] });
});

test('for any returns, every statistic equals its explained value', () => {
  const ratio = fc.oneof(
    fc.constant(0),
    fc.integer({ min: -400_000_000, max: 600_000_000 }).map((billionths) => billionths / 1e9),
  );
  fc.assert(
    fc.property(fc.array(ratio, { minLength: 2, maxLength: 450 }), (ratios) => {
      const found = path(ratios);
      for (const explain of [explainCumulative, explainAnnualised, explainVolatility, explainDrawdown]) {
        expect(checkedFigureNames(explain(found)).length).toBeGreaterThan(0);
      }
      expect(Number(explainVolatility(found).value)).toBe(found.volatility().ratio);
      expect(explainAnnualised(found).value === null).toBe(found.annualised().ratio === null);
    }),
    { numRuns: 60 },
  );
});
