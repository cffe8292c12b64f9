// Integers by day, as ledgers give them. Knows not what they count.

import { oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { ScaledColumn } from '../amounts/number-columns.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import { windowLength, type DayWindow } from './daily-points.ts';

/** In the order of their days, any number on one. */
export interface DatedColumn extends ScaledColumn {
  readonly days: Int32Array;
}

/** How far from zero the furthest is; none where one is no integer that a double holds: NaN stands where one does not fit. */
export function findMaxAbs({ values }: ScaledColumn): number | undefined {
  const count = values.length;
  let maxAbs = 0;
  for (let index = 0; index < count; index++) {
    const size = Math.abs(values[index]!);
    if (!(size <= Number.MAX_SAFE_INTEGER)) return undefined;
    if (size > maxAbs) maxAbs = size;
  }
  return maxAbs;
}

/** What counts on each day of a window: from each day on the last of its values, and before the first zero. */
export function dailyValues({ days, values }: DatedColumn, window: DayWindow): Float64Array {
  const all = new Float64Array(windowLength(window));
  const lastStep = lastOnOrBefore(days, window.last);
  for (let step = Math.max(0, lastOnOrBefore(days, window.first)); step <= lastStep; step++) {
    const value = values[step]!;
    const start = Math.max(0, days[step]! - window.first);
    const end = step < lastStep ? days[step + 1]! - window.first : all.length;
    for (let at = start; at < end; at++) all[at] = value;
  }
  return all;
}

export function fixedAt({ values, scale }: ScaledColumn, index: number): Fixed {
  return (BigInt(values[index]!) * oneFixed) / 10n ** BigInt(scale);
}
