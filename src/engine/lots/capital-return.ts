// Lowers the cost of open lots by money returned, separately in each currency.

import type { Fixed } from '../../kit/fixed.ts';
import { gapMember } from './cost-gap.ts';
import type { Lot, QuantityAndCost } from './lot.ts';
import type { CapitalReturn } from './lot-event.ts';
import type { LotMatch } from './lot-match.ts';
import { zeroQuantityAndCost, subtractCosts, allocateCost, totalCosts } from './quantity-and-cost.ts';

interface ReducedCost {
  readonly lots: readonly Lot[];
  /** Money that exceeded the cost, in either currency. */
  readonly excess: readonly LotMatch[];
}

/** Spreads the money by units. A lot's cost stops at zero in each currency; whatever exceeds it is realised. */
export function reduceLotCosts(lots: readonly Lot[], event: CapitalReturn): ReducedCost {
  const { quantity } = totalCosts(lots);
  const money = { quantity, cost: event.amount, referenceCost: event.referenceAmount };
  if (quantity === 0n) {
    const gain = excessMatch(money, zeroQuantityAndCost, { event, lot: undefined });
    return { lots, excess: isGain(gain) || event.gap?.lacks === 'both-costs' ? [gain] : [] };
  }
  const shares = allocateCost(money, lots);
  const absorbedCost = lots.map((lot, index) => absorbedByLot(lot, shares[index]!));
  return {
    lots: lots.map((lot, index) => ({
      ...lot,
      ...subtractCosts(lot, absorbedCost[index]!),
      ...gapMember(lot.gap ?? event.gap),
    })),
    excess: lots.map((lot, index) => excessMatch(shares[index]!, absorbedCost[index]!, { event, lot })).filter(isGain),
  };
}

function isGain({ cost, proceeds, referenceCost, referenceProceeds }: LotMatch): boolean {
  return cost !== proceeds || referenceCost !== referenceProceeds;
}

/** Returns as much of the money as the lot cost. For a short, whose money and cost are negative, the same with signs reversed. */
function absorbedByLot(lot: Lot, share: QuantityAndCost): QuantityAndCost {
  const sign = lot.quantity < 0n ? -1n : 1n;
  return {
    quantity: 0n,
    cost: sign * absorbedCost({ cost: sign * lot.cost, money: sign * share.cost }),
    referenceCost: sign * absorbedCost({ cost: sign * lot.referenceCost, money: sign * share.referenceCost }),
  };
}

function absorbedCost({ cost, money }: { cost: Fixed; money: Fixed }): Fixed {
  const remainingCost = cost < 0n ? 0n : cost;
  return money < remainingCost ? money : remainingCost;
}

interface ExcessSource {
  readonly event: CapitalReturn;
  readonly lot: Lot | undefined;
}

function excessMatch(share: QuantityAndCost, absorbedCost: QuantityAndCost, { event, lot }: ExcessSource): LotMatch {
  return {
    row: event.row,
    day: event.day,
    lot,
    held: lot ?? zeroQuantityAndCost,
    acquired: lot?.acquired ?? event.day,
    sold: event.day,
    quantity: 0n,
    cost: absorbedCost.cost,
    referenceCost: absorbedCost.referenceCost,
    proceeds: share.cost,
    referenceProceeds: share.referenceCost,
    rate: event.rate,
    ...gapMember(lot?.gap ?? event.gap),
  };
}
