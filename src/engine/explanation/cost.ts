// Explains the cost of a holding: its open lots, each with the row that opened it, and the cost of one unit of a lot.

import type { Day } from '../../kit/day.ts';
import { checkpointRow } from '../history/checkpoint.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import type { LotKey, LotSnapshot, OpenLot } from '../lots/lot.ts';
import { amountFigure, formula, halfEven, sumOperands, type Figure, type FigureSource } from './figure.ts';
import { explainReferenceMoney, moneyContext } from './reference-money.ts';

/** In the instrument's currency, or in the reference currency at the rates of the acquisitions. */
export type CostField = 'cost' | 'referenceCost';

export interface CostUnit {
  readonly unit: IsoCurrency;
  readonly field: CostField;
}

const figureNames = {
  cost: { cost: 'cost', unitCost: 'unit-cost' },
  referenceCost: { cost: 'reference-cost', unitCost: 'reference-unit-cost' },
} as const;

export function explainLots(snapshot: LotSnapshot, { unit, field }: CostUnit): Figure {
  const lots = snapshot.lots.map((lot) => lotFigure(lot, { unit, field }));
  return amountFigure(figureNames[field].cost, snapshot[field], { unit, ...sumOperands(lots) });
}

function lotFigure(lot: OpenLot, { unit, field }: CostUnit): Figure {
  const { acquired: day, isEstimated } = lot;
  const notes = isEstimated ? ['estimated'] : [];
  return amountFigure('lot', lot[field], { unit, day, source: lotSource(lot, day), notes });
}

/** A lot is named by the row that opened it, or by the day of the upload that did. */
export function lotSource({ row }: LotKey, acquired: Day): FigureSource {
  return row === checkpointRow(acquired) ? { kind: 'upload', day: acquired } : { kind: 'row', row };
}

export interface LotRequest {
  readonly position: number;
  readonly lot: OpenLot;
  /** A day on which the lot is open. */
  readonly day: Day;
  readonly field: CostField;
}

/** Explains the cost of one unit of a lot; under AVERAGE, of one unit of the whole position. */
export function explainUnitCost(history: History, { position, lot, day, field }: LotRequest): Figure {
  const { referenceCurrency, method } = history.facts.settings;
  const unit = field === 'cost' ? history.instrument(position).currency : referenceCurrency;
  const value = field === 'cost' ? lot.unitCost : lot.referenceUnitCost;
  const snapshot = method === 'AVERAGE' ? history.lots(position, day) : undefined;
  const cost = snapshot
    ? explainLots(snapshot, { unit, field })
    : explainOpeningCost(history, { position, lot, unit, field });
  const units = amountFigure('units', (snapshot ?? lot).quantity, { unit: 'units' });
  const facets = { unit, day: lot.acquired, source: lotSource(lot, lot.acquired) };
  return amountFigure(figureNames[field].unitCost, value, {
    ...facets,
    ...formula`${cost} ÷ ${units}`,
    rounding: halfEven,
  });
}

interface LotCost extends CostUnit {
  readonly position: number;
  readonly lot: OpenLot;
}

/** Uses the opening row if nothing has been taken from the lot or done to it since. */
function explainOpeningCost(history: History, { position, lot, unit, field }: LotCost): Figure {
  const figure = { ...lotFigure(lot, { unit, field }), name: figureNames[field].cost };
  const opening = history.facts.ledger.find({ row: lot.row, day: lot.acquired });
  const isWhole = opening?.kind === 'trade' && opening.quantity === lot.quantity && opening.value === lot.cost;
  if (!isWhole || field === 'cost') return figure;
  const { amount } = explainReferenceMoney(opening, moneyContext(history, position));
  return amount.value === figure.value ? { ...amount, name: figure.name } : figure;
}
