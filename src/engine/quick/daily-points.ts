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
  const lastPoint = lastOnOrBefore(days, last);
  if (lastPoint < 0) return all.fill(Number.NaN);
  const start = Math.max(0, lastOnOrBefore(days, first));
  const firstPointDay = Math.max(first, days[start]!);
  all.fill(Number.NaN, 0, firstPointDay - first);
  all[firstPointDay - first] = values[start]!;
  let written = firstPointDay - first;
  // Most points follow the one before by a day: days between two points, such as weekends, are apart from the common path.
  for (let point = start + 1; point <= lastPoint; point++) {
    const at = days[point]! - first;
    if (written + 1 < at) for (const value = values[point - 1]!; ++written < at;) all[written] = value;
    all[at] = values[point]!;
    written = at;
  }
  return all.fill(values[lastPoint]!, written);
}
