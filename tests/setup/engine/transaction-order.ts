// The order of a ledger as a comparison of single transactions, to compare the ledger's columns with.

import { intradayRank, intradayTime, type LedgerTransaction } from '../../../src/engine/ledger/transaction.ts';

export function compareTransactions(one: LedgerTransaction, other: LedgerTransaction): number {
  return (
    one.day - other.day ||
    intradayTime(one) - intradayTime(other) ||
    intradayRank(one) - intradayRank(other) ||
    one.row - other.row
  );
}
