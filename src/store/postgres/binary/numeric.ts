// Reads PostgreSQL's binary integers and numerics. A numeric arrives as groups of four decimal digits and is read as an integer and a
// number of decimal places.

import { fixedPlaces, type Fixed } from '../../../kit/fixed.ts';

/** A column of decimals: each value is digits × 10^-places. */
export interface DecimalDigits {
  /** Integers; NaN for null and for the values in `wide`. */
  readonly digits: Float64Array;
  /** How many of the digits come after the decimal point; the last of those is never zero. */
  readonly places: Uint8Array;
  /** Values with more digits than a double holds, by row. */
  readonly wide: ReadonlyMap<number, Fixed>;
}

const digitsMax = Number.MAX_SAFE_INTEGER;
const negative = 0x4000;

export function readInt16(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) >> 16) | bytes[at + 1]!;
}

export function readInt32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}

/** Throws if the value does not fit in the integers of a double. */
export function readInt64(bytes: Uint8Array, at: number): number {
  const value = readInt32(bytes, at) * 2 ** 32 + (readInt32(bytes, at + 4) >>> 0);
  if (!Number.isSafeInteger(value)) throw new RangeError('A number has more than 53 bits.');
  return value;
}

/** Holds the last number read, so that reading one allocates no object. */
export class NumericReader {
  /** The value is digits × 10^-places. No trailing zeros after the point; NaN if the digits do not fit in 53 bits. */
  digits = 0;
  places = 0;

  /** The header holds the number of groups, the weight of the first as a power of 10,000, and the sign; the groups follow. */
  read(bytes: Uint8Array, at: number): void {
    const count = readInt16(bytes, at);
    const weight = readInt16(bytes, at + 2);
    const sign = readInt16(bytes, at + 4);
    if (sign !== 0 && sign !== negative) throw new RangeError('A number is not finite.');
    const places = 4 * (count - 1 - weight);
    if (count === 0 || places <= 0) return this.#readWhole(bytes, at, { count, zeros: -places / 4, sign });
    let value = 0;
    const last = at + 8 + 2 * (count - 1);
    for (let group = at + 8; group < last; group += 2) value = value * 10_000 + readInt16(bytes, group);
    let tail = readInt16(bytes, last);
    let digitsUsed = 4;
    for (; tail % 10 === 0; digitsUsed--) tail /= 10;
    const digits = value * powers[digitsUsed]! + tail;
    this.places = places - 4 + digitsUsed;
    this.digits = digits > digitsMax ? NaN : sign === negative ? -digits : digits;
  }

  #readWhole(bytes: Uint8Array, at: number, number: { count: number; zeros: number; sign: number }): void {
    let value = 0;
    const end = at + 8 + 2 * number.count;
    for (let group = at + 8; group < end; group += 2) value = value * 10_000 + readInt16(bytes, group);
    if (number.count > 0) value *= 10_000 ** number.zeros;
    this.places = 0;
    this.digits = value > digitsMax ? NaN : number.sign === negative ? -value : value;
  }
}

const powers = [1, 10, 100, 1_000, 10_000];

/** Reads a numeric of any number of digits. */
export function readWideNumeric(bytes: Uint8Array, at: number): Fixed {
  const count = readInt16(bytes, at);
  const places = 4 * (count - 1 - readInt16(bytes, at + 2));
  let value = 0n;
  for (let group = 0; group < count; group++) {
    value = value * 10_000n + BigInt(readInt16(bytes, at + 8 + 2 * group));
  }
  const missing = fixedPlaces - places;
  const fixed = missing >= 0 ? value * 10n ** BigInt(missing) : value / 10n ** BigInt(-missing);
  if (missing < 0 && fixed * 10n ** BigInt(-missing) !== value) {
    throw new RangeError(`A number has more than ${fixedPlaces} digits after the point.`);
  }
  return readInt16(bytes, at + 4) === negative ? -fixed : fixed;
}
