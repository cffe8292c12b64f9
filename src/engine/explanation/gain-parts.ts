// Explains the parts of a gain over a window: price, income and currency, position by position.

import { computeAtOnce } from '../../kit/turns/pieces.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { PositionDays } from '../returns/performance/position-days.ts';
import type { GainShares } from '../returns/segments/segment-columns.ts';
import { amountFigure, formula, positionSource, sumOperands, type Figure } from './figure.ts';
import { explainTotal } from './segment.ts';
import type { ExplainedSegment } from './segment-day.ts';

export type GainPart = 'price' | 'income' | 'currency';

/** The segment's gain must have been split. */
export function explainGainPart(explained: ExplainedSegment, part: GainPart, gain: Figure): Figure {
  const { segment, report } = explained;
  const { price } = segment.gainParts();
  const unit = report.currency;
  if (part === 'currency') return currencyFigure(explained);
  if (part === 'income') return incomeFigure(explained);
  const whole = formula`${gain} − ${incomeFigure(explained)} − ${currencyFigure(explained)}`;
  return amountFigure('price-part', price, { unit, ...whole });
}

function currencyFigure(explained: ExplainedSegment): Figure {
  const figures = shareFigures(explained, 'currency', 'position-currency-part');
  const { currency } = explained.segment.gainParts();
  return amountFigure('currency-part', currency, { unit: explained.report.currency, ...sumOperands(figures) });
}

/** What was booked, and what was earned and not booked. */
function incomeFigure(explained: ExplainedSegment): Figure {
  const { segment, report } = explained;
  const unit = report.currency;
  const { income } = segment.gainParts();
  const booked = explainTotal(explained, 'income');
  const earned = shareFigures(explained, 'interest', 'position-interest');
  return amountFigure('income-part', income, { unit, ...sumOperands([booked, ...earned]) });
}

function shareFigures(explained: ExplainedSegment, share: keyof GainShares, name: string): readonly Figure[] {
  const { history, currency: unit } = explained.report;
  return positionShares(explained).flatMap(({ position, shares }) => {
    const value: Fixed = shares[share];
    if (value === 0n) return [];
    return [amountFigure(name, value, { unit, source: positionSource(history.key(position)) })];
  });
}

interface PositionShares {
  readonly position: number;
  readonly shares: GainShares;
}

function positionShares({ segment, report, positions }: ExplainedSegment): readonly PositionShares[] {
  const { days } = segment.path;
  const { history, fees, currency } = report;
  const window = { first: days[0]! - 1, last: days.at(-1)! };
  const source = new PositionDays(history, { window, fees, currency, splitsGain: true });
  return positions.map((position) => {
    const { shares = { currency: 0n, interest: 0n } } = computeAtOnce(source.columns(position));
    return { position, shares };
  });
}
