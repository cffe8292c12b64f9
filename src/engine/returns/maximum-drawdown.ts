// Finds the deepest fall of an index from a peak, with its dates.

import type { Day } from '../../kit/day.ts';

/** An index by day, oldest first. */
interface LevelSeries {
  readonly days: ArrayLike<Day>;
  readonly levels: ArrayLike<number>;
}

export interface MaximumDrawdown {
  /** (peak − trough) / peak, never negative; 0 if the index never fell. */
  readonly ratio: number;
  /** The last day at the peak before the fall. */
  readonly peak: Day | null;
  /** The first day at the bottom. */
  readonly trough: Day | null;
  /** The first day after it that was back at the peak's level. */
  readonly recovery: Day | null;
  readonly peakLevel: number | null;
  readonly troughLevel: number | null;
}

/** Levels closer than this share are equal: rounding of returns is no fall and prevents no recovery. */
const sameLevelTolerance = 1e-12;

export function maximumDrawdown({ days, levels }: LevelSeries): MaximumDrawdown {
  const fall = deepestFall({ opening: levels[0]!, base: 0, rises: levels });
  return drawdownWithDates(fall, (index) => days[Math.max(index, 0)]!);
}

/** Π (1 + r) − 1 after each day, oldest first. */
interface CumulativeSeries {
  readonly days: ArrayLike<Day>;
  readonly cumulative: ArrayLike<number>;
}

/** Uses the growth of 1, which is the level on the day before the first. */
export function maximumDrawdownOfReturns({ days, cumulative }: CumulativeSeries): MaximumDrawdown {
  const fall = deepestFall({ opening: 1, base: 1, rises: cumulative });
  return drawdownWithDates(fall, (index) => (index < 0 ? days[0]! - 1 : days[index]!));
}

/** An index at base + rise, so that returns need not be copied. */
interface Rises {
  /** The level before the first day. */
  readonly opening: number;
  readonly base: number;
  readonly rises: ArrayLike<number>;
}

interface Fall {
  readonly ratio: number;
  /** Indexes; −1 is the opening. */
  readonly peak: number;
  readonly trough: number;
  /** Undefined if it never recovered. */
  readonly recovery: number | undefined;
  /** The highest of levels that are equal apart from rounding. */
  readonly peakLevel: number;
  readonly troughLevel: number;
}

// Creates no object for falls on the way: there are thousands, and it would take most of the time.
function deepestFall({ opening, base, rises }: Rises): Fall | undefined {
  let [peak, peakLevel] = [-1, opening];
  let [ratio, from, fromLevel, trough, recovery] = [0, -1, Number.NaN, -1, -1];
  for (let index = 0, { length } = rises; index < length; index++) {
    const level = base + rises[index]!;
    const fall = (peakLevel - level) / peakLevel;
    if (fall <= sameLevelTolerance) {
      if (recovery < 0 && fromLevel === peakLevel) recovery = index;
      peak = index;
      if (level > peakLevel) peakLevel = level;
    } else if (fall > ratio) {
      ratio = fall;
      from = peak;
      fromLevel = peakLevel;
      trough = index;
      recovery = -1;
    }
  }
  if (trough < 0) return undefined;
  const troughLevel = base + rises[trough]!;
  return {
    ratio,
    peak: from,
    trough,
    recovery: recovery < 0 ? undefined : recovery,
    peakLevel: fromLevel,
    troughLevel,
  };
}

function drawdownWithDates(fall: Fall | undefined, dayAt: (index: number) => Day): MaximumDrawdown {
  if (fall === undefined) return noDrawdown;
  const { peak, trough, recovery } = fall;
  return {
    ...fall,
    peak: dayAt(peak),
    trough: dayAt(trough),
    recovery: recovery === undefined ? null : dayAt(recovery),
  };
}

const noDrawdown: MaximumDrawdown = {
  ratio: 0,
  peak: null,
  trough: null,
  recovery: null,
  peakLevel: null,
  troughLevel: null,
};
