// The columns of a set of positions, summed as the positions come. Knows no axes and no returns.

import type { AmountColumn } from '../amount-column.ts';

/**
 * What a position was worth, what flowed into it, what it earned and what it was charged, by day in the report's currency: the
 * day before the window first, then each day of the window. What flowed, was earned or charged on that first one does not count.
 */
export interface PositionColumns {
  readonly values: AmountColumn;
  readonly flows: AmountColumn;
  readonly income?: AmountColumn;
  readonly fees?: AmountColumn;
}

/** A sum that is its first term itself until a second one comes, and before that the blank column that all sums share. */
class ColumnSum {
  #column: AmountColumn;
  #termCount = 0;

  constructor(blank: AmountColumn) {
    this.#column = blank;
  }

  add(term: AmountColumn | undefined): void {
    if (term === undefined) return;
    if (term.length !== this.#column.length) throw new RangeError('A column is not as long as the window.');
    if (term.isBlank) return;
    this.#termCount++;
    if (this.#termCount === 1) {
      this.#column = term;
      return;
    }
    if (this.#termCount === 2) this.#column = this.#column.copy();
    this.#column.addColumn(term);
  }

  get column(): AmountColumn {
    return this.#column;
  }
}

/** Columns that are added must not be changed afterwards: a set of one position has that position's own. */
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

  add({ values, flows, income, fees }: PositionColumns): void {
    this.#values.add(values);
    this.#flows.add(flows);
    this.#income.add(income);
    this.#fees.add(fees);
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
}
