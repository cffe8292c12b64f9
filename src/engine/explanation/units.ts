// Explains the units of a position: for money its last change, for anything else its lots.

import type { Day } from '../../kit/day.ts';
import type { History } from '../history/history.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';
import { explainBalance } from './balance.ts';
import { amountFigure, positionSource, sumOperands, type Figure } from './figure.ts';
import { explainLotUnits } from './lots/lot-units.ts';

export function explainUnits(history: History, position: number, day: Day): Figure {
  const key = history.key(position);
  if (findSyntheticInstrument(key.instrument) !== undefined) return explainBalance(history, position, day);
  const held = history.units(position).valueOn(day);
  const { lots, quantity: quantityInLots } = history.lots(position, day);
  const parts = lots.map((lot) => explainLotUnits(history, { position, lot, day }));
  const facets = { unit: 'units', day, source: positionSource(key) };
  return amountFigure('units', held, { ...facets, ...(quantityInLots === held ? sumOperands(parts) : {}) });
}
