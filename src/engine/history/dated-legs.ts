// Lists the legs of a history beyond the rows' own amounts: units that moved, the other side of an exchange, and what uploads
// imply.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import type { BalanceHistory } from './balance-history.ts';
import type { MovementContext } from './movements.ts';
import type { DatedLeg, ReplayOutcome } from './unit-replay.ts';

interface LegContext extends MovementContext {
  replayOutcome(): ReplayOutcome;
  money(position: number): BalanceHistory;
}

/** By position, in the order in which they came. */
export function datedLegs(context: LegContext): ReadonlyMap<number, readonly DatedLeg[]> {
  const legs = new Map<number, DatedLeg[]>();
  const addLeg = (leg: DatedLeg): void => {
    const positionLegs = legs.get(leg.position) ?? [];
    legs.set(leg.position, positionLegs);
    positionLegs.push(leg);
  };
  for (const row of context.rows.rowsWithDetails) counterLegs(context, context.rows.transaction(row)).forEach(addLeg);
  context.replayOutcome().legs.forEach(addLeg);
  for (const position of context.checkpoints.keys()) {
    if (findSyntheticInstrument(context.table.key(position).instrument) !== undefined)
      context.money(position).legs.forEach(addLeg);
  }
  return legs;
}

/**
 * Money that moved between own accounts or currencies is the same figure on both sides: the row's amount. When a forward is
 * delivered, each leg comes from the contract at its own figure.
 */
function counterLegs({ table }: LegContext, transaction: LedgerTransaction): readonly DatedLeg[] {
  const { day, kind, amount, currency, instrument, details } = transaction;
  const counterCash = details?.counterCash;
  if (counterCash === undefined) return [];
  const position = table.cashPosition(counterCash.account, counterCash.currency);
  const leg = (of: number, money: Fixed, unit: string): DatedLeg => ({
    measure: 'cash',
    position: of,
    amount: money,
    currency: unit,
    day,
  });
  if (traitsOfKind(kind).amount !== 'settlement' || instrument === null) return [leg(position, -amount, currency)];
  const contract = table.positionNumber({
    account: transaction.account,
    depository: transaction.depository,
    instrument,
  });
  return [
    leg(position, counterCash.amount, counterCash.currency),
    leg(contract, -counterCash.amount, counterCash.currency),
  ];
}
