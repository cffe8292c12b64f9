// Transactions as columns, as a store delivers them: loads many rows into a ledger without creating an object for each.

import { transactionKinds, type TransactionDetails } from '../transaction.ts';
import type { DigitsColumn } from '../../amounts/number-columns.ts';
import type { LedgerDictionary } from './ledger-dictionary.ts';
import { noNumber } from './ledger-dictionary.ts';

/** A number for each row and the name it stands for; −1 for none. */
export interface DictionaryColumn {
  readonly numbers: Int32Array;
  readonly names: readonly string[];
}

/** See LedgerTransaction for the meaning of each. Rows may be in any order; ledger order is fastest. */
export interface TransactionColumns {
  readonly length: number;
  /** Rows to leave out. */
  readonly excludedRows: ReadonlySet<number>;
  readonly row: Float64Array;
  /** Its names are transaction kinds. */
  readonly kind: DictionaryColumn;
  readonly day: Int32Array;
  /** Milliseconds since the start of the day; −1 for none. */
  readonly time: Int32Array;
  /** noSettlementDay for none. */
  readonly settlement: Int32Array;
  readonly account: DictionaryColumn;
  readonly depository: DictionaryColumn;
  readonly instrument: DictionaryColumn;
  readonly currency: DictionaryColumn;
  /** 0 for none. */
  readonly quantity: DigitsColumn;
  readonly amount: DigitsColumn;
  readonly price: DigitsColumn;
  readonly value: DigitsColumn;
  readonly details: ReadonlyMap<number, TransactionDetails>;
}

const kindNumbers = new Map<string, number>(transactionKinds.map((kind, number) => [kind, number]));

/** Translates the names of columns to the ledger's numbers, looking each pair up once. */
export class ColumnCodes {
  readonly kinds: Uint8Array;
  readonly currencies: Int32Array;
  readonly #columns: TransactionColumns;
  readonly #names: LedgerDictionary;
  readonly #places = new Map<number, number>();
  readonly #positions = new Map<number, number>();
  readonly #cash = new Map<number, number>();

  constructor(columns: TransactionColumns, names: LedgerDictionary) {
    this.#columns = columns;
    this.#names = names;
    this.kinds = Uint8Array.from(columns.kind.names, (name) => kindNumbers.get(name)!);
    this.currencies = new Int32Array(columns.currency.names.length).fill(noNumber);
  }

  #nameAt({ numbers, names }: DictionaryColumn, row: number): string | null {
    const number = numbers[row]!;
    return number === noNumber ? null : names[number]!;
  }

  place(row: number): number {
    const { account, depository } = this.#columns;
    const pair = (account.numbers[row]! + 1) * (depository.names.length + 1) + depository.numbers[row]! + 1;
    const cached = this.#places.get(pair);
    if (cached !== undefined) return cached;
    const place = { account: this.#nameAt(account, row), depository: this.#nameAt(depository, row) };
    const number = this.#names.internPlace(place);
    this.#places.set(pair, number);
    return number;
  }

  position(row: number, place: number): number {
    const { instrument } = this.#columns;
    const code = instrument.numbers[row]!;
    if (code === noNumber) return noNumber;
    const pair = place * instrument.names.length + code;
    const cached = this.#positions.get(pair);
    if (cached !== undefined) return cached;
    const number = this.#names.internPosition(place, instrument.names[code]!);
    this.#positions.set(pair, number);
    return number;
  }

  cash(row: number): number {
    const { account, currency } = this.#columns;
    const accountCode = account.numbers[row]!;
    if (accountCode === noNumber) return noNumber;
    const pair = accountCode * currency.names.length + currency.numbers[row]!;
    const cached = this.#cash.get(pair);
    if (cached !== undefined) return cached;
    const number = this.#names.internCash(account.names[accountCode]!, currency.names[currency.numbers[row]!]!);
    this.#cash.set(pair, number);
    return number;
  }

  currency(row: number): number {
    const { numbers, names } = this.#columns.currency;
    const code = numbers[row]!;
    if (this.currencies[code] === noNumber) this.currencies[code] = this.#names.internCurrency(names[code]!);
    return this.currencies[code]!;
  }
}
