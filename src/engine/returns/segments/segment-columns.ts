// Sums the columns of a set of positions as they come.

import type { Fixed } from '../../../kit/fixed.ts';
import { AmountColumn } from '../../amounts/amount-column.ts';
import type { SparseAmounts } from '../../amounts/sparse-amounts.ts';

/** By day: for all days, or only for the few that have any. */
export type PositionAmounts = AmountColumn | SparseAmounts;

/**
 * A position's value, flow, income and fees by day in the report's currency: the day before the window first, then each day of
 * the window. Flow, income and fees of that first day do not count.
 */
export interface PositionColumns {
  readonly values: AmountColumn;
  readonly flows: PositionAmounts;
  readonly income?: PositionAmounts;
  readonly fees?: PositionAmounts;
  /** If the gain is to be split. */
  readonly shares?: GainShares;
  /** Whether its value is nothing that anybody invested: a forward. */
  readonly isUninvested?: boolean;
  /** Whether anything of it was held in the window, even if it was worth nothing. */
  readonly isHeld?: boolean;
}

/** Parts of the gain of a window. */
export interface GainShares {
  /** What the currency brought. */
  readonly currency: Fixed;
  /** Interest that was earned and not booked. */
  readonly interest: Fixed;
}

/** Kept as sparse entries while only a few days have any. */
class ColumnSum {
  /** The zero column that all empty sums share. */
  readonly #blank: AmountColumn;
  #entries: SparseAmounts[] = [];
  #entryCount = 0;
  #column: AmountColumn | undefined;

  constructor(blank: AmountColumn) {
    this.#blank = blank;
  }

  add(term: PositionAmounts): void {
    this.#checkLength(term);
    if (term.isEmpty) return;
    if (term instanceof AmountColumn) this.#ensureColumn().addColumn(term);
    else this.#addEntries(term);
  }

  addSum(sum: ColumnSum): void {
    if (sum.#column !== undefined) this.add(sum.#column);
    for (const entries of sum.#entries) this.add(entries);
  }

  /** Takes ownership of the term: if it is the first, it becomes the sum. Otherwise returns it, for reuse. */
  takeOver(term: AmountColumn): AmountColumn | undefined {
    this.#checkLength(term);
    if (this.#isEmpty && !term.isEmpty) {
      this.#column = term;
      return undefined;
    }
    this.add(term);
    return term;
  }

  #addEntries(entries: SparseAmounts): void {
    this.#entryCount += entries.count;
    const isSparse = this.#entryCount * daysPerEntryMin <= entries.length;
    if (this.#column === undefined && isSparse) this.#entries.push(entries);
    else this.#ensureColumn().addSparse(entries);
  }

  #checkLength({ length }: PositionAmounts): void {
    if (length !== this.#blank.length) throw new RangeError('A column is not as long as the window.');
  }

  get #isEmpty(): boolean {
    return this.#column === undefined && this.#entries.length === 0;
  }

  #ensureColumn(): AmountColumn {
    if (this.#column !== undefined) return this.#column;
    this.#column = new AmountColumn(this.#blank.length);
    for (const entries of this.#entries) this.#column.addSparse(entries);
    this.#entries = [];
    return this.#column;
  }

  get column(): AmountColumn {
    return this.#isEmpty ? this.#blank : this.#ensureColumn();
  }

  /** Leaves out the first index, which does not count. */
  windowSum(): Fixed {
    if (this.#column !== undefined) return this.#column.sum() - this.#column.at(0);
    return this.#entries.reduce((sum, entries) => sum + entries.sum() - entries.at(0), 0n);
  }

  /** Read the result at once: without a column of its own, it is written to the scratch column. */
  read(scratch: AmountColumn): AmountColumn {
    if (this.#entries.length === 0) return this.column;
    scratch.clear();
    for (const entries of this.#entries) scratch.addSparse(entries);
    return scratch;
  }
}

function addShares(one: GainShares, other: GainShares): GainShares {
  return { currency: one.currency + other.currency, interest: one.interest + other.interest };
}

function hasValue(values: AmountColumn): boolean {
  for (let index = 0; index < values.length; index++) if (!values.isZero(index)) return true;
  return false;
}

/** A sum with more than one entry for this many days becomes a column. */
const daysPerEntryMin = 8;

type AmountName = 'flows' | 'income' | 'fees';

/** The sums of a segment's positions. */
export class SegmentColumns {
  readonly #blank: AmountColumn;
  /** Of the positions that nobody invested in. */
  #uninvested: SegmentColumns | undefined;
  #isCovered = false;
  #shares: GainShares = { currency: 0n, interest: 0n };
  readonly #values: ColumnSum;
  readonly #flows: ColumnSum;
  readonly #income: ColumnSum;
  readonly #fees: ColumnSum;

  constructor(blank: AmountColumn) {
    this.#blank = blank;
    this.#values = new ColumnSum(blank);
    this.#flows = new ColumnSum(blank);
    this.#income = new ColumnSum(blank);
    this.#fees = new ColumnSum(blank);
  }

  add(columns: PositionColumns): void {
    this.#addAmounts(columns);
    this.#values.add(columns.values);
  }

  /** Takes ownership of the values. Returns their column if it does not need it. */
  takeOver(columns: PositionColumns): AmountColumn | undefined {
    this.#addAmounts(columns);
    return this.#values.takeOver(columns.values);
  }

  #addAmounts(columns: PositionColumns): void {
    const { values, flows, income, fees, isHeld, isUninvested, shares } = columns;
    if (shares !== undefined) this.#shares = addShares(this.#shares, shares);
    this.#isCovered ||= (isHeld ?? hasValue(values)) || !flows.isEmpty;
    if (isUninvested === true) this.#ensureUninvested().add({ values, flows });
    this.#flows.add(flows);
    if (income) this.#income.add(income);
    if (fees) this.#fees.add(fees);
  }

  #ensureUninvested(): SegmentColumns {
    return (this.#uninvested ??= new SegmentColumns(this.#blank));
  }

  addSegment(segment: SegmentColumns): void {
    this.#isCovered ||= segment.#isCovered;
    this.#shares = addShares(this.#shares, segment.#shares);
    if (segment.#uninvested) this.#ensureUninvested().addSegment(segment.#uninvested);
    this.#values.addSum(segment.#values);
    this.#flows.addSum(segment.#flows);
    this.#income.addSum(segment.#income);
    this.#fees.addSum(segment.#fees);
  }

  get values(): AmountColumn {
    return this.#values.column;
  }

  get flows(): AmountColumn {
    return this.#flows.column;
  }

  get income(): AmountColumn {
    return this.#income.column;
  }

  get fees(): AmountColumn {
    return this.#fees.column;
  }

  /** The sums of its positions that nobody invested in. */
  get uninvested(): SegmentColumns | undefined {
    return this.#uninvested;
  }

  /** Zero if the gain was not to be split. */
  get shares(): GainShares {
    return this.#shares;
  }

  /** Whether any position was held or had flows in the window. */
  get isCovered(): boolean {
    return this.#isCovered;
  }

  /** Read the result at once: it may be in the scratch column. */
  read(name: AmountName, scratch: AmountColumn): AmountColumn {
    return this.#getSum(name).read(scratch);
  }

  /** Sums all days of the window. */
  windowSum(name: AmountName): Fixed {
    return this.#getSum(name).windowSum();
  }

  #getSum(name: AmountName): ColumnSum {
    return { flows: this.#flows, income: this.#income, fees: this.#fees }[name];
  }
}
