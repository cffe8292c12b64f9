// The lots of positions that are only bought and sold: all of them in one quick pass where it can, and from there row by row.
// Knows no corporate actions and no uploads.

import type { Day } from '../../kit/day.ts';
import { Books, type BookContext, type Booked } from '../books.ts';
import type { LotBook } from '../lot-book.ts';
import type { Stake } from '../lot.ts';
import { quickLots, type QuickLedger, type QuickLots } from '../quick-lots.ts';
import type { Rows, RowsByPosition } from './rows.ts';

export interface PlainContext extends BookContext {
  readonly rows: Rows;
  readonly byPosition: RowsByPosition;
  /** By row, the position whose trade it is where the quick pass can do all of them; −1 for all else. */
  readonly quickPositions: Int32Array;
  isQuick(position: number): boolean;
}

interface Kept {
  readonly count: number;
  readonly lots: readonly (QuickLots | undefined)[];
}

const keptMax = 16;

export class PlainLots {
  readonly #context: PlainContext;
  /** After so many rows, the fewest first. */
  readonly #kept: Kept[] = [];

  constructor(context: PlainContext) {
    this.#context = context;
  }

  /** At the end of the day. Not to be changed. */
  book(position: number, day: Day): LotBook {
    return this.#booksUntil(position, this.#context.rows.countUntil(day)).find(position)!;
  }

  stake(position: number, day: Day): Stake {
    const count = this.#context.rows.countUntil(day);
    const kept = this.#keptBefore(count);
    const lots = this.#findLots(kept, position);
    const isSame = lots !== undefined && this.#rowsBetween(position, kept.count, count).length === 0;
    return isSame ? lots.total : this.book(position, day).total;
  }

  /** What the rows of a span did, row by row. */
  booked(position: number, span: { readonly from: Day; readonly to: Day }): Booked[] {
    const { rows } = this.#context;
    const [start, end] = [rows.countUntil(span.from - 1), rows.countUntil(span.to)];
    const books = this.#booksUntil(position, start);
    return [...this.#rowsBetween(position, start, end)].map((row) => books.apply(rows.transaction(row)));
  }

  #booksUntil(position: number, count: number): Books {
    const kept = this.#keptBefore(count);
    const lots = this.#findLots(kept, position);
    const books = new Books(this.#context, lots === undefined ? undefined : new Map([[position, lots.book()]]));
    books.open(position);
    for (const row of this.#rowsBetween(position, lots === undefined ? 0 : kept.count, count)) {
      books.apply(this.#context.rows.transaction(row));
    }
    return books;
  }

  #findLots({ lots }: Kept, position: number): QuickLots | undefined {
    return this.#context.isQuick(position) ? lots[position] : undefined;
  }

  #rowsBetween(position: number, from: number, to: number): Uint32Array {
    const all = this.#context.byPosition.of(position);
    return all.subarray(countBelow(all, from), countBelow(all, to));
  }

  /** The latest that is not beyond; a new one where the way from there would be longer than half of the whole. */
  #keptBefore(count: number): Kept {
    const found = this.#kept.findLast((kept) => kept.count <= count);
    if (found !== undefined && (count - found.count) * 2 <= count) return found;
    const fresh = { count, lots: this.#passUntil(count) };
    if (this.#kept.length >= keptMax) this.#kept.shift();
    this.#kept.push(fresh);
    this.#kept.sort((one, other) => one.count - other.count);
    return fresh;
  }

  #passUntil(count: number): readonly (QuickLots | undefined)[] {
    const { rows, quickPositions, rules, table } = this.#context;
    const { quantity, value } = rows.ledger.scales;
    const cost = { values: rows.values.subarray(0, count), scale: value };
    const ledger: QuickLedger = {
      positions: quickPositions.subarray(0, count),
      days: rows.days.subarray(0, count),
      quantity: { values: rows.quantities.subarray(0, count), scale: quantity },
      cost,
      referenceCost: cost,
      numbers: rows.numbers,
    };
    return quickLots(ledger, { rules, openings: table.positions.map(() => []) });
  }
}

/** How many of the ordered rows are below a number. */
function countBelow(rows: Uint32Array, limit: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
