// What a value says about itself: the terms of its sum, each with its numbers, and what a person should look at. Knows no
// rule.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Accretion, Accrual, IndexRatio } from '../instruments/accrued-interest.ts';
import type { Conversion, IsoCurrency } from '../currencies/exchange-rates.ts';
import type { ForwardLeg } from '../instruments/instrument.ts';
import type { QuoteUnit, Quote, UnitChange } from '../instruments/quote.ts';
import type { Point } from '../amounts/series.ts';
import type { UploadedValue } from './position-state.ts';

/** Where a value comes from: `principal`, `accrual`, `legs` and `accretion` are made of the terms, `flows` of calls. */
export type ValuationSource =
  | 'price'
  | 'net-asset-value'
  | 'upload'
  | 'last-trade'
  | 'cost'
  | 'accretion'
  | 'par'
  | 'principal'
  | 'accrual'
  | 'flows'
  | 'legs'
  /** Of money, or of what is owed: itself. */
  | 'balance'
  /** Nothing is held. */
  | 'nothing';

/** One term of the sum, rounded once. The conversion is null where there is nothing to convert. */
export type ValuePart =
  /** quantity × quoted ÷ what the price is for × index factor ÷ base factor. */
  | {
      readonly kind: 'quoted';
      readonly amount: Fixed;
      readonly quantity: Fixed;
      readonly quote: Quote;
      readonly priceUnit: QuoteUnit;
      readonly index: IndexRatio | undefined;
    }
  /** (market value + accrued) × rate; the accrued amount of it is accrued × rate. */
  | {
      readonly kind: 'uploaded';
      readonly amount: Fixed;
      readonly accruedAmount: Fixed;
      readonly upload: UploadedValue;
    }
  /** quantity × market value ÷ uploaded quantity, divided by the ratio of each change since. */
  | {
      readonly kind: 'implied';
      readonly amount: Fixed;
      readonly quantity: Fixed;
      readonly upload: UploadedValue;
      readonly changes: readonly UnitChange[];
    }
  | { readonly kind: 'cost'; readonly amount: Fixed }
  | { readonly kind: 'balance'; readonly amount: Fixed }
  /** nominal × index factor ÷ base factor. */
  | {
      readonly kind: 'par';
      readonly amount: Fixed;
      readonly nominal: Fixed;
      readonly index: IndexRatio | undefined;
    }
  /** A lot of a zero coupon. */
  | { readonly kind: 'accretion'; readonly amount: Fixed; readonly accretion: Accretion }
  /** quantity × principal per unit. */
  | {
      readonly kind: 'principal';
      readonly amount: Fixed;
      readonly quantity: Fixed;
      readonly principalPerUnit: Fixed;
    }
  /** The interest or fee that has run up, converted. */
  | {
      readonly kind: 'accrued';
      readonly amount: Fixed;
      readonly accrual: Accrual;
      readonly conversion: Conversion | null;
    }
  /** What had run up when it was uploaded and has not been paid since, converted. */
  | {
      readonly kind: 'carried';
      readonly amount: Fixed;
      readonly uploaded: Fixed;
      readonly conversion: Conversion | null;
    }
  /** A coupon that is owed and not booked, converted. */
  | {
      readonly kind: 'coupon';
      readonly amount: Fixed;
      readonly couponDate: Day;
      readonly accrual: Accrual;
      readonly conversion: Conversion | null;
    }
  /** What went into a private fund or came out of it, converted at the rate of its own day. */
  | {
      readonly kind: 'flow';
      readonly amount: Fixed;
      readonly flow: Point;
      readonly conversion: Conversion | null;
    }
  /** leg × contracts, converted. */
  | {
      readonly kind: 'leg';
      readonly amount: Fixed;
      readonly quantity: Fixed;
      readonly leg: ForwardLeg;
      readonly conversion: Conversion;
    };

export type ValuationFinding =
  /** The coupon date has come, but no coupon was booked for it. */
  | { readonly kind: 'coupon-not-booked'; readonly couponDate: Day; readonly amount: Fixed }
  /** Held beyond its maturity: no redemption was booked. */
  | { readonly kind: 'matured'; readonly maturity: Day }
  /** A floating rate has no point yet: no interest is counted. */
  | { readonly kind: 'rate-missing' }
  /** Days before the first point of a floating rate were counted at it. */
  | { readonly kind: 'rate-assumed' }
  /** An index-linked bond has no factor on or before the day: its nominal is not raised. */
  | { readonly kind: 'index-factor-missing'; readonly day: Day }
  /** There is no factor on or before the dated date: the first of all stands in. */
  | { readonly kind: 'index-base-assumed'; readonly day: Day }
  /** More was paid out of a private fund since its last net asset value than it was worth. */
  | { readonly kind: 'paid-out-beyond-value'; readonly amount: Fixed };

export interface Valuation {
  readonly currency: IsoCurrency;
  /** With accrued interest: the sum of the parts. */
  readonly value: Fixed;
  /** How much of the value is interest or fees that have run up; not the coupons that are already owed. */
  readonly accrued: Fixed;
  readonly source: ValuationSource;
  /** Of the point, the trade or the upload that it rests on. */
  readonly day: Day | null;
  readonly isStale: boolean;
  /** A figure stands in for one that is missing. */
  readonly isEstimated: boolean;
  readonly findings: readonly ValuationFinding[];
  readonly parts: readonly ValuePart[];
}
