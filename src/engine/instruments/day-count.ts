// Counts days and exact fractions of a year between two days, by the day count conventions of the market.

import { civilFromDay, dayFromCivil, isEndOfMonth, isLeapYear, type Day } from '../../kit/day.ts';
import { greatestCommonDivisor } from '../../kit/fixed.ts';
import type { DayCountConvention } from '../../model/instrument/day-count-convention.ts';

export { dayCountConventions, findDayCountConvention } from '../../model/instrument/day-count-convention.ts';
export type { DayCountConvention };

/** From `start` up to, but not including, `end`. */
export interface DaySpan {
  readonly start: Day;
  readonly end: Day;
}

/** How a span becomes years. Only ICMA divides by coupon periods, which must cover the span without gaps. */
export type YearBasis =
  | { readonly convention: Exclude<DayCountConvention, 'ACT/ACT-ICMA' | '30E/360-ISDA'> }
  /** The end of February counts as the 30th, except on the day of maturity. */
  | { readonly convention: '30E/360-ISDA'; readonly maturity: Day }
  | {
      readonly convention: 'ACT/ACT-ICMA';
      readonly frequency: number;
      readonly periods: readonly DaySpan[];
    };

/** `days` of a year of `denominator` days. */
export interface FractionTerm {
  readonly days: number;
  readonly denominator: number;
}

export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The sum of days ÷ denominator over its terms. No term has zero days. */
export interface YearFraction extends Rational {
  readonly days: number;
  readonly terms: readonly FractionTerm[];
}

/** The number of days by the convention: the numerator of every fraction except ACT/ACT. */
export function conventionDayCount(span: DaySpan, basis: DayCountBasis): number {
  if (span.end < span.start) throw new RangeError('Days are counted from the earlier to the later.');
  if (basis.convention === '30E/360-ISDA') return thirtyIsdaDays(span, basis.maturity);
  return isThirty360(basis.convention) ? thirty360Days(span, basis.convention) : span.end - span.start;
}

/** A basis without what only fractions need. */
type DayCountBasis =
  | { readonly convention: Exclude<DayCountConvention, '30E/360-ISDA'> }
  | { readonly convention: '30E/360-ISDA'; readonly maturity: Day };

type Thirty360 = '30/360-US' | '30/360-BOND' | '30E/360';

function isThirty360(convention: DayCountConvention): convention is Thirty360 {
  return convention.startsWith('30') && convention !== '30E/360-ISDA';
}

// ISDA 2006 Definitions, section 4.16 (h).
function thirtyIsdaDays(span: DaySpan, maturity: Day): number {
  if (span.start === span.end) return 0; // also on a maturity at the end of February
  const [start, end] = [civilFromDay(span.start), civilFromDay(span.end)];
  const startDay = isEndOfFebruary(span.start) ? 30 : Math.min(start.day, 30);
  const endDay = isEndOfFebruary(span.end) && span.end !== maturity ? 30 : Math.min(end.day, 30);
  return 360 * (end.year - start.year) + 30 * (end.month - start.month) + endDay - startDay;
}

// ISDA 2006 Definitions, section 4.16 (f) and (g); the US rule for ends of February from the SIFMA standard formulas.
function thirty360Days(span: DaySpan, convention: Thirty360): number {
  const [start, end] = [civilFromDay(span.start), civilFromDay(span.end)];
  const startsFebruaryEnd = convention === '30/360-US' && isEndOfFebruary(span.start);
  const startDay = startsFebruaryEnd ? 30 : Math.min(start.day, 30);
  let endDay = end.day;
  if (startsFebruaryEnd && isEndOfFebruary(span.end)) endDay = 30;
  else if (convention === '30E/360' || startDay === 30) endDay = Math.min(end.day, 30);
  return 360 * (end.year - start.year) + 30 * (end.month - start.month) + endDay - startDay;
}

function isEndOfFebruary(day: Day): boolean {
  return civilFromDay(day).month === 2 && isEndOfMonth(day);
}

/** The exact number of years from start to end. */
export function yearFraction(span: DaySpan, basis: YearBasis): YearFraction {
  const days = conventionDayCount(span, basis);
  const terms = fractionTerms(span, basis).filter((term) => term.days !== 0);
  return { days, terms, ...sumRationals(terms.map((term) => ({ ...term, numerator: BigInt(term.days) }))) };
}

/**
 * The terms of a part of a span. In 30/360 a day does not count the same in every month, so a part counts what it adds to the
 * count from the start of the span. Parts therefore add up to the whole in every convention.
 */
export function partialFractionTerms(part: DaySpan, { start }: DaySpan, basis: YearBasis): readonly FractionTerm[] {
  if (!basis.convention.startsWith('30')) return yearFraction(part, basis).terms;
  const daysUntil = (end: Day): number => conventionDayCount({ start, end }, basis);
  const [upToStart, upToEnd] = [daysUntil(part.start), daysUntil(part.end)];
  return upToEnd === upToStart ? [] : [{ days: upToEnd - upToStart, denominator: 360 }];
}

function fractionTerms(span: DaySpan, basis: YearBasis): readonly FractionTerm[] {
  switch (basis.convention) {
    case 'ACT/ACT-ICMA':
      return icmaTerms(span, basis);
    case 'ACT/ACT-ISDA':
      return isdaTerms(span);
    case 'ACT/365':
      return [{ days: span.end - span.start, denominator: 365 }];
    default:
      return [{ days: conventionDayCount(span, basis), denominator: 360 }];
  }
}

// ICMA rule 251: days ÷ (frequency × days of the coupon period they lie in), notional periods for what is longer than one.
function icmaTerms(span: DaySpan, { frequency, periods }: { frequency: number; periods: readonly DaySpan[] }) {
  const terms = periods.map((period) => ({
    days: Math.max(0, Math.min(span.end, period.end) - Math.max(span.start, period.start)),
    denominator: frequency * (period.end - period.start),
  }));
  const covered = terms.reduce((sum, term) => sum + term.days, 0);
  if (covered !== span.end - span.start)
    throw new RangeError('The coupon periods do not cover the days to be counted.');
  return terms;
}

// ISDA 2006 Definitions, section 4.16 (b): days in leap years ÷ 366 + all others ÷ 365.
function isdaTerms(span: DaySpan): readonly FractionTerm[] {
  let leapDays = 0;
  const lastYear = civilFromDay(span.end).year;
  for (let { year } = civilFromDay(span.start); year <= lastYear; year++) {
    if (!isLeapYear(year)) continue;
    const [yearStart, yearEnd] = [
      dayFromCivil({ year, month: 1, day: 1 }),
      dayFromCivil({ year: year + 1, month: 1, day: 1 }),
    ];
    leapDays += Math.min(span.end, yearEnd) - Math.max(span.start, yearStart);
  }
  return [
    { days: span.end - span.start - leapDays, denominator: 365 },
    { days: leapDays, denominator: 366 },
  ];
}

/** The exact sum, over the least common denominator. */
export function sumRationals(terms: readonly { numerator: bigint; denominator: number }[]): Rational {
  let [numerator, denominator] = [0n, 1n];
  for (const term of terms) {
    const other = BigInt(term.denominator);
    const scale = other / greatestCommonDivisor(denominator, other);
    numerator = numerator * scale + term.numerator * ((denominator * scale) / other);
    denominator *= scale;
  }
  return { numerator, denominator };
}
