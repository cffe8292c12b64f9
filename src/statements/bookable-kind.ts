// The kind under which the ledger accepts a movement of cash whose direction is not the usual one.

import type { Decimal } from '../kit/decimal.ts';
import type { TransactionKind } from '../model/ledger/transaction-kind.ts';

const incoming: ReadonlySet<TransactionKind> = new Set(['dividend', 'coupon', 'redemption', 'distribution']);

/** A refunded fee or a dividend that is taken back is a flow: the ledger has fees only out and income only in. */
export function bookableKind(kind: TransactionKind, amount: Decimal): TransactionKind {
  const isOut = amount.startsWith('-');
  if (kind === 'fee' && !isOut) return 'flow';
  return incoming.has(kind) && isOut ? 'flow' : kind;
}
