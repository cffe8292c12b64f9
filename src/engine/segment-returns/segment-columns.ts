// The columns of a set of positions, summed as the positions come. Knows no axes and no returns.

import { AmountColumn } from '../amount-column.ts';

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

/** A sum that is its first term itself until a second one comes. */
class ColumnSum {
  readonly #length: number;
  #sum: AmountColumn | undefined;
  #isOwn = false;

  constructor(length: number) {
    this.#length = length;
  }

  add(term: AmountColumn | undefined): void {
    if (term === undefined) return;
    if (term.length !== this.#length) throw new RangeError('A column is not as long as the window.');
    if (term.isBlank) return;
    if (this.#sum === undefined) {
      this.#sum = term;
      return;
    }
    if (!this.#isOwn) this.#sum = this.#sum.copy();
    this.#isOwn = true;
    this.#sum.addColumn(term);
  }

  get column(): AmountColumn {
    return (this.#sum ??= new AmountColumn(this.#length));
  }
}

/** Columns that are added must not be changed afterwards: a set of one position has that position's own. */
export class SegmentColumns implements Required<PositionColumns> {
  readonly #values: ColumnSum;
  readonly #flows: ColumnSum;
  readonly #income: ColumnSum;
  readonly #fees: ColumnSum;

  constructor(length: number) {
    this.#values = new ColumnSum(length);
    this.#flows = new ColumnSum(length);
    this.#income = new ColumnSum(length);
    this.#fees = new ColumnSum(length);
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
