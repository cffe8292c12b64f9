// Explains the value of a limit and its distance to the bounds by the holdings it applies to.

import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { LimitRule, LimitStatus, ValuedHolding } from '../limits/limit-status.ts';
import { amountFigure, formula, halfEven, sumOperands, type Explanation, type Figure } from './figure.ts';

export interface ExplainedLimit {
  readonly limit: LimitRule;
  readonly status: LimitStatus;
  readonly referenceCurrency: IsoCurrency;
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
function partFigures({ status, referenceCurrency: unit }: ExplainedLimit): readonly Figure[] {
  const { matching, total, matched } = status.parts;
  const holdings = matched.map((holding) => holdingFigure(holding, unit));
  return [
    amountFigure('matching-value', matching, { unit, ...sumOperands(holdings) }),
    amountFigure('total-value', total, { unit }),
  ];
}

function holdingFigure({ instrumentId: instrument, marketValue }: ValuedHolding, unit: IsoCurrency): Figure {
  const source = { kind: 'position', account: null, depository: null, instrument } as const;
  return amountFigure('market-value', marketValue, { unit, source });
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
