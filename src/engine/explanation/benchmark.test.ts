// Checks explained days of a benchmark against figures worked out by hand.

import { expect, test } from 'vitest';

import { checkedFigureNames, explanationLines } from '../../../tests/setup/engine/explanation-check.ts';
import { day, points } from '../../../tests/setup/engine/valued-holding.ts';
import { benchmarkReturn } from '../returns/benchmark.ts';
import { ExchangeRates } from '../currencies/exchange-rates.ts';
import { Series } from '../amounts/series.ts';
import { explainBenchmarkDay } from './benchmark.ts';

test('the daily return of an index is the change of its converted level, and 0 before its first level', () => {
  const series = new Series(points({ '2025-01-02': '100', '2025-01-03': '120' }));
  const rates = new ExchangeRates([{ base: 'EUR', quote: 'USD', points: points({ '2025-01-01': '1.25' }) }]);
  const window = { start: day('2025-01-02'), end: day('2025-01-03') };
  const conversionOn = (on: number) => rates.get({ from: 'USD', to: 'EUR', day: on });
  const [first, second] = benchmarkReturn({ window, series, conversionOn }).days.map(explainBenchmarkDay);
  expect(explanationLines(first!)).toEqual(['daily-return 0 [no-point]']);
  checkedFigureNames(second!);
  expect(explanationLines(second!)).toEqual([
    'daily-return 0.2 = (96 − 80) ÷ 80',
    '  end-level 96 = 120 ÷ 1.25',
    '    end-level 120',
    '    exchange-rate 1.25',
    '  begin-level 80 = 100 ÷ 1.25',
    '    begin-level 100',
    '    exchange-rate 1.25',
  ]);
});
