// The rows of a statement that reads many things at once, told apart while they come: each piece has rows of one thing, which the first
// column names. Knows no table.

import { BinaryNames } from './name-interner.ts';
import { readInt32 } from './numeric.ts';
import { BinaryRows, type ColumnKinds, type Piece } from './binary-rows.ts';
import type { RowTaker } from '../statement.ts';

/** A row begins with the number of its columns; then each has its length before it. */
const [firstLengthAt, firstAt] = [2, 6];

export class PartedRows<C extends ColumnKinds = ColumnKinds> implements RowTaker {
  readonly #kinds: C;
  #names = new BinaryNames();
  /** By the number of the name. */
  #parts: BinaryRows<C>[] = [];
  #fault: Error | undefined;

  constructor(kinds: C) {
    this.#kinds = kinds;
  }

  /** Forgets what has come. */
  begin(): void {
    this.#names = new BinaryNames();
    this.#parts = [];
    this.#fault = undefined;
  }

  check(fields: Parameters<RowTaker['check']>[0]): void {
    const rows = new BinaryRows(this.#kinds);
    rows.check(fields);
    this.#fault ??= rows.fault;
  }

  take(bytes: Buffer, at: number): void {
    if (this.#fault !== undefined) return;
    const length = readInt32(bytes, at + firstLengthAt);
    if (length < 0) {
      this.#fault = new TypeError('A row does not say what it is of.');
      return;
    }
    const part = (this.#parts[this.#names.number(bytes, at + firstAt, length)] ??= new BinaryRows(this.#kinds));
    part.take(bytes, at);
    this.#fault = part.fault;
  }

  get fault(): Error | undefined {
    return this.#fault;
  }

  /** All that have come, those of one thing one after the other. */
  pieces(): readonly Piece<C>[] {
    return this.#parts.flatMap((part) => part.pieces());
  }
}
