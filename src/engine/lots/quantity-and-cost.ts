// Splits and sums units with their cost, exactly.

import { divide, divideRounded, multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { Lot, LotSnapshot, OpenLot, Ratio, QuantityAndCost } from './lot.ts';

export const zeroQuantityAndCost: QuantityAndCost = { quantity: 0n, cost: 0n, referenceCost: 0n };

export const noLots: LotSnapshot = { lots: [], ...zeroQuantityAndCost };

/** Cost × part / quantity, half-even at 18 places. The whole quantity takes the whole cost, so nothing is left over. */
export function proportionalPart(quantityAndCost: QuantityAndCost, quantity: Fixed): QuantityAndCost {
  if (quantity === quantityAndCost.quantity)
    return { quantity, cost: quantityAndCost.cost, referenceCost: quantityAndCost.referenceCost };
  return {
    quantity,
    cost: multiplyDivide(quantityAndCost.cost, quantity, quantityAndCost.quantity),
    referenceCost: multiplyDivide(quantityAndCost.referenceCost, quantity, quantityAndCost.quantity),
  };
}

export function withUnitCosts(lot: Lot, { quantity, cost, referenceCost }: QuantityAndCost): OpenLot {
  return { ...lot, unitCost: divide(cost, quantity), referenceUnitCost: divide(referenceCost, quantity) };
}

export function addCosts(one: QuantityAndCost, other: QuantityAndCost): QuantityAndCost {
  return {
    quantity: one.quantity + other.quantity,
    cost: one.cost + other.cost,
    referenceCost: one.referenceCost + other.referenceCost,
  };
}

export function subtractCosts(whole: QuantityAndCost, part: QuantityAndCost): QuantityAndCost {
  return {
    quantity: whole.quantity - part.quantity,
    cost: whole.cost - part.cost,
    referenceCost: whole.referenceCost - part.referenceCost,
  };
}

export function totalCosts(items: readonly QuantityAndCost[]): QuantityAndCost {
  return items.reduce(addCosts, zeroQuantityAndCost);
}

/** Splits one cost between several by their units, in their order. Their units must add up to the total. */
export function allocateCost<T extends QuantityAndCost>(
  quantityAndCost: QuantityAndCost,
  recipients: readonly T[],
): T[] {
  let left = quantityAndCost;
  return recipients.map((one) => {
    const part = proportionalPart(left, one.quantity);
    left = subtractCosts(left, part);
    return { ...one, ...part };
  });
}

interface RescaledUnits<T extends QuantityAndCost> {
  readonly items: readonly T[];
  /** The cost of units that were all rounded to zero. */
  readonly writtenOffCost: QuantityAndCost;
}

/**
 * Multiplies units by a ratio at unchanged cost. Rounds the running total, half-even at 18 places, so that the units add up to
 * the rounded total and none turns negative. An entry left without units passes its cost to its neighbour.
 */
export function rescaleUnits<T extends QuantityAndCost>(
  items: readonly T[],
  { numerator, denominator }: Ratio,
): RescaledUnits<T> {
  const result: T[] = [];
  let before = 0n;
  let after = 0n;
  let unassignedCost = zeroQuantityAndCost;
  for (const quantityAndCost of items) {
    before += quantityAndCost.quantity;
    const total = divideRounded(before * numerator, denominator);
    const quantity = total - after;
    after = total;
    const cost = { ...addCosts(quantityAndCost, unassignedCost), quantity };
    unassignedCost = quantity === 0n ? cost : zeroQuantityAndCost;
    if (quantity !== 0n) result.push({ ...quantityAndCost, ...cost });
  }
  const last = result.pop();
  if (last === undefined) return { items: [], writtenOffCost: unassignedCost };
  return { items: [...result, { ...last, ...addCosts(last, unassignedCost) }], writtenOffCost: zeroQuantityAndCost };
}

export function haveOppositeSigns(one: Fixed, other: Fixed): boolean {
  return one < 0n ? other > 0n : one > 0n && other < 0n;
}

/** Of two quantities that do not have opposite signs, the one nearer to zero. */
export function nearerToZero(one: Fixed, other: Fixed): Fixed {
  return one < 0n || other < 0n ? (one > other ? one : other) : one < other ? one : other;
}

export function negateCosts({ quantity, cost, referenceCost }: QuantityAndCost): QuantityAndCost {
  return { quantity: -quantity, cost: -cost, referenceCost: -referenceCost };
}
