// Values a loan: outstanding principal + interest since it was last paid. A price does not count, because loans are not quoted.

import type { Day } from '../../kit/day.ts';
import { multiply } from '../../kit/fixed.ts';
import { accruedLoanInterest } from '../instruments/accrued-interest.ts';
import type { LoanTerms } from '../instruments/instrument.ts';
import { lastOnOrBefore, type Point } from '../amounts/series.ts';
import { accrualAddition } from './accrual.ts';
import { carriedAccrualAddition } from './carried-accrual.ts';
import { countUntil } from '../amounts/series.ts';
import type { ValuationSubject } from './position-state.ts';
import { maturityFindings } from './maturity.ts';
import { findImpliedBaseValue } from './upload.ts';
import type { Valuation } from './value-part.ts';
import { summedValuation, baseValueWithoutPoint, type BaseValue } from './base-value.ts';

/** Interest that an upload states as accrued stays owed until interest is booked; new interest accrues from the upload on. */
export function loanValuation(terms: LoanTerms, subject: ValuationSubject): Valuation {
  const { held, context } = subject;
  const { upload } = held;
  const { rate, convention, start, maturity } = terms;
  const base = findImpliedBaseValue(subject) ?? principalBaseValue(terms, subject);
  const paidUntil = Math.max(start, lastInterestDay(held.couponDays, context.day));
  const carried = upload !== null && upload.day >= paidUntil ? upload : null;
  const since = carried?.day ?? paidUntil;
  const schedule = { maturity: maturity ?? start };
  const loan = { principal: principalSince(since, held.quantities, terms), rate, convention, since, schedule };
  const accrued = accrualAddition(accruedLoanInterest(loan, context.day), subject, base);
  const findingsOnly = { parts: [], findings: maturity === null ? [] : maturityFindings(maturity, context.day) };
  return summedValuation(
    base,
    findingsOnly,
    accrued,
    carriedAccrualAddition(carried, carried?.accrued ?? 0n, { subject, base }),
  );
}

function lastInterestDay(booked: readonly Day[], day: Day): Day {
  return booked[lastOnOrBefore(booked, day)] ?? -Infinity;
}

function principalSince(since: Day, quantities: readonly Point[], { principalPerUnit }: LoanTerms): readonly Point[] {
  const firstIndex = Math.max(0, countUntil(quantities, since) - 1);
  return quantities.slice(firstIndex).map(({ day, value }) => ({ day, value: multiply(value, principalPerUnit) }));
}

function principalBaseValue({ principalPerUnit }: LoanTerms, { instrument, held }: ValuationSubject): BaseValue {
  const { quantity } = held;
  const amount = multiply(quantity, principalPerUnit);
  const { currency } = instrument;
  const part = { kind: 'principal', amount, quantity, principalPerUnit } as const;
  return baseValueWithoutPoint({ currency, source: 'principal' }, part);
}
