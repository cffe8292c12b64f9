// Finds the positions whose lots a transaction is about: the holders of an instrument, and units that lie in a depository alone.

import { magnitude, multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { Leg } from '../ledger/leg.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import type { LedgerTransaction, TransactionDetails } from '../ledger/transaction.ts';
import type { QuantityAndCost } from './lot.ts';
import { totalCosts } from './quantity-and-cost.ts';

export interface Holder {
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

/** What a row pays each holder, by units. Units that it takes come only from those that have a share. */
export function shareByUnits(transaction: LedgerTransaction, holders: readonly Holder[]): readonly PaidShare[] {
  const shares = unitShares(holders).map(({ position, partOf }) => ({
    position,
    share: shareOfRow(transaction, partOf),
  }));
  return transaction.quantity === 0n ? shares : shares.filter(({ share }) => share.quantity !== 0n);
}

interface UnitShare {
  readonly position: number;
  /** A step of the running total, rounded. */
  partOf(whole: Fixed): Fixed;
}

/** How an amount is split by units. Shorts have a share only if nobody else is there. */
export function unitShares(holders: readonly Holder[]): readonly UnitShare[] {
  const isAnyLong = holders.some(({ units }) => units > 0n);
  const weights = holders.map(({ units }) => (isAnyLong && units < 0n ? 0n : magnitude(units)));
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  let before = 0n;
  return holders.map(({ position }, index) => {
    const [from, to] = [before, before + weights[index]!];
    before = to;
    return { position, partOf: (whole) => multiplyDivide(whole, to, all) - multiplyDivide(whole, from, all) };
  });
}

function shareOfRow(transaction: LedgerTransaction, partOf: (whole: Fixed) => Fixed): LedgerTransaction {
  const { quantity, amount, value, details } = transaction;
  const share = { ...transaction, quantity: partOf(quantity), amount: partOf(amount), value: partOf(value) };
  return details === null ? share : { ...share, details: shareOfDetails(details, partOf) };
}

function shareOfDetails(details: TransactionDetails, partOf: (whole: Fixed) => Fixed): TransactionDetails {
  const { counterCash, action } = details;
  return {
    ...details,
    ...(counterCash && { counterCash: { ...counterCash, amount: partOf(counterCash.amount) } }),
    ...(action?.action === 'merger' &&
      action.cashInLieu !== undefined && { action: { ...action, cashInLieu: partOf(action.cashInLieu) } }),
  };
}

/** The row's money is a flow of the position that it names: what another one is paid moves on to it. */
export function movedMoney(
  { amount, currency, details }: LedgerTransaction,
  { from, to }: { readonly from: number; readonly to: number },
): readonly Leg[] {
  if (from === to) return [];
  const money = [{ amount, currency }, ...(details?.counterCash === undefined ? [] : [details.counterCash])];
  return money.flatMap((paid) => {
    if (paid.amount === 0n) return [];
    const leg = { measure: 'cash', currency: paid.currency } as const;
    return [
      { ...leg, position: from, other: to, amount: paid.amount },
      { ...leg, position: to, other: from, amount: -paid.amount },
    ];
  });
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
