// Explains cumulative return, annualised return, volatility and drawdown of daily returns.

import type { Day } from '../../kit/day.ts';
import { compensatedSum, linkedReturn, weekdayStarts } from '../returns/return-statistics.ts';
import { exactRatioText, onePlus } from '../amounts/ratio-text.ts';
import type { ReturnPath } from '../returns/return-path.ts';
import { daysPerYear } from '../returns/money-weighted/xirr.ts';
import {
  countFigure,
  formula,
  growthFigure,
  joinOperands,
  lazyRatio,
  ratioFigure,
  sumOperands,
  type Explanation,
  type Facets,
  type Figure,
  type Formula,
} from './figure.ts';

/** Only days with a return other than zero: the others multiply by one. */
export function explainCumulative(path: ReturnPath, explainDay?: DayDerivation): Explanation {
  const name = 'cumulative-return';
  const value = path.cumulativeReturn;
  return value === null ? { name, value, notes: [path.noReturn!] } : cumulativeFigure(path, value, explainDay);
}

function cumulativeFigure(path: ReturnPath, value: number, explainDay?: DayDerivation): Figure {
  return lazyRatio('cumulative-return', value, {}, () => {
    const isNothing = value === 0 && path.ratios.every((ratio) => Math.abs(ratio) < noReturnMax);
    const factors = isNothing ? [] : nonZeroReturns(path, explainDay).map((daily) => formula`(1 + ${daily})`);
    const growth = factors.length === 0 ? formula`1` : joinOperands(factors, ' × ');
    return { ...formula`${growth} − 1`, rounding: 'double' };
  });
}

/** Returns below this are what amounts were rounded by; they leave one as it is. */
const noReturnMax = 1e-16;

/** How the return of a day came about. */
export type DayDerivation = (day: Day) => Facets;

function nonZeroReturns({ days, ratios }: ReturnPath, explainDay: DayDerivation = () => ({})): readonly Figure[] {
  const figures: Figure[] = [];
  for (const [index, ratio] of ratios.entries()) {
    if (ratio === 0) continue;
    const day = days[index]!;
    const source = { kind: 'figure', figure: 'daily-twr', day } as const;
    figures.push(lazyRatio('daily-return', ratio, { day, source }, () => explainDay(day)));
  }
  return figures;
}

export function explainAnnualised(path: ReturnPath, explainDay?: DayDerivation): Explanation {
  const { ratio, from, days, reason } = path.annualised();
  const name = 'annualised-return';
  const { cumulativeReturn } = path;
  if (cumulativeReturn === null) return { name, value: null, notes: [reason!] };
  const cumulative = cumulativeFigure(path, cumulativeReturn, explainDay);
  if (ratio === null) return { name, value: null, notes: [reason!], of: [cumulative] };
  if (days === daysPerYear || cumulativeReturn === -1) return { ...cumulative, name };
  const dayCountFigure = countFigure('days', days, { unit: 'days', day: from });
  const years = { ...formula`${daysPerYearFigure} ÷ ${dayCountFigure}`, rounding: 'double' } as const;
  const annual: Figure = {
    name: 'annual-growth',
    value: onePlus(exactRatioText(ratio)),
    operation: 'power',
    of: [growthFigure('growth', cumulative), ratioFigure('exponent', daysPerYear / days, years)],
  };
  return ratioFigure(name, ratio, formula`${annual} − 1`);
}

const daysPerYearFigure = countFigure('days-in-year', daysPerYear, { unit: 'days' });

/** Uses the number of days per year that the path was given. */
export function explainVolatility(path: ReturnPath): Explanation {
  const { volatilityDays: daysAYear } = path;
  const { ratio, deviation, count, reason } = path.volatility();
  const name = 'volatility';
  if (ratio === null || deviation === null) return { name, value: null, notes: [reason!] };
  const variance = lazyRatio('variance', deviation * deviation, {}, () => varianceFacets(path, count));
  const deviationFigure = ratioFigure('deviation', deviation, { operation: 'square-root', of: [variance] });
  const annualisation = ratioFigure('root-of-days', Math.sqrt(daysAYear), {
    operation: 'square-root',
    of: [ratioFigure('days-a-year', daysAYear, { unit: 'days' })],
  });
  return ratioFigure(name, ratio, { ...formula`${deviationFigure} × ${annualisation}`, rounding: 'double' });
}

/** Only weekdays with a return other than zero, each with the weekend that is linked into it. */
function nonZeroWeekdays(path: ReturnPath): readonly Figure[] {
  const { days, ratios } = path;
  const figures = new Map(nonZeroReturns(path).map((figure) => [figure.day!, figure]));
  const starts = weekdayStarts(days);
  return [...starts].flatMap((from, index) => {
    const to = starts[index + 1] ?? days.length;
    const linked = linkedReturn(ratios, from, to);
    if (linked === 0) return [];
    const daily = [...days.subarray(from, to)].flatMap((day) => figures.get(day) ?? []);
    return [daily.length === 1 ? daily[0]! : linkedFigure(linked, daily)];
  });
}

function linkedFigure(value: number, daily: readonly Figure[]): Figure {
  const growth = joinOperands(
    daily.map((one) => formula`(1 + ${one})`),
    ' × ',
  );
  return ratioFigure('linked-return', value, { day: daily.at(-1)!.day, ...formula`${growth} − 1`, rounding: 'double' });
}

function varianceFacets(path: ReturnPath, weekdays: number): Facets {
  const returns = nonZeroWeekdays(path);
  const dayCountFigure = countFigure('weekdays', weekdays, { unit: 'days' });
  const mean = compensatedSum(returns.map(({ value }) => Number(value))) / weekdays;
  const meanFigure = ratioFigure('mean', mean, {
    ...formula`(${sumOperands(returns)}) ÷ ${dayCountFigure}`,
    rounding: 'double',
  });
  const squares = sumOfSquares(returns, meanFigure, weekdays - returns.length);
  return { ...formula`(${squares}) ÷ (${dayCountFigure} − 1)`, rounding: 'double' };
}

/** All days without a return are as far from the mean as the mean is from zero. */
function sumOfSquares(nonZero: readonly Figure[], mean: Figure, daysWithoutReturn: number): Formula {
  const zeroDays = countFigure('days-without-return', daysWithoutReturn, { unit: 'days' });
  const squaredDeviations = nonZero.map((one) => formula`(${one} − ${mean}) × (${one} − ${mean})`);
  return sumOperands([...squaredDeviations, formula`${mean} × ${mean} × ${zeroDays}`]);
}

export function explainDrawdown(path: ReturnPath): Explanation {
  const { ratio, peak, trough, peakReturn, troughReturn } = path.maximumDrawdown();
  const name = 'maximum-drawdown';
  if (ratio === null) return { name, value: null, notes: [path.noReturn!] };
  if (peak === null || trough === null || peakReturn === null || troughReturn === null) return ratioFigure(name, ratio);
  const [high, low] = [
    peak < path.days[0]! ? ratioFigure('peak-level', 1, { day: peak }) : levelFigure('peak-level', peakReturn, peak),
    levelFigure('trough-level', troughReturn, trough),
  ];
  return ratioFigure(name, ratio, { ...formula`(${high} − ${low}) ÷ ${high}`, rounding: 'double' });
}

/** Growth of one. */
function levelFigure(name: string, cumulative: number, day: Day): Figure {
  return growthFigure(name, ratioFigure('cumulative-return', cumulative, { day }), { day });
}
