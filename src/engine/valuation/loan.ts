// Values a loan: nominal outstanding (× price, where one is stated) + interest since it was last paid.

import type { Day } from '../../kit/day.ts';
import { greatestOf } from '../../kit/memory/long-list.ts';
import { accruedLoanInterest, prepaidLoanInterest } from '../instruments/accrued-interest.ts';
import type { LoanTerms } from '../instruments/instrument.ts';
import { countUntil, type Point } from '../amounts/series.ts';
import { accrualAddition } from './accrual.ts';
import { couponsUntil, type BookedCoupon } from './booked-coupon.ts';
import { carriedAccrualAddition } from './carried-accrual.ts';
import type { ValuationSubject } from './position-state.ts';
import { maturityFindings } from './maturity.ts';
import { findMarketBaseValue } from './quoted.ts';
import type { Valuation } from './value-part.ts';
import {
  convertIfNeeded,
  summedValuation,
  baseValueWithoutPoint,
  type Addition,
  type BaseValue,
} from './base-value.ts';

/** Interest that an upload states as accrued stays owed until interest is booked; new interest accrues from the upload on. */
export function loanValuation(terms: LoanTerms, subject: ValuationSubject): Valuation {
  const { held, context } = subject;
  const { upload } = held;
  const { rate, convention, start, maturity } = terms;
  const base = findMarketBaseValue(subject) ?? principalBaseValue(subject);
  const lastInterest = interestPaidUntil(held.coupons, context.day);
  const paidUntil = Math.max(start, lastInterest);
  const carried = upload !== null && upload.day >= paidUntil ? upload : null;
  const since = carried?.day ?? paidUntil;
  const schedule = { maturity: maturity ?? start };
  const loan = { principal: nominalSince(since, held.quantities), rate, convention, since, schedule };
  const accrual =
    lastInterest > context.day
      ? prepaidLoanInterest(loan, { nominal: held.quantity, day: context.day })
      : accruedLoanInterest(loan, context.day);
  const accrued = accrualAddition(accrual, subject, base);
  const findingsOnly = { parts: [], findings: maturity === null ? [] : maturityFindings(maturity, context.day) };
  return summedValuation(
    base,
    findingsOnly,
    accrued,
    carriedAccrualAddition(carried && { ...carried, amount: carried.accrued }, { subject, base }),
    boughtInterestAddition(carried?.day ?? lastInterest, subject, base),
  );
}

/** Interest that names its period is paid up to the end of that, any other up to the day of its row. */
function interestPaidUntil(coupons: readonly BookedCoupon[], day: Day): Day {
  return greatestOf(
    couponsUntil(coupons, day).map((coupon) => (coupon.periodEnd === null ? coupon.day : coupon.periodEnd + 1)),
  );
}

/** Who buys a loan with accrued interest is owed what had accrued before, until interest is booked or an upload states it. */
function boughtInterestAddition(
  after: Day,
  { instrument, held, context }: ValuationSubject,
  base: BaseValue,
): Addition {
  const { boughtInterest } = held;
  const bought = boughtInterest.slice(countUntil(boughtInterest, after), countUntil(boughtInterest, context.day));
  if (bought.length === 0) return { parts: [], findings: [] };
  const total = bought.reduce((sum, { value }) => sum + value, 0n);
  const exchange = { from: instrument.currency, to: base.currency, day: context.day };
  return { parts: [{ kind: 'bought-interest', ...convertIfNeeded(total, exchange, context), bought }], findings: [] };
}

function nominalSince(since: Day, quantities: readonly Point[]): readonly Point[] {
  return quantities.slice(Math.max(0, countUntil(quantities, since) - 1));
}

/** What is owed counts in full as long as no price says otherwise, whatever was paid for it. */
function principalBaseValue({ instrument, held }: ValuationSubject): BaseValue {
  const { currency } = instrument;
  return baseValueWithoutPoint({ currency, source: 'principal' }, { kind: 'principal', amount: held.quantity });
}
