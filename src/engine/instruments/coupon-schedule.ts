// When a bond pays: coupon dates rolled back from maturity, odd first periods, the ex-dividend window. Knows no amounts and
// no holidays.

import { addMonths, civilFromDay, isEndOfMonth, type Day } from '../../kit/day.ts';
import type { DayCountConvention, DaySpan, YearBasis } from './day-count.ts';

/** Coupons a year. */
export type CouponFrequency = 1 | 2 | 4 | 12;

export interface CouponSchedule {
  readonly maturity: Day;
  /** 1 where nothing is said. */
  readonly frequency?: CouponFrequency | undefined;
  /** From when interest accrues; without it, since ever. */
  readonly datedDate?: Day | undefined;
  /** Where it is not the first date of the roll after the dated date: makes the first period short or long. */
  readonly firstCouponDate?: Day | undefined;
  /** Calendar days before a coupon in which it no longer goes to a buyer. */
  readonly exDividendDays?: number | undefined;
}

/** Regular: from one date of the roll to the next. */
export interface CouponPeriod extends DaySpan {
  readonly kind: 'regular' | 'odd';
  /** The first day of the ex-dividend window, never the period's first; its end where there is no window. */
  readonly exDividendFrom: Day;
}

export function couponFrequency(schedule: CouponSchedule): CouponFrequency {
  return schedule.frequency ?? 1;
}

function monthsBetweenCoupons(schedule: CouponSchedule): number {
  return 12 / couponFrequency(schedule);
}

/**
 * The day of the month the roll aims at. A maturity on a month's end puts every coupon on its month's end (31 meets all of
 * them), as treasuries and COUPPCD do; a first coupon that is not on one says that the terms name a day instead.
 */
function rollDay({ maturity, firstCouponDate }: CouponSchedule): number {
  const { day } = civilFromDay(maturity);
  if (!isEndOfMonth(maturity)) return day;
  if (firstCouponDate === undefined || isEndOfMonth(firstCouponDate)) return 31;
  return Math.max(day, civilFromDay(firstCouponDate).day);
}

/** Every date is counted from maturity, never from its neighbour, so that a short month shortens no other. */
function rollDate(schedule: CouponSchedule, couponsBeforeMaturity: number): Day {
  return addMonths(schedule.maturity, -couponsBeforeMaturity * monthsBetweenCoupons(schedule), rollDay(schedule));
}

/** Which date of the roll is the last on or before the day; negative after maturity, for the roll has no end. */
function couponsBeforeMaturityOn(schedule: CouponSchedule, day: Day): number {
  const [last, current] = [civilFromDay(schedule.maturity), civilFromDay(day)];
  const months = (last.year - current.year) * 12 + last.month - current.month;
  const count = Math.ceil(months / monthsBetweenCoupons(schedule));
  return rollDate(schedule, count) <= day ? count : count + 1;
}

/** The dates of the roll around the day: the last on or before it and the next. */
function rollPeriod(schedule: CouponSchedule, day: Day): DaySpan {
  const count = couponsBeforeMaturityOn(schedule, day);
  return { start: rollDate(schedule, count), end: rollDate(schedule, count - 1) };
}

/** The first coupon date the terms name; one that contradicts the dated date is as if not named. */
function findFirstCouponDate({ maturity, datedDate, firstCouponDate }: CouponSchedule): Day | undefined {
  if (firstCouponDate === undefined || (datedDate !== undefined && firstCouponDate <= datedDate)) return undefined;
  return Math.min(firstCouponDate, maturity);
}

/** The first day that accrues, or undefined where the terms name none. */
function findAccrualStart(schedule: CouponSchedule): Day | undefined {
  const firstCouponDate = findFirstCouponDate(schedule);
  if (schedule.datedDate !== undefined || firstCouponDate === undefined) return schedule.datedDate;
  const isOnRoll = rollPeriod(schedule, firstCouponDate).start === firstCouponDate;
  return addMonths(firstCouponDate, -monthsBetweenCoupons(schedule), isOnRoll ? rollDay(schedule) : undefined);
}

/** The coupon date on the day or before it. */
export function findPreviousCouponDate(schedule: CouponSchedule, day: Day): Day | undefined {
  const { maturity, datedDate } = schedule;
  if (day >= maturity) return maturity;
  const firstCouponDate = findFirstCouponDate(schedule);
  if (firstCouponDate !== undefined && day < firstCouponDate) return undefined;
  const previousRollDate = Math.max(rollPeriod(schedule, day).start, firstCouponDate ?? -Infinity);
  return datedDate === undefined || previousRollDate > datedDate ? previousRollDate : undefined;
}

/** The coupon date after the day: none from maturity on. */
export function findNextCouponDate(schedule: CouponSchedule, day: Day): Day | undefined {
  const { maturity, datedDate = day } = schedule;
  if (day >= maturity) return undefined;
  const firstCouponDate = findFirstCouponDate(schedule);
  if (firstCouponDate !== undefined && day < firstCouponDate) return firstCouponDate;
  return Math.min(rollPeriod(schedule, Math.max(day, datedDate)).end, maturity);
}

/** The period the day accrues in, its coupon date at the end not included. */
export function findCouponPeriod(schedule: CouponSchedule, day: Day): CouponPeriod | undefined {
  const accrualStart = findAccrualStart(schedule) ?? -Infinity;
  if (day < accrualStart || day >= schedule.maturity) return undefined;
  const firstCouponDate = findFirstCouponDate(schedule) ?? -Infinity;
  const isFirst = day < firstCouponDate;
  const roll = rollPeriod(schedule, day);
  const start = isFirst ? accrualStart : Math.max(roll.start, accrualStart, firstCouponDate);
  const end = isFirst ? firstCouponDate : roll.end;
  const exDividendFrom = Math.max(start + 1, end - (schedule.exDividendDays ?? 0));
  return { start, end, kind: start === roll.start && end === roll.end ? 'regular' : 'odd', exDividendFrom };
}

/** The coupon dates after the span's start, up to and including its end. */
export function listCouponDates(schedule: CouponSchedule, span: DaySpan): readonly Day[] {
  const dates: Day[] = [];
  let date = findNextCouponDate(schedule, span.start);
  while (date !== undefined && date <= span.end) {
    dates.push(date);
    date = findNextCouponDate(schedule, date);
  }
  return dates;
}

/** In the window the coupon ahead goes to whoever held before it. A coupon date itself lies in no window. */
export function isExDividend(schedule: CouponSchedule, day: Day): boolean {
  const period = findCouponPeriod(schedule, day);
  return period !== undefined && day >= period.exDividendFrom;
}

/** The convention, with the periods of the roll that ICMA divides by: notional ones where the bond's own is odd. */
export function yearBasis(convention: DayCountConvention, schedule: CouponSchedule, span: DaySpan): YearBasis {
  if (convention !== 'ACT/ACT-ICMA') return { convention };
  return { convention, frequency: couponFrequency(schedule), periods: notionalPeriods(schedule, span) };
}

function notionalPeriods(schedule: CouponSchedule, span: DaySpan): readonly DaySpan[] {
  const periods: DaySpan[] = [];
  let count = couponsBeforeMaturityOn(schedule, span.start);
  for (let start = rollDate(schedule, count); start < span.end; count--) {
    const end = rollDate(schedule, count - 1);
    periods.push({ start, end });
    start = end;
  }
  return periods;
}
