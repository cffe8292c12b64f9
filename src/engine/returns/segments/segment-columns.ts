// The columns of a set of positions, summed as the positions come. Knows no axes and no returns.

import type { Fixed } from '../../../kit/fixed.ts';
import { AmountColumn } from '../../amounts/amount-column.ts';
import type { SparseAmounts } from '../../amounts/sparse-amounts.ts';

/** By day, of all days or of the few that have any. */
export type PositionAmounts = AmountColumn | SparseAmounts;

/**
 * What a position was worth, what flowed into it, what it earned and what it was charged, by day in the report's currency: the
 * day before the window first, then each day of the window. What flowed, was earned or charged on that first one does not count.
 */
export interface PositionColumns {
  readonly values: AmountColumn;
  readonly flows: PositionAmounts;
  readonly income?: PositionAmounts;
  readonly fees?: PositionAmounts;
}

/** As long as only few days have any, it is kept as the entries it was given. */
class ColumnSum {
  /** Of nothing: all such sums share it. */
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

  /** The term is handed over: where it is the first, it becomes the sum. If not, it is answered: no one needs it. */
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

  /** Without the first place: what stands there does not count. */
  windowSum(): Fixed {
    if (this.#column !== undefined) return this.#column.sum() - this.#column.at(0);
    return this.#entries.reduce((sum, entries) => sum + entries.sum() - entries.at(0), 0n);
  }

  /** To be read at once: where there is no column yet, it is put into the one lent. */
  read(scratch: AmountColumn): AmountColumn {
    if (this.#entries.length === 0) return this.column;
    scratch.clear();
    for (const entries of this.#entries) scratch.addSparse(entries);
    return scratch;
  }
}

/** A sum with more entries than one for so many days is a column. */
const daysPerEntryMin = 8;

export type AmountName = 'flows' | 'income' | 'fees';

/** What the positions of a segment come to. */
export class SegmentColumns implements Required<PositionColumns> {
  readonly #values: ColumnSum;
  readonly #flows: ColumnSum;
  readonly #income: ColumnSum;
  readonly #fees: ColumnSum;

  constructor(blank: AmountColumn) {
    this.#values = new ColumnSum(blank);
    this.#flows = new ColumnSum(blank);
    this.#income = new ColumnSum(blank);
    this.#fees = new ColumnSum(blank);
  }

  add(columns: PositionColumns): void {
    this.#values.add(columns.values);
    this.#addAmounts(columns);
  }

  /** The values are handed over. If it does not need their column, it answers it. */
  takeOver(columns: PositionColumns): AmountColumn | undefined {
    this.#addAmounts(columns);
    return this.#values.takeOver(columns.values);
  }

  #addAmounts({ flows, income, fees }: PositionColumns): void {
    this.#flows.add(flows);
    if (income) this.#income.add(income);
    if (fees) this.#fees.add(fees);
  }

  addSegment(segment: SegmentColumns): void {
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

  /** To be read at once: it may be put into the column that is lent for it. */
  read(name: AmountName, scratch: AmountColumn): AmountColumn {
    return this.#getSum(name).read(scratch);
  }

  /** Over all days of the window. */
  windowSum(name: AmountName): Fixed {
    return this.#getSum(name).windowSum();
  }

  #getSum(name: AmountName): ColumnSum {
    return { flows: this.#flows, income: this.#income, fees: this.#fees }[name];
  }
}
