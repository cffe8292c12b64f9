// Units that leave a position in kind, and what they are worth where they are not held.

import { magnitude } from '../../kit/fixed.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import type { LotBookContext, UnitWorth } from './lot-book-changes.ts';
import type { TransferOut } from './lot-event.ts';

/** Values the units only if they are not held. */
export function transferOut(
  { unitWorth }: Pick<LotBookContext, 'unitWorth'>,
  transaction: LedgerTransaction,
  position: number,
): TransferOut {
  const { row, day, details } = transaction;
  const quantity = magnitude(transaction.quantity);
  let worth: UnitWorth | undefined;
  const getWorth = (): UnitWorth => (worth ??= unitWorth({ position, quantity, day }));
  return {
    row,
    day,
    quantity,
    ...(details?.named === undefined ? {} : { named: details.named }),
    get cost() {
      return getWorth().cost;
    },
    get referenceCost() {
      return getWorth().referenceCost;
    },
    get gap() {
      return getWorth().gap;
    },
  };
}
