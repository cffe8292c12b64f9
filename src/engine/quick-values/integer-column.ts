// Exact values as integer doubles with one scale for all, as far as they fit. Knows not what they are of.

import { fixedPlaces, type Fixed } from '../../kit/fixed.ts';
import type { QuickColumn } from '../quick-lots.ts';
import { powersOfTen } from './powers-of-ten.ts';

/** Places that nearly all values do with; taken off at once, what is left of most values is a double. */
const usualPlaces = 8;
const usualUnit = 10n ** BigInt(fixedPlaces - usualPlaces);

export interface IntegerColumn extends QuickColumn {
  /** None of those that fit is further from zero. */
  readonly reach: number;
}

/** The scale is the one at which most of them fit, of several the smallest; what does not fit stands as NaN. */
export function integerColumn(all: readonly Fixed[]): IntegerColumn {
  const values = new Float64Array(all.length);
  const places = new Int8Array(all.length);
  for (let index = 0; index < all.length; index++) putShortest(all[index]!, { values, places, index });
  const scale = commonScale(values, places);
  let reach = 0;
  for (let index = 0; index < all.length; index++) {
    const missing = scale - places[index]!;
    const value = missing < 0 ? Number.NaN : values[index]! * powersOfTen[missing]!;
    const isFit = Number.isSafeInteger(value);
    values[index] = isFit ? value : Number.NaN;
    if (isFit) reach = Math.max(reach, Math.abs(value));
  }
  return { values, scale, reach };
}

interface Place {
  readonly values: Float64Array;
  readonly places: Int8Array;
  readonly index: number;
}

/** With no more places than it has; NaN where even so it does not fit. */
function putShortest(value: Fixed, { values, places, index }: Place): void {
  let [whole, left] = [value / usualUnit, usualPlaces];
  if (whole * usualUnit !== value) [whole, left] = [value, fixedPlaces];
  for (; left > 0 && !Number.isSafeInteger(Number(whole)) && whole % 10n === 0n; left--) whole /= 10n;
  let short = Number(whole);
  if (!Number.isSafeInteger(short)) short = Number.NaN;
  for (; left > 0 && Number.isInteger(short / 10); left--) short /= 10;
  values[index] = short;
  places[index] = left;
}

function commonScale(values: Float64Array, places: Int8Array): number {
  const begins = new Int32Array(fixedPlaces + 2);
  for (let index = 0; index < values.length; index++) {
    const value = Math.abs(values[index]!);
    if (Number.isNaN(value)) continue;
    let last = places[index]!;
    while (last < fixedPlaces && value * powersOfTen[last + 1 - places[index]!]! <= Number.MAX_SAFE_INTEGER) last++;
    begins[places[index]!]!++;
    begins[last + 1]!--;
  }
  let [best, most, count] = [0, 0, 0];
  for (let scale = 0; scale <= fixedPlaces; scale++) {
    count += begins[scale]!;
    if (count > most) [best, most] = [scale, count];
  }
  return best;
}
