// Explains cumulative return, annualised return, volatility and drawdown of daily returns.

import { weekdayOf } from '../../kit/day.ts';
import { tradingDaysPerYear } from '../returns/return-statistics.ts';
import type { ReturnPath } from '../returns/return-path.ts';
import { daysPerYear } from '../returns/money-weighted/xirr.ts';
import {
  countFigure,
  formula,
  joinOperands,
  ratioFigure,
  sumOperands,
  type Explanation,
  type Figure,
  type Formula,
} from './figure.ts';

/** Only days with a return other than zero: the others multiply by one. */
export function explainCumulative(path: ReturnPath): Explanation {
  const name = 'cumulative-return';
  const value = path.cumulativeReturn;
  return value === null ? { name, value, notes: [path.noReturn!] } : cumulativeFigure(path, value);
}

function cumulativeFigure(path: ReturnPath, value: number): Figure {
  const factors = dailyReturns(path)
    .filter(({ value }) => value !== '0')
    .map((daily) => formula`(1 + ${daily})`);
  const growth = factors.length === 0 ? formula`1` : joinOperands(factors, ' × ');
  return ratioFigure('cumulative-return', value, { ...formula`${growth} − 1`, rounding: 'double' });
}

function dailyReturns({ days, ratios }: ReturnPath): readonly Figure[] {
  return Array.from(ratios, (ratio, index) => ratioFigure('daily-return', ratio, { day: days[index]! }));
}

export function explainAnnualised(path: ReturnPath): Explanation {
  const { ratio, from, days, reason } = path.annualised();
  const name = 'annualised-return';
  const { cumulativeReturn } = path;
  if (cumulativeReturn === null) return { name, value: null, notes: [reason!] };
  const cumulative = cumulativeFigure(path, cumulativeReturn);
  if (ratio === null) return { name, value: null, notes: [reason!], of: [cumulative] };
  if (days === daysPerYear || cumulativeReturn === -1) return { ...cumulative, name };
  const dayCountFigure = countFigure('days', days, { unit: 'days', day: from });
  const years = { ...formula`${daysPerYearFigure} ÷ ${dayCountFigure}`, rounding: 'double' } as const;
  const growth = { ...formula`1 + ${cumulative}`, rounding: 'double' } as const;
  const annual = ratioFigure('annual-growth', 1 + ratio, {
    operation: 'power',
    of: [ratioFigure('growth', 1 + cumulativeReturn, growth), ratioFigure('exponent', daysPerYear / days, years)],
  });
  return ratioFigure(name, ratio, { ...formula`${annual} − 1`, rounding: 'double' });
}

const daysPerYearFigure = countFigure('days-in-year', daysPerYear, { unit: 'days' });

/** Uses the number of days per year that the path was given. */
export function explainVolatility(path: ReturnPath, daysAYear: number = tradingDaysPerYear): Explanation {
  const { ratio, deviation, mean, count, reason } = path.volatility();
  const name = 'volatility';
  const returns = dailyReturns(path).filter(({ day }) => weekdayOf(day!) <= 5);
  if (ratio === null || deviation === null || mean === null) return { name, value: null, notes: [reason!] };
  const dayCountFigure = countFigure('weekdays', count, { unit: 'days' });
  const meanFigure = ratioFigure('mean', mean, {
    ...formula`(${sumOperands(nonZeroReturns(returns))}) ÷ ${dayCountFigure}`,
    rounding: 'double',
  });
  const variance = ratioFigure('variance', deviation * deviation, {
    ...formula`(${sumOfSquares(returns, meanFigure)}) ÷ (${dayCountFigure} − 1)`,
    rounding: 'double',
  });
  const deviationFigure = ratioFigure('deviation', deviation, { operation: 'square-root', of: [variance] });
  const annualisation = ratioFigure('root-of-days', Math.sqrt(daysAYear), {
    operation: 'square-root',
    of: [ratioFigure('days-a-year', daysAYear, { unit: 'days' })],
  });
  return ratioFigure(name, ratio, { ...formula`${deviationFigure} × ${annualisation}`, rounding: 'double' });
}

function nonZeroReturns(returns: readonly Figure[]): readonly Figure[] {
  return returns.filter(({ value }) => value !== '0');
}

/** All days without a return are as far from the mean as the mean is from zero. */
function sumOfSquares(returns: readonly Figure[], mean: Figure): Formula {
  const nonZero = nonZeroReturns(returns);
  const zeroDays = countFigure('days-without-return', returns.length - nonZero.length, { unit: 'days' });
  const squaredDeviations = nonZero.map((one) => formula`(${one} − ${mean}) × (${one} − ${mean})`);
  return sumOperands([...squaredDeviations, formula`${mean} × ${mean} × ${zeroDays}`]);
}

export function explainDrawdown(path: ReturnPath): Explanation {
  const { ratio, peak, trough, peakLevel, troughLevel } = path.maximumDrawdown();
  const name = 'maximum-drawdown';
  if (ratio === null) return { name, value: null, notes: [path.noReturn!] };
  if (peak === null || trough === null || peakLevel === null || troughLevel === null) return ratioFigure(name, ratio);
  const high = levelFigure('peak-level', peakLevel, { path, day: peak });
  const low = levelFigure('trough-level', troughLevel, { path, day: trough });
  return ratioFigure(name, ratio, { ...formula`(${high} − ${low}) ÷ ${high}`, rounding: 'double' });
}

/** Growth of one; it is one on the day before the first return. */
function levelFigure(name: string, level: number, { path, day }: { path: ReturnPath; day: number }): Figure {
  const index = day - path.days[0]!;
  if (index < 0) return ratioFigure(name, level, { day });
  const cumulative = ratioFigure('cumulative-return', path.cumulative[index]!, { day });
  return ratioFigure(name, level, { day, ...formula`1 + ${cumulative}`, rounding: 'double' });
}
