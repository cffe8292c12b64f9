// The value of a bond: nominal × clean price, the interest accrued since the last coupon, and the coupons that are owed. Knows
// no row of the ledger but when coupons were booked.

import type { Day } from '../../kit/day.ts';
import { accruedInterest } from '../instruments/accrued-interest.ts';
import type { BondTerms } from '../instruments/instrument.ts';
import { accrualAddition, accrualFindings } from './accrual.ts';
import { couponAmount } from './coupon-amount.ts';
import { listDueCoupons, type DueCoupon } from './due-coupon.ts';
import type { Subject } from './valuation-input.ts';
import { indexRatioOn, type FoundIndex } from './index-ratio.ts';
import { findParWorth, maturityFindings } from './maturity.ts';
import { findMarketWorth } from './quoted.ts';
import { standInWorth } from './fallback-worth.ts';
import type { Valuation } from './value-part.ts';
import { converted, valuationOf, worthWithoutPoint, type Addition, type Worth } from './worth.ts';

export function bondValuation(terms: BondTerms, subject: Subject): Valuation {
  const { instrument, held, context } = subject;
  const { day } = context;
  const { maturity } = terms.schedule;
  const { ratio, findings } = indexRatioOn(terms, instrument.indexFactors, Math.min(day, maturity));
  const worth = bondWorth(maturity, subject, ratio);
  const accrual = accruedInterest(terms, { nominal: held.quantity, day, index: ratio });
  const noted = { parts: [], findings: [...maturityFindings(maturity, day), ...findings] };
  const coupons = listDueCoupons(terms.schedule, held, day).map((due) =>
    couponAddition(due, { terms, subject, worth }),
  );
  return valuationOf(worth, noted, accrualAddition(accrual, subject, worth), ...coupons);
}

/** Where nothing is held any more: the coupons that are still owed. */
export function findOwedCoupons(terms: BondTerms, subject: Subject): Valuation | undefined {
  const { instrument, held, context } = subject;
  const due = listDueCoupons(terms.schedule, held, context.day);
  if (due.length === 0) return undefined;
  const worth = worthWithoutPoint({ currency: instrument.currency, source: 'nothing' });
  return valuationOf(worth, ...due.map((coupon) => couponAddition(coupon, { terms, subject, worth })));
}

/** Without interest. */
function bondWorth(maturity: Day, subject: Subject, index: FoundIndex['ratio']): Worth {
  return findParWorth(maturity, subject, index) ?? findMarketWorth(subject, index) ?? standInWorth(subject, index);
}

interface CouponContext {
  readonly terms: BondTerms;
  readonly subject: Subject;
  readonly worth: Worth;
}

/** Its amount at what is known on the day; once its date has come it should have been booked. */
function couponAddition({ couponDate, nominal }: DueCoupon, { terms, subject, worth }: CouponContext): Addition {
  const { instrument, context } = subject;
  const { day } = context;
  const index = indexRatioOn(terms, instrument.indexFactors, Math.min(day, couponDate));
  const accrual = couponAmount(terms, { couponDate, nominal, index: index.ratio }, day);
  const { currency } = instrument;
  const { amount, conversion } = converted(accrual.amount, { from: currency, to: worth.currency, day }, context);
  const unbooked = { kind: 'coupon-not-booked', couponDate, amount } as const;
  return {
    parts: [{ kind: 'coupon', amount, couponDate, accrual, conversion }],
    findings: [...(day < couponDate ? [] : [unbooked]), ...index.findings, ...accrualFindings(accrual)],
  };
}
