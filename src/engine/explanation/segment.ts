// Explains a segment over a window: its contribution to the whole, its income, fees and flows.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { AmountColumn } from '../amounts/amount-column.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { SegmentReturn } from '../returns/segments/segment-return.ts';
import { amountFigure, formula, ratioFigure, sumOperands, type Explanation, type Figure } from './figure.ts';
import { explainWindowRate, explainYearlyRate } from './money-weighted-return.ts';

export interface ContributionRequest {
  readonly segment: SegmentReturn;
  readonly whole: SegmentReturn;
  readonly unit: IsoCurrency;
}

/** Only days on which the segment gained or lost: gain ÷ base of the whole × growth of the whole before. */
export function explainContribution({ segment, whole, unit }: ContributionRequest): Explanation {
  const { contribution } = segment;
  if (contribution === null) return { name: 'contribution', value: null, notes: [whole.path.noReturn!] };
  const { days } = whole.path;
  const terms = segment.contributionTerms();
  const figures = Array.from(terms, (term, index) => ({ term, index }))
    .filter(({ term }) => term !== 0)
    .map(({ term, index }) => {
      const day = days[index]!;
      const gain = amountFigure('gain', segment.gains.at(index + 1), { unit, day });
      const base = amountFigure('base', whole.explainDay(day).base, { unit, day });
      const product = formula`${gain} ÷ ${base} × ${growthBefore(whole, index)}`;
      return ratioFigure('daily-contribution', term, { day, ...product, rounding: 'double' });
    });
  return ratioFigure('contribution', contribution, { ...sumOperands(figures), rounding: 'double' });
}

function growthBefore({ path }: SegmentReturn, index: number): Figure {
  const day = path.days[0]! + index - 1;
  if (index === 0) return ratioFigure('growth-before', 1, { day });
  const before = ratioFigure('cumulative-return', path.cumulative[index - 1]!, { day });
  return ratioFigure('growth-before', 1 + path.cumulative[index - 1]!, {
    day,
    ...formula`1 + ${before}`,
    rounding: 'double',
  });
}

export type SegmentTotal = 'income' | 'fees' | 'flow';

/** Only days that have any; each is explained by its own day. */
export function explainTotal(segment: SegmentReturn, name: SegmentTotal, unit: IsoCurrency): Figure {
  const column = name === 'flow' ? segment.flows : segment[name];
  const daily = nonZeroAmounts(column, segment.path.days[0]!);
  const figures = daily.map(({ day, amount }) => amountFigure(name, amount, { unit, day }));
  return amountFigure(name, segment.totals()[name], { unit, ...sumOperands(figures) });
}

function nonZeroAmounts(column: AmountColumn, start: Day): readonly { readonly day: Day; readonly amount: Fixed }[] {
  return Array.from({ length: column.length - 1 }, (_, index) => index).flatMap((index) =>
    column.isZero(index + 1) ? [] : [{ day: start + index, amount: column.at(index + 1) }],
  );
}

export function explainMoneyWeightedReturn(segment: SegmentReturn, unit: IsoCurrency): Explanation {
  return explainWindowRate(segment.explainMoneyWeightedReturn(), { name: 'money-weighted-return', unit });
}

export function explainAnnualisedMoneyWeightedReturn(segment: SegmentReturn, unit: IsoCurrency): Explanation {
  const name = 'annualised-money-weighted-return';
  return explainYearlyRate(segment.explainMoneyWeightedReturn(), { name, unit });
}
