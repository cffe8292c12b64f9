// Turns exact values into integer doubles with one common scale, as far as they fit.

import { fixedPlaces, type Fixed } from '../../kit/fixed.ts';
import { unitAtScale } from './decimal-column.ts';
import type { DigitsColumn, ScaledColumn } from './number-columns.ts';
import { powersOfTen } from './powers-of-ten.ts';

/** Nearly all values need no more places than these; dividing by the unit first makes most of them small enough for a double. */
const usualPlaces = 8;
const usualUnit = 10n ** BigInt(fixedPlaces - usualPlaces);

/** NaN marks what does not fit. */
export interface IntegerColumn extends ScaledColumn {
  /** The largest distance from zero of the values that fit. */
  readonly maxAbs: number;
  /** Values that do not fit, by index. */
  readonly wide: ReadonlyMap<number, Fixed>;
}

/** Chooses the scale at which most values fit; of several, the smallest. */
export function integerColumn(all: readonly Fixed[]): IntegerColumn {
  const digits = new Float64Array(all.length);
  const places = new Uint8Array(all.length);
  const wide = new Map<number, Fixed>();
  for (let index = 0; index < all.length; index++) {
    writeShortest(all[index]!, { digits, places, index });
    if (Number.isNaN(digits[index])) wide.set(index, all[index]!);
  }
  return scaledColumn({ digits, places, wide });
}

/** Does the same for digits, which must have no trailing zeros after the point. Every index must have a value. */
export function scaledColumn(all: DigitsColumn): IntegerColumn {
  const mostPlaces = greatestPlaces(all.places);
  const column = columnAt(all, mostPlaces);
  if (column.wide.size === 0) return column; // at fewer places the longest would not fit
  const scale = commonScale(all);
  return scale === mostPlaces ? column : columnAt(all, scale);
}

function greatestPlaces(places: Uint8Array): number {
  let greatest = 0;
  for (let index = 0; index < places.length; index++) if (places[index]! > greatest) greatest = places[index]!;
  return greatest;
}

function columnAt({ digits, places, wide }: DigitsColumn, scale: number): IntegerColumn {
  const values = new Float64Array(digits.length);
  const left = new Map<number, Fixed>();
  let maxAbs = 0;
  for (let index = 0; index < digits.length; index++) {
    const missing = scale - places[index]!;
    const value = missing < 0 ? Number.NaN : digits[index]! * powersOfTen[missing]!;
    const size = Math.abs(value);
    if (size <= Number.MAX_SAFE_INTEGER) {
      values[index] = value;
      if (size > maxAbs) maxAbs = size;
    } else {
      values[index] = Number.NaN;
      left.set(index, wide.get(index) ?? BigInt(digits[index]!) * unitAtScale(places[index]!));
    }
  }
  return { values, scale, maxAbs, wide: left };
}

/** Returns the exact value, whether it fits or not. */
export function exactAt({ values, scale, wide }: IntegerColumn, index: number): Fixed {
  const value = values[index]!;
  return Number.isNaN(value) ? wide.get(index)! : BigInt(value) * unitAtScale(scale);
}

interface DigitsCell {
  readonly digits: Float64Array;
  readonly places: Uint8Array;
  readonly index: number;
}

/** Uses no more places than the value needs; writes NaN if it still does not fit. */
function writeShortest(value: Fixed, { digits, places, index }: DigitsCell): void {
  let [whole, left] = [value / usualUnit, usualPlaces];
  if (whole * usualUnit !== value) [whole, left] = [value, fixedPlaces];
  for (; left > 0 && !Number.isSafeInteger(Number(whole)) && whole % 10n === 0n; left--) whole /= 10n;
  let short = Number(whole);
  if (!Number.isSafeInteger(short)) short = Number.NaN;
  for (; left > 0 && Number.isInteger(short / 10); left--) short /= 10;
  digits[index] = short;
  places[index] = Number.isNaN(short) ? 0 : left;
}

function commonScale({ digits, places }: DigitsColumn): number {
  const fitCountDeltas = new Int32Array(fixedPlaces + 2);
  for (let index = 0; index < digits.length; index++) {
    const value = Math.abs(digits[index]!);
    if (Number.isNaN(value)) continue;
    let last = places[index]!;
    while (last < fixedPlaces && value * powersOfTen[last + 1 - places[index]!]! <= Number.MAX_SAFE_INTEGER) last++;
    fitCountDeltas[places[index]!]!++;
    fitCountDeltas[last + 1]!--;
  }
  let [best, mostPlaces, count] = [0, 0, 0];
  for (let scale = 0; scale <= fixedPlaces; scale++) {
    count += fitCountDeltas[scale]!;
    if (count > mostPlaces) [best, mostPlaces] = [scale, count];
  }
  return best;
}
