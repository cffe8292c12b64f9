// Pairs a purchase and a sale of the same units by matching incoming units with open lots.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { gapMember, type CostGap } from './cost-gap.ts';
import type { DatedQuantityAndCost, LotKey, QuantityAndCost } from './lot.ts';
import type { LotEvent } from './lot-event.ts';
import type { TakenLot } from './open-lots.ts';
import { zeroQuantityAndCost } from './quantity-and-cost.ts';

export interface LotMatch extends LotEvent {
  readonly lot: LotKey | undefined;
  readonly held: QuantityAndCost;
  readonly acquired: Day;
  readonly sold: Day;
  readonly quantity: Fixed;
  readonly cost: Fixed;
  readonly referenceCost: Fixed;
  readonly proceeds: Fixed;
  readonly referenceProceeds: Fixed;
  /** The sale's own rate, if it is known. */
  readonly rate: Fixed | undefined;
  readonly gap?: CostGap;
}

interface MatchInput {
  readonly event: LotEvent;
  readonly taken: TakenLot;
  /** The incoming units, as many as were taken. */
  readonly incoming: DatedQuantityAndCost;
  readonly rate: Fixed | undefined;
}

/** The long side was bought; the short side was sold, and its negative cost is the proceeds. */
export function matchLots({ event, taken: { lot, held }, incoming, rate }: MatchInput): LotMatch {
  const [bought, sold] = lot.quantity < 0n ? [incoming, lot] : [lot, incoming];
  return {
    row: event.row,
    day: event.day,
    lot,
    held,
    acquired: bought.acquired,
    sold: sold.acquired,
    quantity: bought.quantity,
    cost: bought.cost,
    referenceCost: bought.referenceCost,
    proceeds: -sold.cost,
    referenceProceeds: -sold.referenceCost,
    rate: sold === incoming ? rate : undefined,
    ...gapMember(lot.gap ?? incoming.gap),
  };
}

/** Money without units: a cost that no unit carries, or a payment for no units. */
export function matchWithoutUnits(event: LotEvent, { cost, referenceCost }: QuantityAndCost): LotMatch {
  return {
    row: event.row,
    day: event.day,
    lot: undefined,
    held: zeroQuantityAndCost,
    acquired: event.day,
    sold: event.day,
    quantity: 0n,
    cost,
    referenceCost,
    proceeds: 0n,
    referenceProceeds: 0n,
    rate: undefined,
  };
}
