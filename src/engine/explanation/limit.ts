// Explains the value of a limit and its distance to the bounds by the holdings it applies to.

import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import { isUnclassified } from '../limits/limit-filter.ts';
import type { LimitRule, LimitStatus, ValuedHolding } from '../limits/limit-status.ts';
import { amountFigure, formula, halfEven, sumOperands, type Explanation, type Figure } from './figure.ts';

export interface ExplainedLimit {
  readonly limit: LimitRule;
  readonly status: LimitStatus;
  readonly referenceCurrency: IsoCurrency;
  /** Everything that is held; only its sum is shown if absent. */
  readonly holdings?: readonly ValuedHolding[];
  /** How a holding came to its value. */
  explainHolding?(position: number, part: number): Figure;
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
  const { matching, total, matched } = explained.status.parts;
  return [
    sumFigure('matching-value', matching, matched, explained),
    sumFigure('total-value', total, explained.holdings, explained),
  ];
}

function sumFigure(
  name: string,
  value: Fixed,
  holdings: readonly ValuedHolding[] | undefined,
  explained: ExplainedLimit,
): Figure {
  const { referenceCurrency: unit } = explained;
  const shown = holdings?.filter(({ marketValue }) => marketValue !== 0n);
  return amountFigure(name, value, {
    unit,
    ...(shown && sumOperands(shown.map((one) => holdingFigure(one, explained)))),
  });
}

/** What has no class, in the unit of the limit; undefined if the limit looks at no class. */
export function explainUnclassifiedValue(explained: ExplainedLimit): Explanation | undefined {
  const { limit, status, holdings } = explained;
  const { unclassifiedValue, parts, reason } = status;
  const name = 'unclassified-value';
  if (unclassifiedValue === null) return reason === null ? undefined : { name, value: null, notes: [reason] };
  const amount = sumFigure(name, parts.unclassified, holdings?.filter(isUnclassified), explained);
  if (limit.kind === 'absolute') return amount;
  const total = sumFigure('total-value', parts.total, holdings, explained);
  return amountFigure(name, unclassifiedValue, { ...formula`${amount} ÷ ${total}`, rounding: halfEven });
}

function holdingFigure(
  { instrumentId: instrument, marketValue, position, part = 0 }: ValuedHolding,
  explained: ExplainedLimit,
) {
  const { referenceCurrency: unit, explainHolding } = explained;
  if (position === undefined || explainHolding === undefined) {
    const source = { kind: 'position', account: null, depository: null, instrument } as const;
    return amountFigure('market-value', marketValue, { unit, source });
  }
  return explainHolding(position, part);
}

/** Distance to the nearer bound; negative by how much it is breached. */
export function explainHeadroom(explained: ExplainedLimit): Explanation {
  const { headroom, headroomToMin } = explained.status;
  return explainDistance('headroom', headroom, { explained, isToMin: headroom === headroomToMin });
}

/** Distance to one of the bounds. */
export function explainHeadroomTo(bound: 'min' | 'max', explained: ExplainedLimit): Explanation {
  const { headroomToMin, headroomToMax } = explained.status;
  const isToMin = bound === 'min';
  return explainDistance(`headroom-to-${bound}`, isToMin ? headroomToMin : headroomToMax, { explained, isToMin });
}

function explainDistance(
  name: string,
  distance: Fixed | null,
  { explained, isToMin }: { readonly explained: ExplainedLimit; readonly isToMin: boolean },
): Explanation {
  const { limit, status, referenceCurrency } = explained;
  const { currentValue, reason } = status;
  if (distance === null || currentValue === null) return { name, value: null, notes: [reason ?? 'no-bound'] };
  const unit = limit.kind === 'absolute' ? referenceCurrency : undefined;
  const value = valueFigure(explained, currentValue);
  const bound = (boundName: string, boundValue: Fixed): Figure =>
    amountFigure(boundName, boundValue, { unit, source: { kind: 'terms' } });
  const difference = isToMin
    ? formula`${value} − ${bound('min', limit.min!)}`
    : formula`${bound('max', limit.max!)} − ${value}`;
  return amountFigure(name, distance, { unit, ...difference, notes: [status.state] });
}
