// Finds where units came from that moved between own places.

import { magnitude, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import type { LedgerRows } from './ledger-rows.ts';

export interface UnitOrigin {
  readonly position: number;
  readonly day: Day;
  readonly quantity: Fixed;
}

/** By the position they came to, in ledger order. */
export function unitOrigins(rows: LedgerRows, table: PositionTable): ReadonlyMap<number, readonly UnitOrigin[]> {
  const origins = new Map<number, UnitOrigin[]>();
  for (const row of rows.rowsWithDetails) {
    const counterPlace = rows.details(row)?.counterPlace;
    if (counterPlace === undefined) continue;
    const { day, quantity, instrument } = rows.transaction(row);
    if (quantity === 0n || instrument === null) continue;
    const [rowPosition, counter] = [rows.positions[row]!, table.positionNumber({ ...counterPlace, instrument })];
    const [from, to] = quantity < 0n ? [rowPosition, counter] : [counter, rowPosition];
    if (from === to) continue;
    origins.set(to, [...(origins.get(to) ?? []), { position: from, day, quantity: magnitude(quantity) }]);
  }
  return origins;
}
