// Declares what can happen to the lots of a position.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { CostGap } from './cost-gap.ts';
import type { DatedQuantityAndCost, NamedLot, Ratio, QuantityAndCost } from './lot.ts';

export interface LotEvent {
  readonly row: number;
  readonly day: Day;
}

/** Units and their cost, including fees and taxes. */
export interface Purchase extends LotEvent, QuantityAndCost {
  readonly gap?: CostGap;
}

/** Money received for units, after fees and taxes, and the rate from the trade to the reference currency. */
export interface Proceeds {
  readonly quantity: Fixed;
  readonly proceeds: Fixed;
  readonly referenceProceeds: Fixed;
  readonly rate: Fixed;
  readonly gap?: CostGap;
}

export interface Sale extends LotEvent, Proceeds {
  readonly named?: readonly NamedLot[];
}

/** Units received in kind, with dates and cost. */
export interface TransferIn extends LotEvent {
  readonly lots: readonly DatedQuantityAndCost[];
}

/** Units that leave in kind. The cost is their value on the day, read only for units that are not held. */
export interface TransferOut extends LotEvent, QuantityAndCost {
  readonly gap?: CostGap | undefined;
  readonly named?: readonly NamedLot[];
}

/** Money that lowers the cost. */
export interface CapitalReturn extends LotEvent {
  readonly amount: Fixed;
  readonly referenceAmount: Fixed;
  readonly rate: Fixed;
  readonly gap?: CostGap;
}

export interface Split extends LotEvent {
  readonly ratio: Ratio;
}

/** Units of another instrument by a ratio. The rate converts the cost if the target trades in another currency. */
export interface InstrumentConversion extends LotEvent {
  readonly ratio: Ratio;
  readonly costRate?: Fixed;
  readonly gap?: CostGap;
}

export interface SpinOff extends InstrumentConversion {
  /** The fraction of the cost that moves to the new units. */
  readonly share: Fixed;
}

export interface Merger extends InstrumentConversion {
  /** New units that were paid out in cash instead of delivered. */
  readonly cashInLieu?: Proceeds;
}

/** What was held, and its value without accrued interest. */
export interface LotCheckpoint extends LotEvent, QuantityAndCost {
  readonly gap?: CostGap;
}
