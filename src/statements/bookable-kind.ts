// The kind under which the ledger accepts a movement of cash whose direction is not the usual one.

import type { Decimal } from '../kit/decimal.ts';
import type { TransactionKind } from '../model/ledger/transaction-kind.ts';

const income: ReadonlySet<TransactionKind> = new Set(['dividend', 'coupon']);

/**
 * A refunded fee and income that is taken back count as interest, which has either sign: the ledger has fees only out and income
 * only in, and a flow would make both look like money that somebody brought or took.
 */
export function bookableKind(kind: TransactionKind, amount: Decimal): TransactionKind {
  const isOut = amount.startsWith('-');
  if (kind === 'fee') return isOut ? 'fee' : 'interest';
  return income.has(kind) && isOut ? 'interest' : kind;
}
