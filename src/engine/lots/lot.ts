// Declares lots, realisations and findings: units with their cost, the gain on them, and what a person should look at.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { CostGap } from './cost-gap.ts';

export type CostMethod = 'FIFO' | 'AVERAGE' | 'SPECIFIC_ID';

/** Units and their cost in the trade and the reference currency. A short has negative ones. */
export interface QuantityAndCost {
  readonly quantity: Fixed;
  readonly cost: Fixed;
  readonly referenceCost: Fixed;
}

/** The row that brought the lot into its position, and its index among the lots of that row. */
export interface LotKey {
  readonly row: number;
  readonly ordinal: number;
}

/** Units with a history: a lot that is not part of a position yet. */
export interface DatedQuantityAndCost extends QuantityAndCost {
  /** When the units were acquired, wherever that was; for a short, when they were sold. */
  readonly acquired: Day;
  /** The cost is estimated at market value, because no row states it. */
  readonly isEstimated: boolean;
  /** Why the cost is not known; it counts as zero then. */
  readonly gap?: CostGap;
}

export interface Lot extends LotKey, DatedQuantityAndCost {}

export interface OpenLot extends Lot {
  readonly unitCost: Fixed;
  readonly referenceUnitCost: Fixed;
}

export interface LotSnapshot extends QuantityAndCost {
  /** Ordered by acquisition day; within a day, in the order of arrival. */
  readonly lots: readonly OpenLot[];
}

/** New units for old units. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A lot that a sale names. */
export interface NamedLot extends LotKey {
  readonly quantity: Fixed;
}

export type HoldingTerm = 'short_term' | 'long_term';

/** Units count as held long if they leave more than these years or days after they came. */
export interface HoldingPeriod {
  readonly unit: 'months' | 'days';
  readonly count: number;
}

/** What one lot gave up and the gain on it, with every term of the sum. */
export interface Realisation {
  /** Why cost or proceeds are not known. */
  readonly gap?: CostGap;
  readonly row: number;
  readonly day: Day;
  /** Undefined if money came for units that are no longer held. */
  readonly lot: LotKey | undefined;
  readonly acquired: Day;
  readonly sold: Day;
  readonly term: HoldingTerm;
  /** Units that left; zero for a return of capital. */
  readonly quantity: Fixed;
  /**
   * What the units were taken from, as it was before: the lot, or the whole position under AVERAGE. The cost is its cost ×
   * quantity / units.
   */
  readonly held: QuantityAndCost;
  readonly cost: Fixed;
  readonly proceeds: Fixed;
  /** proceeds − cost. */
  readonly gain: Fixed;
  readonly referenceCost: Fixed;
  readonly referenceProceeds: Fixed;
  /** referenceProceeds − referenceCost, which is pricePart + currencyPart. */
  readonly referenceGain: Fixed;
  /** cost × rate at sale: splits the gain into price and currency. */
  readonly costAtSaleRate: Fixed;
  /** referenceProceeds − costAtSaleRate. */
  readonly pricePart: Fixed;
  /** costAtSaleRate − referenceCost. */
  readonly currencyPart: Fixed;
}

/** Something about an event that a person should look at. */
export type LotFinding =
  /** More units left than were held. */
  | { readonly kind: 'short-opened'; readonly quantity: Fixed }
  /** A named lot was gone or too small; the oldest lots replaced this quantity. */
  | { readonly kind: 'named-lot-missing'; readonly lot: LotKey; readonly quantity: Fixed }
  /** The named lots cover less than the event; the oldest lots replaced this quantity. */
  | { readonly kind: 'lots-not-named'; readonly quantity: Fixed }
  /** The named lots cover more than the event; this quantity was ignored. */
  | { readonly kind: 'too-much-named'; readonly quantity: Fixed };

export interface LotOutcome {
  readonly realised: readonly Realisation[];
  readonly findings: readonly LotFinding[];
}

/** What left a position with its dates and cost, unrealised. */
export interface TransferOutcome extends LotOutcome {
  readonly lots: readonly DatedQuantityAndCost[];
}
