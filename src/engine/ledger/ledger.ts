// All transactions of a ledger as columns, in their total order. A ledger never changes: a row more or less makes a new one that
// shares all but one chunk with it. Knows not what follows from the rows.

import type { Day } from '../../kit/day.ts';
import { usualBounds, evenCuts, type ChunkBounds } from './columns/chunk-segment.ts';
import { withoutRow, withRows, type ChunkList, type RowPlace } from './columns/chunk-list.ts';
import type { Currency } from '../currencies/exchange-rates.ts';
import { chunkBytes, transactionAt, type LedgerScales } from './columns/ledger-chunk.ts';
import { LedgerFault } from './ledger-error.ts';
import { LedgerNames, Prefix } from './columns/ledger-dictionary.ts';
import { StagedRows } from './columns/staged-rows.ts';
import type { PositionKey } from './position-key.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import type { Place, Transaction } from './transaction.ts';

/** Names a row and tells where to look for it: any transaction will do. */
export type RowKey = Pick<Transaction, 'row' | 'day'>;

/** Both days included; open where nothing is said. */
export interface DaySpan {
  readonly from?: Day;
  readonly to?: Day;
}

interface LedgerParts {
  readonly chunks: ChunkList;
  readonly scales: LedgerScales;
  readonly names: LedgerNames;
  readonly bounds: ChunkBounds;
}

export class Ledger {
  readonly size: number;
  /** In order, and each in order. */
  readonly chunks: ChunkList;
  /** By chunk, how many rows come before it. */
  readonly starts: Uint32Array;
  readonly scales: LedgerScales;
  readonly #parts: LedgerParts;
  readonly #firstDays: Int32Array;
  readonly #positions: Prefix<PositionKey>;
  readonly #places: Prefix<Place>;
  readonly #currencies: Prefix<Currency>;

  private constructor(parts: LedgerParts, before?: Ledger) {
    const { chunks, scales, names } = parts;
    this.#parts = parts;
    this.chunks = chunks;
    this.scales = scales;
    this.starts = new Uint32Array(chunks.length);
    this.#firstDays = new Int32Array(chunks.length);
    let size = 0;
    for (let index = 0; index < chunks.length; index++) {
      const chunk = chunks[index]!;
      this.starts[index] = size;
      this.#firstDays[index] = chunk.day[0]!;
      size += chunk.length;
    }
    this.size = size;
    this.#positions = before === undefined ? new Prefix(names.positions) : before.#positions.grown();
    this.#places = before === undefined ? new Prefix(names.places) : before.#places.grown();
    this.#currencies = before === undefined ? new Prefix(names.currencies) : before.#currencies.grown();
  }

  /** Transactions in any order. */
  static of(transactions: Iterable<Transaction>, bounds: ChunkBounds = usualBounds): Ledger {
    const names = new LedgerNames();
    const staged = new StagedRows(names);
    for (const transaction of transactions) staged.append(transaction);
    return Ledger.ofStaged(staged, { names, bounds });
  }

  /** The rows of a builder. */
  static ofStaged(
    staged: StagedRows,
    { names, bounds }: Pick<LedgerParts, 'names' | 'bounds'>,
    before?: Ledger,
  ): Ledger {
    staged.checkNumbers();
    const scales = staged.scales();
    const order = staged.order();
    const cuts = staged.length === 0 ? [0] : evenCuts(staged.length, bounds);
    const chunks = cuts.slice(1).map((to, piece) => staged.chunk(order.subarray(cuts[piece]!, to), scales));
    return new Ledger({ chunks, scales, names, bounds }, before);
  }

  /**
   * The positions that rows name, by number: a number keeps its meaning in all ledgers that come from this one. Some may have no row
   * here any more, or only in a sister.
   */
  get positions(): readonly PositionKey[] {
    return this.#positions.items;
  }

  get places(): readonly Place[] {
    return this.#places.items;
  }

