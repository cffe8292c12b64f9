// Finds the deepest fall of cumulative returns from a peak, with its dates.

import type { Day } from '../../kit/day.ts';
import { ratioDifference } from '../amounts/ratio-text.ts';

export interface MaximumDrawdown {
  /** (peak − trough) / peak, never negative; 0 if the index never fell. Null if there are no returns. */
  readonly ratio: number | null;
  /** The last day at the peak before the fall. */
  readonly peak: Day | null;
  /** The first day at the bottom. */
  readonly trough: Day | null;
  /** The first day after it that was back at the peak's level. */
  readonly recovery: Day | null;
  /** Cumulative returns at the peak (the highest that is equal apart from rounding) and at the bottom. */
  readonly peakReturn: number | null;
  readonly troughReturn: number | null;
}

/** Levels closer than this share are equal: rounding of returns is no fall and prevents no recovery. */
const sameLevelTolerance = 1e-12;

/** Π (1 + r) − 1 after each day, oldest first. */
interface CumulativeSeries {
  readonly days: ArrayLike<Day>;
  readonly cumulative: ArrayLike<number>;
}

/** Levels are the growth of 1: 1 on the day before the first, then 1 + the cumulative return. */
export function maximumDrawdown({ days, cumulative }: CumulativeSeries): MaximumDrawdown {
  const fall = deepestFall(cumulative);
  if (fall === undefined) return noDrawdown;
  const dayAt = (index: number): Day => (index === dayBefore ? days[0]! - 1 : days[index]!);
  const { peak, trough, recovery } = fall;
  const { peakReturn } = fall;
  const troughReturn = cumulative[trough]!;
  return {
    // From the returns: their levels as doubles have lost the last digits of a small fall.
    ratio: ratioDifference(peakReturn, troughReturn) / (1 + peakReturn),
    peak: dayAt(peak),
    trough: dayAt(trough),
    recovery: recovery === none ? null : dayAt(recovery),
    peakReturn,
    troughReturn,
  };
}

/** The index of the day before the first, and that of a day that there is not. */
const dayBefore = -1;
const none = -1;

/** Days are indexes. */
interface Fall {
  readonly peak: number;
  readonly trough: number;
  /** `none` if it never recovered. */
  readonly recovery: number;
  readonly peakReturn: number;
}

// Creates no object for falls on the way: there are thousands, and it would take most of the time.
function deepestFall(cumulative: ArrayLike<number>): Fall | undefined {
  let [peak, peakLevel, peakReturn] = [dayBefore, 1, 0];
  let [ratio, from, fromLevel, fromReturn, trough, recovery] = [0, peak, Number.NaN, peakReturn, none, none];
  for (let index = 0, { length } = cumulative; index < length; index++) {
    const level = 1 + cumulative[index]!;
    const fall = (peakLevel - level) / peakLevel;
    if (fall <= sameLevelTolerance) {
      if (recovery === none && fromLevel === peakLevel) recovery = index;
      peak = index;
      if (level > peakLevel) {
        peakLevel = level;
        peakReturn = cumulative[index]!;
      }
    } else if (fall > ratio) {
      ratio = fall;
      from = peak;
      fromLevel = peakLevel;
      fromReturn = peakReturn;
      trough = index;
      recovery = none;
    }
  }
  return trough === none ? undefined : { peak: from, trough, recovery, peakReturn: fromReturn };
}

/** Of returns that do not exist. */
export const unknownDrawdown: MaximumDrawdown = {
  ratio: null,
  peak: null,
  trough: null,
  recovery: null,
  peakReturn: null,
  troughReturn: null,
};

const noDrawdown: MaximumDrawdown = {
  ratio: 0,
  peak: null,
  trough: null,
  recovery: null,
  peakReturn: null,
  troughReturn: null,
};
