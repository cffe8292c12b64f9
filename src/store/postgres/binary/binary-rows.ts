// Reads the rows of a statement into columns, directly from the server's bytes. The columns come in blocks, so that no array is copied
// again and again as it grows.

import {
  createColumnBuilder,
  typeOidByKind,
  type ColumnBuilder,
  type ColumnData,
  type ColumnKind,
} from './column-builder.ts';
import { readInt16, readInt32 } from './numeric.ts';
import type { RowSink } from './row-decoder.ts';
import { sql, type ResultField, type Statement, type Value } from '../statement.ts';

/** The columns of a statement by name, in the order of its select list. */
export type ColumnKinds = Readonly<Record<string, ColumnKind>>;

/** Some rows of a result, in the order in which they arrived. */
export type ColumnBlock<C extends ColumnKinds> = { readonly [name in keyof C]: ColumnData[C[name]] } & {
  readonly length: number;
};

export interface ColumnStatement<C extends ColumnKinds> extends Statement<never> {
  readonly columns: C;
  /** Reads many records at once: the first column names the record, and each block has rows of one record. */
  readonly isGrouped?: true;
}

export interface ColumnCall<C extends ColumnKinds = ColumnKinds> {
  readonly statement: ColumnStatement<C>;
  readonly values: readonly Value[];
}

/** A statement whose rows are read as columns. Its select list must name them in the same order. */
export function columnSql<C extends ColumnKinds>(name: string, columns: C, text: string): ColumnStatement<C> {
  return { ...sql<never>(name, text), columns };
}

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

  reset(): void {
    this.#columns = Object.values(this.#kinds).map(createColumnBuilder);
    this.#blocks = [];
    this.#length = 0;
    this.#capacity = 0;
    this.#fault = undefined;
  }

  /** Checks that the server sends the expected columns; records a fault if not. */
  check(fields: readonly ResultField[]): void {
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
      this.#fault = error instanceof Error ? error : new Error(String(error));
    }
  }

  #read(bytes: Buffer, start: number): void {
    const columns = this.#columns;
    if (readInt16(bytes, start) !== columns.length)
      throw new TypeError('A row does not have the expected number of columns.');
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
    const names = Object.keys(this.#kinds);
    const data = this.#columns.map((column, index) => [names[index], column.cut(length)]);
    this.#blocks.push({ ...Object.fromEntries(data), length });
    this.#length = 0;
  }

  get fault(): Error | undefined {
    return this.#fault;
  }

  /** All rows received. */
  blocks(): readonly ColumnBlock<C>[] {
    this.#cut();
    return this.#blocks;
  }
}
