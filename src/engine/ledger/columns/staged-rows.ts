// Collects transactions in any order and hands them out as chunks in ledger order.

import {
  intradayRank,
  intradayTime,
  transactionKinds,
  untimedSortTime,
  type LedgerTransaction,
  type TransactionDetails,
} from '../transaction.ts';
import {
  compareRows,
  newChunk,
  newPlainColumns,
  noSettlementDay,
  plainColumnNames,
  type DecimalColumnName,
  type LedgerChunk,
  type LedgerScales,
  type PlainColumns,
} from './ledger-chunk.ts';
import { LedgerError } from '../ledger-error.ts';
import { noNumber, type LedgerDictionary } from './ledger-dictionary.ts';
import { findBookingOrder, rowOrder, identityOrder } from './row-order.ts';
import { StagedDecimals } from './staged-decimals.ts';
import type { DigitsColumn } from '../../amounts/number-columns.ts';
import { ColumnCodes, type TransactionColumns } from './transaction-columns.ts';

/** Minimum places, so that later values fit without rescaling. */
const defaultScales: LedgerScales = { quantity: 2, amount: 2, price: 4, value: 2 };

const kindNumbers = new Map(transactionKinds.map((kind, number) => [kind, number]));

export class StagedRows {
  readonly #names: LedgerDictionary;
  #length = 0;
  #capacity = 1;
  #columns = newPlainColumns(1);
  readonly #decimals: Readonly<Record<DecimalColumnName, StagedDecimals>> = {
    quantity: new StagedDecimals(1),
    amount: new StagedDecimals(1),
    price: new StagedDecimals(1),
    value: new StagedDecimals(1),
  };
  readonly #details = new Map<number, TransactionDetails>();
  /** 1 if a row has details: much faster to check than looking them up. */
  #isDetailed = new Uint8Array(1);
  #isOrdered = true;

  constructor(names: LedgerDictionary) {
    this.#names = names;
  }

  get length(): number {
    return this.#length;
  }

  append(transaction: LedgerTransaction): void {
    checkNumbers(transaction);
    if (this.#length === this.#capacity) this.#setCapacity(2 * this.#capacity);
    const index = this.#length++;
    this.#putOrder(index, transaction);
    this.#putNames(index, transaction);
    this.#decimals.quantity.put(index, transaction.quantity);
    this.#decimals.amount.put(index, transaction.amount);
    this.#decimals.price.put(index, transaction.price);
    this.#decimals.value.put(index, transaction.value);
    if (transaction.details !== null) this.#putDetails(index, transaction.details);
  }

  #putDetails(index: number, details: TransactionDetails): void {
    this.#details.set(index, details);
    this.#isDetailed[index] = 1;
  }

  /** Appends all rows of the columns except the excluded ones. */
  appendColumns(columns: TransactionColumns): void {
    this.reserve(columns.length);
    const names = new ColumnCodes(columns, this.#names);
    const { excludedRows } = columns;
    const isDetailed = new Uint8Array(columns.length);
    for (const from of columns.details.keys()) isDetailed[from] = 1;
    for (let from = 0; from < columns.length; from++) {
      if (excludedRows.size > 0 && excludedRows.has(from)) continue;
      const index = this.#length++;
      const details = isDetailed[from] === 1 ? columns.details.get(from)! : null;
      if (details !== null) this.#putDetails(index, details);
      this.#copyNames(index, columns, names, from);
      this.#copyOrder(index, columns, from, details);
      copyDigits(this.#decimals.quantity, index, columns.quantity, from, 0);
      copyDigits(this.#decimals.amount, index, columns.amount, from, 0);
      copyDigits(this.#decimals.price, index, columns.price, from, NaN);
      copyDigits(this.#decimals.value, index, columns.value, from, 0);
    }
  }

  #copyNames(index: number, { kind, settlement }: TransactionColumns, names: ColumnCodes, from: number): void {
    const target = this.#columns;
    target.kind[index] = names.kinds[kind.numbers[from]!]!;
    target.settlement[index] = settlement[from]!;
    const place = names.place(from);
    target.place[index] = place;
    target.position[index] = names.position(from, place);
    target.cash[index] = names.cash(from);
    target.currency[index] = names.currency(from);
  }

  #copyOrder(index: number, columns: TransactionColumns, from: number, details: TransactionDetails | null): void {
    const target = this.#columns;
    const rank = intradayRank({
      kind: transactionKinds[target.kind[index]!]!,
      quantity: signAt(columns.quantity, from),
      amount: signAt(columns.amount, from),
      details,
    });
    const time = columns.time[from]!;
    target.row[index] = columns.row[from]!;
    target.day[index] = columns.day[from]!;
    target.rank[index] = rank;
    target.isTimed[index] = time < 0 ? 0 : 1;
    target.time[index] = time < 0 ? untimedSortTime(rank) : time;
    this.#updateIsOrdered(index);
  }

  #updateIsOrdered(index: number): void {
    const columns = this.#columns;
    if (index > 0 && compareRows(columns, index - 1, columns, index) > 0) this.#isOrdered = false;
  }

  #putOrder(index: number, transaction: LedgerTransaction): void {
    const columns = this.#columns;
    columns.row[index] = transaction.row;
    columns.day[index] = transaction.day;
    columns.time[index] = intradayTime(transaction);
    columns.isTimed[index] = transaction.time === null ? 0 : 1;
    columns.rank[index] = intradayRank(transaction);
    this.#updateIsOrdered(index);
  }

  #putNames(index: number, { kind, settlement, account, depository, instrument, currency }: LedgerTransaction): void {
    const columns = this.#columns;
    const names = this.#names;
    columns.kind[index] = kindNumbers.get(kind)!;
    columns.settlement[index] = settlement ?? noSettlementDay;
    const place = names.internPlace({ account, depository });
    columns.place[index] = place;
    columns.position[index] = instrument === null ? noNumber : names.internPosition(place, instrument);
    columns.cash[index] = account === null ? noNumber : names.internCash(account, currency);
    columns.currency[index] = names.internCurrency(currency);
  }

  /** Makes room for that many more rows at once. */
  reserve(rows: number): void {
    const needed = this.#length + rows;
    if (needed > this.#capacity) this.#setCapacity(Math.max(needed, 2 * this.#capacity));
  }

  #setCapacity(capacity: number): void {
    this.#capacity = capacity;
    const before = this.#columns;
    this.#columns = newPlainColumns(this.#capacity);
    for (const name of plainColumnNames) this.#columns[name].set(before[name]);
    for (const decimals of Object.values(this.#decimals)) decimals.grow(this.#capacity);
    const isDetailed = this.#isDetailed;
    this.#isDetailed = new Uint8Array(capacity);
    this.#isDetailed.set(isDetailed);
  }

  /** Throws if two rows have the same booking number. */
  checkNumbers(): void {
    const rows = this.#columns.row.subarray(0, this.#length);
    if (!isStrictlyIncreasing(rows) && findBookingOrder(rows) === undefined) this.numbers();
  }

  /** Returns the booking numbers in ascending order. */
  numbers(): Float64Array {
    const rows = this.#columns.row.subarray(0, this.#length);
    if (isStrictlyIncreasing(rows)) return rows.slice();
    const numbers = rows.toSorted();
    const duplicate = numbers.find((number, index) => index > 0 && number === numbers[index - 1]);
    if (duplicate !== undefined) throw new LedgerError(`Two rows have the booking number ${duplicate}.`);
    return numbers;
  }

  /** Returns scales with enough places for as many rows as possible. */
  scales(): LedgerScales {
    const { quantity, amount, price, value } = this.#decimals;
    return {
      quantity: quantity.scale(defaultScales.quantity),
      amount: amount.scale(defaultScales.amount),
      price: price.scale(defaultScales.price),
      value: value.scale(defaultScales.value),
    };
  }

  /** Returns the positions of the rows in ledger order. */
  order(): Uint32Array {
    return this.#isOrdered ? identityOrder(this.#length) : rowOrder(this.#columns, this.#length);
  }

  /** Builds a chunk of the rows at these positions, in this order. */
  chunk(rows: Uint32Array, scales: LedgerScales): LedgerChunk {
    const { quantity, amount, price, value } = this.#decimals;
    return newChunk(this.#names, {
      ...selected(this.#columns, rows),
      quantity: quantity.column(rows, scales.quantity),
      amount: amount.column(rows, scales.amount),
      price: price.column(rows, scales.price),
      value: value.column(rows, scales.value),
      details: this.#selectDetails(rows),
    });
  }

  #selectDetails(rows: Uint32Array): Map<number, TransactionDetails> {
    const selected = new Map<number, TransactionDetails>();
    if (this.#details.size === 0) return selected;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      if (this.#isDetailed[row] === 1) selected.set(index, this.#details.get(row)!);
    }
    return selected;
  }
}

