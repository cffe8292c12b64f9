// Adds up what a floating rate accrues from a day on. Each rate is added once, for all later days that are asked for.

import { greatestCommonDivisor, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { countUntil, type Point } from '../amounts/series.ts';
import type { CouponSchedule } from './coupon-schedule.ts';
import { partialFractionTerms } from './day-count.ts';
import type { DayCountConvention, DaySpan, Rational, YearBasis } from './day-count.ts';

/** Each day accrues at the latest point on or before it plus the spread. Days before the first point accrue at the first. */
export interface FloatingRate {
  readonly points: readonly Point[];
  readonly spread: Fixed;
}

const zero: Rational = { numerator: 0n, denominator: 1n };

export function addRationals(one: Rational, other: Rational): Rational {
  const common = greatestCommonDivisor(one.denominator, other.denominator);
  const [oneScale, otherScale] = [other.denominator / common, one.denominator / common];
  return {
    numerator: one.numerator * oneScale + other.numerator * otherScale,
    denominator: one.denominator * oneScale,
  };
}

/** The sums from one day on, of a nominal of one. */
export class RateSums {
  readonly #rate: FloatingRate;
  readonly #start: Day;
  /** The point in force on the first day. */
  readonly #first: number;
  /** What has accrued until the rate of each point, from the first on, is in force. */
  readonly #sums: Rational[] = [zero];

  constructor(rate: FloatingRate, start: Day) {
    this.#rate = rate;
    this.#start = start;
    this.#first = Math.max(0, countUntil(rate.points, start) - 1);
  }

  /** rate × days ÷ denominator of all days until the end, which the basis covers. */
  until(end: Day, basis: YearBasis): Rational {
    const step = Math.max(0, countUntil(this.#rate.points, end) - 1 - this.#first);
    for (let last = this.#sums.length - 1; last < step; last++) {
      this.#sums.push(this.#sumUntil(last, this.#startOf(last + 1), basis));
    }
    return this.#sumUntil(step, end, basis);
  }

  #startOf(step: number): Day {
    return step === 0 ? this.#start : this.#rate.points[this.#first + step]!.day;
  }

  #sumUntil(step: number, end: Day, basis: YearBasis): Rational {
    const { points, spread } = this.#rate;
    const rate = points[this.#first + step]!.value + spread;
    const span: DaySpan = { start: this.#startOf(step), end };
    return partialFractionTerms(span, { start: this.#start, end }, basis).reduce(
      (sum, { days, denominator }) =>
        addRationals(sum, { numerator: rate * BigInt(days), denominator: BigInt(denominator) }),
      this.#sums[step]!,
    );
  }
}

/** Of one rate: positions accrue from different days, and figures go through their days one position after the other. */
const sumsKeptMax = 8;
const sumsByRate = new WeakMap<FloatingRate, Map<string, RateSums>>();

interface SumsKey {
  readonly start: Day;
  readonly convention: DayCountConvention;
  readonly schedule: CouponSchedule;
}

export function rateSums(rate: FloatingRate, key: SumsKey): RateSums {
  const kept = sumsByRate.get(rate) ?? new Map<string, RateSums>();
  sumsByRate.set(rate, kept);
  const name = JSON.stringify(key);
  const found = kept.get(name);
  if (found !== undefined) return found;
  if (kept.size >= sumsKeptMax) kept.clear();
  const sums = new RateSums(rate, key.start);
  kept.set(name, sums);
  return sums;
}
