// Packs the points of a series into bytes in the database, and unpacks them into columns by day. Where several sources have a value for
// one day, the source with the highest precedence wins.

import { fixedPlaces, type Fixed } from '../../../kit/fixed.ts';
import { dataSourcesByPrecedence } from '../../../model/instrument/dated-value-fields.ts';
import { NumericReader, readInt16, readInt32, readWideNumeric, type DecimalDigits } from './numeric.ts';

/** Days in ascending order, without duplicates, and the value of each day. */
export interface DatedColumns {
  readonly days: Int32Array;
  readonly values: DecimalDigits;
}

/** The lowest bits of a point's first number are its source's rank, the others its day. */
const rankBits = 2;
const rankMask = 2 ** rankBits - 1;

const numericHeaderBytes = 8;
const pointBytesMin = 4 + numericHeaderBytes;

/**
 * An SQL aggregate that packs all points of a group into bytes. As text they take several times as long to write and to read, and as
 * separate rows as long to send. The CASE tests the most frequent source first.
 */
export function packedPointsSql({ value }: { readonly value: string }): string {
  const ranks = [...dataSourcesByPrecedence.entries()].toReversed();
  const rank = `CASE source ${ranks.map(([index, source]) => `WHEN '${source}' THEN ${index}`).join(' ')} END`;
  const head = `int4send((date - date '1970-01-01') * ${2 ** rankBits} + ${rank})`;
  return `string_agg(${head} || numeric_send(${value}), '')`;
}

/** Points in the order of the bytes. */
interface UnpackedPoints {
  readonly days: Int32Array;
  readonly ranks: Uint8Array;
  readonly values: DecimalDigits;
}

export function unpackedPoints(bytes: Uint8Array): DatedColumns {
  const points = unpack(bytes);
  return isAscending(points.days) ? points : selectedPoints(points, winningIndexes(points));
}

function unpack(bytes: Uint8Array): UnpackedPoints {
  const capacity = Math.floor(bytes.length / pointBytesMin);
  const [days, ranks] = [new Int32Array(capacity), new Uint8Array(capacity)];
  const [digits, places] = [new Float64Array(capacity), new Uint8Array(capacity)];
  const wide = new Map<number, Fixed>();
  const reader = new NumericReader();
  let count = 0;
  for (let at = 0; at < bytes.length; count++) {
    const head = readInt32(bytes, at);
    days[count] = head >> rankBits;
    ranks[count] = head & rankMask;
    at += 4;
    reader.read(bytes, at);
    const isWide = reader.places > fixedPlaces || Number.isNaN(reader.digits);
    digits[count] = isWide ? NaN : reader.digits;
    places[count] = isWide ? 0 : reader.places;
    if (isWide) wide.set(count, readWideNumeric(bytes, at));
    at += numericHeaderBytes + 2 * readInt16(bytes, at);
  }
  const values = { digits: digits.subarray(0, count), places: places.subarray(0, count), wide };
  return { days: days.slice(0, count), ranks: ranks.subarray(0, count), values };
}

function isAscending(days: Int32Array): boolean {
  for (let at = 1; at < days.length; at++) if (days[at - 1]! >= days[at]!) return false;
  return true;
}

/** The indexes of each day's winning point, in the order of the days. */
function winningIndexes({ days, ranks }: UnpackedPoints): number[] {
  const order = [...days.keys()].toSorted((one, other) => days[one]! - days[other]! || ranks[one]! - ranks[other]!);
  return order.filter((at, index) => index === 0 || days[at] !== days[order[index - 1]!]);
}

function selectedPoints(
  { days, values: { digits, places, wide } }: UnpackedPoints,
  at: readonly number[],
): DatedColumns {
  const selectedWide = new Map<number, Fixed>();
  for (const [index, position] of at.entries()) {
    const value = wide.get(position);
    if (value !== undefined) selectedWide.set(index, value);
  }
  return {
    days: Int32Array.from(at, (position) => days[position]!),
    values: {
      digits: Float64Array.from(at, (position) => digits[position]!),
      places: Uint8Array.from(at, (position) => places[position]!),
      wide: selectedWide,
    },
  };
}