/** Strictly increasing booking numbers contain no duplicates. */
function isStrictlyIncreasing(numbers: Float64Array): boolean {
  for (let index = 1; index < numbers.length; index++) if (numbers[index - 1]! >= numbers[index]!) return false;
  return true;
}

function signAt({ digits, wide }: DigitsColumn, row: number): number {
  const value = digits[row]!;
  return Number.isNaN(value) ? ((wide.get(row) ?? 0n) < 0n ? -1 : 1) : value;
}

/** Copies the value that marks a missing one if there is none. */
function copyDigits(
  target: StagedDecimals,
  index: number,
  source: DigitsColumn,
  row: number,
  missingValue: 0 | typeof NaN,
): void {
  const digits = source.digits[row]!;
  if (!Number.isNaN(digits)) target.putDigits(index, digits, source.places[row]!);
  else if (source.wide.has(row)) target.put(index, source.wide.get(row)!);
  else if (missingValue === 0) target.putDigits(index, 0, 0);
  else target.put(index, null);
}

function selected(columns: PlainColumns, rows: Uint32Array): PlainColumns {
  const target = newPlainColumns(rows.length);
  for (const name of plainColumnNames) {
    const [to, from] = [target[name], columns[name]];
    for (let index = 0; index < rows.length; index++) to[index] = from[rows[index]!]!;
  }
  return target;
}

function checkNumbers({ row, day, settlement, time }: LedgerTransaction): void {
  if (!Number.isSafeInteger(row)) throw new LedgerError(`${row} is not a booking number.`);
  const daysAndTime = [day, settlement ?? 0, time ?? 0];
  for (const number of daysAndTime) {
    if (number !== (number | 0) || number === noSettlementDay)
      throw new LedgerError(`Row ${row}: ${number} is neither a day nor a time of day.`);
  }
}
