// Says what each booked coupon pays: which coupon date, for how many units, and whether it was taken back.

import { magnitude, multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import { countUntil, lastOnOrBefore, type Point } from '../amounts/series.ts';
import { amountOn } from './amount-on.ts';

/** A coupon as it was booked; for a loan, interest. */
export interface BookedCoupon {
  /** Its trade date. */
  readonly day: Day;
  /** The settlement date, or the trade date without one. */
  readonly paidOn: Day;
  /** The last day of the period that it names. */
  readonly periodEnd: Day | null;
  /** Before withholding; positive into the account. */
  readonly gross: Fixed;
  readonly currency: IsoCurrency;
  readonly units: PaidUnits;
  /** For the part of a coupon that came with units from another own place. */
  readonly movedOn: Day | null;
}

/** The units that a coupon was paid for, among all that were held on a day. */
export interface PaidUnits {
  readonly since: Day;
  readonly nominal: Fixed;
  readonly held: Fixed;
}

/** A coupon goes to the units of the evening before; on the day of the first purchase, to those bought. */
export function paidUnits(unitsOn: (day: Day) => Fixed, day: Day): PaidUnits {
  const before = unitsOn(day - 1);
  const held = before === 0n ? unitsOn(day) : before;
  return { since: before === 0n ? day : day - 1, nominal: held, held };
}

/** The paid units that are still there: units bought later leave first. */
export function remainingUnits({ since, nominal, held }: PaidUnits, quantities: readonly Point[], day: Day): Fixed {
  if (held === 0n) return 0n;
  const later = quantities.slice(countUntil(quantities, since), countUntil(quantities, day));
  const least = later.reduce(
    (rest, { value }) => {
      if (value === 0n || value < 0n !== held < 0n) return 0n;
      return magnitude(value) < magnitude(rest) ? value : rest;
    },
    amountOn(quantities, since),
  );
  return magnitude(least) >= magnitude(held) ? nominal : multiplyDivide(nominal, least, held);
}

/** A booked coupon, until another row takes it back. */
interface StandingCoupon {
  readonly coupon: BookedCoupon;
  reversedOn: Day;
}

const reversalsCache = new WeakMap<readonly BookedCoupon[], readonly StandingCoupon[]>();

/** A row with the opposite of an earlier amount takes the latest such row back. Coupons are in the order of their days. */
function standingCoupons(coupons: readonly BookedCoupon[]): readonly StandingCoupon[] {
  const cached = reversalsCache.get(coupons);
  if (cached !== undefined) return cached;
  const standing: StandingCoupon[] = [];
  for (const coupon of coupons) {
    const reversed = standing.findLast(
      (earlier) => earlier.reversedOn === Infinity && coupon.gross !== 0n && isReversal(coupon, earlier.coupon),
    );
    if (reversed === undefined) standing.push({ coupon, reversedOn: Infinity });
    else reversed.reversedOn = coupon.day;
  }
  reversalsCache.set(coupons, standing);
  return standing;
}

function isReversal(coupon: BookedCoupon, earlier: BookedCoupon): boolean {
  return coupon.gross === -earlier.gross && coupon.currency === earlier.currency;
}

/** The coupons that are booked by the end of a day and not taken back by then. */
export function couponsUntil(coupons: readonly BookedCoupon[], day: Day): readonly BookedCoupon[] {
  return standingCoupons(coupons)
    .filter(({ coupon, reversedOn }) => coupon.day <= day && day < reversedOn)
    .map(({ coupon }) => coupon);
}

/** Interest on a loan that names its period is paid up to the end of that, any other up to the day of its row. */
export function paidUntil({ day, periodEnd }: BookedCoupon): Day {
  return periodEnd === null ? day : periodEnd + 1;
}

/** The coupon dates of a bond, and from when on each coupon goes to the holder before the ex-dividend window. */
export interface CouponDates {
  readonly dates: Int32Array;
  /** The coupon date itself if there is no ex-dividend window. */
  readonly exDividendFrom: Int32Array;
}

/** A booked coupon of a bond with the index of the coupon date that it pays. */
export interface PaidCoupon extends StandingCoupon {
  readonly index: number;
}

/** What each coupon of a position pays. */
export interface PaidCoupons {
  readonly byDate: ReadonlyMap<number, readonly PaidCoupon[]>;
  /** Those that were paid before their ex-dividend date. */
  readonly early: readonly PaidCoupon[];
}

const noCoupons: PaidCoupons = { byDate: new Map(), early: [] };

interface CachedCoupons {
  readonly of: CouponDates;
  readonly coupons: PaidCoupons;
}

const paidCache = new WeakMap<readonly BookedCoupon[], CachedCoupons>();

/**
 * A coupon that names its period pays the coupon date nearest to the end of the period. Any other pays the date nearest to its payment, the
 * earlier one if two are equally near. If that date is paid already, a further coupon pays an earlier date that is not, or the next.
 */
export function paidCoupons(coupons: readonly BookedCoupon[], of: CouponDates, heldFrom: Day): PaidCoupons {
  if (coupons.length === 0) return noCoupons;
  const cached = paidCache.get(coupons);
  if (cached?.of === of) return cached.coupons;
  const paid: PaidCoupon[] = [];
  for (const { coupon, reversedOn } of standingCoupons(coupons)) {
    const index = findPaidDate(coupon, { of, paid, heldFrom });
    if (index !== undefined) paid.push({ coupon, reversedOn, index });
  }
  const early = paid.filter(({ coupon, index }) => coupon.day < of.exDividendFrom[index]!);
  const found = { byDate: Map.groupBy(paid, ({ index }) => index), early };
  paidCache.set(coupons, { of, coupons: found });
  return found;
}

interface PaidDateContext {
  readonly of: CouponDates;
  /** Coupons that were booked before. */
  readonly paid: readonly PaidCoupon[];
  readonly heldFrom: Day;
}

function findPaidDate(coupon: BookedCoupon, { of, paid, heldFrom }: PaidDateContext): number | undefined {
  const { dates, exDividendFrom } = of;
  const { day, periodEnd, paidOn, movedOn, gross } = coupon;
  const nearest = nearestIndex(dates, periodEnd ?? paidOn);
  if (nearest === undefined) return undefined;
  if (movedOn !== null) return exDividendFrom[nearest]! > movedOn ? nearest : undefined;
  if (periodEnd !== null || paidOn <= dates[nearest]!) return nearest;
  const booked = (index: number): Fixed =>
    paid.reduce(
      (sum, one) =>
        one.index === index && one.coupon.day < day && day < one.reversedOn ? sum + one.coupon.gross : sum,
      0n,
    );
  const before = magnitude(booked(nearest));
  // A smaller amount completes or corrects what is booked.
  if (before === 0n || 2n * magnitude(gross) < before) return nearest;
  for (let index = nearest - 1; index >= 0 && dates[index]! > heldFrom; index--) {
    if (booked(index) === 0n) return index;
  }
  return nearest + 1 < dates.length && booked(nearest + 1) === 0n ? nearest + 1 : nearest;
}

function nearestIndex(dates: Int32Array, day: Day): number | undefined {
  if (dates.length === 0) return undefined;
  const before = lastOnOrBefore(dates, day);
  if (before < 0 || before === dates.length - 1) return Math.max(before, 0);
  return day - dates[before]! <= dates[before + 1]! - day ? before : before + 1;
}
