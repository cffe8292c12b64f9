// Finds the transactions that explanations name, by their booking numbers. What was found once is kept: ids are searched for in the
// whole ledger each time.

import type { Id } from '../../../kit/id.ts';
import type { LedgerTransaction } from '../../../engine/ledger/transaction.ts';
import type { ReportBasis } from '../report-basis.ts';

interface FoundRow {
  readonly id: Id | undefined;
  readonly transaction: LedgerTransaction | undefined;
}

export class RowLookup {
  readonly #basis: Pick<ReportBasis, 'history' | 'findTransactionIds'>;
  readonly #found = new Map<number, FoundRow>();
  /** By booking number, the place of a row in the ledger. */
  #indexes: ReadonlyMap<number, number> | undefined;

  constructor(basis: Pick<ReportBasis, 'history' | 'findTransactionIds'>) {
    this.#basis = basis;
  }

  /** Searches for all of them at once. */
  prepare(numbers: Iterable<number>): void {
    const missing = new Set([...numbers].filter((number) => !this.#found.has(number)));
    if (missing.size === 0) return;
    const { rows } = this.#basis.history;
    const ids = this.#basis.findTransactionIds(missing);
    this.#indexes ??= new Map(Array.from(rows.numbers, (number, index) => [number, index]));
    for (const number of missing) {
      const index = this.#indexes.get(number);
      const transaction = index === undefined ? undefined : rows.transaction(index);
      this.#found.set(number, { id: ids.get(number), transaction });
    }
  }

  findId(number: number): Id | undefined {
    this.prepare([number]);
    return this.#found.get(number)?.id;
  }

  find(number: number): LedgerTransaction | undefined {
    this.prepare([number]);
    return this.#found.get(number)?.transaction;
  }
}
