// Computes the lots of positions that are only bought and sold: in one quick pass where possible, and from there row by row.

import type { Day } from '../../kit/day.ts';
import type { Pieces } from '../../kit/turns/pieces.ts';
import type { AmountColumn } from '../amounts/amount-column.ts';
import type { LotBookContext, LotBookChanges } from '../lots/lot-book-changes.ts';
import { LotBooks } from '../lots/lot-books.ts';
import type { LotBook, LotRules } from '../lots/lot-book.ts';
import type { QuantityAndCost } from '../lots/lot.ts';
import type { TradeColumns } from '../quick/lot-pass-state.ts';
import { quickLots, type QuickLots } from '../quick/quick-lots.ts';
import { countBelow } from '../amounts/series.ts';
import { costGroups, positionsWithoutRate, referenceCosts, type CostGroup } from './reference-costs.ts';
import type { LedgerRows, RowsByPosition } from './ledger-rows.ts';

interface TradedLotsContext extends LotBookContext {
  readonly rows: LedgerRows;
  readonly byPosition: RowsByPosition;
  /** By row, the position it trades if the quick pass can process all its rows; −1 otherwise. */
  readonly ownRows: Int32Array;
  /** The same for positions whose currency is not the reference currency. */
  readonly foreignRows: Int32Array;
  isForeign(position: number): boolean;
  isQuick(position: number): boolean;
}

interface LotsAtRow {
  readonly count: number;
  readonly lots: readonly (QuickLots | undefined)[];
}

interface DaySpan {
  readonly from: Day;
  readonly to: Day;
}

const lotsAtRowsMax = 16;

export class TradedLots {
  readonly #context: TradedLotsContext;
  /** By number of rows, fewest first. */
  readonly #lotsAtRows: LotsAtRow[] = [];
  #foreignCosts: AmountColumn | undefined;
  /** Positions in other currencies that lack a rate for a purchase. */
  readonly #unrated: ReadonlySet<number>;
  readonly #ratedRows: Int32Array;
  /** Until their costs are computed. */
  #ratedPurchases: readonly CostGroup[];
  /** One pass for each method that positions have: nearly always one. */
  readonly #rulesByPass: readonly LotRules[];

  constructor(context: TradedLotsContext) {
    this.#context = context;
    const { foreignRows, table } = context;
    this.#rulesByPass = [...new Set(table.positions.map((_, position) => context.rulesOf(position)))];
    const purchases = costGroups(context, foreignRows);
    const unrated = positionsWithoutRate(context, purchases);
    this.#unrated = unrated;
    const isRated = unrated.size === 0;
    this.#ratedRows = isRated ? foreignRows : foreignRows.map((position) => (unrated.has(position) ? -1 : position));
    this.#ratedPurchases = isRated ? purchases : costGroups(context, this.#ratedRows);
  }

  /** At the end of the day. Read only. */
  lotBook(position: number, day: Day): LotBook {
    return this.#booksUntil(position, this.#context.rows.countUntil(day)).find(position)!;
  }

  quantityAndCost(position: number, day: Day): QuantityAndCost {
    const count = this.#context.rows.countUntil(day);
    const lotsAtRow = this.#lotsBefore(count);
    const lots = this.#findLots(lotsAtRow, position);
    const isSame = lots !== undefined && this.#hasNoRow(position, lotsAtRow.count, count);
    return isSame ? lots.total : this.lotBook(position, day).guardedTotal;
  }

