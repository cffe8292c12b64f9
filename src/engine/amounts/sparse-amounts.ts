// Exact amounts at few places of a column that is zero everywhere else: flows, income and fees stand on few days. Knows not
// what they are of.

import type { Fixed } from '../../kit/fixed.ts';
import { amountFromParts, highMax, lowUnit, sumParts, type AmountParts } from './amount-parts.ts';
import { lastOnOrBefore } from './series.ts';

/** Amounts by place, in the order of their places: integers, high up to 2^51 and low up to 10^14 either way. */
export interface SparseParts extends AmountParts {
  readonly indexes: Int32Array;
}

export class SparseAmounts {
  /** Of the whole column. */
  readonly length: number;
  /** Each place once, and no low further from zero than 10^14. */
  readonly parts: SparseParts;
  /** No high is further from zero. */
  readonly highMaxAbs: number;

  private constructor(length: number, parts: SparseParts, highMaxAbs: number) {
    this.length = length;
    this.parts = parts;
    this.highMaxAbs = highMaxAbs;
  }

  static empty(length: number): SparseAmounts {
    const parts = { indexes: new Int32Array(0), high: new Float64Array(0), low: new Float64Array(0) };
    return new SparseAmounts(length, parts, 0);
  }

  /** The parts are handed over. What has one place is added up, in their order; no answer where a sum does not fit on the way. */
  static find(length: number, { indexes, high, low }: SparseParts): SparseAmounts | undefined {
    const { count, maxAbs } = mergeEqualIndexes({ indexes, high, low });
    if (!(maxAbs <= highMax)) return undefined;
    const parts = {
      indexes: indexes.subarray(0, count),
      high: high.subarray(0, count),
      low: low.subarray(0, count),
    };
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

/** To the front. Answers how many places there are, and how far from zero highs got. */
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
