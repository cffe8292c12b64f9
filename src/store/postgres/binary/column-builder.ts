// Columns of typed arrays that take PostgreSQL's binary values one row after the other, a kind of column for each kind of
// value. Knows no statement.

import type { Day } from '../../../kit/day.ts';
import { fixedPlaces, type Fixed } from '../../../kit/fixed.ts';
import { NameInterner } from './name-interner.ts';
import { NumericReader, readInt32, readInt64, readWideNumeric } from './numeric.ts';
import { unpackedPoints, type DatedColumns } from './packed-points.ts';

/** Stands for no day. */
export const nullDay: Day = -(2 ** 31);
/** Stands for no name. */
export const nullName = -1;
/** An id is 24 hexadecimal digits. */
export const idBytes = 12;

export interface DecimalDigits {
  /** Integers; NaN for none and for what is among the wide ones. */
  readonly digits: Float64Array;
  /** How many of the digits are after the point. None of the last is a zero. */
  readonly places: Uint8Array;
  /** What has more digits than a double, by row. */
  readonly wide: ReadonlyMap<number, Fixed>;
}

export interface InternedNames {
  /** Indices in names; noName for none. */
  readonly numbers: Int32Array;
  readonly names: readonly string[];
}

/** What each kind of column is made of. */
export interface ColumnData {
  /** int8; NaN for none. */
  readonly integer: Float64Array;
  /** date; noDay for none. */
  readonly day: Int32Array;
  /** timestamptz in ms since 1970; NaN for none. */
  readonly instant: Float64Array;
  /** numeric. */
  readonly decimal: DecimalDigits;
  /** text of which there are few different ones. */
  readonly name: InternedNames;
  /** text that is an id: its twelve bytes. Never none. */
  readonly id: Uint8Array;
  /** text that few rows have, by row. */
  readonly text: ReadonlyMap<number, string>;
  /** bytea that holds the points of a series, by row. Never none. */
  readonly points: readonly DatedColumns[];
}

export type ColumnKind = keyof ColumnData;

/** The types by PostgreSQL's numbers for them. */
export const typeOidByKind: Readonly<Record<ColumnKind, number>> = {
  integer: 20,
  day: 1082,
  instant: 1184,
  decimal: 1700,
  name: 25,
  id: 25,
  text: 25,
  points: 17,
};

export interface ColumnBuilder<K extends ColumnKind = ColumnKind> {
  /** A negative length is none. */
  put(row: number, bytes: Buffer, at: number, length: number): void;
  setCapacity(rows: number): void;
  /** The first so many rows. What is put after this is in arrays of its own. */
  cut(rows: number): ColumnData[K];
}

function resized<A extends Float64Array | Int32Array | Uint8Array>(values: A, length: number): A {
  const copy = new (values.constructor as new (length: number) => A)(length);
  copy.set(length < values.length ? (values.subarray(0, length) as A) : values);
  return copy;
}

/** The first so many of an array, and what is put in next: where it is full, it is handed over as it is. */
function splitAt<A extends Float64Array | Int32Array | Uint8Array>(values: A, length: number): [cut: A, next: A] {
  if (length < values.length) return [resized(values, length), values];
  return [values, new (values.constructor as new (length: number) => A)(length)];
}

class IntegerColumn implements ColumnBuilder<'integer'> {
  #values = new Float64Array(0);

  put(row: number, bytes: Buffer, at: number, length: number): void {
    this.#values[row] = length < 0 ? NaN : readInt64(bytes, at);
  }

  setCapacity(rows: number): void {
    this.#values = resized(this.#values, rows);
  }

  cut(rows: number): Float64Array {
    const [cut, next] = splitAt(this.#values, rows);
    this.#values = next;
    return cut;
  }
}

const daysFrom1970To2000 = 10_957;
const msFrom1970To2000 = daysFrom1970To2000 * 86_400_000;
/** What PostgreSQL calls infinity and -infinity. */
const infiniteDay = 2 ** 31 - 1;

class DayColumn implements ColumnBuilder<'day'> {
  #values = new Int32Array(0);

  put(row: number, bytes: Buffer, at: number, length: number): void {
    if (length < 0) {
      this.#values[row] = nullDay;
      return;
    }
    const day = readInt32(bytes, at);
    if (day === infiniteDay || day === -infiniteDay - 1) throw new RangeError('A date is not finite.');
    this.#values[row] = day + daysFrom1970To2000;
  }

  setCapacity(rows: number): void {
    this.#values = resized(this.#values, rows);
  }

  cut(rows: number): Int32Array {
    const [cut, next] = splitAt(this.#values, rows);
    this.#values = next;
    return cut;
  }
}

class InstantColumn implements ColumnBuilder<'instant'> {
  #values = new Float64Array(0);