  get currencies(): readonly Currency[] {
    return this.#currencies.items;
  }

  findPosition(key: PositionKey): number | undefined {
    const position = this.#parts.names.findPosition(key);
    return position === undefined || position >= this.#positions.length ? undefined : position;
  }

  add(addition: Transaction | readonly Transaction[]): Ledger {
    const transactions = 'row' in addition ? [addition] : addition;
    if (transactions.length === 0) return this;
    if (transactions.length >= this.size) return this.rebuilt(transactions);
    const { names, bounds } = this.#parts;
    const staged = new StagedRows(names);
    for (const transaction of transactions) staged.append(transaction);
    this.#checkNew(staged.numbers());
    const chunk = staged.chunk(staged.order(), this.scales);
    return new Ledger({ ...this.#parts, chunks: withRows(this.chunks, chunk, bounds) }, this);
  }

  /** The same rows and perhaps more, with scales that suit them all: for when too many decimals have become wide. */
  rebuilt(addition: readonly Transaction[] = []): Ledger {
    const staged = new StagedRows(this.#parts.names);
    for (const transaction of this.transactions()) staged.append(transaction);
    for (const transaction of addition) staged.append(transaction);
    return Ledger.ofStaged(staged, this.#parts, this);
  }

  /** Numbers rising. Only chunks that span one of them are read. */
  #checkNew(numbers: Float64Array): void {
    const [least, greatest] = [numbers[0]!, numbers.at(-1)!];
    const wanted = new Set(numbers);
    for (const { row, rowMin, rowMax } of this.chunks) {
      if (rowMax < least || rowMin > greatest) continue;
      const twin = row.find((number) => number >= least && number <= greatest && wanted.has(number));
      if (twin !== undefined) throw new LedgerFault(`There is a row ${twin} already.`);
    }
  }

  remove(key: RowKey): Ledger {
    const place = this.#find(key);
    if (place === undefined) throw new LedgerFault(`There is no row ${key.row} on its day.`);
    return new Ledger({ ...this.#parts, chunks: withoutRow(this.chunks, place, this.#parts.bounds) }, this);
  }

  /** One row for another, which may have the same number. */
  amend(before: RowKey, after: Transaction): Ledger {
    return this.remove(before).add(after);
  }

  find(key: RowKey): Transaction | undefined {
    const place = this.#find(key);
    return place && transactionAt(this.chunks[place.chunk]!, place.index);
  }

  #find({ row, day }: RowKey): RowPlace | undefined {
    let chunk = Math.max(0, lastOnOrBefore(this.#firstDays, day - 1));
    for (; chunk < this.chunks.length && this.#firstDays[chunk]! <= day; chunk++) {
      const { row: rows, day: days, rowMin, rowMax } = this.chunks[chunk]!;
      const index = row < rowMin || row > rowMax ? -1 : rows.indexOf(row);
      if (index >= 0) return days[index] === day ? { chunk, index } : undefined;
    }
    return undefined;
  }

  /** How many rows there are up to and including a day. */
  countUntil(day: Day): number {
    const chunk = lastOnOrBefore(this.#firstDays, day);
    return chunk < 0 ? 0 : this.starts[chunk]! + lastOnOrBefore(this.chunks[chunk]!.day, day) + 1;
  }

  /** In order. */
  *transactions({ from = -Infinity, to = Infinity }: DaySpan = {}): Generator<Transaction> {
    const end = this.countUntil(to);
    let at = this.countUntil(from - 1);
    for (let index = Math.max(0, lastOnOrBefore(this.#firstDays, from - 1)); at < end; index++) {
      const [chunk, start] = [this.chunks[index]!, this.starts[index]!];
      const stop = Math.min(end, start + chunk.length);
      for (; at < stop; at++) yield transactionAt(chunk, at - start);
    }
  }

  /** What the columns take; see chunkBytes for what is left out. */
  bytes(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunkBytes(chunk), 0);
  }
}
