// Keeps dated values in the order of their days; on a day, the latest value on or before it counts.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { DigitsColumn } from './number-columns.ts';
import { exactAt, integerColumn, scaledColumn, type IntegerColumn } from './integer-column.ts';

export interface Point {
  readonly day: Day;
  readonly value: Fixed;
}

/** Days ascend and are unique; values are digits without trailing zeros after the point. */
interface PointColumns {
  readonly days: Int32Array;
  readonly values: DigitsColumn;
}

/** An estimate: the series object, plus a map entry with a big integer. */
const seriesBytes = 500;
const wideBytes = 100;

/** Keeps values as integer doubles and turns one into a Fixed only when it is read. */
export class Series {
  #days: Int32Array;
  #column: IntegerColumn;

  /** Takes points in any order; of two on one day, the later one in the list counts. */
  constructor(points: readonly Point[]) {
    const latest = new Map(points.map((point) => [point.day, point.value]));
    const days = [...latest.keys()].toSorted((one, other) => one - other);
    this.#days = Int32Array.from(days);
    this.#column = integerColumn(days.map((day) => latest.get(day)!));
  }

  /** Takes columns that are already in order. */
  static fromColumns({ days, values }: PointColumns): Series {
    const series = new Series([]);
    series.#days = days;
    series.#column = scaledColumn(values);
    return series;
  }

  get length(): number {
    return this.#days.length;
  }

  get days(): Int32Array {
    return this.#days;
  }

  get column(): IntegerColumn {
    return this.#column;
  }

  /** Approximate memory use. */
  get bytes(): number {
    const { values, wide } = this.#column;
    return seriesBytes + this.#days.byteLength + values.byteLength + wideBytes * wide.size;
  }

  at(index: number): Point {
    return { day: this.#days[index]!, value: exactAt(this.#column, index) };
  }

  /** Returns the latest point on or before the day. */
  find(day: Day): Point | undefined {
    const index = lastOnOrBefore(this.#days, day);
    return index < 0 ? undefined : this.at(index);
  }

  first(): Point | undefined {
    return this.length === 0 ? undefined : this.at(0);
  }
}

/** How far from where points that lie evenly would be a point is looked for, before all are searched. */
const stepsMax = 4;

/** Returns the index of the last day that is not after `day`; −1 if all are. */
export function lastOnOrBefore(days: ArrayLike<Day>, day: Day): number {
  const last = days.length - 1;
  if (last < 0 || !(days[0]! <= day)) return -1;
  if (days[last]! <= day) return last; // what reports of today ask for
  let guess = Math.floor(((day - days[0]!) / (days[last]! - days[0]!)) * last);
  for (let step = 0; step < stepsMax; step++) {
    if (days[guess]! > day) guess--;
    else if (days[guess + 1]! <= day) guess++;
    else return guess;
  }
  return search(days, day);
}

function search(days: ArrayLike<Day>, day: Day): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (days[middle]! <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Counts the leading entries, ordered by day, that are not after `day`. */
export function countUntil(dated: readonly { readonly day: Day }[], day: Day): number {
  let [low, high] = [0, dated.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (dated[middle]!.day <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Counts how many of the ascending numbers are below a limit. */
export function countBelow(numbers: ArrayLike<number>, limit: number): number {
  return lastOnOrBefore(numbers, limit - 1) + 1;
}

/** The sum of all changes up to each of them. */
export function runningTotals(changes: readonly Point[]): readonly Point[] {
  let total = 0n;
  return changes.map(({ day, value }) => ({ day, value: (total += value) }));
}
