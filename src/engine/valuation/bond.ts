// Values a bond: nominal × clean price + interest accrued since the last coupon + coupons that are due but not booked.

import type { Day } from '../../kit/day.ts';
import { accruedInterest } from '../instruments/accrued-interest.ts';
import type { BondTerms } from '../instruments/instrument.ts';
import { accrualAddition, accrualFindings } from './accrual.ts';
import { couponAmount } from './coupon-amount.ts';
import { listDueCoupons, type DueCoupon } from './due-coupon.ts';
import type { ValuationSubject } from './position-state.ts';
import { indexRatioOn, type IndexRatioResult } from './index-ratio.ts';
import { findParBaseValue, maturityFindings } from './maturity.ts';
import { findMarketBaseValue } from './quoted.ts';
import { fallbackBaseValue } from './fallback-value.ts';
import type { Valuation } from './value-part.ts';
import {
  convertIfNeeded,
  summedValuation,
  baseValueWithoutPoint,
  type Addition,
  type BaseValue,
} from './base-value.ts';

export function bondValuation(terms: BondTerms, subject: ValuationSubject): Valuation {
  const { instrument, held, context } = subject;
  const { day } = context;
  const { maturity } = terms.schedule;
  const { ratio, findings } = indexRatioOn(terms, instrument.indexFactors, Math.min(day, maturity));
  const base = bondBaseValue(maturity, subject, ratio);
  const accrual = accruedInterest(terms, { nominal: held.quantity, day, index: ratio });
  const findingsOnly = { parts: [], findings: [...maturityFindings(maturity, day), ...findings] };
  const coupons = listDueCoupons(terms.schedule, held, day).map((dueCoupons) =>
    couponAddition(dueCoupons, { terms, subject, base }),
  );
  return summedValuation(base, findingsOnly, accrualAddition(accrual, subject, base), ...coupons);
}

/** Values the coupons that are still owed after everything was sold or redeemed. */
export function findOwedCoupons(terms: BondTerms, subject: ValuationSubject): Valuation | undefined {
  const { instrument, held, context } = subject;
  const dueCoupons = listDueCoupons(terms.schedule, held, context.day);
  if (dueCoupons.length === 0) return undefined;
  const base = baseValueWithoutPoint({ currency: instrument.currency, source: 'nothing' });
  return summedValuation(base, ...dueCoupons.map((coupon) => couponAddition(coupon, { terms, subject, base })));
}

/** The value without interest: par from maturity on, else the market price, else a fallback. */
function bondBaseValue(maturity: Day, subject: ValuationSubject, index: IndexRatioResult['ratio']): BaseValue {
  return (
    findParBaseValue(maturity, subject, index) ??
    findMarketBaseValue(subject, index) ??
    fallbackBaseValue(subject, index)
  );
}

interface CouponContext {
  readonly terms: BondTerms;
  readonly subject: ValuationSubject;
  readonly base: BaseValue;
}

/** Adds a coupon at the rates and factors known on the day. From its date on it should have been booked, which is a finding. */
function couponAddition({ couponDate, nominal }: DueCoupon, { terms, subject, base }: CouponContext): Addition {
  const { instrument, context } = subject;
  const { day } = context;
  const index = indexRatioOn(terms, instrument.indexFactors, Math.min(day, couponDate));
  const accrual = couponAmount(terms, { couponDate, nominal, index: index.ratio }, day);
  const { currency } = instrument;
  const { amount, conversion } = convertIfNeeded(accrual.amount, { from: currency, to: base.currency, day }, context);
  const unbooked = { kind: 'coupon-not-booked', couponDate, amount } as const;
  return {
    parts: [{ kind: 'coupon', amount, couponDate, accrual, conversion }],
    findings: [...(day < couponDate ? [] : [unbooked]), ...index.findings, ...accrualFindings(accrual)],
  };
}
