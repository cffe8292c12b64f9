// Finds loans of which more is held than was lent: quantities that were booked in another unit, or twice.

import type { Day } from '../../kit/day.ts';
import { magnitude, type Fixed } from '../../kit/fixed.ts';
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
    [1n, -1n].flatMap((side) => [...findExcess(history, held, { day, side })]),
  );
}

function* findExcess(
  history: History,
  positions: readonly number[],
  { day, side }: { readonly day: Day; readonly side: bigint },
): Generator<PrincipalFinding> {
  const holders: number[] = [];
  let [total, most, at] = [0n, 0n, -1];
  for (const position of positions) {
    const quantity = side * history.units(position).valueOn(day);
    if (quantity <= 0n) continue;
    holders.push(position);
    total += quantity;
    if (quantity > most) [most, at] = [quantity, position];
  }
  if (at < 0) return;
  const { terms } = history.instrument(at);
  if (terms.type !== 'loan' || magnitude(total) <= terms.principal) return;
  const excess = total - terms.principal;
  yield { kind: 'more-than-principal', position: at, positions: holders, quantity: side * total, excess };
}
