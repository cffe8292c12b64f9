// Separates the rows of a statement that reads many records at once, as they arrive: each block has rows of one record, named by the
// first column.

import { NameInterner } from './name-interner.ts';
import { readInt32 } from './numeric.ts';
import { BinaryRows, type ColumnKinds, type ColumnBlock } from './binary-rows.ts';
import type { ResultField, RowConsumer } from '../statement.ts';

/** A row begins with the number of its columns; each column's length precedes its bytes. */
const [firstLengthOffset, firstOffset] = [2, 6];

export class GroupedRows<C extends ColumnKinds = ColumnKinds> implements RowConsumer {
  readonly #kinds: C;
  #names = new NameInterner();
  /** By the number of the record's name. */
  #groups: BinaryRows<C>[] = [];
  #fault: Error | undefined;

  constructor(kinds: C) {
    this.#kinds = kinds;
  }

  reset(): void {
    this.#names = new NameInterner();
    this.#groups = [];
    this.#fault = undefined;
  }

  check(fields: readonly ResultField[]): void {
    const rows = new BinaryRows(this.#kinds);
    rows.check(fields);
    this.#fault ??= rows.fault;
  }

  take(bytes: Buffer, at: number): void {
    if (this.#fault !== undefined) return;
    const length = readInt32(bytes, at + firstLengthOffset);
    if (length < 0) {
      this.#fault = new TypeError('A row does not name its record: its first column is null.');
      return;
    }
    const group = (this.#groups[this.#names.number(bytes, at + firstOffset, length)] ??= new BinaryRows(this.#kinds));
    group.take(bytes, at);
    this.#fault = group.fault;
  }

  get fault(): Error | undefined {
    return this.#fault;
  }

  /** All rows received, those of one record together. */
  blocks(): readonly ColumnBlock<C>[] {
    return this.#groups.flatMap((group) => group.blocks());
  }
}
