// The rows of a statement that reads many things at once, told apart while they come: each piece has rows of one thing, which the first
// column names. Knows no table.

import { NameInterner } from './name-interner.ts';
import { readInt32 } from './numeric.ts';
import { BinaryRows, type ColumnKinds, type ColumnBlock } from './binary-rows.ts';
import type { RowConsumer } from '../statement.ts';

/** A row begins with the number of its columns; then each has its length before it. */
const [firstLengthOffset, firstOffset] = [2, 6];

export class GroupedRows<C extends ColumnKinds = ColumnKinds> implements RowConsumer {
  readonly #kinds: C;
  #names = new NameInterner();
  /** By the number of the name. */
  #groups: BinaryRows<C>[] = [];
  #fault: Error | undefined;

  constructor(kinds: C) {
    this.#kinds = kinds;
  }

  /** Forgets what has come. */
  reset(): void {
    this.#names = new NameInterner();
    this.#groups = [];
    this.#fault = undefined;
  }

  check(fields: Parameters<RowConsumer['check']>[0]): void {
    const rows = new BinaryRows(this.#kinds);
    rows.check(fields);
    this.#fault ??= rows.fault;
  }

  take(bytes: Buffer, at: number): void {
    if (this.#fault !== undefined) return;
    const length = readInt32(bytes, at + firstLengthOffset);
    if (length < 0) {
      this.#fault = new TypeError('A row does not say what it is of.');
      return;
    }
    const group = (this.#groups[this.#names.number(bytes, at + firstOffset, length)] ??= new BinaryRows(this.#kinds));
    group.take(bytes, at);
    this.#fault = group.fault;
  }

  get fault(): Error | undefined {
    return this.#fault;
  }

  /** All that have come, those of one thing one after the other. */
  blocks(): readonly ColumnBlock<C>[] {
    return this.#groups.flatMap((group) => group.blocks());
  }
}
