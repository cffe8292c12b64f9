// Lists integers by day, as ledgers give them.

import { oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { ScaledColumn } from '../amounts/number-columns.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import { windowLength, type DayWindow } from './daily-points.ts';

/** Ordered by day, any number of them on one. */
export interface DatedColumn extends ScaledColumn {
  readonly days: Int32Array;
}

/**
 * Returns the largest distance from zero; undefined if a value is not an integer that a double holds (NaN marks one that does not
 * fit).
 */
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

/** Lists what counts on each day of a window: the last value on or before it, zero before the first. */
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
