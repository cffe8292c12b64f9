// Lists the points of a series day by day.

import type { Day } from '../../kit/day.ts';
import { lastOnOrBefore, type Series } from '../amounts/series.ts';

/** Both days are included. */
export interface DayWindow {
  readonly first: Day;
  readonly last: Day;
}

export function windowLength({ first, last }: DayWindow): number {
  return last - first + 1;
}

/**
 * The latest point on or before each day, in the scale of the series' column. NaN before the first point and where a value does
 * not fit.
 */
export function dailyPoints({ days, column: { values } }: Series, window: DayWindow): Float64Array {
  const { first, last } = window;
  const all = new Float64Array(windowLength(window));
  const start = Math.max(0, lastOnOrBefore(days, first));
  const lastPoint = lastOnOrBefore(days, last);
  const firstPointDay = start <= lastPoint ? Math.max(first, days[start]!) : last + 1;
  all.fill(Number.NaN, 0, firstPointDay - first);
  if (start <= lastPoint) all[firstPointDay - first] = values[start]!;
  for (let point = start; point < lastPoint; point++) {
    const next = days[point + 1]! - first;
    const value = values[point]!;
    for (let at = Math.max(0, days[point]! - first) + 1; at < next; at++) all[at] = value;
    all[next] = values[point + 1]!;
  }
  if (start <= lastPoint) all.fill(values[lastPoint]!, Math.max(0, days[lastPoint]! - first));
  return all;
}
