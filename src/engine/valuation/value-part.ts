// The result of a valuation: the parts of its sum, each with its numbers, and the findings that a person should look at.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Accretion, Accrual, IndexRatio } from '../instruments/accrued-interest.ts';
import type { Conversion, IsoCurrency } from '../currencies/exchange-rates.ts';
import type { ForwardLeg } from '../instruments/instrument.ts';
import type { QuoteUnit, Quote } from '../instruments/quote.ts';
import type { UnitChange } from '../instruments/unit-change-span.ts';
import type { Point } from '../amounts/series.ts';
import type { DepartedShares, UploadedValue } from './position-state.ts';

/**
 * Where a value comes from: `principal`, `accrual`, `legs` and `accretion` follow from the terms, `flows` from calls and
 * distributions.
 */
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
  /** Cash or a debt, which is worth its own amount. */
  | 'balance'
  /** Nothing is held. */
  | 'nothing';

/**
 * What was paid early for units that are still held, in the instrument's currency: the booked amount × units remaining ÷ units paid, or what
 * the terms say if the coupon was paid in another currency.
 */
export type PrepaidAmount =
  | {
      readonly by: 'row';
      readonly amount: Fixed;
      readonly day: Day;
      readonly gross: Fixed;
      readonly remaining: Fixed;
      readonly nominal: Fixed;
    }
  | { readonly by: 'terms'; readonly amount: Fixed; readonly day: Day; readonly accrual: Accrual };

/** One part of the sum, rounded once. The conversion is null if both currencies are the same. */
export type ValuePart =
  /** quantity × price ÷ units per price × index factor ÷ base factor. */
  | {
      readonly kind: 'quoted';
      readonly amount: Fixed;
      readonly quantity: Fixed;
      readonly quote: Quote;
      readonly priceUnit: QuoteUnit;
      readonly index: IndexRatio | undefined;
    }
  /** (market value + accrued) × rate, of which accrued × rate is the accrued amount. */
  | {
      readonly kind: 'uploaded';
      readonly amount: Fixed;
      readonly accruedAmount: Fixed;
      readonly upload: UploadedValue;
    }
  /** quantity × market value ÷ uploaded quantity, divided by the ratio of each later split. */
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
  /** One lot of a zero-coupon bond. */
  | { readonly kind: 'accretion'; readonly amount: Fixed; readonly accretion: Accretion }
  /** The nominal outstanding of a loan. */
  | { readonly kind: 'principal'; readonly amount: Fixed }
  /** Accrued interest or an accrued fee, converted. */
  | {
      readonly kind: 'accrued';
      readonly amount: Fixed;
      readonly accrual: Accrual;
      readonly conversion: Conversion | null;
    }
  /** What an upload stated as accrued and has not been paid since, converted. */
  | {
      readonly kind: 'carried';
      readonly amount: Fixed;
      readonly uploaded: Fixed;
      readonly conversion: Conversion | null;
    }
  /** The sum of accrued interest that was bought and sold with a loan and has not been paid since, converted. */
  | {
      readonly kind: 'bought-interest';
      readonly amount: Fixed;
      readonly bought: readonly Point[];
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
  /** The opposite of a coupon that was paid before it is due, converted. */
  | {
      readonly kind: 'prepaid-coupon';
      readonly amount: Fixed;
      readonly couponDate: Day;
      readonly paid: PrepaidAmount;
      readonly conversion: Conversion | null;
    }
  /** A call or distribution of a private fund, converted at the rate of its own day. */
  | {
      readonly kind: 'flow';
      readonly amount: Fixed;
      readonly flow: Point;
      readonly conversion: Conversion | null;
    }
  /** What a private fund paid out beyond what it was worth: paid − available. */
  | {
      readonly kind: 'beyond-value';
      readonly amount: Fixed;
      readonly paid: Fixed;
      readonly available: Fixed;
      readonly day: Day;
    }
  /** A place's share of a private fund's net asset value: what it had paid in ÷ what all had, as a step of the running total. */
  | {
      readonly kind: 'fund-share';
      readonly amount: Fixed;
      /** The net asset value of the whole. */
      readonly quoted: Extract<ValuePart, { readonly kind: 'quoted' }>;
      /** By day: what left before its day, and what stayed. */
      readonly departures: readonly DepartedShares[];
      /** Paid in by the places before it, by itself, and by all. */
      readonly before: Fixed;
      readonly paidIn: Fixed;
      readonly all: Fixed;
    }
  /** What a private fund paid out at one place beyond its value there, and the others bear. */
  | { readonly kind: 'paid-elsewhere'; readonly amount: Fixed; readonly day: Day }
  /** Units of a private fund that moved to another own place: what the place that they left lost by it. */
  | { readonly kind: 'moved-share'; readonly amount: Fixed; readonly stayed: Fixed; readonly left: Fixed }
  /** leg × contracts, converted. */
  | {
      readonly kind: 'leg';
      readonly amount: Fixed;
      readonly quantity: Fixed;
      readonly leg: ForwardLeg;
      readonly conversion: Conversion;
    };

export type ValuationFinding =
  /** No coupon is booked for a coupon date that has passed. */
  | { readonly kind: 'coupon-not-booked'; readonly couponDate: Day; readonly amount: Fixed }
  /** A coupon was paid before it is due. Until then it is no income. */
  | { readonly kind: 'coupon-paid-early'; readonly couponDate: Day; readonly amount: Fixed }
  /** It is still held after its maturity: no redemption is booked. */
  | { readonly kind: 'matured'; readonly maturity: Day }
  /** A floating rate has no point yet, so no interest accrues. */
  | { readonly kind: 'rate-missing' }
  /** Days before the first point of a floating rate accrue at that first point. */
  | { readonly kind: 'rate-assumed' }
  /** An index-linked bond has no factor on or before the day, so its nominal is not raised. */
  | { readonly kind: 'index-factor-missing'; readonly day: Day }
  /** There is no factor on or before the dated date, so the first factor is the base. */
  | { readonly kind: 'index-base-assumed'; readonly day: Day }
  /** A private fund has paid out more since its last net asset value than it was worth. */
  | { readonly kind: 'paid-out-beyond-value'; readonly amount: Fixed };

export interface Valuation {
  readonly currency: IsoCurrency;
  /** The sum of the parts, accrued interest included. */
  readonly value: Fixed;
  /** The part of the value that is accrued interest or fees. Coupons that are already due are not counted. */
  readonly accrued: Fixed;
  readonly source: ValuationSource;
  /** The day of the point, trade or upload that the value is based on. */
  readonly day: Day | null;
  readonly isStale: boolean;
  /** Whether an assumption replaces a missing figure. */
  readonly isEstimated: boolean;
  readonly findings: readonly ValuationFinding[];
  readonly parts: readonly ValuePart[];
}
