// Says when the interest period of a loan began in which some of it was bought.

import type { Day } from '../../kit/day.ts';
import { lastRollDate } from '../instruments/coupon-schedule.ts';
import type { LoanTerms } from '../instruments/instrument.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import { couponsUntil, paidUntil, type BookedCoupon } from './booked-coupon.ts';

/**
 * A loan names no interest dates. A period begins where interest was last paid in any own place, and no earlier than the start of the loan or
 * the last anniversary of its maturity (of its start, without a maturity), as a bond without a frequency has one coupon a year.
 */
export class InterestPeriods {
  readonly #terms: LoanTerms;
  readonly #days: Int32Array;
  /** Up to when interest is paid from each of the days on. */
  readonly #paidUntil: readonly Day[];

  constructor(terms: LoanTerms, interestByPlace: readonly (readonly BookedCoupon[])[]) {
    this.#terms = terms;
    const paid = interestByPlace
      .flatMap((interest) => couponsUntil(interest, Number.MAX_SAFE_INTEGER))
      .toSorted((one, other) => one.day - other.day);
    this.#days = Int32Array.from(paid, ({ day }) => day);
    let latest = -Infinity;
    this.#paidUntil = paid.map((one) => (latest = Math.max(latest, paidUntil(one))));
  }

  startOn(day: Day): Day {
    const { start, maturity } = this.#terms;
    const paid = this.#paidUntil[lastOnOrBefore(this.#days, day)] ?? -Infinity;
    return Math.max(start, paid, lastRollDate({ maturity: maturity ?? start }, day));
  }
}
