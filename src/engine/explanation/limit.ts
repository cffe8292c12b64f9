// Explains the value of a limit and its distance to the bounds by the holdings it applies to.

import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { LimitRule, LimitStatus, ValuedHolding } from '../limits/limit-status.ts';
import { amountFigure, formula, halfEven, sumOperands, type Explanation, type Figure } from './figure.ts';

export interface ExplainedLimit {
  readonly limit: LimitRule;
  readonly status: LimitStatus;
  readonly referenceCurrency: IsoCurrency;
  /** Everything that is held; only its sum is shown if absent. */
  readonly holdings?: readonly ValuedHolding[];
  /** How a holding came to its value. */
  explainHolding?(position: number): Figure;
}

export function explainLimitValue(explained: ExplainedLimit): Explanation {
  const { currentValue, reason } = explained.status;
  if (currentValue === null) return { name: 'limit-value', value: null, notes: [reason!], of: partFigures(explained) };
  return valueFigure(explained, currentValue);
}

function valueFigure(explained: ExplainedLimit, value: Fixed): Figure {
  const { limit, status } = explained;
  const [matching, total] = partFigures(explained) as [Figure, Figure];
  const notes = [status.state];
  if (limit.kind === 'absolute') return { ...matching, name: 'limit-value', notes };
  return amountFigure('limit-value', value, { ...formula`${matching} ÷ ${total}`, rounding: halfEven, notes });
}

/** The matching holdings and the whole. */
function partFigures(explained: ExplainedLimit): readonly Figure[] {
  const { status, referenceCurrency: unit, holdings } = explained;
  const { matching, total, matched } = status.parts;
  const sumOf = (some: readonly ValuedHolding[]) =>
    sumOperands(some.filter(({ marketValue }) => marketValue !== 0n).map((one) => holdingFigure(one, explained)));
  return [
    amountFigure('matching-value', matching, { unit, ...sumOf(matched) }),
    amountFigure('total-value', total, { unit, ...(holdings && sumOf(holdings)) }),
  ];
}

function holdingFigure({ instrumentId: instrument, marketValue, position }: ValuedHolding, explained: ExplainedLimit) {
  const { referenceCurrency: unit, explainHolding } = explained;
  if (position === undefined || explainHolding === undefined) {
    const source = { kind: 'position', account: null, depository: null, instrument } as const;
    return amountFigure('market-value', marketValue, { unit, source });
  }
  return explainHolding(position);
}

/** Distance to the nearer bound; negative by how much it is breached. */
export function explainHeadroom(explained: ExplainedLimit): Explanation {
  const { limit, status, referenceCurrency } = explained;
  const { headroom, headroomToMin, currentValue, reason } = status;
  if (headroom === null || currentValue === null) {
    return { name: 'headroom', value: null, notes: [reason ?? 'no-bound'] };
  }
  const unit = limit.kind === 'absolute' ? referenceCurrency : undefined;
  const value = valueFigure(explained, currentValue);
  const bound = (name: string, boundValue: Fixed): Figure =>
    amountFigure(name, boundValue, { unit, source: { kind: 'terms' } });
  const distance =
    headroom === headroomToMin
      ? formula`${value} − ${bound('min', limit.min!)}`
      : formula`${bound('max', limit.max!)} − ${value}`;
  return amountFigure('headroom', headroom, { unit, ...distance, notes: [status.state] });
}
