// Computes cumulative return, annualised return and volatility of a series of daily returns.

import { weekdayOf, type Day } from '../../kit/day.ts';
import { exponentialMinusOne, logarithmOfOnePlus } from '../amounts/elementary-functions.ts';
import { productError, sumError } from '../amounts/rounding-error.ts';
import { daysPerYear } from './money-weighted/xirr.ts';
import type { NoReturnReason } from './no-return-reason.ts';

/** Daily returns, oldest first. */
export interface ReturnSeries {
  readonly days: ArrayLike<Day>;
  readonly ratios: ArrayLike<number>;
}

/**
 * Π (1 + r) − 1 after each day, rounded once: the growth is carried as a sum of two doubles. A day without a return, such as those
 * of a weekend, changes neither.
 */
export function cumulativeReturns(ratios: ArrayLike<number>): Float64Array {
  const cumulative = new Float64Array(ratios.length);
  let high = 1;
  let low = 0;
  for (let index = 0; index < ratios.length; index++) {
    const ratio = ratios[index]!;
    if (ratio === 0) {
      cumulative[index] = high - 1 + low;
      continue;
    }
    const factor = 1 + ratio;
    const product = high * factor;
    const rest = productError(high, factor) + (high * sumError(1, ratio) + low * factor);
    high = product + rest;
    low = rest - (high - product);
    cumulative[index] = high - 1 + low;
  }
  return cumulative;
}

export interface AnnualisedReturn {
  readonly ratio: number | null;
  /** The later of the window's start and the first value. */
  readonly from: Day;
  /** Counts both its first and its last day, because each has a return: 1 January to 31 December is a year. */
  readonly days: number;
  /** `below-minus-one`: more was lost than there was, which no yearly rate expresses. */
  readonly reason: 'under-one-year' | 'below-minus-one' | NoReturnReason | null;
}

interface AnnualisedWindow {
  readonly start: Day;
  readonly end: Day;
  /** The first day that ended with a value, or the start of the window if there was one before. */
  readonly firstValue: Day;
}

/** (1 + cumulative) ^ (365 / days) − 1 from 365 days on; at exactly 365 the cumulative return itself. */
export function annualisedReturn(cumulative: number, { start, end, firstValue }: AnnualisedWindow): AnnualisedReturn {
  const from = Math.max(start, firstValue);
  const days = end - from + 1;
  if (days < daysPerYear) return { ratio: null, from, days, reason: 'under-one-year' };
  if (cumulative < -1) return { ratio: null, from, days, reason: 'below-minus-one' };
  if (days === daysPerYear || cumulative === -1) return { ratio: cumulative, from, days, reason: null };
  const ratio = exponentialMinusOne((logarithmOfOnePlus(cumulative) * daysPerYear) / days);
  return { ratio, from, days, reason: null };
}

export interface Volatility {
  /** Deviation × √(days per year); null for fewer than two returns. */
  readonly ratio: number | null;
  /** The sample standard deviation (n − 1) of the returns of weekdays, into which those of weekends are linked. */
  readonly deviation: number | null;
  readonly mean: number | null;
  /** The number of weekdays. */
  readonly count: number;
  readonly reason: 'under-two-returns' | NoReturnReason | null;
}

export const tradingDaysPerYear = 252;

export function volatility(series: ReturnSeries, daysAYear: number = tradingDaysPerYear): Volatility {
  const returns = weekdayReturns(series);
  const count = returns.length;
  if (count < 2) return { ratio: null, deviation: null, mean: returns[0] ?? null, count, reason: 'under-two-returns' };
  // Relative to the first return: a constant series is then all zeros, with a volatility of exactly 0.
  const first = returns[0]!;
  subtractFromEach(returns, first);
  const mean = compensatedSum(returns) / count;
  subtractFromEach(returns, mean);
  squareEach(returns);
  const deviation = Math.sqrt(compensatedSum(returns) / (count - 1));
  return { ratio: deviation * Math.sqrt(daysAYear), deviation, mean: first + mean, count, reason: null };
}

function subtractFromEach(terms: Float64Array, amount: number): void {
  for (let index = 0, { length } = terms; index < length; index++) terms[index]! -= amount;
}

function squareEach(terms: Float64Array): void {
  for (let index = 0, { length } = terms; index < length; index++) terms[index]! *= terms[index]!;
}

/**
 * Where the days of each weekday's return begin: a weekend is linked into the Monday after it, and one at the end of the series into
 * the weekday before it. The days of a weekday end where those of the next begin.
 */
export function weekdayStarts(days: ArrayLike<Day>): Int32Array {
  const starts = new Int32Array(days.length);
  let count = 0;
  let next = 0;
  for (let index = 0; index < days.length; index++) {
    if (weekdayOf(days[index]!) > 5) continue;
    starts[count++] = next;
    next = index + 1;
  }
  return starts.subarray(0, count);
}

/** Π (1 + r) − 1 over some days; a single return other than zero stays as it is to the last bit. */
export function linkedReturn(ratios: ArrayLike<number>, from: number, to: number): number {
  let linked = ratios[from]!;
  for (let index = from + 1; index < to; index++) {
    const ratio = ratios[index]!;
    if (ratio !== 0) linked = linked === 0 ? ratio : linked + ratio + linked * ratio;
  }
  return linked;
}

/** One return for each weekday. Their product is that of all days. */
function weekdayReturns({ days, ratios }: ReturnSeries): Float64Array {
  const starts = weekdayStarts(days);
  const returns = new Float64Array(starts.length);
  for (let index = 0; index < starts.length; index++) {
    returns[index] = linkedReturn(ratios, starts[index]!, starts[index + 1] ?? ratios.length);
  }
  return returns;
}

/** Neumaier's sum: what each addition rounds away is added at the end. */
export function compensatedSum(terms: ArrayLike<number>): number {
  let sum = 0;
  let rest = 0;
  for (let index = 0; index < terms.length; index++) {
    const term = terms[index]!;
    const next = sum + term;
    rest += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }
  const total = sum + rest;
  return Math.abs(total) < cancelledSumMax && hasTerm(terms) ? exactSum(terms) : total;
}

/** Ratios that add up to less have cancelled each other so far that the compensation has digits of its own to lose. */
const cancelledSumMax = 1e-14;

function hasTerm(terms: ArrayLike<number>): boolean {
  for (let index = 0; index < terms.length; index++) if (terms[index] !== 0) return true;
  return false;
}

/** Shewchuk's sum: keeps partial sums that do not overlap, smallest first, so that nothing is rounded before the end. */
function exactSum(terms: ArrayLike<number>): number {
  const partials: number[] = [];
  for (let index = 0; index < terms.length; index++) {
    let carried = terms[index]!;
    let count = 0;
    for (const partial of partials) {
      const error = sumError(carried, partial);
      carried += partial;
      if (error !== 0) partials[count++] = error;
    }
    partials.length = count;
    partials.push(carried);
  }
  return partials.reduce((sum, partial) => sum + partial, 0);
}
