// The words in which lots are spoken of: units with their cost, what was gained on them, what was noticed. Knows no rule.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';

export type CostMethod = 'FIFO' | 'AVERAGE' | 'SPECIFIC_ID';

/** Units and what they cost, in the trade currency and in the reference currency. A short's are negative. */
export interface QuantityAndCost {
  readonly quantity: Fixed;
  readonly cost: Fixed;
  readonly referenceCost: Fixed;
}

/** The row by which a lot came into its position, and its place among the lots of that row. */
export interface LotKey {
  readonly row: number;
  readonly ordinal: number;
}

/** Units with a history: a lot before it has a place in a position. */
export interface DatedQuantityAndCost extends QuantityAndCost {
  /** When the units were acquired, wherever that was; of a short, when they were sold. */
  readonly acquired: Day;
  /** Its cost is a guess: the market's, where no row tells. */
  readonly isEstimated: boolean;
}

export interface Lot extends LotKey, DatedQuantityAndCost {}

export interface OpenLot extends Lot {
  readonly unitCost: Fixed;
  readonly referenceUnitCost: Fixed;
}

export interface LotSnapshot extends QuantityAndCost {
  /** By acquisition day; of one day, in the order in which they came. */
  readonly lots: readonly OpenLot[];
}

/** So many new units for so many old. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** What a sale says it sold. */
export interface NamedLot extends LotKey {
  readonly quantity: Fixed;
}

export type HoldingTerm = 'short_term' | 'long_term';

/** Units are held for long when they leave later than so many years or days after they came. */
export interface HoldingPeriod {
  readonly unit: 'years' | 'days';
  readonly count: number;
}

/** What one lot gave up, and what was gained on it: every term of the sum. */
export interface Realisation {
  readonly row: number;
  readonly day: Day;
  /** None where money came for units that are no longer held. */
  readonly lot: LotKey | undefined;
  readonly acquired: Day;
  readonly sold: Day;
  readonly term: HoldingTerm;
  /** Units that left; none when capital is returned. */
  readonly quantity: Fixed;
  /** What the units were taken from, before: the lot; the position under AVERAGE. Its share is its cost × quantity / units. */
  readonly held: QuantityAndCost;
  readonly cost: Fixed;
  readonly proceeds: Fixed;
  /** proceeds − cost. */
  readonly gain: Fixed;
  readonly referenceCost: Fixed;
  readonly referenceProceeds: Fixed;
  /** referenceProceeds − referenceCost, which is pricePart + currencyPart. */
  readonly referenceGain: Fixed;
  /** cost × rate at sale: what divides the gain. */
  readonly costAtSaleRate: Fixed;
  /** referenceProceeds − costAtSaleRate. */
  readonly pricePart: Fixed;
  /** costAtSaleRate − referenceCost. */
  readonly currencyPart: Fixed;
}

/** Something about an event that a person should look at. */
export type LotFinding =
  /** More left than was held. */
  | { readonly kind: 'short-opened'; readonly quantity: Fixed }
  /** A named lot was gone or too small; the oldest lots stood in for so much. */
  | { readonly kind: 'named-lot-missing'; readonly lot: LotKey; readonly quantity: Fixed }
  /** The names cover less than the event; the oldest lots stood in for so much. */
  | { readonly kind: 'lots-not-named'; readonly quantity: Fixed }
  /** The names cover more than the event; so much of them was left alone. */
  | { readonly kind: 'too-much-named'; readonly quantity: Fixed };

export interface LotOutcome {
  readonly realised: readonly Realisation[];
  readonly findings: readonly LotFinding[];
}

/** What left a position with its dates and cost, unrealised. */
export interface TransferOutcome extends LotOutcome {
  readonly lots: readonly DatedQuantityAndCost[];
}

/** Text for a lot that tells it from every other of its position. */
export function lotId({ row, ordinal }: LotKey): string {
  return `${row}.${ordinal}`;
}
