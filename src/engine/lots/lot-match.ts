// A purchase and a sale of the same units, found by setting what comes in against what is open. Knows no gain.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { DatedStake, LotKey, Stake } from './lot.ts';
import type { LotEvent } from './lot-event.ts';
import type { Taken } from './open-lots.ts';
import { noStake } from './quantity-and-cost.ts';

export interface Match extends LotEvent {
  readonly lot: LotKey | undefined;
  readonly held: Stake;
  readonly acquired: Day;
  readonly sold: Day;
  readonly quantity: Fixed;
  readonly cost: Fixed;
  readonly referenceCost: Fixed;
  readonly proceeds: Fixed;
  readonly referenceProceeds: Fixed;
  /** The sale's own rate, where it is known. */
  readonly rate: Fixed | undefined;
}

interface Meeting {
  readonly event: LotEvent;
  readonly taken: Taken;
  /** What came in, as many units as were taken. */
  readonly incoming: DatedStake;
  readonly rate: Fixed | undefined;
}

/** Whichever of the two is long was bought; the other was sold, and its negative cost is the proceeds. */
export function matchOf({ event, taken: { lot, held }, incoming, rate }: Meeting): Match {
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
  };
}

/** Money without units: a cost that no unit carries, or what was paid for none. */
export function matchWithoutUnits(event: LotEvent, { cost, referenceCost }: Stake): Match {
  return {
    row: event.row,
    day: event.day,
    lot: undefined,
    held: noStake,
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
