// Dated values in the order of their days: what counts on a day is the latest on or before it. Knows not what they mean.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { DigitsColumn } from './number-columns.ts';
import { exactAt, integerColumn, scaledColumn, type IntegerColumn } from './integer-column.ts';

export interface Point {
  readonly day: Day;
  readonly value: Fixed;
}

/** Days ascending, each once, and the value of each as digits without zeros at their ends after the point. */
export interface PointColumns {
  readonly days: Int32Array;
  readonly values: DigitsColumn;
}

/** A series of its own, an entry of a map with an integer of any length. */
const seriesBytes = 500;
const wideBytes = 100;

/** Its values are kept as integer doubles: one is made a Fixed when it is asked for. */
export class Series {
  #days: Int32Array;
  #column: IntegerColumn;

  /** Points in any order; of two on one day the later one in the list counts. */
  constructor(points: readonly Point[]) {
    const latest = new Map(points.map((point) => [point.day, point.value]));
    const days = [...latest.keys()].toSorted((one, other) => one - other);
    this.#days = Int32Array.from(days);
    this.#column = integerColumn(days.map((day) => latest.get(day)!));
  }

  /** Out of columns that are in order already. */
  static fromColumns({ days, values }: PointColumns): Series {
    const series = new Series([]);
    series.#days = days;
    series.#column = scaledColumn(values);
    return series;
  }

  get length(): number {
    return this.#days.length;
  }

  /** Of its points, in order. */
  get days(): Int32Array {
    return this.#days;
  }

  /** The values of its points. */
  get column(): IntegerColumn {
    return this.#column;
  }

  /** About what it takes. */
  get bytes(): number {
    const { values, wide } = this.#column;
    return seriesBytes + this.#days.byteLength + values.byteLength + wideBytes * wide.size;
  }

  at(index: number): Point {
    return { day: this.#days[index]!, value: exactAt(this.#column, index) };
  }

  /** The latest point on or before the day. */
  find(day: Day): Point | undefined {
    const index = lastOnOrBefore(this.#days, day);
    return index < 0 ? undefined : this.at(index);
  }

  first(): Point | undefined {
    return this.length === 0 ? undefined : this.at(0);
  }
}

/** The index of the last day that is not after the one asked for; −1 where all are. */
export function lastOnOrBefore(days: ArrayLike<Day>, day: Day): number {
  let low = 0;
  let high = days.length;
  if (high > 0 && days[high - 1]! <= day) return high - 1; // what reports of today ask for
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (days[middle]! <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** How many of what is ordered by day are not after it. */
export function countUntil(dated: readonly { readonly day: Day }[], day: Day): number {
  let [low, high] = [0, dated.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (dated[middle]!.day <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the rising numbers are below a limit. */
export function countBelow(numbers: ArrayLike<number>, limit: number): number {
  return lastOnOrBefore(numbers, limit - 1) + 1;
}
