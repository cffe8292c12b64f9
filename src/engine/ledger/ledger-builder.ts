// A ledger from rows that come one after the other, as a store reads them. Knows no store.

import { Ledger } from './ledger.ts';
import type { Transaction } from './transaction.ts';
import { usualBounds } from './columns/chunk-segment.ts';
import { LedgerNames } from './columns/ledger-dictionary.ts';
import { StagedRows } from './columns/staged-rows.ts';
import type { TransactionColumns } from './columns/transaction-columns.ts';

export class LedgerBuilder {
  readonly #names = new LedgerNames();
  readonly #staged = new StagedRows(this.#names);

  /** In any order, and quickest in that of the ledger. Nothing of the object is kept but its details. */
  append(transaction: Transaction): void {
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
  ledger(): Ledger {
    return Ledger.ofStaged(this.#staged, { names: this.#names, bounds: usualBounds });
  }
}
