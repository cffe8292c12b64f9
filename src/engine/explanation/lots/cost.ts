// Explains the cost of a holding: its open lots, each led back to the row that opened it, and the cost of one unit of a lot.

import type { Day } from '../../../kit/day.ts';
import type { Fixed } from '../../../kit/fixed.ts';
import { checkpointRow } from '../../history/checkpoint.ts';
import type { History } from '../../history/history.ts';
import type { LotKey, LotSnapshot, OpenLot, QuantityAndCost } from '../../lots/lot.ts';
import { amountFigure, formula, halfEven, lazyFigure, sumOperands } from '../figure.ts';
import type { Facets, Figure, FigureSource } from '../figure.ts';
import { explainLotCost } from './lot-cost.ts';
import type { CostField, LotCostContext } from './lot-figures.ts';
import { lotStepsOf } from './lot-steps.ts';
import { explainPooledCost } from './pooled-cost.ts';

export type { CostField };

const figureNames = {
  cost: { cost: 'cost', unitCost: 'unit-cost' },
  referenceCost: { cost: 'reference-cost', unitCost: 'reference-unit-cost' },
} as const;

interface CostRequest {
  readonly position: number;
  /** The end of this day. */
  readonly day: Day;
  readonly field: CostField;
}

export function lotCostContext(history: History, position: number, field: CostField): LotCostContext {
  const unit = field === 'cost' ? history.instrument(position).currency : history.facts.settings.referenceCurrency;
  return { history, steps: lotStepsOf(history), position, unit, field, moves: 0 };
}

/** Under AVERAGE the units share one cost; else each lot has its own. Lots are listed when the figure is first read. */
export function explainLots(history: History, request: CostRequest, facets: Facets = {}): Figure {
  const { position, day, field } = request;
  const context = lotCostContext(history, position, field);
  const cost = history.quantityAndCost(position, day)[field];
  return lazyFigure(figureNames[field].cost, cost, { unit: context.unit, ...facets }, () => {
    const snapshot = history.lots(position, day);
    if (isPooled(history, position)) return pooledCost(context, snapshot, day);
    return sumOperands(snapshot.lots.map((lot) => explainLotCost(context, { lot, name: 'lot', until: day })));
  });
}

export function isPooled(history: History, position: number): boolean {
  return history.methodOf(position) === 'AVERAGE';
}

function pooledCost(context: LotCostContext, total: QuantityAndCost, until: Day): Figure {
  return explainPooledCost(context, { total, name: figureNames[context.field].cost, until });
}

/** A lot is named by the row that opened it, or by the day of the upload that did. */
export function lotSource({ row }: LotKey, acquired: Day): FigureSource {
  return row === checkpointRow(acquired) ? { kind: 'upload', day: acquired } : { kind: 'row', row };
}

export interface LotRequest extends CostRequest {
  /** Open at the end of the day. */
  readonly lot: OpenLot;
}

/** The cost of one lot; under AVERAGE, its share of the cost of all units. */
export function explainOpenLotCost(history: History, { position, lot, day, field }: LotRequest): Figure {
  const context = lotCostContext(history, position, field);
  const name = figureNames[field].cost;
  if (!isPooled(history, position)) return explainLotCost(context, { lot, name, until: day });
  const snapshot = history.lots(position, day);
  return sharedCost(context, { snapshot, lot, name, until: day });
}

interface SharedLot {
  readonly snapshot: LotSnapshot;
  readonly lot: OpenLot;
  readonly name: string;
  readonly until: Day;
}

/** What earlier lots have not got is split by the units that they do not have. */
function sharedCost(context: LotCostContext, { snapshot, lot, name, until }: SharedLot): Figure {
  const { field, unit } = context;
  const before = snapshot.lots.slice(
    0,
    snapshot.lots.findIndex((one) => one.row === lot.row && one.ordinal === lot.ordinal),
  );
  const units = (of: string, quantity: Fixed): Figure => amountFigure(of, quantity, { unit: 'units' });
  const [all, own] = [units('held-units', snapshot.quantity), units('units', lot.quantity)];
  const total = pooledCost(context, snapshot, until);
  const sum = (of: 'quantity' | CostField): Fixed => before.reduce((amount, one) => amount + one[of], 0n);
  const shares = amountFigure('earlier-shares', sum(field), { unit });
  const share =
    before.length === 0
      ? formula`${total} × ${own} ÷ ${all}`
      : formula`(${total} − ${shares}) × ${own} ÷ (${all} − ${units('earlier-units', sum('quantity'))})`;
  const facets = { unit, day: lot.acquired, source: lotSource(lot, lot.acquired) };
  return amountFigure(name, lot[field], { ...facets, ...share, rounding: halfEven });
}

/** Explains the cost of one unit of a lot; under AVERAGE, of one unit of the whole position. */
export function explainUnitCost(history: History, request: LotRequest): Figure {
  const { position, lot, day, field } = request;
  const value = field === 'cost' ? lot.unitCost : lot.referenceUnitCost;
  const cost = isPooled(history, position) ? explainLots(history, request) : explainOpenLotCost(history, request);
  const quantity = isPooled(history, position) ? history.lots(position, day).quantity : lot.quantity;
  const units = amountFigure('units', quantity, { unit: 'units' });
  const { unit } = lotCostContext(history, position, field);
  return amountFigure(figureNames[field].unitCost, value, {
    unit,
    day: lot.acquired,
    source: lotSource(lot, lot.acquired),
    ...formula`${cost} ÷ ${units}`,
    rounding: halfEven,
  });
}
