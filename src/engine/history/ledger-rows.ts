// A ledger as flat columns for one set of facts: rows in order with the numbers of their positions, and the rows of each
// position.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { transactionAt, type LedgerChunk } from '../ledger/columns/ledger-chunk.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import { countBelow, lastOnOrBefore } from '../amounts/series.ts';
import type { DayWindow } from '../quick/daily-points.ts';
import {
  transactionKinds,
  type LedgerTransaction,
  type TransactionDetails,
  type TransactionKind,
} from '../ledger/transaction.ts';

const noPosition = -1;

type DecimalName = 'quantity' | 'amount' | 'value' | 'price';

export class LedgerRows {
  readonly count: number;
  /** Booking numbers. */
  readonly numbers: Float64Array;
  readonly days: Int32Array;
  readonly kinds: Uint8Array;
  /** −1 for none. */
  readonly positions: Int32Array;
  readonly cash: Int32Array;
  /** Integers × 10^-scale; NaN if one does not fit. */
  readonly quantities: Float64Array;
  readonly amounts: Float64Array;
  readonly values: Float64Array;
  readonly ledger: Ledger;
  readonly #chunks: readonly LedgerChunk[];
  /** The first row of each chunk. */
  readonly #starts: Int32Array;
  /** Rows that have details, in order. */
  readonly rowsWithDetails: readonly number[];
  #prices: Float64Array | undefined;

  constructor(ledger: Ledger, table: PositionTable) {
    const count = ledger.size;
    this.ledger = ledger;
    this.count = count;
    this.numbers = new Float64Array(count);
    this.days = new Int32Array(count);
    this.kinds = new Uint8Array(count);
    this.positions = new Int32Array(count);
    this.cash = new Int32Array(count);
    this.quantities = new Float64Array(count);
    this.amounts = new Float64Array(count);
    this.values = new Float64Array(count);
    this.#chunks = ledger.chunks;
    this.#starts = new Int32Array(this.#chunks.length);
    this.rowsWithDetails = this.#fill(new PositionNumbers(ledger, table));
  }

  #fill(numbers: PositionNumbers): number[] {
    const rowsWithDetails: number[] = [];
    let start = 0;
    for (const [index, chunk] of this.#chunks.entries()) {
      this.#starts[index] = start;
      this.numbers.set(chunk.row, start);
      this.days.set(chunk.day, start);
      this.kinds.set(chunk.kind, start);
      this.quantities.set(chunk.quantity.values, start);
      this.amounts.set(chunk.amount.values, start);
      this.values.set(chunk.value.values, start);
      numbers.translate(chunk.position, this.positions.subarray(start));
      numbers.translate(chunk.cash, this.cash.subarray(start));
      for (const at of chunk.details.keys()) rowsWithDetails.push(start + at);
      start += chunk.length;
    }
    return rowsWithDetails;
  }

  /** Like quantities; NaN also if there is none. Most questions need no prices, so they are laid out on first use. */
  get prices(): Float64Array {
    if (this.#prices !== undefined) return this.#prices;
    const prices = new Float64Array(this.count);
    for (const [index, chunk] of this.#chunks.entries()) prices.set(chunk.price.values, this.#starts[index]);
    return (this.#prices = prices);
  }

  /** Counts the rows up to the end of the day. */
  countUntil(day: Day): number {
    return lastOnOrBefore(this.days, day) + 1;
  }

  /** The rows of the days, both included. */
  spanOf({ first, last }: DayWindow): RowSpan {
    return { from: this.countUntil(first - 1), to: this.countUntil(last) };
  }

  kind(index: number): TransactionKind {
    return transactionKinds[this.kinds[index]!]!;
  }

  transaction(index: number): LedgerTransaction {
    const { chunk, at } = this.#find(index);
    return transactionAt(chunk, at);
  }

  details(index: number): TransactionDetails | null {
    const { chunk, at } = this.#find(index);
    return chunk.details.get(at) ?? null;
  }

  get(name: DecimalName, index: number): Fixed {
    const { chunk, at } = this.#find(index);
    return chunk[name].get(at);
  }

  findPrice(index: number): Fixed | null {
    const { chunk, at } = this.#find(index);
    return chunk.price.find(at);
  }

  settlement(index: number): Day {
    const { chunk, at } = this.#find(index);
    return chunk.settlement[at]!;
  }

  #find(index: number): { chunk: LedgerChunk; at: number } {
    const found = lastOnOrBefore(this.#starts, index);
    return { chunk: this.#chunks[found]!, at: index - this.#starts[found]! };
  }
}

/** From one row up to another, without it. */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

const unknownNumber = -2;

/** Numbers the positions of a ledger by their first row. What only rows name that were removed since is no position. */
class PositionNumbers {
  readonly #ledger: Ledger;
  readonly #table: PositionTable;
  readonly #numbers: Int32Array;

  constructor(ledger: Ledger, table: PositionTable) {
    this.#ledger = ledger;
    this.#table = table;
    this.#numbers = new Int32Array(ledger.positions.length).fill(unknownNumber);
  }

  translate(from: Int32Array, to: Int32Array): void {
    const numbers = this.#numbers;
    for (let index = 0; index < from.length; index++) {
      const position = from[index]!;
      let number = position === noPosition ? noPosition : numbers[position]!;
      if (number === unknownNumber) number = this.#number(position);
      to[index] = number;
    }
  }

  #number(position: number): number {
    const key = this.#ledger.positions[position]!;
    return (this.#numbers[position] = this.#table.positionNumber(key));
  }
}

/** The rows of each position, in order. */
export class RowsByPosition {
  readonly #starts: Uint32Array;
  readonly #rows: Uint32Array;

  /** By row, the position it counts for; −1 for none. */
  constructor(positions: Int32Array, positionCount: number) {
    const ends = new Uint32Array(positionCount + 1);
    for (let row = 0; row < positions.length; row++) ends[positions[row]! + 1]!++;
    ends[0] = 0; // rows of no position are in no list
    for (let position = 1; position <= positionCount; position++) ends[position]! += ends[position - 1]!;
    this.#starts = ends;
    this.#rows = new Uint32Array(ends[positionCount]!);
    const next = ends.slice();
    for (let row = 0; row < positions.length; row++) {
      const position = positions[row]!;
      if (position !== noPosition) this.#rows[next[position]!++] = row;
    }
  }

  rowsOf(position: number): Uint32Array {
    if (position + 1 >= this.#starts.length) return this.#rows.subarray(0, 0);
    return this.#rows.subarray(this.#starts[position], this.#starts[position + 1]);
  }

  rowsWithin(position: number, { from, to }: RowSpan): Uint32Array {
    const all = this.rowsOf(position);
    return all.length === 0 ? all : all.subarray(countBelow(all, from), countBelow(all, to));
  }
}
