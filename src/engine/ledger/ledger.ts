// All transactions of a ledger as columns, in their total order. A ledger is immutable: adding or removing a row makes a new one
// that shares all chunks but one.

import type { Day } from '../../kit/day.ts';
import { defaultBounds, evenSplits, type ChunkBounds } from './columns/chunk-segment.ts';
import { removeRow, insertRows, type ChunkList, type RowLocation } from './columns/chunk-list.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import { chunkBytes, transactionAt, type LedgerScales } from './columns/ledger-chunk.ts';
import { LedgerError } from './ledger-error.ts';
import { LedgerDictionary, ListPrefix } from './columns/ledger-dictionary.ts';
import { StagedRows } from './columns/staged-rows.ts';
import type { PositionKey } from './position-key.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import type { HoldingPlace, LedgerTransaction } from './transaction.ts';

/** Identifies a row and says where to look for it. Any transaction will do. */
type RowKey = Pick<LedgerTransaction, 'row' | 'day'>;

/** Both days are included; a missing bound is open. */
interface LedgerDayRange {
  readonly from?: Day;
  readonly to?: Day;
}

interface LedgerParts {
  readonly chunks: ChunkList;
  readonly scales: LedgerScales;
  readonly names: LedgerDictionary;
  readonly bounds: ChunkBounds;
}

export class Ledger {
  readonly size: number;
  /** In order, with ordered rows. */
  readonly chunks: ChunkList;
  /** By chunk, the number of rows before it. */
  readonly starts: Uint32Array;
  readonly scales: LedgerScales;
  readonly #parts: LedgerParts;
  readonly #firstDays: Int32Array;
  readonly #positions: ListPrefix<PositionKey>;
  readonly #places: ListPrefix<HoldingPlace>;
  readonly #currencies: ListPrefix<IsoCurrency>;

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
    this.#positions = before === undefined ? new ListPrefix(names.positions) : before.#positions.extended();
    this.#places = before === undefined ? new ListPrefix(names.places) : before.#places.extended();
    this.#currencies = before === undefined ? new ListPrefix(names.currencies) : before.#currencies.extended();
  }

  /** Takes transactions in any order. */
  static from(transactions: Iterable<LedgerTransaction>, bounds: ChunkBounds = defaultBounds): Ledger {
    const names = new LedgerDictionary();
    const staged = new StagedRows(names);
    for (const transaction of transactions) staged.append(transaction);
    return Ledger.fromStaged(staged, { names, bounds });
  }

  static fromStaged(
    staged: StagedRows,
    { names, bounds }: Pick<LedgerParts, 'names' | 'bounds'>,
    before?: Ledger,
  ): Ledger {
    staged.checkNumbers();
    const scales = staged.scales();
    const order = staged.order();
    const cuts = staged.length === 0 ? [0] : evenSplits(staged.length, bounds);
    const chunks = cuts.slice(1).map((to, piece) => staged.chunk(order.subarray(cuts[piece]!, to), scales));
    return new Ledger({ chunks, scales, names, bounds }, before);
  }

  /**
   * The positions that rows name, by number. A number keeps its meaning in all ledgers derived from this one. Some positions may
   * have no row here any more, or only in a sibling.
   */
  get positions(): readonly PositionKey[] {
    return this.#positions.items;
  }

  get places(): readonly HoldingPlace[] {
    return this.#places.items;
  }

  get currencies(): readonly IsoCurrency[] {
    return this.#currencies.items;
  }

  findPosition(key: PositionKey): number | undefined {
    const position = this.#parts.names.findPosition(key);
    return position === undefined || position >= this.#positions.length ? undefined : position;
  }

  add(addition: LedgerTransaction | readonly LedgerTransaction[]): Ledger {
    const transactions = 'row' in addition ? [addition] : addition;
    if (transactions.length === 0) return this;
    if (transactions.length >= this.size) return this.rebuild(transactions);
    const { names, bounds } = this.#parts;
    const staged = new StagedRows(names);
    for (const transaction of transactions) staged.append(transaction);
    this.#checkNewNumbers(staged.numbers());
    const chunk = staged.chunk(staged.order(), this.scales);
    return new Ledger({ ...this.#parts, chunks: insertRows(this.chunks, chunk, bounds) }, this);
  }

  /** Returns the same rows, and perhaps more, with scales that suit them all: for when too many decimals have become wide. */
  rebuild(addition: readonly LedgerTransaction[] = []): Ledger {
    const staged = new StagedRows(this.#parts.names);
    for (const transaction of this.transactions()) staged.append(transaction);
    for (const transaction of addition) staged.append(transaction);
    return Ledger.fromStaged(staged, this.#parts, this);
  }

  /** Takes ascending numbers. Reads only chunks whose range contains one of them. */
  #checkNewNumbers(numbers: Float64Array): void {
    const [least, greatest] = [numbers[0]!, numbers.at(-1)!];
    const wanted = new Set(numbers);
    for (const { row, rowMin, rowMax } of this.chunks) {
      if (rowMax < least || rowMin > greatest) continue;
      const duplicate = row.find((number) => number >= least && number <= greatest && wanted.has(number));
      if (duplicate !== undefined) throw new LedgerError(`There is already a row ${duplicate}.`);
    }
  }

  remove(key: RowKey): Ledger {
    const location = this.#find(key);
    if (location === undefined) throw new LedgerError(`There is no row ${key.row} on its day.`);
    return new Ledger({ ...this.#parts, chunks: removeRow(this.chunks, location, this.#parts.bounds) }, this);
  }

  /** Replaces a row by another, which may have the same number. */
  replace(before: RowKey, after: LedgerTransaction): Ledger {
    return this.remove(before).add(after);
  }

  find(key: RowKey): LedgerTransaction | undefined {
    const location = this.#find(key);
    return location && transactionAt(this.chunks[location.chunk]!, location.index);
  }

  #find({ row, day }: RowKey): RowLocation | undefined {
    let chunk = Math.max(0, lastOnOrBefore(this.#firstDays, day - 1));
    for (; chunk < this.chunks.length && this.#firstDays[chunk]! <= day; chunk++) {
      const { row: rows, day: days, rowMin, rowMax } = this.chunks[chunk]!;
      const index = row < rowMin || row > rowMax ? -1 : rows.indexOf(row);
      if (index >= 0) return days[index] === day ? { chunk, index } : undefined;
    }
    return undefined;
  }

  /** Counts the rows up to and including a day. */
  countUntil(day: Day): number {
    const chunk = lastOnOrBefore(this.#firstDays, day);
    return chunk < 0 ? 0 : this.starts[chunk]! + lastOnOrBefore(this.chunks[chunk]!.day, day) + 1;
  }

  *transactions({ from = -Infinity, to = Infinity }: LedgerDayRange = {}): Generator<LedgerTransaction> {
    const end = this.countUntil(to);
    let at = this.countUntil(from - 1);
    for (let index = Math.max(0, lastOnOrBefore(this.#firstDays, from - 1)); at < end; index++) {
      const [chunk, start] = [this.chunks[index]!, this.starts[index]!];
      const stop = Math.min(end, start + chunk.length);
      for (; at < stop; at++) yield transactionAt(chunk, at - start);
    }
  }

  /** Memory of the columns; see chunkBytes for what is not included. */
  bytes(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunkBytes(chunk), 0);
  }
}
