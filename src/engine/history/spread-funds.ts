// Finds private funds without units that several own places have paid for or been paid by: their net asset value is that of the whole.
// A place holds one unit, and a sale or a gift states what part of it leaves.

import { isFundPayment } from '../../model/ledger/kind-traits.ts';
import { transactionKinds } from '../ledger/transaction.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import type { Checkpoints } from './checkpoint.ts';
import type { LedgerRows, RowsByPosition } from './ledger-rows.ts';
import { isUnitMovingKind } from './position-kinds.ts';
import type { StepFunction } from './step-function.ts';
import { heldBefore, type UnitMove } from './unit-moves.ts';

interface SpreadFundSource {
  readonly table: PositionTable;
  readonly rows: LedgerRows;
  readonly byPosition: RowsByPosition;
  readonly checkpoints: Checkpoints;
  instrument(position: number): { readonly terms: InstrumentTerms };
  changes(position: number): readonly unknown[];
  units(position: number): StepFunction;
}

const fundPayments = Uint8Array.from(transactionKinds, (kind) => (isFundPayment(kind) ? 1 : 0));

export class SpreadFunds {
  readonly #source: SpreadFundSource;
  readonly #movesOf: (position: number) => readonly UnitMove[];
  readonly #positions = new Map<string, readonly number[]>();
  readonly #assumed = new Map<string, readonly number[]>();

  /** The moves are those of the fund's units, also out of all own places, in ledger order. */
  constructor(source: SpreadFundSource, movesOf: (position: number) => readonly UnitMove[]) {
    this.#source = source;
    this.#movesOf = movesOf;
  }

  /**
   * All places of the fund, in their order; none if only one of them was ever called or paid, if it is held in units, or uploaded, or
   * if more left a place than it held.
   */
  positionsOf(position: number): readonly number[] {
    if (this.#source.instrument(position).terms.type !== 'private-fund') return [];
    const { instrument } = this.#source.table.key(position);
    const cached = this.#positions.get(instrument);
    if (cached !== undefined) return cached;
    const found = this.#find(instrument);
    this.#positions.set(instrument, found);
    return found;
  }

  #find(instrument: string): readonly number[] {
    const { table, checkpoints } = this.#source;
    const all = table.sortedPositionsIn(instrument);
    if (all.filter((one) => this.#hasFlows(one)).length < 2) return [];
    const isPlain = all.every(
      (one) => this.#isWithoutUnits(one) && !checkpoints.has(one) && this.#source.changes(one).length === 0,
    );
    return isPlain && this.#wasHeld(all) ? all : [];
  }

  /**
   * The places of the fund that hold one unit only because they were called, while units are stated at another: each unit is worth a whole
   * net asset value, whether that is meant or not. In their order.
   */
  assumedUnitsOf(position: number): readonly number[] {
    if (this.#source.instrument(position).terms.type !== 'private-fund') return [];
    const { instrument } = this.#source.table.key(position);
    return this.#assumed.getOrInsertComputed(instrument, () => this.#listAssumed(instrument));
  }

  #listAssumed(instrument: string): readonly number[] {
    const { table, checkpoints } = this.#source;
    const all = table.sortedPositionsIn(instrument);
    const isStated = (one: number): boolean => !this.#isWithoutUnits(one) || checkpoints.has(one);
    return all.some(isStated) ? all.filter((one) => !isStated(one) && this.#hasFlows(one)) : [];
  }

  #hasFlows(position: number): boolean {
    const { rows, byPosition } = this.#source;
    return byPosition.rowsOf(position).some((row) => fundPayments[rows.kinds[row]!] === 1);
  }

  /** Whether only moves between own places, and what leaves them, state units. */
  #isWithoutUnits(position: number): boolean {
    const { rows, byPosition } = this.#source;
    const isDeparture = (row: number): boolean => rows.quantities[row]! < 0 && isUnitMovingKind(rows.kinds[row]!);
    return byPosition
      .rowsOf(position)
      .every((row) => rows.quantities[row] === 0 || isDeparture(row) || rows.details(row)?.counterPlace !== undefined);
  }

  /** Whether every place held what left it. */
  #wasHeld(positions: readonly number[]): boolean {
    const moves = this.#movesOf(positions[0]!);
    const units = (position: number): StepFunction => this.#source.units(position);
    return moves.every((move, index) => {
      if (move.to >= 0) return true;
      return heldBefore(move.from, move, { moves, units, earlier: moves.slice(0, index) }) >= move.quantity;
    });
  }
}
