// The contribution of a segment computed from exact daily returns, one by one, to compare the engine's columns with.

import type { Fixed } from '../../../src/kit/fixed.ts';
import { doubleRatio, type DailyReturn } from '../../../src/engine/returns/daily-return.ts';
import { compensatedSum, cumulativeReturns } from '../../../src/engine/returns/return-statistics.ts';

/** The whole, day by day. */
interface ContributionFrame {
  readonly whole: readonly DailyReturn[];
  /** Π (1 + r) of the whole up to the day before. */
  readonly growthBefore: Float64Array;
}

export function contributionFrame(whole: readonly DailyReturn[]): ContributionFrame {
  const cumulative = cumulativeReturns(whole.map(({ ratio }) => ratio));
  const growthBefore = Float64Array.from(whole, (_, index) => (index === 0 ? 1 : 1 + cumulative[index - 1]!));
  return { whole, growthBefore };
}

/** For each day: gain of the segment / base of the whole × growth of the whole before; 0 if the whole has no base. */
export function contributionTerms({ whole, growthBefore }: ContributionFrame, gains: ArrayLike<Fixed>): Float64Array {
  return Float64Array.from(whole, ({ base, flag }, index) =>
    base > 0n && flag !== 'nothing-invested' ? doubleRatio(gains[index]!, base) * growthBefore[index]! : 0,
  );
}

export function contribution(frame: ContributionFrame, gains: ArrayLike<Fixed>): number {
  return compensatedSum(contributionTerms(frame, gains));
}
