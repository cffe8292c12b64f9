// Rows whose amounts are about to be added up, as columns that are used again and again. Knows not what they are added to.

import type { Rows } from '../history/rows.ts';
import type { DatedColumn } from '../quick-values.ts';

const lengthAtFirst = 1_024;

export class GatheredRows {
  readonly #rows: Rows;
  #found = new Uint32Array(lengthAtFirst);
  #days = new Int32Array(lengthAtFirst);
  #values = new Float64Array(lengthAtFirst);
  #signs = new Int8Array(lengthAtFirst);
  #length = 0;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Whether those gathered have their amounts in other cash. */
  isOfOther(cash: number): boolean {
    return this.#length > 0 && this.#rows.cash[this.#found[0]!] !== cash;
  }

  add(row: number, sign: number): void {
    if (this.#length === this.#found.length) this.#grow();
    this.#found[this.#length] = row;
    this.#signs[this.#length] = sign;
    this.#days[this.#length] = this.#rows.days[row]!;
    this.#values[this.#length++] = sign * this.#rows.amounts[row]!;
  }

  row(index: number): number {
    return this.#found[index]!;
  }

  sign(index: number): number {
    return this.#signs[index]!;
  }

  /** Good until the next change. */
  column(): DatedColumn {
    return {
      days: this.#days.subarray(0, this.#length),
      values: this.#values.subarray(0, this.#length),
      scale: this.#rows.ledger.scales.amount,
    };
  }

  #grow(): void {
    const length = 2 * this.#length;
    const [found, days, values, signs] = [this.#found, this.#days, this.#values, this.#signs];
    this.#found = new Uint32Array(length);
    this.#days = new Int32Array(length);
    this.#values = new Float64Array(length);
    this.#signs = new Int8Array(length);
    this.#found.set(found);
    this.#days.set(days);
    this.#values.set(values);
    this.#signs.set(signs);
  }
}
