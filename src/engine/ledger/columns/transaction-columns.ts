// Transactions as columns, as a store hands them over: the way into a ledger for very many rows, without an object for each. Knows
// no store.

import type { Fixed } from '../../../kit/fixed.ts';
import { transactionKinds, type TransactionDetails } from '../transaction.ts';
import type { LedgerNames } from './ledger-dictionary.ts';
import { none } from './ledger-dictionary.ts';

/** A number for each row, and the name that it stands for; −1 for none. */
export interface NamedColumn {
  readonly numbers: Int32Array;
  readonly names: readonly string[];
}

/** Integers × 10^-places. NaN is none, or among the wide ones what has more digits than a double. */
export interface DigitsColumn {
  readonly digits: Float64Array;
  readonly places: Uint8Array;
  readonly wide: ReadonlyMap<number, Fixed>;
}

/** See Transaction for what they mean. Rows in any order, and quickest in that of the ledger. */
export interface TransactionColumns {
  readonly length: number;
  /** Rows that do not count. */
  readonly gone: ReadonlySet<number>;
  readonly row: Float64Array;
  /** The names are those of kinds. */
  readonly kind: NamedColumn;
  readonly day: Int32Array;
  /** Milliseconds since the day began; −1 for none. */
  readonly time: Int32Array;
  /** noDay for none. */
  readonly settlement: Int32Array;
  readonly account: NamedColumn;
  readonly depository: NamedColumn;
  readonly instrument: NamedColumn;
  readonly currency: NamedColumn;
  /** 0 for none. */
  readonly quantity: DigitsColumn;
  readonly amount: DigitsColumn;
  readonly price: DigitsColumn;
  readonly value: DigitsColumn;
  readonly details: ReadonlyMap<number, TransactionDetails>;
}

const kindNumbers = new Map<string, number>(transactionKinds.map((kind, number) => [kind, number]));

/** What the names of some columns are called in a ledger: each pair is looked up once. */
export class ColumnNames {
  readonly kinds: Uint8Array;
  readonly currencies: Int32Array;
  readonly #columns: TransactionColumns;
  readonly #names: LedgerNames;
  readonly #places = new Map<number, number>();
  readonly #positions = new Map<number, number>();
  readonly #cash = new Map<number, number>();

  constructor(columns: TransactionColumns, names: LedgerNames) {
    this.#columns = columns;
    this.#names = names;
    this.kinds = Uint8Array.from(columns.kind.names, (name) => kindNumbers.get(name)!);
    this.currencies = new Int32Array(columns.currency.names.length).fill(none);
  }

  #nameOf({ numbers, names }: NamedColumn, row: number): string | null {
    const number = numbers[row]!;
    return number === none ? null : names[number]!;
  }

  place(row: number): number {
    const { account, depository } = this.#columns;
    const pair = (account.numbers[row]! + 1) * (depository.names.length + 1) + depository.numbers[row]! + 1;
    const known = this.#places.get(pair);
    if (known !== undefined) return known;
    const place = { account: this.#nameOf(account, row), depository: this.#nameOf(depository, row) };
    const number = this.#names.numberPlace(place);
    this.#places.set(pair, number);
    return number;
  }

  position(row: number, place: number): number {
    const { instrument } = this.#columns;
    const own = instrument.numbers[row]!;
    if (own === none) return none;
    const pair = place * instrument.names.length + own;
    const known = this.#positions.get(pair);
    if (known !== undefined) return known;
    const number = this.#names.numberPosition(place, instrument.names[own]!);
    this.#positions.set(pair, number);
    return number;
  }

  cash(row: number): number {
    const { account, currency } = this.#columns;
    const holder = account.numbers[row]!;
    if (holder === none) return none;
    const pair = holder * currency.names.length + currency.numbers[row]!;
    const known = this.#cash.get(pair);
    if (known !== undefined) return known;
    const number = this.#names.numberCash(account.names[holder]!, currency.names[currency.numbers[row]!]!);
    this.#cash.set(pair, number);
    return number;
  }

  currency(row: number): number {
    const { numbers, names } = this.#columns.currency;
    const own = numbers[row]!;
    if (this.currencies[own] === none) this.currencies[own] = this.#names.numberCurrency(names[own]!);
    return this.currencies[own]!;
  }
}
