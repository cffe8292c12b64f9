// Parts and sums of units with their cost, exact to the last place. Knows no method and no event.

import { divideRounded, multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { Ratio, Stake } from './lot.ts';

export const noStake: Stake = { quantity: 0n, cost: 0n, referenceCost: 0n };

/** Cost × part / quantity, half-even at 18 places. The whole takes all of the cost, so that nothing stays behind. */
export function partOf(stake: Stake, quantity: Fixed): Stake {
  if (quantity === stake.quantity) return { quantity, cost: stake.cost, referenceCost: stake.referenceCost };
  return {
    quantity,
    cost: multiplyDivide(stake.cost, quantity, stake.quantity),
    referenceCost: multiplyDivide(stake.referenceCost, quantity, stake.quantity),
  };
}

export function sumOf(one: Stake, other: Stake): Stake {
  return {
    quantity: one.quantity + other.quantity,
    cost: one.cost + other.cost,
    referenceCost: one.referenceCost + other.referenceCost,
  };
}

export function restOf(whole: Stake, part: Stake): Stake {
  return {
    quantity: whole.quantity - part.quantity,
    cost: whole.cost - part.cost,
    referenceCost: whole.referenceCost - part.referenceCost,
  };
}

export function totalOf(stakes: readonly Stake[]): Stake {
  return stakes.reduce(sumOf, noStake);
}

/** The cost of one stake, given to others by their units and in their order. Their units must add up to its. */
export function shareOut<T extends Stake>(stake: Stake, among: readonly T[]): T[] {
  let left = stake;
  return among.map((one) => {
    const part = partOf(left, one.quantity);
    left = restOf(left, part);
    return { ...one, ...part };
  });
}

export interface Rescaled<T extends Stake> {
  readonly stakes: readonly T[];
  /** The cost of units that all came to nothing. */
  readonly vanished: Stake;
}

/**
 * Units × ratio, cost as it was. It is the running total that is rounded, half-even at 18 places, so that the units add up to
 * the rounded total and none turns negative. A stake that comes to no units leaves its cost to its neighbour.
 */
export function rescaled<T extends Stake>(stakes: readonly T[], { numerator, denominator }: Ratio): Rescaled<T> {
  const result: T[] = [];
  let before = 0n;
  let after = 0n;
  let orphaned = noStake;
  for (const stake of stakes) {
    before += stake.quantity;
    const total = divideRounded(before * numerator, denominator);
    const quantity = total - after;
    after = total;
    const cost = { ...sumOf(stake, orphaned), quantity };
    orphaned = quantity === 0n ? cost : noStake;
    if (quantity !== 0n) result.push({ ...stake, ...cost });
  }
  const last = result.pop();
  if (last === undefined) return { stakes: [], vanished: orphaned };
  return { stakes: [...result, { ...last, ...sumOf(last, orphaned) }], vanished: noStake };
}

export function areOpposed(one: Fixed, other: Fixed): boolean {
  return one < 0n ? other > 0n : one > 0n && other < 0n;
}

/** Of two quantities that are not opposed, the one nearer to zero. */
export function lesserOf(one: Fixed, other: Fixed): Fixed {
  return one < 0n || other < 0n ? (one > other ? one : other) : one < other ? one : other;
}

export function negated({ quantity, cost, referenceCost }: Stake): Stake {
  return { quantity: -quantity, cost: -cost, referenceCost: -referenceCost };
}
