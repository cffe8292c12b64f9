// Explains the cost of a position under AVERAGE, whose units share one cost: what came in, and what each row took with it.

import type { Day } from '../../../kit/day.ts';
import type { Fixed } from '../../../kit/fixed.ts';
import type { Lot, QuantityAndCost } from '../../lots/lot.ts';
import { lazyFigure, type Figure } from '../figure.ts';
import { explainOpening, takenFigure } from './lot-cost.ts';
import { explainCostChange } from './lot-cost-change.ts';
import { runningFormula, type CostChange, type CostField, type LotCostContext } from './lot-figures.ts';
import type { LotStep } from './lot-steps.ts';

interface PositionMoment {
  readonly total: QuantityAndCost;
  readonly name: string;
  readonly before?: LotStep | undefined;
  readonly until?: Day | undefined;
}

/** Under AVERAGE, the cost of all units together. */
export function explainPooledCost(
  context: LotCostContext,
  { total, name, before, until = Infinity }: PositionMoment,
): Figure {
  const { steps, position, field, unit } = context;
  return lazyFigure(name, total[field], { unit }, () => {
    const all = steps.of(position);
    const end = before === undefined ? all.length : all.indexOf(before);
    const own = all.slice(0, end).filter(({ day }) => day <= until);
    const changes = own.flatMap((step) => pooledChange(context, step));
    const sum = changes.reduce((amount, { delta }) => amount + delta, 0n);
    const [first, ...others] = changes;
    if (first === undefined || sum !== total[field]) return {};
    return first.sign === '−' ? {} : runningFormula(first.figure, others);
  });
}

function pooledChange(context: LotCostContext, step: LotStep): readonly CostChange[] {
  const { field } = context;
  switch (step.kind) {
    case 'opened':
      return [{ delta: step.lot[field], sign: '+', figure: explainOpening(context, step) }];
    case 'taken':
      return [];
    case 'taken-together': {
      const { held, part } = step;
      const heldCost = (name: string) => explainPooledCost(context, { total: held, name, before: step });
      return [{ delta: -part[field], sign: '−', figure: takenFigure(context, step, { held, part, heldCost }) }];
    }
    case 'replaced': {
      const delta = sumOf(step.after, field) - sumOf(step.before, field);
      return delta === 0n ? [] : [explainCostChange(context, step, { index: null, delta })];
    }
  }
}

function sumOf(lots: readonly Lot[], field: CostField): Fixed {
  return lots.reduce((sum, lot) => sum + lot[field], 0n);
}
