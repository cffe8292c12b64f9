// Transactions on their way into chunks: taken in one by one in any order, handed out in the order of the ledger. Knows no
// ledger.

import {
  intradayRank,
  intradayTime,
  transactionKinds,
  type Transaction,
  type TransactionDetails,
} from '../transaction.ts';
import {
  compareRows,
  newChunk,
  newPlainColumns,
  noDay,
  plainColumnNames,
  type DecimalColumnName,
  type LedgerChunk,
  type LedgerScales,
  type PlainColumns,
} from './ledger-chunk.ts';
import { LedgerFault } from './ledger-fault.ts';
import { none, type LedgerNames } from './ledger-names.ts';
import { StagedDecimals } from './staged-decimals.ts';

/** So many places have room even where nothing needs them yet. */
const usualScales: LedgerScales = { quantity: 2, amount: 2, price: 4, value: 2 };

const kindNumbers = new Map(transactionKinds.map((kind, number) => [kind, number]));

export class StagedRows {
  readonly #names: LedgerNames;
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
  #isOrdered = true;

  constructor(names: LedgerNames) {
    this.#names = names;
  }

  get length(): number {
    return this.#length;
  }

  append(transaction: Transaction): void {
    checkNumbers(transaction);
    if (this.#length === this.#capacity) this.#grow();
    const index = this.#length++;
    this.#putOrder(index, transaction);
    this.#putNames(index, transaction);
    this.#decimals.quantity.put(index, transaction.quantity);
    this.#decimals.amount.put(index, transaction.amount);
    this.#decimals.price.put(index, transaction.price);
    this.#decimals.value.put(index, transaction.value);
    if (transaction.details !== null) this.#details.set(index, transaction.details);
  }

  #putOrder(index: number, transaction: Transaction): void {
    const columns = this.#columns;
    columns.row[index] = transaction.row;
    columns.day[index] = transaction.day;
    columns.time[index] = intradayTime(transaction);
    columns.isTimed[index] = transaction.time === null ? 0 : 1;
    columns.rank[index] = intradayRank(transaction);
    if (index > 0 && compareRows(columns, index - 1, columns, index) > 0) this.#isOrdered = false;
  }

  #putNames(index: number, { kind, settlement, account, depository, instrument, currency }: Transaction): void {
    const columns = this.#columns;
    const names = this.#names;
    columns.kind[index] = kindNumbers.get(kind)!;
    columns.settlement[index] = settlement ?? noDay;
    const place = names.numberPlace({ account, depository });
    columns.place[index] = place;
    columns.position[index] = instrument === null ? none : names.numberPosition(place, instrument);
    columns.cash[index] = account === null ? none : names.numberCash(account, currency);
    columns.currency[index] = names.numberCurrency(currency);
  }

  #grow(): void {
    this.#capacity *= 2;
    const before = this.#columns;
    this.#columns = newPlainColumns(this.#capacity);
    for (const name of plainColumnNames) this.#columns[name].set(before[name]);
    for (const decimals of Object.values(this.#decimals)) decimals.grow(this.#capacity);
  }

  /** The booking numbers, rising. */
  numbers(): Float64Array {
    const numbers = this.#columns.row.subarray(0, this.#length).toSorted();
    const twin = numbers.find((number, index) => index > 0 && number === numbers[index - 1]);
    if (twin !== undefined) throw new LedgerFault(`Two rows have the booking number ${twin}.`);
    return numbers;
  }

  /** Places enough for as many rows as possible. */
  scales(): LedgerScales {
    const { quantity, amount, price, value } = this.#decimals;
    return {
      quantity: quantity.scale(usualScales.quantity),
      amount: amount.scale(usualScales.amount),
      price: price.scale(usualScales.price),
      value: value.scale(usualScales.value),
    };
  }

  /** Where the rows lie, in the order of the ledger. */
  order(): Uint32Array {
    const order = new Uint32Array(this.#length);
    for (let index = 0; index < order.length; index++) order[index] = index;
    const columns = this.#columns;
    return this.#isOrdered ? order : order.toSorted((one, other) => compareRows(columns, one, columns, other));
  }

  /** The rows that lie there, in this order. */
  chunk(rows: Uint32Array, scales: LedgerScales): LedgerChunk {
    const { quantity, amount, price, value } = this.#decimals;
    return newChunk(this.#names, {
      ...gathered(this.#columns, rows),
      quantity: quantity.column(rows, scales.quantity),
      amount: amount.column(rows, scales.amount),
      price: price.column(rows, scales.price),
      value: value.column(rows, scales.value),
      details: this.#gatheredDetails(rows),
    });
  }

  #gatheredDetails(rows: Uint32Array): Map<number, TransactionDetails> {
    const gathered = new Map<number, TransactionDetails>();
    if (this.#details.size === 0) return gathered;
    for (const [index, row] of rows.entries()) {
      const details = this.#details.get(row);
      if (details !== undefined) gathered.set(index, details);
    }
    return gathered;
  }
}

function gathered(columns: PlainColumns, rows: Uint32Array): PlainColumns {
  const target = newPlainColumns(rows.length);
  for (const name of plainColumnNames) {
    const [to, from] = [target[name], columns[name]];
    for (let index = 0; index < rows.length; index++) to[index] = from[rows[index]!]!;
  }
  return target;
}

function checkNumbers({ row, day, settlement, time }: Transaction): void {
  if (!Number.isSafeInteger(row)) throw new LedgerFault(`${row} is no booking number.`);
  const daysAndTime = [day, settlement ?? 0, time ?? 0];
  for (const number of daysAndTime) {
    if (number !== (number | 0) || number === noDay)
      throw new LedgerFault(`Row ${row}: ${number} is no day and no time of a day.`);
  }
}