  #hasNoRow(position: number, from: number, to: number): boolean {
    return from === to || this.#rowsBetween(position, from, to).length === 0;
  }

  /** What the rows of a span did, row by row. */
  bookedRows(position: number, span: DaySpan): LotBookChanges[] {
    const { books, rows } = this.#openSpan(position, span);
    return [...rows].map((row) => books.apply(this.#context.rows.transaction(row)));
  }

  /** The same in pieces, one for each row. */
  *bookedRowPieces(position: number, span: DaySpan): Pieces<LotBookChanges[]> {
    const { books, rows } = this.#openSpan(position, span);
    const changes: LotBookChanges[] = [];
    for (const row of rows) {
      changes.push(books.apply(this.#context.rows.transaction(row)));
      yield;
    }
    return changes;
  }

  /** The books before a span, and its rows. */
  #openSpan(position: number, { from, to }: DaySpan): { readonly books: LotBooks; readonly rows: Uint32Array } {
    const { rows } = this.#context;
    const [start, end] = [rows.countUntil(from - 1), rows.countUntil(to)];
    return { books: this.#booksUntil(position, start), rows: this.#rowsBetween(position, start, end) };
  }

  #booksUntil(position: number, count: number): LotBooks {
    const lotsAtRow = this.#lotsBefore(count);
    const lots = this.#findLots(lotsAtRow, position);
    const books = new LotBooks(this.#context, lots === undefined ? undefined : new Map([[position, lots.book()]]));
    books.open(position);
    for (const row of this.#rowsBetween(position, lots === undefined ? 0 : lotsAtRow.count, count)) {
      books.apply(this.#context.rows.transaction(row));
    }
    return books;
  }

  #findLots({ lots }: LotsAtRow, position: number): QuickLots | undefined {
    const isQuick = this.#context.isQuick(position) && !this.#unrated.has(position);
    return isQuick ? lots[position] : undefined;
  }

  #rowsBetween(position: number, from: number, to: number): Uint32Array {
    const all = this.#context.byPosition.rowsOf(position);
    return all.subarray(countBelow(all, from), countBelow(all, to));
  }

  /** The latest that is not beyond; a new one if the way from there would be longer than half of the whole. */
  #lotsBefore(count: number): LotsAtRow {
    const found = this.#lotsAtRows.findLast((lotsAtRow) => lotsAtRow.count <= count);
    if (found !== undefined && (count - found.count) * 2 <= count) return found;
    const computed = { count, lots: this.#computeLotsUntil(count) };
    if (this.#lotsAtRows.length >= lotsAtRowsMax) this.#lotsAtRows.shift();
    this.#lotsAtRows.push(computed);
    this.#lotsAtRows.sort((one, other) => one.count - other.count);
    return computed;
  }

  #computeLotsUntil(count: number): readonly (QuickLots | undefined)[] {
    const { rows, ownRows, isForeign, table } = this.#context;
    const cost = { values: rows.values.subarray(0, count), scale: rows.ledger.scales.value };
    const own = this.#computeLots(count, { positions: ownRows, cost, referenceCost: cost });
    this.#foreignCosts ??= referenceCosts(this.#context, this.#ratedPurchases);
    this.#ratedPurchases = [];
    const rated = { positions: this.#ratedRows, cost, referenceCost: this.#foreignCosts };
    const foreign = this.#computeLots(count, rated);
    return table.positions.map((_, position) => (isForeign(position) ? foreign : own)[position]);
  }

  #computeLots(
    count: number,
    { positions, ...costs }: Required<Pick<TradeColumns, 'positions' | 'cost' | 'referenceCost'>>,
  ): readonly (QuickLots | undefined)[] {
    const { rows, table } = this.#context;
    const columns: Omit<TradeColumns, 'positions'> = {
      ...costs,
      days: rows.days.subarray(0, count),
      quantity: { values: rows.quantities.subarray(0, count), scale: rows.ledger.scales.quantity },
      numbers: rows.numbers,
    };
    const positionCount = table.positions.length;
    const passes = this.#rulesByPass.map((rules) => {
      const ofRules = this.#positionsUnder(rules, positions.subarray(0, count));
      return quickLots({ ...columns, positions: ofRules }, { rules, positionCount });
    });
    const [only] = passes;
    if (passes.length === 1 && only !== undefined) return only;
    return table.positions.map((_, position) => {
      const pass = this.#rulesByPass.indexOf(this.#context.rulesOf(position));
      return passes[pass]?.[position];
    });
  }

  /** The rows of positions with these rules; −1 for others. */
  #positionsUnder(rules: LotRules, positions: Int32Array): Int32Array {
    if (this.#rulesByPass.length === 1) return positions;
    const isUnder = this.#context.table.positions.map((_, position) => this.#context.rulesOf(position) === rules);
    return positions.map((position) => (isUnder[position] === true ? position : -1));
  }
}
