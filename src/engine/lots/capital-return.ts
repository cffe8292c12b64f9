// Money that lowers the cost of open lots, in each currency by itself. Knows no method.

import type { Fixed } from '../../kit/fixed.ts';
import type { Lot, Stake } from './lot.ts';
import type { CapitalReturn } from './lot-event.ts';
import type { Match } from './lot-match.ts';
import { noStake, restOf, shareOut, totalOf } from './quantity-and-cost.ts';

export interface LoweredCost {
  readonly lots: readonly Lot[];
  /** Where the money exceeded the cost in either currency. */
  readonly excess: readonly Match[];
}

/** The money is spread by units. A lot's cost ends at zero in each currency; what goes beyond it is realised. */
export function loweredCost(lots: readonly Lot[], event: CapitalReturn): LoweredCost {
  const { quantity } = totalOf(lots);
  const money = { quantity, cost: event.amount, referenceCost: event.referenceAmount };
  if (quantity === 0n) return { lots, excess: [excessOf(money, noStake, { event, lot: undefined })].filter(isGain) };
  const shares = shareOut(money, lots);
  const absorbed = lots.map((lot, index) => absorbedBy(lot, shares[index]!));
  return {
    lots: lots.map((lot, index) => ({ ...lot, ...restOf(lot, absorbed[index]!) })),
    excess: lots.map((lot, index) => excessOf(shares[index]!, absorbed[index]!, { event, lot })).filter(isGain),
  };
}

function isGain({ cost, proceeds, referenceCost, referenceProceeds }: Match): boolean {
  return cost !== proceeds || referenceCost !== referenceProceeds;
}

/** As much of the money as the lot has cost; of a short, whose money and cost are negative, the same in the mirror. */
function absorbedBy(lot: Lot, share: Stake): Stake {
  const sign = lot.quantity < 0n ? -1n : 1n;
  return {
    quantity: 0n,
    cost: sign * absorbed({ cost: sign * lot.cost, money: sign * share.cost }),
    referenceCost: sign * absorbed({ cost: sign * lot.referenceCost, money: sign * share.referenceCost }),
  };
}

function absorbed({ cost, money }: { cost: Fixed; money: Fixed }): Fixed {
  const room = cost < 0n ? 0n : cost;
  return money < room ? money : room;
}

interface Reason {
  readonly event: CapitalReturn;
  readonly lot: Lot | undefined;
}

function excessOf(share: Stake, absorbed: Stake, { event, lot }: Reason): Match {
  return {
    row: event.row,
    day: event.day,
    lot,
    held: lot ?? noStake,
    acquired: lot?.acquired ?? event.day,
    sold: event.day,
    quantity: 0n,
    cost: absorbed.cost,
    referenceCost: absorbed.referenceCost,
    proceeds: share.cost,
    referenceProceeds: share.referenceCost,
    rate: event.rate,
  };
}