  /** Microseconds since 2000. Infinity is beyond what readInt64 takes. */
  put(row: number, bytes: Buffer, at: number, length: number): void {
    this.#values[row] = length < 0 ? NaN : Math.floor(readInt64(bytes, at) / 1_000) + msFrom1970To2000;
  }

  setCapacity(rows: number): void {
    this.#values = resized(this.#values, rows);
  }

  cut(rows: number): Float64Array {
    const [cut, next] = splitAt(this.#values, rows);
    this.#values = next;
    return cut;
  }
}

class DecimalColumn implements ColumnBuilder<'decimal'> {
  #digits = new Float64Array(0);
  #places = new Uint8Array(0);
  #wide = new Map<number, Fixed>();
  readonly #reader = new NumericReader();

  put(row: number, bytes: Buffer, at: number, length: number): void {
    if (length < 0) {
      this.#digits[row] = NaN;
      return;
    }
    const reader = this.#reader;
    reader.read(bytes, at);
    const isWide = reader.places > fixedPlaces || Number.isNaN(reader.digits);
    this.#digits[row] = isWide ? NaN : reader.digits;
    this.#places[row] = isWide ? 0 : reader.places;
    if (isWide) this.#wide.set(row, readWideNumeric(bytes, at));
  }

  setCapacity(rows: number): void {
    this.#digits = resized(this.#digits, rows);
    this.#places = resized(this.#places, rows);
  }

  cut(rows: number): DecimalDigits {
    const wide = this.#wide;
    this.#wide = new Map();
    const [digits, nextDigits] = splitAt(this.#digits, rows);
    const [places, nextPlaces] = splitAt(this.#places, rows);
    [this.#digits, this.#places] = [nextDigits, nextPlaces];
    return { digits, places, wide };
  }
}

class NameColumn implements ColumnBuilder<'name'> {
  #numbers = new Int32Array(0);
  readonly #names = new NameInterner();

  put(row: number, bytes: Buffer, at: number, length: number): void {
    this.#numbers[row] = length < 0 ? nullName : this.#names.number(bytes, at, length);
  }

  setCapacity(rows: number): void {
    this.#numbers = resized(this.#numbers, rows);
  }

  cut(rows: number): InternedNames {
    const [numbers, next] = splitAt(this.#numbers, rows);
    this.#numbers = next;
    return { numbers, names: this.#names.names };
  }
}

/** By character code; 255 for what is no hexadecimal digit. */
const hexDigits = new Uint8Array(256).fill(255);
for (let digit = 0; digit < 16; digit++) hexDigits[digit.toString(16).charCodeAt(0)] = digit;

class IdColumn implements ColumnBuilder<'id'> {
  #values = new Uint8Array(0);

  put(row: number, bytes: Buffer, at: number, length: number): void {
    if (length !== 2 * idBytes) throw new RangeError('An id does not have 24 digits.');
    const values = this.#values;
    const start = row * idBytes;
    let combinedBits = 0;
    for (let index = 0; index < idBytes; index++) {
      const [high, low] = [hexDigits[bytes[at + 2 * index]!]!, hexDigits[bytes[at + 2 * index + 1]!]!];
      combinedBits |= high | low;
      values[start + index] = (high << 4) | low;
    }
    if (combinedBits > 15) throw new RangeError('An id has a digit that is not hexadecimal.');
  }

  setCapacity(rows: number): void {
    this.#values = resized(this.#values, rows * idBytes);
  }

  cut(rows: number): Uint8Array {
    const [cut, next] = splitAt(this.#values, rows * idBytes);
    this.#values = next;
    return cut;
  }
}

class TextColumn implements ColumnBuilder<'text'> {
  #texts = new Map<number, string>();

  put(row: number, bytes: Buffer, at: number, length: number): void {
    if (length >= 0) this.#texts.set(row, bytes.toString('utf8', at, at + length));
  }

  setCapacity(): void {}

  cut(): ReadonlyMap<number, string> {
    const texts = this.#texts;
    this.#texts = new Map();
    return texts;
  }
}

class PointsColumn implements ColumnBuilder<'points'> {
  #values: DatedColumns[] = [];

  put(row: number, bytes: Buffer, at: number, length: number): void {
    if (length < 0) throw new RangeError('A series has no points.');
    this.#values[row] = unpackedPoints(bytes.subarray(at, at + length));
  }

  setCapacity(): void {}

  cut(): readonly DatedColumns[] {
    const values = this.#values;
    this.#values = [];
    return values;
  }
}

const builders: { readonly [K in ColumnKind]: () => ColumnBuilder<K> } = {
  integer: () => new IntegerColumn(),
  day: () => new DayColumn(),
  instant: () => new InstantColumn(),
  decimal: () => new DecimalColumn(),
  name: () => new NameColumn(),
  id: () => new IdColumn(),
  text: () => new TextColumn(),
  points: () => new PointsColumn(),
};

export function createColumnBuilder(kind: ColumnKind): ColumnBuilder {
  return builders[kind]();
}
