// The legs of a history that a row's own amount does not tell: units that moved, the other side of an exchange, what uploads
// imply. Knows no rates.

import type { Fixed } from '../../kit/fixed.ts';
import { findSynthetic } from '../ledger/position-key.ts';
import type { Transaction } from '../ledger/transaction.ts';
import type { Money } from './balance-history.ts';
import type { MovementContext } from './movements.ts';
import type { DatedLeg, ReplayRecord } from './unit-replay.ts';

export interface LegContext extends MovementContext {
  record(): ReplayRecord;
  money(position: number): Money;
}

/** By position, in the order in which they came. */
export function datedLegs(context: LegContext): ReadonlyMap<number, readonly DatedLeg[]> {
  const legs = new Map<number, DatedLeg[]>();
  const put = (leg: DatedLeg): void => {
    const known = legs.get(leg.position) ?? [];
    legs.set(leg.position, known);
    known.push(leg);
  };
  for (const row of context.rows.detailed) counterLegs(context, context.rows.transaction(row)).forEach(put);
  context.record().legs.forEach(put);
  for (const position of context.checkpoints.keys()) {
    if (findSynthetic(context.table.key(position).instrument) !== undefined) context.money(position).legs.forEach(put);
  }
  return legs;
}

/**
 * Money that went from one own account to another, or from one currency to another, is the same figure on both sides: the row's
 * amount. When a forward is delivered, each of its legs comes from the contract at its own figure.
 */
function counterLegs({ table }: LegContext, transaction: Transaction): readonly DatedLeg[] {
  const { day, kind, amount, currency, instrument, details } = transaction;
  const counter = details?.counterCash;
  if (counter === undefined) return [];
  const position = table.cash(counter.account, counter.currency);
  const leg = (of: number, money: Fixed, unit: string): DatedLeg => ({
    measure: 'cash',
    position: of,
    amount: money,
    currency: unit,
    day,
  });
  if (kind !== 'forward-settlement' || instrument === null) return [leg(position, -amount, currency)];
  const contract = table.number({ account: transaction.account, depository: transaction.depository, instrument });
  return [leg(position, counter.amount, counter.currency), leg(contract, -counter.amount, counter.currency)];
}
