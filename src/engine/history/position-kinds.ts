// Tells positions that are only bought and sold from those that need a replay.

import type { Checkpoints } from './checkpoint.ts';
import type { CostMethods } from './cost-methods.ts';
import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Facts } from './facts.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import { listHolders, unitShares } from '../lots/lot-holders.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import { traitsOfKind, type KindTraits } from '../../model/ledger/kind-traits.ts';
import { transactionKinds, type LedgerTransaction } from '../ledger/transaction.ts';
import type { LedgerRows, RowsByPosition } from './ledger-rows.ts';
import type { StepFunction } from './step-function.ts';

/** By the number of a kind, whether its rows have a trait. */
function flagsOf(has: (traits: KindTraits) => boolean): Uint8Array {
  return Uint8Array.from(transactionKinds, (kind) => (has(traitsOfKind(kind)) ? 1 : 0));
}

const trading = flagsOf(({ amount }) => amount === 'units');
const delivering = flagsOf(({ units }) => units === 'delivered');
const ending = flagsOf(({ units }) => units === 'ended');
const converting = flagsOf(({ units }) => units === 'converted');
/** They are called or ended, and not at a price. */
const calling = flagsOf(({ amount, units }) => amount !== 'units' && (units === 'called' || units === 'ended'));
const unitMoving = flagsOf(({ units }) => units !== 'none' && units !== 'converted');
const charging = flagsOf(({ amount }) => amount === 'charge');
const buyingAndSelling = flagsOf(({ units }) => units === 'traded');

/** Whether rows of that kind trade units for cash. */
export function isTradeKind(kind: number): boolean {
  return trading[kind] === 1;
}

/** Whether rows of that kind buy or sell units, and do not redeem them. */
export function isPurchaseOrSaleKind(kind: number): boolean {
  return buyingAndSelling[kind] === 1;
}

/** Whether rows of that kind are charges. */
export function isChargeKind(kind: number): boolean {
  return charging[kind] === 1;
}

/** Whether rows of that kind bring or take units where they have any. */
export function isUnitMovingKind(kind: number): boolean {
  return unitMoving[kind] === 1;
}

export class PositionKinds {
  readonly #replayed = new Set<number>();
  readonly #inexact = new Set<number>();
  readonly #isForeign: readonly boolean[];
  readonly #isQuickMethod: readonly boolean[];
  readonly #rows: LedgerRows;

  /** Numbers every position that a row or upload names. */
  constructor(rows: LedgerRows, { table, facts, checkpoints, methods }: PositionKindsContext) {
    this.#rows = rows;
    for (const position of checkpoints.keys()) this.#replayUploaded(position, table);
    this.#classifyByRows();
    this.#replayWhereHeld(table);
    for (const row of rows.rowsWithDetails) this.#replayCounterparts(rows.transaction(row), table);
    const { referenceCurrency } = facts.settings;
    this.#isForeign = table.positions.map(
      ({ instrument }) => facts.instruments.get(instrument)?.currency !== referenceCurrency,
    );
    this.#isQuickMethod = table.positions.map((key) => methods.of(key) !== 'SPECIFIC_ID');
  }

  /** True if it is not only bought and sold. */
  isReplayed(position: number): boolean {
    return this.#replayed.has(position);
  }

  /** True if all its units fit into doubles. */
  isExactInDoubles(position: number): boolean {
    return !this.#inexact.has(position);
  }

  isQuick(position: number): boolean {
    return this.#isQuickMethod[position] === true && this.isPlain(position);
  }

  /** True if it is only bought and sold, in quantities that fit. */
  isPlain(position: number): boolean {
    return !this.isReplayed(position) && this.isExactInDoubles(position);
  }

  #classifyByRows(): void {
    const { count, kinds, positions, quantities, values } = this.#rows;
    for (let row = 0; row < count; row++) {
      const kind = kinds[row]!;
      const position = positions[row]!;
      if (position < 0) continue;
      if (isTradeKind(kind)) {
        if (Number.isNaN(quantities[row]!) || Number.isNaN(values[row]!)) this.#inexact.add(position);
      } else if (calling[kind] === 1 || (delivering[kind] === 1 && quantities[row] !== 0)) {
        this.#replayed.add(position);
      }
    }
  }

  /** What ends or pays back units may be booked at another position of the account than the one that holds them. */
  #replayWhereHeld(table: PositionTable): void {
    const { count, kinds, positions: positionOfRow } = this.#rows;
    const named = new Set<number>();
    for (let row = 0; row < count; row++) {
      const position = positionOfRow[row]!;
      if (position >= 0 && ending[kinds[row]!] === 1) named.add(position);
    }
    for (const instrument of new Set([...named].map((position) => table.key(position).instrument))) {
      const byAccount = Map.groupBy(table.positionsIn(instrument), (position) => table.key(position).account);
      for (const positions of byAccount.values()) {
        if (positions.length === 1 || !positions.some((one) => named.has(one))) continue;
        for (const one of positions) this.#replayed.add(one);
      }
    }
  }

  #replayCounterparts(transaction: LedgerTransaction, table: PositionTable): void {
    const { instrument, details } = transaction;
    if (instrument === null) return;
    if (details?.counterPlace !== undefined) {
      this.#replayed.add(table.positionNumber({ ...details.counterPlace, instrument }));
    }
    if (details?.action === undefined) return;
    const target = 'target' in details.action ? details.action.target : undefined;
    for (const position of table.positionsIn(instrument)) {
      this.#replayed.add(position);
      if (target !== undefined)
        this.#replayed.add(table.positionNumber({ ...table.key(position), instrument: target }));
    }
  }

  #replayUploaded(position: number, table: PositionTable): void {
    this.#replayed.add(position);
    for (const sibling of siblingPositions(position, table)) this.#replayed.add(sibling);
  }

  /** The rows that move units of replayed positions. */
  replayedRows(): Uint32Array {
    const { count, kinds, positions, quantities } = this.#rows;
    const found: number[] = [];
    for (let row = 0; row < count; row++) {
      const kind = kinds[row]!;
      const isMoving =
        isTradeKind(kind) ||
        calling[kind] === 1 ||
        converting[kind] === 1 ||
        (delivering[kind] === 1 && quantities[row] !== 0);
      if (isMoving && this.#replayed.has(positions[row]!)) found.push(row);
    }
    return Uint32Array.from(found);
  }

  /** True if its cost is not in the reference currency. */
  isForeign(position: number): boolean {
    return this.#isForeign[position] ?? false;
  }

  /** By row, the position that the quick pass may process; −1 otherwise. */
  quickRows(currency: 'own' | 'foreign'): Int32Array {
    const { count, kinds, positions } = this.#rows;
    const quick = new Int32Array(count).fill(-1);
    const isIncluded = this.#isForeign.map(
      (isForeign, position) => isForeign === (currency === 'foreign') && this.isQuick(position),
    );
    for (let row = 0; row < count; row++) {
      const position = positions[row]!;
      if (position >= 0 && isTradeKind(kinds[row]!) && isIncluded[position]) quick[row] = position;
    }
    return quick;
  }
}

