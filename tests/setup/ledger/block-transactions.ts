// The transactions in the columns of ledgers, to be compared.

import { toEngineTransaction } from '../../../src/actions/ledger/engine-ledger.ts';
import type { LedgerTransaction } from '../../../src/engine/ledger/transaction.ts';
import type { LiveBlock } from '../../../src/store/ledger/ledger-block.ts';

/** In the order of their booking numbers. */
export function transactionsIn(blocks: readonly LiveBlock[]): LedgerTransaction[] {
  const all = blocks.flatMap(({ rows, removed }) =>
    Array.from({ length: rows.length }, (_, row) => row)
      .filter((row) => !removed.has(row))
      .map((row) => toEngineTransaction(rows, row)),
  );
  return all.toSorted((one, other) => one.row - other.row);
}
