// What can happen to the lots of a position, as the facts that are handed in. Knows not what follows from them.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { DatedStake, NamedLot, Ratio, Stake } from './lot.ts';

export interface LotEvent {
  readonly row: number;
  readonly day: Day;
}

/** Units and their cost, fees and taxes included. */
export interface Purchase extends LotEvent, Stake {}

/** What is paid for units, after fees and taxes, and the rate from the trade to the reference currency. */
export interface Proceeds {
  readonly quantity: Fixed;
  readonly proceeds: Fixed;
  readonly referenceProceeds: Fixed;
  readonly rate: Fixed;
}

export interface Sale extends LotEvent, Proceeds {
  readonly named?: readonly NamedLot[];
}

/** Units in kind, with dates and cost. */
export interface Arrival extends LotEvent {
  readonly lots: readonly DatedStake[];
}

/** Units that leave in kind. The cost is their value on the day: it counts for those that are not held. */
export interface Departure extends LotEvent, Stake {
  readonly named?: readonly NamedLot[];
}

/** Money that lowers the cost. */
export interface CapitalReturn extends LotEvent {
  readonly amount: Fixed;
  readonly referenceAmount: Fixed;
  readonly rate: Fixed;
}

export interface Split extends LotEvent {
  readonly ratio: Ratio;
}

/** Units of another instrument, by the ratio; the rate turns cost into its trade currency where that is another. */
export interface Conversion extends LotEvent {
  readonly ratio: Ratio;
  readonly costRate?: Fixed;
}

export interface SpinOff extends Conversion {
  /** The fraction of the cost that goes with the new units. */
  readonly share: Fixed;
}

export interface Merger extends Conversion {
  /** New units that were paid out instead of delivered. */
  readonly cashInLieu?: Proceeds;
}

/** What was held, and what it was worth without accrued interest. */
export interface Checkpoint extends LotEvent, Stake {}