interface PositionKindsContext {
  readonly table: PositionTable;
  readonly facts: Facts;
  readonly checkpoints: Checkpoints;
  readonly methods: CostMethods;
}

/** The other positions of its instrument. */
function otherPositions(position: number, table: PositionTable): readonly number[] {
  return table.positionsIn(table.key(position).instrument).filter((other) => other !== position);
}

/** If several accounts settle through a depository: the positions of those accounts. */
export function siblingPositions(position: number, table: PositionTable): readonly number[] {
  const { account, depository } = table.key(position);
  if (account !== null || depository === null) return [];
  return otherPositions(position, table).filter((other) => table.key(other).depository === depository);
}

/** What a position has of an amount that was booked for its account without a place: by the units that all have at the end of the day. */
export function unplacedShare(
  position: number,
  { day, whole }: { readonly day: Day; readonly whole: Fixed },
  source: Pick<UnplacedRowSource, 'table' | 'units'>,
): Fixed {
  const { account, instrument } = source.table.key(position);
  const place = { account, depository: null, instrument };
  const holders = listHolders(source.table, place, (one) => source.units(one).valueOn(day));
  return (
    unitShares(holders)
      .find((share) => share.position === position)
      ?.partOf(whole) ?? 0n
  );
}

interface UnplacedRowSource {
  readonly table: PositionTable;
  readonly rows: LedgerRows;
  readonly byPosition: RowsByPosition;
  instrument(position: number): Pick<ValuedInstrument, 'terms'>;
  units(position: number): StepFunction;
}

/** Rows about an instrument that were booked where it is not held, and count for what is held at the position. */
export function unplacedRows(position: number, source: UnplacedRowSource): readonly number[] {
  const { rows, byPosition } = source;
  return unplacedPositions(position, source).flatMap((place) =>
    [...byPosition.rowsOf(place)].filter((row) => source.units(place).valueOn(rows.days[row]!) === 0n),
  );
}

/**
 * An account without one of its depositories, and the accounts of a depository that was uploaded as a whole. A running fee may be paid
 * from any account.
 */
function unplacedPositions(position: number, source: UnplacedRowSource): readonly number[] {
  const { table } = source;
  const { account, depository, instrument } = table.key(position);
  if (source.instrument(position).terms.type === 'fee') return otherPositions(position, table);
  if (depository === null) return [];
  if (account === null) return siblingPositions(position, table);
  const unplaced = table.find({ account, depository: null, instrument });
  return unplaced === undefined ? [] : [unplaced];
}
