// Builds a ledger from rows that arrive one after the other.

import { Ledger } from './ledger.ts';
import type { LedgerTransaction } from './transaction.ts';
import { defaultBounds } from './columns/chunk-segment.ts';
import { LedgerDictionary } from './columns/ledger-dictionary.ts';
import { StagedRows } from './columns/staged-rows.ts';
import type { TransactionColumns } from './columns/transaction-columns.ts';

export class LedgerBuilder {
  readonly #names = new LedgerDictionary();
  readonly #staged = new StagedRows(this.#names);

  /** Rows may come in any order; ledger order is fastest. Only the details of the object are kept. */
  append(transaction: LedgerTransaction): void {
    this.#staged.append(transaction);
  }

  /** Makes room for that many rows at once. */
  reserve(rows: number): void {
    this.#staged.reserve(rows);
  }

  /** Only the details of the columns are kept. */
  appendColumns(columns: TransactionColumns): void {
    this.#staged.appendColumns(columns);
  }

  /** Builds a ledger of everything appended so far. */
  build(): Ledger {
    return Ledger.fromStaged(this.#staged, { names: this.#names, bounds: defaultBounds });
  }
}
