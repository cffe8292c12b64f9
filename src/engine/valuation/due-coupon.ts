// Which coupons a holder is owed on a day, because no row books them. Knows no amounts.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { findCouponPeriod, listCouponDates, type CouponSchedule } from '../instruments/coupon-schedule.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import { amountOn } from './amount-on.ts';
import type { PositionState } from './position-state.ts';

export interface DueCoupon {
  readonly couponDate: Day;
  /** What was held when the coupon became the holder's: before its ex-dividend date, else before the coupon date. */
  readonly nominal: Fixed;
}

/**
 * From its ex-dividend date on, or from its date where there is none, a coupon is owed until it is booked. A booked row stands
 * for the coupon date nearest to it, of two the earlier. Up to an upload all coupons are settled.
 */
export function listDueCoupons(schedule: CouponSchedule, held: PositionState, day: Day): readonly DueCoupon[] {
  const { quantities, upload } = held;
  const heldFrom = quantities[0]?.day;
  if (heldFrom === undefined) return [];
  const { dates, exDividendFrom } = couponDatesFrom(schedule, heldFrom);
  const from = lastOnOrBefore(dates, Math.max(heldFrom, upload?.day ?? heldFrom)) + 1;
  const last = lastOnOrBefore(dates, day + (schedule.exDividendDays ?? 0));
  const due: DueCoupon[] = [];
  for (let index = from; index <= last; index++) {
    if (
      isCouponBooked(held.couponDays, { before: dates[index - 1], date: dates[index]!, after: dates[index + 1] }, day)
    )
      continue;
    const exFrom = exDividendFrom[index]!;
    const nominal = day < exFrom ? 0n : amountOn(quantities, exFrom - 1);
    if (nominal !== 0n) due.push({ couponDate: dates[index]!, nominal });
  }
  return due;
}

interface CouponDate {
  readonly before: Day | undefined;
  readonly date: Day;
  readonly after: Day | undefined;
}

function isCouponBooked(booked: readonly Day[], { before, date, after }: CouponDate, day: Day): boolean {
  const last = after === undefined ? day : Math.min(day, Math.floor((date + after) / 2));
  const latest = booked[lastOnOrBefore(booked, last)];
  return latest !== undefined && (before === undefined || 2 * latest > before + date);
}

interface CouponDates {
  readonly from: Day;
  readonly dates: Int32Array;
  /** The date itself where there is no window. */
  readonly exDividendFrom: Int32Array;
}

/** The dates of a schedule are asked for on every day: they are kept as long as it is. */
const datesCache = new WeakMap<CouponSchedule, CouponDates>();

/** More than the longest regular period: the coupon date before the first one asked for is among them. */
const lookbackDays = 400;

function couponDatesFrom(schedule: CouponSchedule, from: Day): CouponDates {
  const cached = datesCache.get(schedule);
  if (cached !== undefined && cached.from <= from) return cached;
  const span = { start: from - lookbackDays, end: schedule.maturity };
  const dates = Int32Array.from(listCouponDates(schedule, span));
  const exDividendFrom = dates.map((date) => findCouponPeriod(schedule, date - 1)!.exDividendFrom);
  const found = { from, dates, exDividendFrom };
  datesCache.set(schedule, found);
  return found;
}
