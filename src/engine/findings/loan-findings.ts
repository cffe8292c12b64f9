// Finds loans of which more is held than was lent: quantities that were booked in another unit, or twice.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { History } from '../history/history.ts';

export interface PrincipalFinding {
  readonly kind: 'more-than-principal';
  /** Where the most of the loan is held. */
  readonly position: number;
  /** Where it is held. */
  readonly positions: readonly number[];
  /** All that the report covers: lent, or borrowed if negative. */
  readonly quantity: Fixed;
  /** By how much that exceeds the principal. */
  readonly excess: Fixed;
}

/** Lender and borrower may both be covered, so what is lent and what is borrowed do not cancel out. */
export function principalFindings(
  history: History,
  positions: readonly number[],
  day: Day,
): readonly PrincipalFinding[] {
  const loans = positions.filter((position) => history.instrument(position).terms.type === 'loan');
  const byInstrument = Map.groupBy(loans, (position) => history.key(position).instrument);
  return [...byInstrument.values()].flatMap((held) =>
    [1n, -1n].flatMap((side) => findExcess(history, held, { day, side }) ?? []),
  );
}

function findExcess(
  history: History,
  positions: readonly number[],
  { day, side }: { readonly day: Day; readonly side: bigint },
): PrincipalFinding | undefined {
  const held = positions
    .map((position) => ({ position, quantity: side * history.units(position).valueOn(day) }))
    .filter(({ quantity }) => quantity > 0n);
  const [first] = held;
  if (first === undefined) return undefined;
  const { terms } = history.instrument(first.position);
  const total = held.reduce((sum, { quantity }) => sum + quantity, 0n);
  if (terms.type !== 'loan' || total <= terms.principal) return undefined;
  const { position } = held.reduce((most, one) => (one.quantity > most.quantity ? one : most));
  const holders = held.map((one) => one.position);
  const excess = total - terms.principal;
  return { kind: 'more-than-principal', position, positions: holders, quantity: side * total, excess };
}
