// Looks up the amount that holds on a day in a list of dated amounts.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { countUntil, type Point } from '../amounts/series.ts';

/** Each amount holds from its day until the next one; before the first it is zero. */
export function amountOn(points: readonly Point[], day: Day): Fixed {
  return points[countUntil(points, day) - 1]?.value ?? 0n;
}
