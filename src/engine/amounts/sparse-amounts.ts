// Exact amounts at few places of a column that is zero everywhere else: flows, income and fees stand on few days. Knows not
// what they are of.

import type { Fixed } from '../../kit/fixed.ts';
import { sumOfParts, type AmountParts } from './amount-column.ts';
import { amountOf } from './amount-parts.ts';
import { lastOnOrBefore } from './series.ts';

const lowUnit = 1e14;
const highMax = 2 ** 51;

/** Amounts by place, in the order of their places: integers, high up to 2^51 and low up to 10^14 either way. */
export interface PlacedParts extends AmountParts {
  readonly places: Int32Array;
}

export class AmountEntries {
  /** Of the whole column. */
  readonly length: number;
  /** Each place once, and no low further from zero than 10^14. */
  readonly parts: PlacedParts;
  /** No high is further from zero. */
  readonly highReach: number;

  private constructor(length: number, parts: PlacedParts, highReach: number) {
    this.length = length;
    this.parts = parts;
    this.highReach = highReach;
  }

  static none(length: number): AmountEntries {
    const parts = { places: new Int32Array(0), high: new Float64Array(0), low: new Float64Array(0) };
    return new AmountEntries(length, parts, 0);
  }

  /** The parts are handed over. What has one place is added up, in their order; no answer where a sum does not fit on the way. */
  static find(length: number, { places, high, low }: PlacedParts): AmountEntries | undefined {
    const { count, reach } = mergePlaces({ places, high, low });
    if (!(reach <= highMax)) return undefined;
    const parts = {
      places: places.subarray(0, count),
      high: high.subarray(0, count),
      low: low.subarray(0, count),
    };
    return new AmountEntries(length, parts, reach);
  }

  get count(): number {
    return this.parts.places.length;
  }

  get isBlank(): boolean {
    return this.count === 0;
  }

  sum(): Fixed {
    return sumOfParts(this.parts);
  }

  at(index: number): Fixed {
    const { places, high, low } = this.parts;
    const found = lastOnOrBefore(places, index);
    return places[found] === index ? amountOf(high[found]!, low[found]!) : 0n;
  }
}

/** To the front. Answers how many places there are, and how far from zero highs got. */
function mergePlaces({ places, high, low }: PlacedParts): { readonly count: number; readonly reach: number } {
  const { length } = places;
  let last = -1;
  let reach = 0;
  for (let index = 0; index < length; index++) {
    if (last < 0 || places[index] !== places[last]) {
      last++;
      places[last] = places[index]!;
      high[last] = high[index]!;
      low[last] = low[index]!;
    } else {
      const sum = low[last]! + low[index]!;
      const carried = Math.trunc(sum / lowUnit);
      high[last]! += high[index]! + carried;
      low[last] = sum - carried * lowUnit;
    }
    const size = Math.abs(high[last]!);
    if (size > reach) reach = size;
  }
  return { count: last + 1, reach };
}
