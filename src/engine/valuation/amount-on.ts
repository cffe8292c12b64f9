// Finds its place for a day in what is ordered by day. Knows not what it is.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { countUntil, type Point } from '../amounts/series.ts';

/** Of amounts that hold from their day on, the one that holds on the day; zero before the first. */
export function amountOn(points: readonly Point[], day: Day): Fixed {
  return points[countUntil(points, day) - 1]?.value ?? 0n;
}
