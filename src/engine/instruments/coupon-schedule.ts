// Computes when a bond pays: coupon dates rolled back from maturity, odd first periods, ex-dividend windows. Holidays are ignored.

import { addMonths, civilFromDay, isEndOfMonth, type Day } from '../../kit/day.ts';
import type { DayCountConvention, DaySpan, YearBasis } from './day-count.ts';

/** Coupons per year. */
export type CouponFrequency = 1 | 2 | 4 | 12;

export interface CouponSchedule {
  readonly maturity: Day;
  /** 1 if undefined. */
  readonly frequency?: CouponFrequency | undefined;
  /** The day interest starts to accrue; without it there is no start. */
  readonly datedDate?: Day | undefined;
  /** Set if it is not the first roll date after the dated date: the first period is then short or long. */
  readonly firstCouponDate?: Day | undefined;
  /** Calendar days before a coupon during which a buyer no longer receives it. */
  readonly exDividendDays?: number | undefined;
}

/** A regular period runs from one roll date to the next. */
export interface CouponPeriod extends DaySpan {
  readonly kind: 'regular' | 'odd';
  /**
   * From this day to the end of the period the coupon goes to the holder before the window. Never the first day of the period, which is a
   * coupon date; the period's end without a window.
   */
  readonly exDividendFrom: Day;
}

export function couponFrequency(schedule: CouponSchedule): CouponFrequency {
  return schedule.frequency ?? 1;
}

function monthsBetweenCoupons(schedule: CouponSchedule): number {
  return 12 / couponFrequency(schedule);
}

/**
 * The day of the month that roll dates fall on. If the maturity is the end of a month, every coupon is (31 is cut to the length of the month), as with
 * treasuries and COUPPCD. A first coupon that is not at the end of a month shows that the terms name a day instead.
 */
function rollDay({ maturity, firstCouponDate }: CouponSchedule): number {
  const { day } = civilFromDay(maturity);
  if (!isEndOfMonth(maturity)) return day;
  if (firstCouponDate === undefined || isEndOfMonth(firstCouponDate)) return 31;
  return Math.max(day, civilFromDay(firstCouponDate).day);
}

/** Counts every date from maturity, not from its neighbour, so that a short month does not shift other dates. */
function rollDate(schedule: CouponSchedule, couponsBeforeMaturity: number): Day {
  return addMonths(schedule.maturity, -couponsBeforeMaturity * monthsBetweenCoupons(schedule), rollDay(schedule));
}

/** The number of coupons from the last roll date on or before the day to maturity; negative after maturity. */
function couponsBeforeMaturityOn(schedule: CouponSchedule, day: Day): number {
  const [last, current] = [civilFromDay(schedule.maturity), civilFromDay(day)];
  const months = (last.year - current.year) * 12 + last.month - current.month;
  const count = Math.ceil(months / monthsBetweenCoupons(schedule));
  return rollDate(schedule, count) <= day ? count : count + 1;
}

/** The roll dates around the day: the last one on or before it and the next one. */
function rollPeriod(schedule: CouponSchedule, day: Day): DaySpan {
  const count = couponsBeforeMaturityOn(schedule, day);
  return { start: rollDate(schedule, count), end: rollDate(schedule, count - 1) };
}

/** The first coupon date of the terms. One that is not after the dated date is ignored. */
function findFirstCouponDate({ maturity, datedDate, firstCouponDate }: CouponSchedule): Day | undefined {
  if (firstCouponDate === undefined || (datedDate !== undefined && firstCouponDate <= datedDate)) return undefined;
  return Math.min(firstCouponDate, maturity);
}

/** The first day that accrues, or undefined if the terms name none. */
function findAccrualStart(schedule: CouponSchedule): Day | undefined {
  const firstCouponDate = findFirstCouponDate(schedule);
  if (schedule.datedDate !== undefined || firstCouponDate === undefined) return schedule.datedDate;
  const isOnRoll = rollPeriod(schedule, firstCouponDate).start === firstCouponDate;
  return addMonths(firstCouponDate, -monthsBetweenCoupons(schedule), isOnRoll ? rollDay(schedule) : undefined);
}

/** The next coupon date after the day; undefined from maturity on. */
export function findNextCouponDate(schedule: CouponSchedule, day: Day): Day | undefined {
  const { maturity, datedDate = day } = schedule;
  if (day >= maturity) return undefined;
  const firstCouponDate = findFirstCouponDate(schedule);
  if (firstCouponDate !== undefined && day < firstCouponDate) return firstCouponDate;
  return Math.min(rollPeriod(schedule, Math.max(day, datedDate)).end, maturity);
}

/** The period in which the day accrues. Its end, a coupon date, belongs to the next period. */
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

/** The last roll date on or before the day, also after maturity. */
export function lastRollDate(schedule: CouponSchedule, day: Day): Day {
  return rollPeriod(schedule, day).start;
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

/** The convention, with the maturity or the roll periods that it needs. These are notional where the bond's own period is odd. */
export function yearBasis(convention: DayCountConvention, schedule: CouponSchedule, span: DaySpan): YearBasis {
  if (convention === '30E/360-ISDA') return { convention, maturity: schedule.maturity };
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
