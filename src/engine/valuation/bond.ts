// Values a bond: nominal × clean price + interest accrued since the last coupon + coupons that are due but not booked − coupons that were paid
// before they are due.

import type { Day } from '../../kit/day.ts';
import { multiplyDivide } from '../../kit/fixed.ts';
import { accruedInterest } from '../instruments/accrued-interest.ts';
import type { BondTerms } from '../instruments/instrument.ts';
import { accrualAddition, accrualFindings } from './accrual.ts';
import { couponAmount } from './coupon-amount.ts';
import { listDueCoupons, listPrepaidCoupons, type DueCoupon, type PrepaidCoupon } from './due-coupon.ts';
import type { ValuationSubject } from './position-state.ts';
import { indexRatioOn, type IndexRatioResult } from './index-ratio.ts';
import { findParBaseValue, maturityFindings } from './maturity.ts';
import { findMarketBaseValue } from './quoted.ts';
import { fallbackBaseValue } from './fallback-value.ts';
import type { PrepaidAmount, Valuation } from './value-part.ts';
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
  const prepaid = listPrepaidCoupons(terms.schedule, held, day).map((coupon) =>
    prepaidAddition(coupon, { terms, subject, base }),
  );
  return summedValuation(base, findingsOnly, accrualAddition(accrual, subject, base), ...coupons, ...prepaid);
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

/** Takes back what has been paid already: it is earned over its period, not on the day of the payment. */
function prepaidAddition(prepaid: PrepaidCoupon, context: CouponContext): Addition {
  const { subject, base } = context;
  const { instrument, context: valued } = subject;
  const { couponDate } = prepaid;
  const paid = prepaidAmount(prepaid, context);
  const exchange = { from: instrument.currency, to: base.currency, day: valued.day };
  const { amount, conversion } = convertIfNeeded(-paid.amount, exchange, valued);
  return {
    parts: [{ kind: 'prepaid-coupon', amount, couponDate, paid, conversion }],
    findings: [{ kind: 'coupon-paid-early', couponDate, amount: -amount }],
  };
}

function prepaidAmount(
  { couponDate, coupon, remaining }: PrepaidCoupon,
  { terms, subject: { instrument, context } }: CouponContext,
): PrepaidAmount {
  const { day, gross, currency, units } = coupon;
  if (currency === instrument.currency) {
    const amount = multiplyDivide(gross, remaining, units.nominal);
    return { by: 'row', amount, day, gross, remaining, nominal: units.nominal };
  }
  const { ratio } = indexRatioOn(terms, instrument.indexFactors, context.day);
  const accrual = couponAmount(terms, { couponDate, nominal: remaining, index: ratio }, context.day);
  return { by: 'terms', amount: accrual.amount, day, accrual };
}
