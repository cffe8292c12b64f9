// Finds the positions whose lots a transaction is about: the holders of an instrument, and units that lie in a depository alone.

import { magnitude, multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { Leg } from '../ledger/leg.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import type { QuantityAndCost } from './lot.ts';
import { totalCosts } from './quantity-and-cost.ts';

interface Holder {
  readonly position: number;
  readonly units: Fixed;
}

/** Every position within the place of the transaction that holds its instrument. */
export function listHolders(
  table: PositionTable,
  { account, depository, instrument }: Pick<LedgerTransaction, 'account' | 'depository' | 'instrument'>,
  unitsOf: (position: number) => Fixed,
): readonly Holder[] {
  const positions = instrument === null ? [] : table.positionsIn(instrument);
  return positions.flatMap((position) => {
    const key = table.key(position);
    const isAtPlace = (account ?? key.account) === key.account && (depository ?? key.depository) === key.depository;
    const units = isAtPlace ? unitsOf(position) : 0n;
    return units === 0n ? [] : [{ position, units }];
  });
}

/** All units of the instrument in own places that are not short, with their cost. */
export function totalHeld(
  table: PositionTable,
  { instrument }: Pick<LedgerTransaction, 'instrument'>,
  totalOf: (position: number) => QuantityAndCost,
): QuantityAndCost {
  const everywhere = { account: null, depository: null, instrument };
  const holders = listHolders(table, everywhere, (position) => totalOf(position).quantity);
  return totalCosts(holders.flatMap(({ position, units }) => (units > 0n ? [totalOf(position)] : [])));
}

interface PaidShare {
  readonly position: number;
  readonly share: LedgerTransaction;
}

/** What a row pays each holder, by units, the running total rounded. Shorts are paid only if nobody else is there. */
export function shareByUnits(transaction: LedgerTransaction, holders: readonly Holder[]): readonly PaidShare[] {
  if (transaction.amount === 0n || holders.length === 1)
    return holders.map(({ position }) => ({ position, share: transaction }));
  const isAnyLong = holders.some(({ units }) => units > 0n);
  const weights = holders.map(({ units }) => (isAnyLong && units < 0n ? 0n : magnitude(units)));
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  let before = 0n;
  return holders.map(({ position }, index) => {
    const after = before + weights[index]!;
    const [from, to] = [before, after];
    const partOf = (whole: Fixed): Fixed => multiplyDivide(whole, to, all) - multiplyDivide(whole, from, all);
    before = after;
    return { position, share: shareOfRow(transaction, partOf) };
  });
}

function shareOfRow(transaction: LedgerTransaction, partOf: (whole: Fixed) => Fixed): LedgerTransaction {
  const { amount, value, details } = transaction;
  const share = { ...transaction, amount: partOf(amount), value: partOf(value) };
  const action = details?.action;
  if (action?.action !== 'merger' || action.cashInLieu === undefined) return share;
  return { ...share, details: { ...details, action: { ...action, cashInLieu: partOf(action.cashInLieu) } } };
}

/** The row's amount is a flow of the position that it names: what another one is paid moves on to it. */
export function movedMoney(
  { amount, currency }: LedgerTransaction,
  { from, to }: { readonly from: number; readonly to: number },
): readonly Leg[] {
  if (amount === 0n || from === to) return [];
  const leg = { measure: 'cash', currency } as const;
  return [
    { ...leg, position: from, other: to, amount },
    { ...leg, position: to, other: from, amount: -amount },
  ];
}

interface UnitsGivenAway {
  readonly position: number;
  readonly quantity: Fixed;
  held(position: number): Fixed;
}

/**
 * Units that an account lacks and that lie in its depository alone: a depository that serves several accounts is uploaded as a whole, and
 * its feed books by account. A short stays as it is.
 */
export function unitsToFetch(
  table: PositionTable,
  { position, quantity, held }: UnitsGivenAway,
): { readonly alone: number; readonly units: { readonly quantity: Fixed } } | undefined {
  const { account, depository, instrument } = table.key(position);
  if (account === null || depository === null) return undefined;
  const alone = table.find({ account: null, depository, instrument });
  if (alone === undefined) return undefined;
  const [available, own] = [held(alone), held(position)];
  const lacking = magnitude(quantity) - own;
  if (available <= 0n || own < 0n || lacking <= 0n) return undefined;
  return { alone, units: { quantity: lacking < available ? lacking : available } };
}
