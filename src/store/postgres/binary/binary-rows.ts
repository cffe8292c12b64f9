// The rows of a statement as columns, straight from the server's bytes. They come in pieces, so that no array is copied over and
// over as it grows. Knows no table.

import {
  createColumnBuilder,
  typeOidByKind,
  type ColumnBuilder,
  type ColumnData,
  type ColumnKind,
} from './column-builder.ts';
import { readInt16, readInt32 } from './numeric.ts';
import type { RowSink } from './row-decoder.ts';
import { sql, type Statement, type Value } from '../statement.ts';

/** The columns of a statement by name, in its order. */
export type ColumnKinds = Readonly<Record<string, ColumnKind>>;

/** Rows in the order in which they came. */
export type ColumnBlock<C extends ColumnKinds> = { readonly [name in keyof C]: ColumnData[C[name]] } & {
  readonly length: number;
};

export interface ColumnStatement<C extends ColumnKinds> extends Statement<never> {
  readonly columns: C;
  /** Reads many things at once: the first column names them, and each piece has rows of one of them. */
  readonly isGrouped?: true;
}

export interface ColumnCall<C extends ColumnKinds = ColumnKinds> {
  readonly statement: ColumnStatement<C>;
  readonly values: readonly Value[];
}

/** A statement whose rows are read as columns: its list of what is selected names them in the same order. */
export function columnSql<C extends ColumnKinds>(name: string, columns: C, text: string): ColumnStatement<C> {
  return { ...sql<never>(name, text), columns };
}

/** At most so many rows are in a piece. */
export const blockRowsMax = 65_536;
const initialCapacity = 16;

export class BinaryRows<C extends ColumnKinds = ColumnKinds> implements RowSink {
  readonly #kinds: C;
  #columns: ColumnBuilder[] = [];
  #blocks: ColumnBlock<C>[] = [];
  #length = 0;
  #capacity = 0;
  #fault: Error | undefined;

  constructor(kinds: C) {
    this.#kinds = kinds;
    this.reset();
  }

  /** Forgets what has come. */
  reset(): void {
    this.#columns = Object.values(this.#kinds).map(createColumnBuilder);
    this.#blocks = [];
    this.#length = 0;
    this.#capacity = 0;
    this.#fault = undefined;
  }

  /** Makes sure that the server sends what is expected. */
  check(fields: readonly { readonly name: string; readonly dataTypeID: number }[]): void {
    const expected = Object.entries(this.#kinds).map(([name, kind]) => `${name} ${typeOidByKind[kind]}`);
    const found = fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`);
    if (expected.join() === found.join()) return;
    this.#fault ??= new TypeError(`Columns ${expected.join(', ')} were expected; there are ${found.join(', ')}.`);
  }

  take(bytes: Buffer, at: number): void {
    if (this.#fault !== undefined) return;
    try {
      this.#read(bytes, at);
    } catch (error) {
      this.#fault = error as Error;
    }
  }

  #read(bytes: Buffer, start: number): void {
    const columns = this.#columns;
    if (readInt16(bytes, start) !== columns.length) throw new TypeError('A row has another number of columns.');
    if (this.#length === this.#capacity) this.#grow();
    const row = this.#length;
    let at = start + 2;
    for (let index = 0; index < columns.length; index++) {
      const length = readInt32(bytes, at);
      at += 4;
      columns[index]!.put(row, bytes, at, length);
      if (length > 0) at += length;
    }
    this.#length++;
  }

  #grow(): void {
    if (this.#capacity === blockRowsMax) {
      this.#cut();
      return;
    }
    this.#capacity = Math.max(initialCapacity, Math.min(blockRowsMax, this.#capacity * 4));
    for (const column of this.#columns) column.setCapacity(this.#capacity);
  }

  #cut(): void {
    if (this.#length === 0) return;
    const length = this.#length;
    const data = Object.keys(this.#kinds).map((name, index) => [name, this.#columns[index]!.cut(length)]);
    this.#blocks.push({ ...Object.fromEntries(data), length });
    this.#length = 0;
  }

  get fault(): Error | undefined {
    return this.#fault;
  }

  /** All that have come. */
  blocks(): readonly ColumnBlock<C>[] {
    this.#cut();
    return this.#blocks;
  }
}
