// The cumulative return over all days, for tests that need no single day's.

import { cumulativeReturns } from '../../../src/engine/returns/return-statistics.ts';

/** 0 without days. */
export function cumulativeReturn(ratios: ArrayLike<number>): number {
  return cumulativeReturns(ratios).at(-1) ?? 0;
}
