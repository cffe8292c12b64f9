// A ledger from rows that come one after the other, as a store reads them. Knows no store.

import { Ledger } from './ledger.ts';
import type { LedgerTransaction } from './transaction.ts';
import { defaultBounds } from './columns/chunk-segment.ts';
import { LedgerDictionary } from './columns/ledger-dictionary.ts';
import { StagedRows } from './columns/staged-rows.ts';
import type { TransactionColumns } from './columns/transaction-columns.ts';

export class LedgerBuilder {
  readonly #names = new LedgerDictionary();
  readonly #staged = new StagedRows(this.#names);

  /** In any order, and quickest in that of the ledger. Nothing of the object is kept but its details. */
  append(transaction: LedgerTransaction): void {
    this.#staged.append(transaction);
  }

  /** Makes room at once for so many rows. */
  reserve(rows: number): void {
    this.#staged.reserve(rows);
  }

  /** Nothing of the columns is kept but their details. */
  appendColumns(columns: TransactionColumns): void {
    this.#staged.appendColumns(columns);
  }

  /** What has been appended so far. */
  build(): Ledger {
    return Ledger.fromStaged(this.#staged, { names: this.#names, bounds: defaultBounds });
  }
}
