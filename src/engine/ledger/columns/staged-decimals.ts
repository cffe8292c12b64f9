// Collects decimals for a column whose scale is not known yet, each as digits with its own number of places.

import { fixedPlaces, type Fixed } from '../../../kit/fixed.ts';
import { DecimalColumn, unitAtScale } from '../../amounts/decimal-column.ts';

const digitsMax = Number.MAX_SAFE_INTEGER;
/** The number of places that most values have: tried before counting. */
const commonPlaces = 6;
const commonStep = Number(unitAtScale(commonPlaces));
const powers = Array.from({ length: fixedPlaces + 1 }, (_, places) => Number(10n ** BigInt(places)));

/** By number of zeros, the largest integer that can have so many appended. */
const digitsMaxByZeros = powers.map((power) => Math.floor(digitsMax / power));

/** Returns how many zeros can be appended to an integer. */
function trailingZerosMax(magnitude: number): number {
  let zeros = magnitude <= digitsMaxByZeros[8]! ? 8 : 0;
  if (magnitude <= digitsMaxByZeros[zeros + 4]!) zeros += 4;
  if (magnitude <= digitsMaxByZeros[zeros + 2]!) zeros += 2;
  if (magnitude <= digitsMaxByZeros[zeros + 1]!) zeros += 1;
  return magnitude === 0 ? fixedPlaces : zeros;
}

export class StagedDecimals {
  #digits: Float64Array;
  #places: Uint8Array;
  /** Values with more digits than a double has. */
  readonly #wide = new Map<number, Fixed>();
  /** By scale, how many more (or fewer) values fit than at the scale before. */
  readonly #fitting = new Int32Array(fixedPlaces + 2);

  constructor(capacity: number) {
    this.#digits = new Float64Array(capacity);
    this.#places = new Uint8Array(capacity);
  }

  grow(capacity: number): void {
    const [digits, places] = [this.#digits, this.#places];
    this.#digits = new Float64Array(capacity);
    this.#places = new Uint8Array(capacity);
    this.#digits.set(digits);
    this.#places.set(places);
  }

  put(index: number, value: Fixed | null): void {
    if (value === null) {
      this.#digits[index] = NaN;
      return;
    }
    const commonDigits = Math.round(Number(value) / commonStep); // a guess, which the product tests
    const isCommon = Math.abs(commonDigits) <= digitsMax && BigInt(commonDigits) * unitAtScale(commonPlaces) === value;
    if (isCommon) this.putDigits(index, commonDigits, commonPlaces);
    else this.#putUncommon(index, value);
  }

  #putUncommon(index: number, value: Fixed): void {
    let digits = value;
    let places = fixedPlaces;
    for (; places > 0 && digits % 10n === 0n; places--) digits /= 10n;
    const number = Number(digits);
    if (Math.abs(number) <= digitsMax) this.putDigits(index, number, places);
    else {
      this.#digits[index] = NaN;
      this.#wide.set(index, value);
    }
  }

  /** Takes an integer × 10^-places that a double holds exactly. */
  putDigits(index: number, withZeros: number, placesWithZeros: number): void {
    let digits = withZeros;
    let places = placesWithZeros;
    for (; places > 0 && Math.floor(digits / 10) * 10 === digits; places--) digits /= 10;
    this.#digits[index] = digits;
    this.#places[index] = places;
    this.#fitting[places]!++;
    this.#fitting[Math.min(places + trailingZerosMax(Math.abs(digits)), fixedPlaces) + 1]!--;
  }

  /** Returns the scale at which most values fit; of several, the smallest that is not below the minimum. */
  scale(scaleMin: number): number {
    let best = 0;
    let [fitting, most] = [0, -1];
    for (let scale = 0; scale <= fixedPlaces; scale++) {
      fitting += this.#fitting[scale]!;
      if (fitting < most || (fitting === most && scale > scaleMin)) continue;
      [best, most] = [scale, fitting];
    }
    return best;
  }

  /** Builds the column of the rows at these indexes, in this order. */
  column(rows: Uint32Array, scale: number): DecimalColumn {
    const values = new Float64Array(rows.length);
    const wide = new Map<number, Fixed>();
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      const digits = this.#digits[row]!;
      const missing = scale - this.#places[row]!;
      const value = missing < 0 ? NaN : digits * powers[missing]!;
      values[index] = Math.abs(value) <= digitsMax ? value : NaN;
      if (Number.isNaN(values[index])) this.#copyWide(row, wide, index);
    }
    return new DecimalColumn({ values, scale, wide });
  }

  #copyWide(row: number, wide: Map<number, Fixed>, index: number): void {
    const digits = this.#digits[row]!;
    const value = Number.isNaN(digits) ? this.#wide.get(row) : BigInt(digits) * unitAtScale(this.#places[row]!);
    if (value !== undefined) wide.set(index, value);
  }
}
