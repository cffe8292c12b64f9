// Units taken from the lots that an event names, and from the oldest where the names fall short. Knows no gain.

import { magnitude, type Fixed } from '../../kit/fixed.ts';
import type { LotFinding, NamedLot } from './lot.ts';
import type { LotPile, Taken } from './open-lots.ts';
import { lesserOf } from './quantity-and-cost.ts';

export interface Naming {
  /** All that the event sells or moves, held or not. */
  readonly quantity: Fixed;
  /** None where lots need not be named. */
  readonly named: readonly NamedLot[] | undefined;
  /** Gets what is wrong with the names. */
  readonly findings: LotFinding[];
}

export function takeNamedLots(
  pile: LotPile,
  quantity: Fixed,
  { quantity: asked, named = [], findings }: Naming,
): Taken[] {
  const sign = quantity < 0n ? -1n : 1n;
  const taken: Taken[] = [];
  let [missing, unmet, covered] = [quantity, 0n, 0n];
  for (const { row, ordinal, quantity: units } of named) {
    covered += units;
    const wanted = units > 0n ? lesserOf(sign * units, missing) : 0n;
    if (wanted === 0n) continue;
    const found = pile.takeNamed({ row, ordinal }, wanted);
    const lacking = wanted - (found?.lot.quantity ?? 0n);
    if (found !== undefined) taken.push(found);
    if (lacking !== 0n)
      findings.push({ kind: 'named-lot-missing', lot: { row, ordinal }, quantity: magnitude(lacking) });
    unmet += magnitude(lacking);
    missing -= wanted - lacking;
  }
  const unnamed = magnitude(missing) - unmet;
  if (unnamed > 0n) findings.push({ kind: 'lots-not-named', quantity: unnamed });
  const beyond = covered - magnitude(asked);
  if (beyond > 0n) findings.push({ kind: 'too-much-named', quantity: beyond });
  return taken.concat(pile.take(missing));
}
