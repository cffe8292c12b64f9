// Lists stakes in a private fund that were sold or given away, each as a fraction of what the covered places held just before.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { countUntil, type Point } from '../amounts/series.ts';
import { transactionKinds, type TransactionKind } from '../ledger/transaction.ts';
import type { LedgerRows } from './ledger-rows.ts';
import type { StepFunction } from './step-function.ts';
import { heldBefore, pointsAfterMoves, type UnitMove } from './unit-moves.ts';

export interface FundDeparture {
  /** The index of the row. */
  readonly row: number;
  readonly day: Day;
  readonly kind: TransactionKind;
  /** The units that left, and those that the place held. */
  readonly quantity: Fixed;
  readonly held: Fixed;
  /** The share of the place, and those of all places. */
  readonly share: Fixed;
  readonly shares: Fixed;
}

interface FundSource {
  readonly rows: LedgerRows;
  /** Of the fund, also those that left all own places, in ledger order. */
  readonly moves: readonly UnitMove[];
  units(position: number): StepFunction;
  /** Calls booked at a position, if the fund is one investment that several places have paid for; else undefined. */
  calls(position: number): readonly Point[] | undefined;
}

/** What a fund itself pays back takes no commitment along; what moves to an own place that is not covered does. */
export function fundDepartures(source: FundSource, positions: readonly number[]): readonly FundDeparture[] {
  const covered = new Set(positions);
  return source.moves.flatMap((move, index): FundDeparture[] => {
    const kind = transactionKinds[source.rows.kinds[move.row]!]!;
    if (!covered.has(move.from) || covered.has(move.to) || !isTransfer(kind)) return [];
    const held = unitsBefore(source, move.from, index);
    if (held <= 0n) return [];
    const ofPlaces = positions.map((position) => shareBefore(source, position, index));
    const share = ofPlaces[positions.indexOf(move.from)]!;
    const shares = ofPlaces.reduce((sum, one) => sum + one, 0n);
    const quantity = move.quantity < held ? move.quantity : held;
    return [{ row: move.row, day: move.day, kind, quantity, held, share, shares }];
  });
}

function isTransfer(kind: TransactionKind): boolean {
  const { units } = traitsOfKind(kind);
  return units === 'traded' || units === 'delivered';
}

function unitsBefore({ moves, units }: FundSource, position: number, index: number): Fixed {
  return heldBefore(position, moves[index]!, { moves, units, earlier: moves.slice(0, index) });
}

/** What the position had paid in for what it holds, or its units. */
function shareBefore(source: FundSource, position: number, index: number): Fixed {
  const { moves, units } = source;
  const { day } = moves[index]!;
  const calls = (one: number): readonly Point[] => source.calls(one) ?? [];
  if (source.calls(position) === undefined) {
    const held = unitsBefore(source, position, index);
    return held > 0n ? held : 0n;
  }
  const paid = pointsAfterMoves(position, day, { moves, units, count: index }, calls);
  return paid.slice(0, countUntil(paid, day)).reduce((sum, { value }) => sum + value, 0n);
}
