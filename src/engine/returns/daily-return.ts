// Computes one day's return of a covered set from its values and its net flow, in either convention. All amounts are in one
// currency.

import { divideRounded, type Fixed } from '../../kit/fixed.ts';

/**
 * `start-end-of-day`: money comes in at the start of the day and leaves at its end. `modified-dietz`: a flow counts for half the
 * day.
 */
export type ReturnMethod = 'start-end-of-day' | 'modified-dietz';

interface DayValues {
  /** V0, the value at the end of the previous day. */
  readonly begin: Fixed;
  /** V1, the value at the end of the day. */
  readonly end: Fixed;
  /** F, the day's net flow into the set. */
  readonly flow: Fixed;
}

/**
 * `zero-base`, `negative-base`: there is nothing to earn on, so the ratio and all contributions are 0 whatever the gain.
 * `nothing-invested`: likewise, because all there is to earn on are forwards. `loss-exceeds-base`: the ratio is below −1, so the
 * day ends negative.
 */
export type DayFlag = 'zero-base' | 'negative-base' | 'loss-exceeds-base' | 'nothing-invested';

/** A return with its terms: ratio = gain / base. */
export interface DailyReturn {
  readonly ratio: number;
  /** V1 − V0 − F. */
  readonly gain: Fixed;
  /** V0 + weight × F. */
  readonly base: Fixed;
  /** The share of the day for which the flow counts. */
  readonly weight: 0 | 0.5 | 1;
  readonly flag: DayFlag | null;
}

export function dailyReturn(method: ReturnMethod, values: DayValues): DailyReturn {
  const { begin, end, flow } = values;
  const gain = end - begin - flow;
  const weight = flowWeight(method, { begin: Number(begin), end: Number(end), flow: Number(flow) });
  const base = begin + weightedFlow(flow, weight);
  return { ratio: base > 0n ? doubleRatio(gain, base) : 0, gain, base, weight, flag: dayFlag(gain, base) };
}

/** Only the signs of the day's values matter, and doubles have those too. */
interface DaySigns {
  readonly begin: number;
  readonly end: number;
  readonly flow: number;
}

/** V1 / (V0 + F) − 1 for F ≥ 0 and (V1 − F) / V0 − 1 for F < 0 are both gain / (V0 + weight × F). */
export function flowWeight(method: ReturnMethod, { begin, end, flow }: DaySigns): DailyReturn['weight'] {
  const inflowWeight = flow > 0 ? 1 : 0;
  if (flow === 0 || method === 'start-end-of-day') return inflowWeight;
  if (begin === 0) return 1;
  // Money that came in on the day everything was lost was there to be lost: with a weight of 0, more than everything would be
  // lost.
  return end === 0 ? inflowWeight : 0.5;
}

export function weightedFlow(flow: Fixed, weight: DailyReturn['weight']): Fixed {
  return weight === 0.5 ? divideRounded(flow, 2n) : weight === 1 ? flow : 0n;
}

/** Two roundings to the nearest double and one division, none of a difference. */
export function doubleRatio(part: Fixed, whole: Fixed): number {
  return Number(part) / Number(whole);
}

function dayFlag(gain: Fixed, base: Fixed): DayFlag | null {
  if (base < 0n) return 'negative-base';
  if (base === 0n) return 'zero-base';
  return gain < -base ? 'loss-exceeds-base' : null;
}
