// Explains a segment over a window: its contribution to the whole, its income, fees and flows.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { AmountColumn } from '../amounts/amount-column.ts';
import type { SegmentReturn } from '../returns/segments/segment-return.ts';
import {
  amountFigure,
  formula,
  lazyFigure,
  lazyRatio,
  ratioFigure,
  sumOperands,
  type Explanation,
  type Facets,
  type Figure,
} from './figure.ts';
import { explainWindowRate, explainYearlyRate } from './money-weighted-return.ts';
import { explainDayAmount, explainDayGain, type ExplainedSegment } from './segment-day.ts';

export interface ContributionRequest {
  readonly explained: ExplainedSegment;
  readonly whole: SegmentReturn;
}

/** Only days on which the segment gained or lost: gain ÷ base of the whole × growth of the whole before. */
export function explainContribution({ explained, whole }: ContributionRequest): Explanation {
  const { segment, report } = explained;
  const { currency: unit } = report;
  const { contribution } = segment;
  if (contribution === null) return { name: 'contribution', value: null, notes: [whole.path.noReturn!] };
  const { days } = whole.path;
  const figures: Figure[] = [];
  for (const [index, term] of segment.contributionTerms().entries()) {
    if (term === 0) continue;
    const day = days[index]!;
    const explainTerm = (): Facets => {
      const gain = explainDayGain(explained, day);
      const base = amountFigure('base', whole.explainDay(day).base, { unit, day });
      return { ...formula`${gain} ÷ ${base} × ${growthBefore(whole, index)}`, rounding: 'double' };
    };
    figures.push(lazyRatio('daily-contribution', term, { day }, explainTerm));
  }
  return ratioFigure('contribution', contribution, { ...sumOperands(figures), rounding: 'double' });
}

function growthBefore({ path }: SegmentReturn, index: number): Figure {
  const day = path.days[0]! + index - 1;
  if (index === 0) return ratioFigure('growth-before', 1, { day });
  const before = ratioFigure('cumulative-return', path.cumulative[index - 1]!, { day });
  const growth = 1 + path.cumulative[index - 1]!;
  return ratioFigure('growth-before', growth, { day, ...formula`1 + ${before}`, rounding: 'double' });
}

export type SegmentTotal = 'income' | 'fees' | 'flow';

const dayNames = { income: 'income', fees: 'fee', flow: 'flow' } as const;

/** Only days that have any; each leads to its rows. */
export function explainTotal(explained: ExplainedSegment, name: SegmentTotal): Figure {
  const { segment, report } = explained;
  const { currency: unit } = report;
  const column = name === 'flow' ? segment.flows : segment[name];
  const daily = nonZeroAmounts(column, segment.path.days[0]!);
  const figures = daily.map(({ day, amount }) =>
    lazyFigure(name, amount, { unit, day }, () => explainDayAmount(explained, dayNames[name], day)),
  );
  return amountFigure(name, segment.totals()[name], { unit, ...sumOperands(figures) });
}

function nonZeroAmounts(column: AmountColumn, start: Day): readonly { readonly day: Day; readonly amount: Fixed }[] {
  const found: { readonly day: Day; readonly amount: Fixed }[] = [];
  for (let index = 1; index < column.length; index++) {
    if (!column.isZero(index)) found.push({ day: start + index - 1, amount: column.at(index) });
  }
  return found;
}

export function explainMoneyWeightedReturn(explained: ExplainedSegment): Explanation {
  return explainWindowRate(explained.segment.explainMoneyWeightedReturn(), {
    ...flowNames(explained),
    name: 'money-weighted-return',
  });
}

export function explainAnnualisedMoneyWeightedReturn(explained: ExplainedSegment): Explanation {
  return explainYearlyRate(explained.segment.explainMoneyWeightedReturn(), {
    ...flowNames(explained),
    name: 'annualised-money-weighted-return',
  });
}

/** From the investor's side: what it was worth before is paid in, then each day's flow; at the end everything comes back. */
function flowNames(explained: ExplainedSegment) {
  const { segment, report } = explained;
  const { days } = segment.path;
  const [first, last] = [days[0]!, days.at(-1)!];
  const flowFacets = (day: Day): Facets => {
    const before = day === first - 1 ? formula`0 − ${explainDayAmount(explained, 'value', day)}` : undefined;
    const flow = day >= first && !segment.flows.isZero(day + 1 - first);
    const paid = flow ? formula`${before ?? formula`0`} − ${explainDayAmount(explained, 'flow', day)}` : before;
    if (day !== last) return paid ?? {};
    const end = explainDayAmount(explained, 'value', day);
    return paid === undefined ? formula`${end}` : formula`${paid} + ${end}`;
  };
  return { unit: report.currency, flowFacets };
}
