// Finds the positions whose lots a transaction is about: the holders of an instrument, and units that lie in a depository alone.

import { magnitude, type Fixed } from '../../kit/fixed.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';

/** Every position of the instrument within the place of the transaction. */
export function listHolders(
  { positions }: PositionTable,
  { account, depository, instrument }: LedgerTransaction,
): readonly number[] {
  return positions.flatMap((key, position) => {
    const isAtPlace = (account ?? key.account) === key.account && (depository ?? key.depository) === key.depository;
    return key.instrument === instrument && isAtPlace ? [position] : [];
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
