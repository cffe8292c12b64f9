// Instruments as the engine values them: terms by family, and the series of prices, net asset values and index factors.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Bond, InterestRate } from './accrued-interest.ts';
import type { DayCountConvention } from './day-count.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { QuoteUnit, Staleness } from './quote.ts';
import type { Series } from '../amounts/series.ts';

export interface ValuedInstrument {
  readonly id: string;
  readonly currency: IsoCurrency;
  /** Ignored for bonds and zero-coupon bonds, which are always quoted per 100. */
  readonly priceUnit: QuoteUnit;
  readonly terms: InstrumentTerms;
  readonly prices: Series;
  readonly netAssetValues: Series;
  readonly indexFactors: Series;
  /** How old its points may be, if that differs from the default of its family. */
  readonly staleness?: Staleness;
}

export type InstrumentTerms =
  /** Units × price: stocks, exchange-traded funds, and instruments that are not in the catalogue. */
  | { readonly type: 'listed' }
  /** Units × net asset value. */
  | { readonly type: 'fund' }
  | BondTerms
  | ZeroCouponTerms
  | LoanTerms
  | FeeTerms
  /** The latest price or net asset value, else cost. */
  | { readonly type: 'other' }
  /** The latest net asset value is that of the whole investment, or of one unit if units are held. */
  | { readonly type: 'private-fund'; readonly commitment: Fixed | null }
  | ForwardTerms;

/** Nominal × clean price ÷ 100 + accrued interest. */
export interface BondTerms extends Bond {
  readonly type: 'bond';
  /** Set if the bond is index-linked. A null base stands for the last factor on or before the dated date. */
  readonly index?: { readonly baseFactor: Fixed | null };
}

export interface ZeroCouponTerms {
  readonly type: 'zero-coupon';
  readonly maturity: Day;
  readonly convention: DayCountConvention;
}

/** Nominal + accrued interest. */
export interface LoanTerms {
  readonly type: 'loan';
  /** The nominal of the whole loan, of which a part or all is held. */
  readonly principal: Fixed;
  readonly rate: InterestRate;
  readonly convention: DayCountConvention;
  readonly start: Day;
  readonly maturity: Day | null;
}

/** A running fee: rate × basis, accrued since the last booked fee. */
export interface FeeTerms {
  readonly type: 'fee';
  readonly category: string;
  readonly rate: Fixed;
  readonly basis: Fixed;
  readonly convention: DayCountConvention;
  readonly start: Day;
}

/** The amounts received (positive) and paid (negative) for one contract, each on its day. */
export interface ForwardTerms {
  readonly type: 'forward';
  readonly legs: readonly ForwardLeg[];
}

export interface ForwardLeg {
  readonly currency: IsoCurrency;
  readonly amount: Fixed;
  readonly day: Day;
}
