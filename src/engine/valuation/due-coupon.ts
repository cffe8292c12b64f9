// Lists the coupons that a holder is owed on a day because no transaction books them.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { findCouponPeriod, listCouponDates, type CouponSchedule } from '../instruments/coupon-schedule.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import { amountOn } from './amount-on.ts';
import type { PositionState } from './position-state.ts';

export interface DueCoupon {
  readonly couponDate: Day;
  /** The nominal that was held when the right to the coupon was fixed: the day before its ex-dividend date. */
  readonly nominal: Fixed;
}

/**
 * A coupon is owed from its ex-dividend date (or, without one, from its date) until it is booked. A booked row counts for the
 * coupon date nearest to it, the earlier one if two are equally near. All coupons up to an upload count as paid; a statement that no longer lists
 * the bond does not say so.
 */
export function listDueCoupons(schedule: CouponSchedule, held: PositionState, day: Day): readonly DueCoupon[] {
  const { quantities, upload } = held;
  const heldFrom = quantities[0]?.day;
  if (heldFrom === undefined) return [];
  const { dates, exDividendFrom } = couponDatesFrom(schedule, heldFrom);
  const uploadedOn = upload?.listedOn ?? upload?.day ?? heldFrom;
  const from = lastOnOrBefore(dates, Math.max(heldFrom, uploadedOn)) + 1;
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
  /** The coupon date itself if there is no ex-dividend window. */
  readonly exDividendFrom: Int32Array;
}

/** Every valued day needs the dates of a schedule, so they are cached for as long as the schedule lives. */
const datesCache = new WeakMap<CouponSchedule, CouponDates>();

/** Longer than any regular period, so that the coupon date before the first one needed is included. */
const lookbackDays = 400;

function couponDatesFrom(schedule: CouponSchedule, from: Day): CouponDates {
  const cached = datesCache.get(schedule);
  if (cached !== undefined && cached.from <= from) return cached;
  const span = { start: from - lookbackDays, end: schedule.maturity };
  const dates = Int32Array.from(listCouponDates(schedule, span));
  const exDividendFrom = dates.map(
    (date) => defined(findCouponPeriod(schedule, date - 1), 'a coupon date ends a period').exDividendFrom,
  );
  const found = { from, dates, exDividendFrom };
  datesCache.set(schedule, found);
  return found;
}
