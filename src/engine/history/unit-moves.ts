// Follows units that moved between own places: what happened to them before goes with them, by their share of what was held.

import { magnitude, multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { Point } from '../amounts/series.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import type { LedgerRows, RowsByPosition } from './ledger-rows.ts';
import { isUnitMovingKind } from './position-kinds.ts';
import type { StepFunction } from './step-function.ts';

export interface UnitMove {
  readonly row: number;
  readonly from: number;
  /** −1 for units that left all own places. */
  readonly to: number;
  readonly day: Day;
  readonly quantity: Fixed;
}

/** By instrument, in ledger order. */
export function unitMoves(rows: LedgerRows, table: PositionTable): ReadonlyMap<string, readonly UnitMove[]> {
  const moves = new Map<string, UnitMove[]>();
  for (const row of rows.rowsWithDetails) {
    const counterPlace = rows.details(row)?.counterPlace;
    if (counterPlace === undefined) continue;
    const { day, quantity, instrument } = rows.transaction(row);
    if (quantity === 0n || instrument === null) continue;
    const [rowPosition, counter] = [rows.positions[row]!, table.positionNumber({ ...counterPlace, instrument })];
    const [from, to] = quantity < 0n ? [rowPosition, counter] : [counter, rowPosition];
    if (from === to) continue;
    const known = moves.get(instrument) ?? [];
    moves.set(instrument, known);
    known.push({ row, from, to, day, quantity: magnitude(quantity) });
  }
  return moves;
}

/** Units of these positions that were sold or went outside, in ledger order among the moves. */
export function withDepartures(
  moves: readonly UnitMove[],
  positions: readonly number[],
  { rows, byPosition }: { readonly rows: LedgerRows; readonly byPosition: RowsByPosition },
): readonly UnitMove[] {
  const departures = positions.flatMap((from) =>
    [...byPosition.rowsOf(from)].flatMap((row): UnitMove[] => {
      if (!isUnitMovingKind(rows.kinds[row]!) || rows.details(row)?.counterPlace !== undefined) return [];
      const quantity = rows.get('quantity', row);
      return quantity < 0n ? [{ row, from, to: -1, day: rows.days[row]!, quantity: -quantity }] : [];
    }),
  );
  return departures.length === 0 ? moves : [...moves, ...departures].toSorted((one, other) => one.row - other.row);
}

export interface MovingUnits {
  /** Of one instrument, in ledger order. */
  readonly moves: readonly UnitMove[];
  units(position: number): StepFunction;
}

/**
 * What a position's units had been through by the end of a day, by day: its own points, less and more what moved. With a `count`, no
 * more than the first so many moves have happened.
 */
export function pointsAfterMoves(
  position: number,
  day: Day,
  { moves, units, count = moves.length }: MovingUnits & { readonly count?: number },
  ownPoints: (position: number) => readonly Point[],
): readonly Point[] {
  const points = new Map<number, readonly Point[]>();
  const pointsOf = (one: number): readonly Point[] => points.get(one) ?? ownPoints(one);
  for (const [index, move] of moves.entries()) {
    if (move.day > day || index >= count) break;
    const fraction = movedFraction(index, { moves, units });
    if (fraction === undefined) continue;
    const { moved, rest } = splitPoints(pointsOf(move.from), move.day, fraction);
    points.set(move.from, rest);
    if (move.to < 0) continue;
    points.set(
      move.to,
      [...pointsOf(move.to), ...moved].toSorted((one, other) => one.day - other.day),
    );
  }
  return pointsOf(position);
}

/** How many units a move takes of how many: undefined if what they had been through stays where it is. */
export interface MovedFraction {
  readonly quantity: Fixed;
  readonly held: Fixed;
}

export function movedFraction(index: number, { moves, units }: MovingUnits): MovedFraction | undefined {
  const move = moves[index]!;
  const known = { moves, units, earlier: moves.slice(0, index) };
  const held = heldBefore(move.from, move, known);
  const owed = move.to < 0 ? 0n : -heldBefore(move.to, move, known);
  // Units that close a short leave the rest with all that happened to the whole.
  const closing = owed > 0n ? (owed < move.quantity ? owed : move.quantity) : 0n;
  return held <= closing ? undefined : { quantity: move.quantity - closing, held: held - closing };
}

/** Units that a position bought or sold on each day on which it held others afterwards: all changes except moves. */
export function unitChangesWithoutMoves(position: number, { moves, units }: MovingUnits): readonly Point[] {
  const steps = units(position);
  return Array.from(steps.days, (day) => ({ day, value: changeWithoutMoves(position, day, { moves, units }) }));
}

/** What a position bought, sold or received from outside on a day. */
export function changeWithoutMoves(position: number, day: Day, { moves, units }: MovingUnits): Fixed {
  const steps = units(position);
  return steps.valueOn(day) - steps.valueOn(day - 1) - netMoved(position, day, moves);
}

function netMoved(position: number, day: Day, moves: readonly Omit<UnitMove, 'row'>[]): Fixed {
  let sum = 0n;
  for (const move of moves) {
    if (move.day !== day) continue;
    if (move.to === position) sum += move.quantity;
    if (move.from === position) sum -= move.quantity;
  }
  return sum;
}

/** What a position held just before a move. Within a day, what comes in precedes moves, and what goes out follows them. */
export function heldBefore(
  position: number,
  { day }: Pick<UnitMove, 'day'>,
  { earlier, ...moving }: MovingUnits & { readonly earlier: readonly Omit<UnitMove, 'row'>[] },
): Fixed {
  const change = changeWithoutMoves(position, day, moving);
  return moving.units(position).valueOn(day - 1) + (change > 0n ? change : 0n) + netMoved(position, day, earlier);
}

interface SplitPoints {
  readonly moved: readonly Point[];
  readonly rest: readonly Point[];
}

/** Splits the points up to a day. Rounds the running total: the parts add up to the share of the whole. */
export function splitPoints(points: readonly Point[], day: Day, { quantity, held }: MovedFraction): SplitPoints {
  const share = quantity < held ? quantity : held;
  const moved: Point[] = [];
  const rest: Point[] = [];
  let [total, movedTotal] = [0n, 0n];
  for (const point of points) {
    if (point.day > day) {
      rest.push(point);
      continue;
    }
    total += point.value;
    const part = multiplyDivide(total, share, held) - movedTotal;
    movedTotal += part;
    if (part !== 0n) moved.push({ day: point.day, value: part });
    if (point.value !== part) rest.push({ day: point.day, value: point.value - part });
  }
  return { moved, rest };
}
