// Builds the engine's ledger from the store's columns, updates it with later changes, and finds transaction ids by booking
// numbers.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { dayMs } from '../../kit/clock.ts';
import type { Day } from '../../kit/day.ts';
import { toFixed, type Fixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import type { Pieces } from '../../kit/turns/pieces.ts';
import { Ledger } from '../../engine/ledger/ledger.ts';
import { LedgerBuilder } from '../../engine/ledger/ledger-builder.ts';
import type { DigitsColumn } from '../../engine/amounts/number-columns.ts';
import type { DictionaryColumn, TransactionColumns } from '../../engine/ledger/columns/transaction-columns.ts';
import { unitAtScale } from '../../engine/amounts/decimal-column.ts';
import { unidentifiedInstrument } from '../../engine/ledger/position-key.ts';
import {
  timeMax,
  type LedgerTransaction,
  type TransactionDetails,
  type TransactionKind,
} from '../../engine/ledger/transaction.ts';
import type { LedgerChanges } from '../../store/ledger/account-ledger.ts';
import { idBytes, nameAt, nullDay, nullName } from '../../store/postgres/binary/column-builder.ts';
import type { LedgerBlock, LiveBlock } from '../../store/ledger/ledger-block.ts';
import { toEngineDetails, sameCurrencyTerms, type LotTerms } from './engine-details.ts';

/** ISO 4217's code for no currency, for rows without an amount. */
export const noCurrency = 'XXX';

/** A trade date may begin a day earlier or end a day later than that of UTC; beyond that, takes the nearest moment. */
export function executionTime(executed: number, day: Day): number {
  return Number.isNaN(executed) ? -1 : Math.min(Math.max(executed - (day - 1) * dayMs, 0), timeMax - 1);
}

function executionTimes({ executed, day, length }: LedgerBlock): Int32Array {
  const times = new Int32Array(length);
  for (let row = 0; row < length; row++) times[row] = executionTime(executed[row]!, day[row]!);
  return times;
}

function currencyColumn({ numbers, names }: DictionaryColumn): DictionaryColumn {
  if (!numbers.includes(nullName)) return { numbers, names };
  return {
    numbers: numbers.map((number) => (number === nullName ? names.length : number)),
    names: [...names, noCurrency],
  };
}

/** Units of a trade without an instrument are still units of something. */
function tradesUnnamed(kind: TransactionKind): boolean {
  return traitsOfKind(kind).units === 'traded';
}

function instrumentColumn({ kind, instrument }: LedgerBlock): DictionaryColumn {
  const { numbers, names } = instrument;
  const isTraded = kind.names.map((name) => tradesUnnamed(name as TransactionKind));
  if (!isTraded.includes(true) || !numbers.includes(nullName)) return instrument;
  const isUnnamed = (number: number, row: number): boolean =>
    number === nullName && isTraded[kind.numbers[row]!] === true;
  return {
    numbers: numbers.map((number, row) => (isUnnamed(number, row) ? names.length : number)),
    names: [...names, unidentifiedInstrument],
  };
}

function instrumentAt(piece: LedgerBlock, row: number): string | null {
  const name = nameAt(piece.instrument, row);
  return name === null && tradesUnnamed(nameAt(piece.kind, row) as TransactionKind) ? unidentifiedInstrument : name;
}

function findFixed({ digits, places, wide }: DigitsColumn, row: number): Fixed | null {
  const value = digits[row]!;
  return Number.isNaN(value) ? (wide.get(row) ?? null) : BigInt(value) * unitAtScale(places[row]!);
}

function detailsAt(piece: LedgerBlock, row: number, terms: LotTerms): TransactionDetails | null {
  const details = piece.details.get(row);
  if (details === undefined) return null;
  const kind = nameAt(piece.kind, row) as TransactionKind;
  const [account, instrument] = [nameAt(piece.account, row), nameAt(piece.instrument, row)];
  return toEngineDetails(details, { kind, account, instrument }, terms);
}

function toEngineColumns({ rows, removed: gone }: LiveBlock, terms: LotTerms): TransactionColumns {
  const details = new Map<number, TransactionDetails>();
  for (const row of rows.details.keys()) {
    const found = detailsAt(rows, row, terms);
    if (found !== null) details.set(row, found);
  }
  const { sequence, executed: _executed, currency, ...same } = rows;
  const instrument = instrumentColumn(rows);
  return {
    ...same,
    instrument,
    excludedRows: gone,
    row: sequence,
    time: executionTimes(rows),
    currency: currencyColumn(currency),
    details,
  };
}

/** Builds a ledger of all rows of the blocks. They must belong to one client or to none, so that their booking numbers differ. */
export function* buildEngineLedger(pieces: readonly LiveBlock[], terms: LotTerms = sameCurrencyTerms): Pieces<Ledger> {
  const builder = new LedgerBuilder();
  builder.reserve(pieces.reduce((sum, { rows }) => sum + rows.length, 0));
  for (const piece of pieces) {
    builder.appendColumns(toEngineColumns(piece, terms));
    yield;
  }
  return builder.build();
}

/** Reads one row as an object: for small numbers of rows. */
export function toEngineTransaction(
  piece: LedgerBlock,
  row: number,
  terms: LotTerms = sameCurrencyTerms,
): LedgerTransaction {
  const [settlement, time] = [piece.settlement[row]!, executionTime(piece.executed[row]!, piece.day[row]!)];
  return {
    row: piece.sequence[row]!,
    kind: nameAt(piece.kind, row) as TransactionKind,
    day: piece.day[row]!,
    time: time < 0 ? null : time,
    settlement: settlement === nullDay ? null : settlement,
    account: nameAt(piece.account, row),
    depository: nameAt(piece.depository, row),
    instrument: instrumentAt(piece, row),
    quantity: findFixed(piece.quantity, row) ?? 0n,
    amount: findFixed(piece.amount, row) ?? 0n,
    currency: nameAt(piece.currency, row) ?? noCurrency,
    price: findFixed(piece.price, row),
    value: findFixed(piece.value, row) ?? 0n,
    details: detailsAt(piece, row, terms),
  };
}

/** Applies what has changed since the ledger was built. */
export function updateEngineLedger(
  ledger: Ledger,
  changes: LedgerChanges,
  terms: LotTerms = sameCurrencyTerms,
): Ledger {
  let changed = ledger;
  for (const { sequence, day } of changes.closed) changed = changed.remove({ row: sequence, day });
  const added: LedgerTransaction[] = [];
  for (const { rows, removed: gone } of changes.opened) {
    for (let row = 0; row < rows.length; row++) if (!gone.has(row)) added.push(toEngineTransaction(rows, row, terms));
  }
  return changed.add(added);
}

/** Finds the ids of the transactions with these booking numbers. */
export function transactionIds(pieces: readonly LiveBlock[], numbers: Iterable<number>): ReadonlyMap<number, Id> {
  const wanted = new Set(numbers);
  const ids = new Map<number, Id>();
  for (const { rows, removed: gone } of pieces) {
    for (let row = 0; row < rows.length && ids.size < wanted.size; row++) {
      if (!wanted.has(rows.sequence[row]!) || gone.has(row)) continue;
      const bytes = rows.id.subarray(row * idBytes, (row + 1) * idBytes);
      ids.set(rows.sequence[row]!, bytes.toHex() as Id);
    }
  }
  return ids;
}

/** A row with money that nothing stated explains. */
export interface UnexplainedRow {
  readonly number: number;
  readonly day: Day;
  readonly amount: Fixed;
}

/** In the order of booking. */
export function listUnexplainedRows(pieces: readonly LiveBlock[]): readonly UnexplainedRow[] {
  const found = pieces.flatMap(({ rows, removed: gone }) =>
    [...rows.details].flatMap(([row, { unexplained }]) =>
      unexplained === undefined || gone.has(row)
        ? []
        : [{ number: rows.sequence[row]!, day: rows.day[row]!, amount: toFixed(unexplained) }],
    ),
  );
  return found.toSorted((one, other) => one.number - other.number);
}
