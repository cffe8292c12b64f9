// What can be held, as far as its value depends on it: terms by type, series of points. Knows no holding and no day.

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
  /** Bonds and zero coupons are quoted per 100 by nature, whatever it says. */
  readonly priceUnit: QuoteUnit;
  readonly terms: InstrumentTerms;
  readonly prices: Series;
  readonly netAssetValues: Series;
  readonly indexFactors: Series;
  /** How old its points may be, where it is another than its kind's. */
  readonly staleness?: Staleness;
}

export type InstrumentTerms =
  /** Stocks, funds on an exchange, and what no catalogue knows: units × price. */
  | { readonly type: 'listed' }
  /** Units × net asset value. */
  | { readonly type: 'fund' }
  | BondTerms
  | ZeroCouponTerms
  | LoanTerms
  | FeeTerms
  /** Latest price or net asset value, else cost. */
  | { readonly type: 'other' }
  /** The latest net asset value is that of the whole stake, or of a unit where units are held. */
  | { readonly type: 'private-fund'; readonly commitment: Fixed | null }
  | ForwardTerms;

/** Nominal × clean price / 100 + accrued; index-linked where it has a base. */
export interface BondTerms extends Bond {
  readonly type: 'bond';
  /** Null: the first factor on or before the dated date. */
  readonly index?: { readonly baseFactor: Fixed | null };
}

export interface ZeroCouponTerms {
  readonly type: 'zero-coupon';
  readonly maturity: Day;
  readonly convention: DayCountConvention;
}

/** Units are counted in principal: one unit is so much of it. */
export interface LoanTerms {
  readonly type: 'loan';
  readonly principalPerUnit: Fixed;
  readonly rate: InterestRate;
  readonly convention: DayCountConvention;
  readonly start: Day;
  readonly maturity: Day | null;
}

/** What is owed for a service: rate × basis since the last booked fee. */
export interface FeeTerms {
  readonly type: 'fee';
  readonly category: string;
  readonly rate: Fixed;
  readonly basis: Fixed;
  readonly convention: DayCountConvention;
  readonly start: Day;
}

/** What is received (positive) and paid (negative) for one contract, each on its day. */
export interface ForwardTerms {
  readonly type: 'forward';
  readonly legs: readonly ForwardLeg[];
}

export interface ForwardLeg {
  readonly currency: IsoCurrency;
  readonly amount: Fixed;
  readonly day: Day;
}
