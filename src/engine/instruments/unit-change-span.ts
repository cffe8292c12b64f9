// The splits between a point and a day, with the product of their ratios: the same for most days, and one more split on the next.

import type { Day } from '../../kit/day.ts';
import type { Ratio } from '../lots/lot.ts';

/** A split or similar change: from the ex-date on, `ratio` new units for each old one. */
export interface UnitChange {
  readonly exDay: Day;
  readonly ratio: Ratio;
}

export interface UnitChangeSpan {
  readonly changes: readonly UnitChange[];
  /** What the splits together make of how many units. Not reduced: each ratio as it was booked. */
  readonly unitsBefore: bigint;
  readonly unitsAfter: bigint;
}

interface KnownSpan extends UnitChangeSpan {
  readonly start: number;
  readonly end: number;
}

/** By list of splits, the span that was asked for last. */
const known = new WeakMap<readonly UnitChange[], KnownSpan>();

/** Splits by ex-date, later than one day and up to another. */
export function changesBetween(
  changes: readonly UnitChange[],
  { after, until }: { readonly after: Day; readonly until: Day },
): UnitChangeSpan {
  const start = countUntil(changes, after);
  const end = Math.max(start, countUntil(changes, until));
  const last = known.get(changes);
  if (last?.start === start && last.end === end) return last;
  const isPart = last !== undefined && start <= last.start && last.end <= end;
  const span = isPart ? extended(last, changes, { start, end }) : spanOf(changes, { start, end });
  known.set(changes, span);
  return span;
}

function countUntil(changes: readonly UnitChange[], day: Day): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle]!.exDay <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Indexes {
  readonly start: number;
  readonly end: number;
}

function spanOf(all: readonly UnitChange[], { start, end }: Indexes): KnownSpan {
  const changes = all.slice(start, end);
  return {
    start,
    end,
    changes,
    unitsBefore: productOf(changes.map(({ ratio }) => ratio.denominator)),
    unitsAfter: productOf(changes.map(({ ratio }) => ratio.numerator)),
  };
}

/** Adds what is before and after a span that is known. */
function extended(inner: KnownSpan, all: readonly UnitChange[], { start, end }: Indexes): KnownSpan {
  const [before, after] = [spanOf(all, { start, end: inner.start }), spanOf(all, { start: inner.end, end })];
  return {
    start,
    end,
    changes: all.slice(start, end),
    unitsBefore: before.unitsBefore * inner.unitsBefore * after.unitsBefore,
    unitsAfter: before.unitsAfter * inner.unitsAfter * after.unitsAfter,
  };
}

/** Multiplies numbers of about the same length: one after the other takes time that grows with the square of their count. */
function productOf(factors: readonly bigint[]): bigint {
  let products = factors;
  while (products.length > 1) {
    const paired: bigint[] = [];
    for (let index = 0; index < products.length; index += 2)
      paired.push(products[index]! * (products[index + 1] ?? 1n));
    products = paired;
  }
  return products[0] ?? 1n;
}
