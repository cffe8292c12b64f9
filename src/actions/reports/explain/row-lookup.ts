// Finds the transactions that explanations name, by their booking numbers. What was found once is kept: the ledger is searched as a
// whole each time.

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

  constructor(basis: Pick<ReportBasis, 'history' | 'findTransactionIds'>) {
    this.#basis = basis;
  }

  /** Searches for all of them at once. */
  prepare(numbers: Iterable<number>): void {
    const missing = new Set([...numbers].filter((number) => !this.#found.has(number)));
    if (missing.size === 0) return;
    const { rows } = this.#basis.history;
    const ids = this.#basis.findTransactionIds(missing);
    for (const number of missing) this.#found.set(number, { id: ids.get(number), transaction: undefined });
    for (const [index, number] of rows.numbers.entries()) {
      if (missing.has(number)) this.#found.set(number, { id: ids.get(number), transaction: rows.transaction(index) });
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
