// What can happen to the lots of a position, as the facts that are handed in. Knows not what follows from them.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { DatedQuantityAndCost, NamedLot, Ratio, QuantityAndCost } from './lot.ts';

export interface LotEvent {
  readonly row: number;
  readonly day: Day;
}

/** Units and their cost, fees and taxes included. */
export interface Purchase extends LotEvent, QuantityAndCost {}

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
export interface TransferIn extends LotEvent {
  readonly lots: readonly DatedQuantityAndCost[];
}

/** Units that leave in kind. The cost is their value on the day: it counts for those that are not held. */
export interface TransferOut extends LotEvent, QuantityAndCost {
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
export interface InstrumentConversion extends LotEvent {
  readonly ratio: Ratio;
  readonly costRate?: Fixed;
}

export interface SpinOff extends InstrumentConversion {
  /** The fraction of the cost that goes with the new units. */
  readonly share: Fixed;
}

export interface Merger extends InstrumentConversion {
  /** New units that were paid out instead of delivered. */
  readonly cashInLieu?: Proceeds;
}

/** What was held, and what it was worth without accrued interest. */
export interface LotCheckpoint extends LotEvent, QuantityAndCost {}
