// Values a loan: nominal outstanding (× price, where one is stated) + interest since it was last paid.

import type { Day } from '../../kit/day.ts';
import { greatestOf } from '../../kit/memory/long-list.ts';
import { accruedLoanInterest, prepaidLoanInterest, type Loan } from '../instruments/accrued-interest.ts';
import type { LoanTerms } from '../instruments/instrument.ts';
import { countUntil, runningTotals, type Point } from '../amounts/series.ts';
import { accrualAddition } from './accrual.ts';
import { couponsUntil, paidUntil, type BookedCoupon } from './booked-coupon.ts';
import { carriedAccrualAddition } from './carried-accrual.ts';
import type { PositionState, ValuationSubject } from './position-state.ts';
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
  const unpaidFrom = Math.max(start, lastInterest);
  const carried = upload !== null && upload.day >= unpaidFrom ? upload : null;
  const accruing = accruingNominal(held, { since: carried?.day ?? unpaidFrom, unpaidFrom, day: context.day });
  const loan = { ...accruing, rate, convention, schedule: { maturity: maturity ?? start } };
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

interface AccruingSpan {
  readonly since: Day;
  /** Not after `since`. */
  readonly unpaidFrom: Day;
  readonly day: Day;
}

/** What was bought without stated interest accrues from the beginning of its interest period, as a bond does. */
function accruingNominal(
  { quantities, boughtWithoutInterest }: PositionState,
  { since, unpaidFrom, day }: AccruingSpan,
): Pick<Loan, 'principal' | 'since'> {
  const bought = boughtWithoutInterest
    .filter((one) => one.day > since && one.day <= day)
    .map((one) => ({ ...one, since: Math.max(one.since, unpaidFrom) }))
    .filter((one) => one.since < one.day);
  const held = nominalSince(since, quantities);
  if (bought.length === 0) return { principal: held, since };
  const changes = [
    ...held.map((point, index) => ({
      day: Math.max(point.day, since),
      value: point.value - (held[index - 1]?.value ?? 0n),
    })),
    ...bought.flatMap((one) => [
      { day: one.since, value: one.nominal },
      { day: one.day, value: -one.nominal },
    ]),
  ].toSorted((one, other) => one.day - other.day);
  return { principal: runningTotals(changes), since: Math.min(since, changes[0]!.day) };
}

function interestPaidUntil(coupons: readonly BookedCoupon[], day: Day): Day {
  return greatestOf(couponsUntil(coupons, day).map(paidUntil));
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
