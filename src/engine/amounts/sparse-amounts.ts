// Holds exact amounts at the few indexes of a column that are not zero: flows, income and fees occur on few days.

import type { Fixed } from '../../kit/fixed.ts';
import { amountFromParts, highMax, lowUnit, sumParts, type AmountParts } from './amount-parts.ts';
import { lastOnOrBefore } from './series.ts';

/** Amounts in the order of their indexes. Parts are integers: high within ±2^51, low within ±10^14. */
export interface SparseParts extends AmountParts {
  readonly indexes: Int32Array;
}

const noParts: SparseParts = { indexes: new Int32Array(0), high: new Float64Array(0), low: new Float64Array(0) };

export class SparseAmounts {
  /** Length of the whole column. */
  readonly length: number;
  /** Each index occurs once, and every low is within ±10^14. */
  readonly parts: SparseParts;
  /** The largest distance of a high from zero. */
  readonly highMaxAbs: number;

  private constructor(length: number, parts: SparseParts, highMaxAbs: number) {
    this.length = length;
    this.parts = parts;
    this.highMaxAbs = highMaxAbs;
  }

  static empty(length: number): SparseAmounts {
    return new SparseAmounts(length, noParts, 0);
  }

  /**
   * Takes ownership of the parts. Adds up amounts of equal index in their order; returns undefined if a sum does not fit on the
   * way.
   */
  static find(length: number, all: SparseParts): SparseAmounts | undefined {
    const { count, maxAbs } = mergeEqualIndexes(all);
    if (!(maxAbs <= highMax)) return undefined;
    const { indexes, high, low } = all;
    const isShorter = count < indexes.length;
    const parts = isShorter
      ? { indexes: indexes.subarray(0, count), high: high.subarray(0, count), low: low.subarray(0, count) }
      : all;
    return new SparseAmounts(length, parts, maxAbs);
  }

  get count(): number {
    return this.parts.indexes.length;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  sum(): Fixed {
    return sumParts(this.parts);
  }

  at(index: number): Fixed {
    const { indexes, high, low } = this.parts;
    const foundIndex = lastOnOrBefore(indexes, index);
    return indexes[foundIndex] === index ? amountFromParts(high[foundIndex]!, low[foundIndex]!) : 0n;
  }
}

/** Merges in place, towards the front. Returns how many indexes remain and the largest distance of a high from zero. */
function mergeEqualIndexes({ indexes, high, low }: SparseParts): { readonly count: number; readonly maxAbs: number } {
  const { length } = indexes;
  let last = -1;
  let maxAbs = 0;
  for (let index = 0; index < length; index++) {
    if (last < 0 || indexes[index] !== indexes[last]) {
      last++;
      indexes[last] = indexes[index]!;
      high[last] = high[index]!;
      low[last] = low[index]!;
    } else {
      const sum = low[last]! + low[index]!;
      const carry = Math.trunc(sum / lowUnit);
      high[last]! += high[index]! + carry;
      low[last] = sum - carry * lowUnit;
    }
    const size = Math.abs(high[last]!);
    if (size > maxAbs) maxAbs = size;
  }
  return { count: last + 1, maxAbs };
}
