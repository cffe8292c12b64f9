// Computes accrued interest of bonds and loans, accrued fees, and the accretion of zero-coupon bonds, with the terms of each sum.

import { defined } from '../../kit/assert.ts';
import { divideRounded, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { findCouponPeriod, yearBasis, type CouponPeriod, type CouponSchedule } from './coupon-schedule.ts';
import { partialFractionTerms, sumRationals, yearFraction } from './day-count.ts';
import type { DayCountConvention, DaySpan, FractionTerm, Rational, YearBasis, YearFraction } from './day-count.ts';
import { countUntil, type Point } from '../amounts/series.ts';
import { addRationals, rateSums, type FloatingRate } from './rate-sums.ts';

/** A fixed rate is a plain number: 4.25 % is 0.0425. */
export type InterestRate = Fixed | FloatingRate;

export interface Bond {
  readonly schedule: CouponSchedule;
  readonly convention: DayCountConvention;
  readonly rate: InterestRate;
}

/** An index-linked nominal is multiplied by factor ÷ base factor. */
export interface IndexRatio {
  readonly factor: Fixed;
  readonly baseFactor: Fixed;
}

/** The principal outstanding from each day on. Interest is simple and accrues from `since`. */
export interface Loan {
  readonly principal: readonly Point[];
  readonly rate: InterestRate;
  readonly convention: DayCountConvention;
  readonly since: Day;
  /** ACT/ACT-ICMA divides by its periods; without it, by years from `since`. */
  readonly schedule?: CouponSchedule | undefined;
}

interface RunningFee {
  readonly rate: Fixed;
  readonly basis: Fixed;
  readonly convention: DayCountConvention;
  /** The day of the last booked fee. */
  readonly since: Day;
}

/** nominal × rate × days ÷ denominator. */
export interface AccrualPart extends DaySpan, FractionTerm {
  readonly rate: Fixed;
  readonly nominal: Fixed;
  /** The day of the rate point that was used; undefined for a fixed rate. */
  readonly rateDay: Day | undefined;
}

type AccrualState = 'accruing' | 'ex-dividend' | 'prepaid' | 'due' | 'not-begun' | 'ended' | 'rate-missing';

/** amount = the sum of the parts × index factor ÷ base factor, rounded once. */
export interface Accrual {
  readonly amount: Fixed;
  readonly state: AccrualState;
  readonly period: DaySpan | undefined;
  readonly parts: readonly AccrualPart[];
  readonly index: IndexRatio | undefined;
  /** Whether days accrued at a rate that is dated later than they are. */
  readonly isEstimated: boolean;
}

interface BondHolding {
  readonly nominal: Fixed;
  readonly index?: IndexRatio | undefined;
}

/** Negative in the ex-dividend window: the seller keeps the coupon, and the holder is not paid for the days up to it. */
export function accruedInterest(bond: Bond, holding: BondHolding & { readonly day: Day }): Accrual {
  const { schedule } = bond;
  const { day, index } = holding;
  const period = findCouponPeriod(schedule, day);
  if (!period) return emptyAccrual({ state: day >= schedule.maturity ? 'ended' : 'not-begun', index });
  const isInExDividendWindow = day >= period.exDividendFrom;
  const span = isInExDividendWindow ? { start: day, end: period.end } : { start: period.start, end: day };
  const source = { ...bondAccrualSource(bond, holding, period), span, ratesKnownOn: day };
  return computeAccrual(source, { period, index, state: isInExDividendWindow ? 'ex-dividend' : 'accruing' });
}

/**
 * What the coupon of this date pays. A regular period at a fixed rate pays rate ÷ frequency whatever its number of days, which
 * is what ICMA's fraction gives. Every other period pays by the bond's convention.
 */
export function findCouponAmount(bond: Bond, holding: BondHolding & { readonly couponDate: Day }): Accrual | undefined {
  const { couponDate, index } = holding;
  const period = findCouponPeriod(bond.schedule, couponDate - 1);
  if (period?.end !== couponDate) return undefined;
  const isFixedRegularCoupon = typeof bond.rate === 'bigint' && period.kind === 'regular';
  const payingBond = isFixedRegularCoupon ? { ...bond, convention: 'ACT/ACT-ICMA' as const } : bond;
  const source = { ...bondAccrualSource(payingBond, holding, period), span: period, ratesKnownOn: couponDate };
  return computeAccrual(source, { period, index, state: 'due' });
}

function bondAccrualSource({ rate, convention, schedule }: Bond, { nominal }: BondHolding, period: CouponPeriod) {
  return {
    rate,
    schedule,
    basis: yearBasis(convention, schedule, period),
    principal: [{ day: period.start, value: nominal }],
  };
}

export function accruedLoanInterest(loan: Loan, day: Day): Accrual {
  const { principal, rate, convention, since, schedule = { maturity: since } } = loan;
  const span = { start: since, end: day };
  if (day < since) return emptyAccrual({ state: 'not-begun' });
  const basis = yearBasis(convention, schedule, span);
  const source = { principal, rate, schedule, basis, span, ratesKnownOn: day };
  return computeAccrual(source, { period: span, state: 'accruing' });
}

/** Interest that was paid for days to come, as a negative amount. */
export function prepaidLoanInterest(
  loan: Loan,
  { nominal, day }: { readonly nominal: Fixed; readonly day: Day },
): Accrual {
  const { rate, convention, since, schedule = { maturity: since } } = loan;
  const span = { start: day, end: since };
  const principal = [{ day, value: nominal }];
  const source = { principal, rate, schedule, basis: yearBasis(convention, schedule, span), span, ratesKnownOn: day };
  return computeAccrual(source, { period: span, state: 'prepaid' });
}

/** The fee owed, as a negative amount. */
export function accruedFee({ rate, basis, convention, since }: RunningFee, day: Day): Accrual {
  return accruedLoanInterest({ principal: [{ day: since, value: -basis }], rate, convention, since }, day);
}

interface AccrualSource {
  readonly span: DaySpan;
  readonly basis: YearBasis;
  readonly principal: readonly Point[];
  readonly rate: InterestRate;
  readonly schedule: CouponSchedule;
  /** Rate points after this day are not yet known. */
  readonly ratesKnownOn: Day;
}

interface AccrualFrame {
  readonly state: AccrualState;
  readonly period?: DaySpan | undefined;
  readonly index?: IndexRatio | undefined;
}

function emptyAccrual({ state, period, index }: AccrualFrame): Accrual {
  return { amount: 0n, state, period, parts: [], index, isEstimated: false };
}

function computeAccrual(source: AccrualSource, frame: AccrualFrame): Accrual {
  if (hasManyRates(source)) return computeFromSums(source, frame);
  const rates = rateSteps(source);
  if (rates.length === 0) return emptyAccrual({ ...frame, state: 'rate-missing' });
  const parts = listParts(source, { rates, sign: frame.state === 'ex-dividend' || frame.state === 'prepaid' ? -1 : 1 });
  const sum = sumRationals(
    parts.map(({ nominal, rate, days, denominator }) => ({ numerator: nominal * rate * BigInt(days), denominator })),
  );
  return { ...emptyAccrual(frame), parts, isEstimated: usesLaterRate(parts), amount: accruedAmount(sum, frame.index) };
}

function usesLaterRate(parts: readonly AccrualPart[]): boolean {
  return parts.some(({ rateDay, start }) => rateDay !== undefined && rateDay > start);
}

function accruedAmount(sum: Rational, index: IndexRatio = { factor: 1n, baseFactor: 1n }): Fixed {
  return divideRounded(sum.numerator * index.factor, sum.denominator * oneFixed * index.baseFactor);
}

/** From as many rates on, their sums are kept from day to day. */
const manyRates = 5;

type FloatingSource = AccrualSource & { readonly rate: FloatingRate };

/** Whether it accrues at many rates, all of which are known: those of an ex-dividend window are not. */
function hasManyRates(source: AccrualSource): source is FloatingSource {
  const { rate, span, ratesKnownOn } = source;
  if (typeof rate === 'bigint' || ratesKnownOn < span.end) return false;
  return countUntil(rate.points, span.end) - countUntil(rate.points, span.start) >= manyRates;
}

/** The same amount, from sums of the rates that are kept: with a rate for each day, each day would add all rates before it. */
function computeFromSums(source: FloatingSource, frame: AccrualFrame): Accrual {
  let listed: readonly AccrualPart[] | undefined;
  return {
    ...emptyAccrual(frame),
    get parts() {
      return (listed ??= listParts(source, { rates: rateSteps(source), sign: 1 }));
    },
    isEstimated: beginsBeforeRates(source),
    amount: accruedAmount(summedAccrual(source), frame.index),
  };
}

function summedAccrual({ rate, span, basis, principal, schedule }: FloatingSource): Rational {
  const sums = rateSums(rate, { start: span.start, convention: basis.convention, schedule });
  const bounds = [span.start, ...cutsWithin(span, principal), span.end];
  let sum: Rational = { numerator: 0n, denominator: 1n };
  let before = sum;
  for (const [index, end] of bounds.slice(1).entries()) {
    const until = sums.until(end, basis);
    const nominal = nominalOn(principal, bounds[index]!);
    const accrued = addRationals(until, { ...before, numerator: -before.numerator });
    sum = addRationals(sum, { ...accrued, numerator: nominal * accrued.numerator });
    before = until;
  }
  return sum;
}

/** Whether anything accrues before the first rate, at a rate that is dated later. */
function beginsBeforeRates(source: FloatingSource): boolean {
  const first = source.rate.points[0]!.day;
  if (first <= source.span.start) return false;
  const rates = [{ ...source.rate.points[0]!, rateDay: first }];
  return stepSpans({ ...source, span: { start: source.span.start, end: first } }, []).some(
    (span) => accrualParts(span, { source, rates, sign: 1 }).length > 0,
  );
}

interface RateStep extends Point {
  readonly rateDay: Day | undefined;
}

/** The rates known on the day. The list is empty if a floating rate has no point yet. */
function rateSteps({ rate, span, ratesKnownOn }: AccrualSource): readonly RateStep[] {
  if (typeof rate === 'bigint') return [{ day: span.start, value: rate, rateDay: undefined }];
  const { points, spread } = rate;
  const firstInForce = Math.max(0, countUntil(points, span.start) - 1);
  const knownPoints = points.slice(firstInForce, countUntil(points, ratesKnownOn));
  return knownPoints.map(({ day, value }) => ({ day, value: value + spread, rateDay: day }));
}

/** Splits the span wherever the principal or the rate changes. */
function stepSpans({ span, principal }: AccrualSource, rates: readonly RateStep[]): readonly DaySpan[] {
  const cuts = [...cutsWithin(span, principal), ...cutsWithin(span, rates)];
  if (cuts.length === 0) return [span];
  const bounds = [...new Set([span.start, ...cuts, span.end])].toSorted((one, other) => one - other);
  return bounds.slice(1).map((end, index) => ({ start: bounds[index]!, end }));
}

function cutsWithin({ start, end }: DaySpan, points: readonly Point[]): readonly Day[] {
  return points.slice(countUntil(points, start), countUntil(points, end - 1)).map(({ day }) => day);
}

interface AccrualSteps {
  readonly rates: readonly RateStep[];
  readonly sign: 1 | -1;
}

interface StepContext extends AccrualSteps {
  readonly source: AccrualSource;
}

function listParts(source: AccrualSource, steps: AccrualSteps): readonly AccrualPart[] {
  return stepSpans(source, steps.rates).flatMap((span) => accrualParts(span, { source, ...steps }));
}

function nominalOn(principal: readonly Point[], day: Day): Fixed {
  return principal[countUntil(principal, day) - 1]?.value ?? 0n;
}

function accrualParts(span: DaySpan, { source, rates, sign }: StepContext): readonly AccrualPart[] {
  const nominal = nominalOn(source.principal, span.start);
  if (nominal === 0n) return [];
  const step = rates[Math.max(0, countUntil(rates, span.start) - 1)];
  const { value: rate, rateDay } = defined(step, 'an accrual has at least one rate');
  const terms = partialFractionTerms(span, source.span, source.basis);
  return terms.map(({ days, denominator }) => ({ ...span, days: sign * days, denominator, rate, nominal, rateDay }));
}

interface ZeroCoupon {
  readonly cost: Fixed;
  readonly par: Fixed;
  readonly acquired: Day;
  readonly maturity: Day;
  readonly convention: DayCountConvention;
}

/** amount = cost + (par − cost) × elapsed ÷ whole, rounded once. */
export interface Accretion {
  readonly amount: Fixed;
  readonly state: 'accruing' | 'not-begun' | 'ended';
  readonly cost: Fixed;
  readonly par: Fixed;
  readonly period: DaySpan;
  readonly elapsed: YearFraction;
  readonly whole: YearFraction;
}

/** Accretes linearly from cost to par, not at a constant yield. */
export function accretedCost({ cost, par, acquired, maturity, convention }: ZeroCoupon, day: Day): Accretion {
  const period = { start: acquired, end: Math.max(acquired, maturity) };
  const basis = yearBasis(convention, { maturity }, period);
  const elapsed = yearFraction({ start: acquired, end: Math.max(acquired, Math.min(day, period.end)) }, basis);
  const whole = yearFraction(period, basis);
  const state = day >= maturity ? 'ended' : day < acquired ? 'not-begun' : 'accruing';
  const parts = { state, cost, par, period, elapsed, whole } as const;
  if (state === 'ended') return { ...parts, amount: par };
  if (whole.numerator === 0n) return { ...parts, amount: cost };
  const accreted = (par - cost) * elapsed.numerator * whole.denominator;
  return { ...parts, amount: cost + divideRounded(accreted, elapsed.denominator * whole.numerator) };
}
