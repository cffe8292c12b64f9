// The deepest fall of an index from a peak, with its dates. Knows no values and no flows.

import type { Day } from '../kit/day.ts';
import { cumulativeReturns, type ReturnSeries } from './return-statistics.ts';

/** An index by day, the oldest first. */
export interface LevelSeries {
  readonly days: ArrayLike<Day>;
  readonly levels: ArrayLike<number>;
}

export interface MaximumDrawdown {
  /** (peak − trough) / peak, not negative; 0 where the index never fell. */
  readonly ratio: number;
  /** The last day at the peak before the fall. */
  readonly peak: Day | null;
  /** The first day at the bottom. */
  readonly trough: Day | null;
  /** The first day after it that was at the peak's level again. */
  readonly recovery: Day | null;
  readonly peakLevel: number | null;
  readonly troughLevel: number | null;
}

/** Growth of 1 by daily returns, opened on the day before the first. Where their product is known, it need not be made again. */
export function growthLevels(
  { days, ratios }: ReturnSeries,
  cumulative: ArrayLike<number> = cumulativeReturns(ratios),
): LevelSeries {
  const { length } = ratios;
  if (length === 0) return { days: [], levels: [] };
  const [opened, levels] = [new Int32Array(length + 1), new Float64Array(length + 1)];
  opened[0] = days[0]! - 1;
  levels[0] = 1;
  for (let index = 0; index < length; index++) {
    opened[index + 1] = days[index]!;
    levels[index + 1] = 1 + cumulative[index]!;
  }
  return { days: opened, levels };
}

/** Levels no further apart than this share are the same: what rounding does to returns is no fall and hinders no recovery. */
const sameLevelShare = 1e-12;

export function maximumDrawdown({ days, levels }: LevelSeries): MaximumDrawdown {
  let deepest: MaximumDrawdown = none;
  let [peak, peakLevel] = [days[0]!, levels[0]!];
  for (let index = 0; index < levels.length; index++) {
    const [day, level] = [days[index]!, levels[index]!];
    const ratio = (peakLevel - level) / peakLevel;
    if (ratio <= sameLevelShare) {
      if (deepest.peakLevel === peakLevel && deepest.recovery === null) deepest = { ...deepest, recovery: day };
      peak = day;
      peakLevel = Math.max(peakLevel, level);
    } else if (ratio > deepest.ratio) {
      deepest = { ratio, peak, trough: day, recovery: null, peakLevel, troughLevel: level };
    }
  }
  return deepest;
}

const none: MaximumDrawdown = {
  ratio: 0,
  peak: null,
  trough: null,
  recovery: null,
  peakLevel: null,
  troughLevel: null,
};
