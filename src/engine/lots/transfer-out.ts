// Units that leave a position in kind, and what they are worth where they are not held.

import { magnitude } from '../../kit/fixed.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import type { LotBookContext, UnitWorth } from './lot-book-changes.ts';
import type { TransferOut } from './lot-event.ts';
import type { QuantityAndCost } from './lot.ts';
import { proportionalPart, zeroQuantityAndCost } from './quantity-and-cost.ts';

interface TransferOutContext extends Pick<LotBookContext, 'unitWorth'> {
  /** The units of the instrument in all own places, with their cost. */
  heldAnywhere(): QuantityAndCost;
}

/** Values the units only if they are not held: without a price, at what those in own places have cost on average. */
export function transferOut(
  { unitWorth, heldAnywhere }: TransferOutContext,
  transaction: LedgerTransaction,
  position: number,
): TransferOut {
  const { row, day, details } = transaction;
  const quantity = magnitude(transaction.quantity);
  const findWorth = (): UnitWorth => {
    const found = unitWorth({ position, quantity, day });
    const held = found.isUnknown === true ? heldAnywhere() : zeroQuantityAndCost;
    return held.quantity > 0n ? proportionalPart(held, quantity) : found;
  };
  let worth: UnitWorth | undefined;
  const getWorth = (): UnitWorth => (worth ??= findWorth());
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
