// Explains the parts of a gain over a window: price, income and currency, position by position.

import { computeAtOnce, type Pieces } from '../../kit/turns/pieces.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { DayWindow } from '../quick/daily-rates.ts';
import { PositionDays } from '../returns/performance/position-days.ts';
import type { GainShares } from '../returns/segments/segment-columns.ts';
import { amountFigure, formula, lazyFigure, positionSource, sumOperands, type Figure } from './figure.ts';
import { explainTotal } from './segment.ts';
import { amountsOf, type ExplainedReport, type ExplainedSegment } from './segment-day.ts';

export type GainPart = 'price' | 'income' | 'currency';

/** The segment's gain must have been split. */
export function explainGainPart(explained: ExplainedSegment, part: GainPart, explainGain: () => Figure): Figure {
  const { segment, report } = explained;
  if (part === 'currency') return currencyFigure(explained);
  if (part === 'income') return incomeFigure(explained);
  const whole = formula`${explainGain()} − ${incomeFigure(explained)} − ${currencyFigure(explained)}`;
  return amountFigure('price-part', segment.gainParts().price, { unit: report.currency, ...whole });
}

function currencyFigure(explained: ExplainedSegment): Figure {
  const { currency } = explained.segment.gainParts();
  return lazyFigure('currency-part', currency, { unit: explained.report.currency }, () =>
    sumOperands(shareFigures(explained, 'currency', 'position-currency-part')),
  );
}

/** What was booked, and what was earned and not booked. */
function incomeFigure(explained: ExplainedSegment): Figure {
  const { income } = explained.segment.gainParts();
  return lazyFigure('income-part', income, { unit: explained.report.currency }, () => {
    const booked = explainTotal(explained, 'income');
    return sumOperands([booked, ...shareFigures(explained, 'interest', 'position-interest')]);
  });
}

function shareFigures(explained: ExplainedSegment, share: keyof GainShares, name: string): readonly Figure[] {
  const { segment, report, positions } = explained;
  const { history, currency: unit } = report;
  const shares = sharesOf(report, { first: segment.path.days[0]! - 1, last: segment.path.days.at(-1)! });
  return positions.flatMap((position) => {
    const value: Fixed = shares.of(position)[share];
    if (value === 0n) return [];
    return [amountFigure(name, value, { unit, source: positionSource(history.key(position)) })];
  });
}

const noShares: GainShares = { currency: 0n, interest: 0n };

/** The shares of positions in the gain of a window. The segments of a report ask for the same ones again and again. */
class PositionShares {
  readonly window: DayWindow;
  readonly #days: PositionDays;
  readonly #known = new Map<number, GainShares>();

  constructor(report: ExplainedReport, window: DayWindow) {
    const { history, fees, currency } = report;
    this.window = window;
    this.#days = new PositionDays(history, { window, fees, currency, splitsGain: true, amounts: amountsOf(report) });
  }

  of(position: number): GainShares {
    return this.#known.get(position) ?? computeAtOnce(this.compute(position));
  }

  *compute(position: number): Pieces<GainShares> {
    const { shares = noShares } = yield* this.#days.columns(position);
    this.#known.set(position, shares);
    return shares;
  }
}

const sharesByReport = new WeakMap<ExplainedReport, PositionShares>();

function sharesOf(report: ExplainedReport, window: DayWindow): PositionShares {
  const known = sharesByReport.get(report);
  if (known?.window.first === window.first && known.window.last === window.last) return known;
  const shares = new PositionShares(report, window);
  sharesByReport.set(report, shares);
  return shares;
}

/** Computes ahead what the parts of the segment's gain are explained with, piece by piece. */
export function* gainPartPieces({ segment, report, positions }: ExplainedSegment): Pieces<void> {
  const shares = sharesOf(report, { first: segment.path.days[0]! - 1, last: segment.path.days.at(-1)! });
  for (const position of positions) {
    yield* shares.compute(position);
    yield;
  }
}
