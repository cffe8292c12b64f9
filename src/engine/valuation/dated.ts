// Finds its place for a day in what is ordered by day. Knows not what it is.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Point } from '../series.ts';

/** How many of the ordered points are not after the day. */
export function countPointsUntil(points: readonly Point[], day: Day): number {
  let [from, to] = [0, points.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (points[middle]!.day <= day) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Of amounts that hold from their day on, the one that holds on the day; zero before the first. */
export function amountOn(points: readonly Point[], day: Day): Fixed {
  return points[countPointsUntil(points, day) - 1]?.value ?? 0n;
}
