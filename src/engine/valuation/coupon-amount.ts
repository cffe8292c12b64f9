// Computes what a due coupon pays. Past coupons are cached with their bond, because every valued day needs them again.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import { findCouponAmount, type Accrual, type IndexRatio, type InterestRate } from '../instruments/accrued-interest.ts';
import type { BondTerms } from '../instruments/instrument.ts';
import { countUntil } from '../amounts/series.ts';
import type { DueCoupon } from './due-coupon.ts';

interface PaidCoupon extends DueCoupon {
  readonly index: IndexRatio | undefined;
}

interface CachedAmount extends PaidCoupon {
  readonly accrual: Accrual;
}

const amountCache = new WeakMap<BondTerms, Map<Day, CachedAmount>>();

/** Uses the rates known on the day; after the coupon date no later rate counts, so the amount is final. */
export function couponAmount(terms: BondTerms, coupon: PaidCoupon, day: Day): Accrual {
  const { couponDate } = coupon;
  if (day < couponDate) return amountOf({ ...terms, rate: rateKnownOn(day, terms.rate) }, coupon);
  const cachedAmounts = amountCache.get(terms) ?? new Map<Day, CachedAmount>();
  const cached = cachedAmounts.get(couponDate);
  if (cached !== undefined && isSameCoupon(cached, coupon)) return cached.accrual;
  const accrual = amountOf(terms, coupon);
  amountCache.set(terms, cachedAmounts.set(couponDate, { ...coupon, accrual }));
  return accrual;
}

function amountOf(terms: BondTerms, coupon: PaidCoupon): Accrual {
  return defined(findCouponAmount(terms, coupon), 'a due coupon is on a coupon date of its bond');
}

function isSameCoupon(one: PaidCoupon, other: PaidCoupon): boolean {
  return (
    one.nominal === other.nominal &&
    one.index?.factor === other.index?.factor &&
    one.index?.baseFactor === other.index?.baseFactor
  );
}

function rateKnownOn(day: Day, rate: InterestRate): InterestRate {
  if (typeof rate === 'bigint') return rate;
  return { ...rate, points: rate.points.slice(0, countUntil(rate.points, day)) };
}
