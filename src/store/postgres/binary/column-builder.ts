// Builds columns of typed arrays from PostgreSQL's binary values, row by row. There is one kind of column for each kind of value.

import { dayMs } from '../../../kit/clock.ts';
import type { Day } from '../../../kit/day.ts';
import { fixedPlaces, type Fixed } from '../../../kit/fixed.ts';
import { NameInterner } from './name-interner.ts';
import { NumericReader, readInt32, readInt64, readWideNumeric, type DecimalDigits } from './numeric.ts';
import { unpackedPoints, type DatedColumns } from './packed-points.ts';

/** Stands for a null date. */
export const nullDay: Day = -(2 ** 31);
/** Stands for a null name. */
export const nullName = -1;
/** An id is 24 hexadecimal digits. */
export const idBytes = 12;

export interface InternedNames {
  /** Indexes into `names`; `nullName` for null. */
  readonly numbers: Int32Array;
  readonly names: readonly string[];
}

/** The name in a row; null for null. */
export function nameAt({ numbers, names }: InternedNames, row: number): string | null {
  const number = numbers[row];
  return number === undefined || number === nullName ? null : (names[number] ?? null);
}

/** The arrays that hold each kind of column. */
export interface ColumnData {
  /** int8; NaN for null. */
  readonly integer: Float64Array;
  /** date; `nullDay` for null. */
  readonly day: Int32Array;
  /** timestamptz in ms since 1970; NaN for null. */
  readonly instant: Float64Array;
  /** numeric. */
  readonly decimal: DecimalDigits;
  /** text with few distinct values. */
  readonly name: InternedNames;
  /** text that is an id: its twelve bytes. Never null. */
  readonly id: Uint8Array;
  /** text that is null in most rows, by row. */
  readonly text: ReadonlyMap<number, string>;
  /** bytea that holds the packed points of a series, by row. Never null. */
  readonly points: readonly DatedColumns[];
  /** bytea, by row. Never null. */
  readonly bytes: readonly Uint8Array[];
}

export type ColumnKind = keyof ColumnData;

/** PostgreSQL's type OIDs. */
export const typeOidByKind: Readonly<Record<ColumnKind, number>> = {
  integer: 20,
  day: 1082,
  instant: 1184,
  decimal: 1700,
  name: 25,
  id: 25,
  text: 25,
  points: 17,
  bytes: 17,
};

export interface ColumnBuilder<K extends ColumnKind = ColumnKind> {
  /** A negative length stands for null. */
  put(row: number, bytes: Buffer, at: number, length: number): void;
  setCapacity(rows: number): void;
  /** Returns the first `rows` rows. Later rows go into other arrays. */
  cut(rows: number): ColumnData[K];
}

type NumberArray = Float64Array | Int32Array | Uint8Array;

/** Makes an array of the same type. */
function emptyLike<A extends NumberArray>(values: A, length: number): A {
  return new (values.constructor as new (length: number) => A)(length);
}

function resized<A extends NumberArray>(values: A, length: number): A {
  const copy = emptyLike(values, length);
  copy.set(values.subarray(0, length));
  return copy;
}

/** Returns the first `length` values, and the array for the values after them. A full array is handed over without a copy. */
function splitAt<A extends NumberArray>(values: A, length: number): [cut: A, next: A] {
  if (length < values.length) return [resized(values, length), values];
  return [values, emptyLike(values, length)];
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

export const daysFrom1970To2000 = 10_957;
const msFrom1970To2000 = daysFrom1970To2000 * dayMs;
/** PostgreSQL's `infinity` for dates; `-infinity` is one below its negative. */
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

  /** Reads microseconds since 2000. `readInt64` throws on infinity. */
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

/** The digit of each character code; 255 if it is not a hexadecimal digit. */
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

/** Values that are never null, each read on its own. */
class ListColumn<T> {
  #values: T[] = [];
  readonly #read: (bytes: Buffer) => T;

  constructor(read: (bytes: Buffer) => T) {
    this.#read = read;
  }

  put(row: number, bytes: Buffer, at: number, length: number): void {
    if (length < 0) throw new RangeError('A value is missing.');
    this.#values[row] = this.#read(bytes.subarray(at, at + length));
  }

  setCapacity(): void {}

  cut(): readonly T[] {
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
  points: () => new ListColumn(unpackedPoints),
  bytes: () => new ListColumn((value) => new Uint8Array(value)),
};

export function createColumnBuilder(kind: ColumnKind): ColumnBuilder {
  return builders[kind]();
}
