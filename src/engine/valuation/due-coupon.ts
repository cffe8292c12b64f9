// Lists the coupons that a holder is owed on a day because no transaction books them, and those that were paid before they were due.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import { magnitude, type Fixed } from '../../kit/fixed.ts';
import { findCouponPeriod, listCouponDates, type CouponSchedule } from '../instruments/coupon-schedule.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import { amountOn } from './amount-on.ts';
import {
  paidCoupons,
  remainingUnits,
  type BookedCoupon,
  type CouponDates,
  type PaidCoupon,
  type PaidCoupons,
} from './booked-coupon.ts';
import type { PositionState } from './position-state.ts';

export interface DueCoupon {
  readonly couponDate: Day;
  /** The nominal that was held when the right to the coupon was fixed: the day before its ex-dividend date. */
  readonly nominal: Fixed;
}

/**
 * A coupon is owed from its ex-dividend date (or, without one, from its date) until it is booked. A coupon paid before then settles it only
 * for the units that it was paid for. All coupons up to an upload count as paid; a statement that no longer lists the bond does not say so.
 */
export function listDueCoupons(schedule: CouponSchedule, held: PositionState, day: Day): readonly DueCoupon[] {
  const { quantities, upload } = held;
  const heldFrom = quantities[0]?.day;
  if (heldFrom === undefined) return [];
  const { dates, exDividendFrom, paid } = bookedDates(schedule, held, heldFrom);
  const uploadedOn = upload?.listedOn ?? upload?.day ?? heldFrom;
  const from = lastOnOrBefore(dates, Math.max(heldFrom, uploadedOn)) + 1;
  const last = lastOnOrBefore(dates, day + (schedule.exDividendDays ?? 0));
  const due: DueCoupon[] = [];
  for (let index = from; index <= last; index++) {
    const exFrom = exDividendFrom[index]!;
    if (day < exFrom) continue;
    const booked = (paid.byDate.get(index) ?? []).filter((one) => isStanding(one, day));
    if (booked.some(({ coupon }) => coupon.day >= exFrom && coupon.movedOn === null)) continue;
    const settled = booked.reduce((sum, { coupon }) => sum + remainingUnits(coupon.units, quantities, exFrom - 1), 0n);
    const entitled = amountOn(quantities, exFrom - 1);
    if (magnitude(entitled) > magnitude(settled)) due.push({ couponDate: dates[index]!, nominal: entitled - settled });
  }
  return due;
}

export interface PrepaidCoupon {
  readonly couponDate: Day;
  readonly coupon: BookedCoupon;
  /** The units that it was paid for and that are still held. */
  readonly remaining: Fixed;
}

/** Coupons that were paid before their ex-dividend date (or, without one, before their date), up to then. */
export function listPrepaidCoupons(schedule: CouponSchedule, held: PositionState, day: Day): readonly PrepaidCoupon[] {
  const { quantities } = held;
  const heldFrom = quantities[0]?.day;
  if (heldFrom === undefined) return [];
  const { dates, exDividendFrom, paid } = bookedDates(schedule, held, heldFrom);
  const prepaid: PrepaidCoupon[] = [];
  for (const one of paid.early) {
    const { coupon, index } = one;
    if (day >= exDividendFrom[index]! || !isStanding(one, day)) continue;
    const remaining = remainingUnits(coupon.units, quantities, day);
    if (remaining !== 0n) prepaid.push({ couponDate: dates[index]!, coupon, remaining });
  }
  return prepaid;
}

function isStanding({ coupon, reversedOn }: PaidCoupon, day: Day): boolean {
  return (coupon.movedOn ?? coupon.day) <= day && day < reversedOn;
}

interface BookedDates extends CouponDates {
  readonly paid: PaidCoupons;
}

function bookedDates(schedule: CouponSchedule, { coupons }: PositionState, heldFrom: Day): BookedDates {
  const of = couponDatesFrom(schedule, heldFrom);
  return { dates: of.dates, exDividendFrom: of.exDividendFrom, paid: paidCoupons(coupons, of, heldFrom) };
}

interface CachedDates extends CouponDates {
  readonly from: Day;
}

/** Every valued day needs the dates of a schedule, so they are cached for as long as the schedule lives. */
const datesCache = new WeakMap<CouponSchedule, CachedDates>();

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
