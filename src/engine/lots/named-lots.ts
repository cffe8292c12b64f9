// Takes units from the lots that an event names, and from the oldest if the names do not cover it.

import { magnitude, type Fixed } from '../../kit/fixed.ts';
import type { LotFinding, NamedLot } from './lot.ts';
import type { OpenLots, TakenLot } from './open-lots.ts';
import { nearerToZero } from './quantity-and-cost.ts';

export interface NamedLotSelection {
  /** All units that the event sells or moves, held or not. */
  readonly quantity: Fixed;
  /** Undefined if lots need not be named. */
  readonly named: readonly NamedLot[] | undefined;
  /** Receives what is wrong with the names. */
  readonly findings: LotFinding[];
}

/** What the open lots do not have of the named quantities, lot by lot. */
export function missingNamedLots(openLots: OpenLots, named: readonly NamedLot[]): readonly LotFinding[] {
  const wanted = new Map<string, NamedLot>();
  for (const lot of named) {
    const key = `${lot.row} ${lot.ordinal}`;
    wanted.set(key, { ...lot, quantity: lot.quantity + (wanted.get(key)?.quantity ?? 0n) });
  }
  return [...wanted.values()].flatMap(({ row, ordinal, quantity }): LotFinding[] => {
    const left = openLots.unitsOf({ row, ordinal });
    const lacking = quantity - (left < 0n ? 0n : left);
    return lacking <= 0n ? [] : [{ kind: 'named-lot-missing', lot: { row, ordinal }, quantity: lacking }];
  });
}

export function takeNamedLots(
  openLots: OpenLots,
  quantity: Fixed,
  { quantity: eventQuantity, named = [], findings }: NamedLotSelection,
): TakenLot[] {
  const sign = quantity < 0n ? -1n : 1n;
  const taken: TakenLot[] = [];
  let [missing, unmet, covered] = [quantity, 0n, 0n];
  for (const { row, ordinal, quantity: units } of named) {
    covered += units;
    const wanted = units > 0n ? nearerToZero(sign * units, missing) : 0n;
    if (wanted === 0n) continue;
    const found = openLots.takeNamed({ row, ordinal }, wanted);
    const lacking = wanted - (found?.lot.quantity ?? 0n);
    if (found !== undefined) taken.push(found);
    if (lacking !== 0n)
      findings.push({ kind: 'named-lot-missing', lot: { row, ordinal }, quantity: magnitude(lacking) });
    unmet += magnitude(lacking);
    missing -= wanted - lacking;
  }
  const unnamed = magnitude(missing) - unmet;
  if (unnamed > 0n) findings.push({ kind: 'lots-not-named', quantity: unnamed });
  const excess = covered - magnitude(eventQuantity);
  if (excess > 0n) findings.push({ kind: 'too-much-named', quantity: excess });
  return taken.concat(openLots.take(missing));
}
