// Collects rows whose amounts are to be summed, in columns that are reused.

import type { LedgerRows } from '../../history/ledger-rows.ts';
import type { DatedColumn } from '../../quick/quick-values.ts';

/** How each row's amount counts, by its kind and whether it has an instrument. */
export interface RowSigns {
  readonly table: Int8Array;
  readonly kinds: Uint8Array;
  readonly positions: Int32Array;
}

/** The index of a row's sign in the table. */
export function signIndex(kind: number, position: number): number {
  return 2 * kind + (position < 0 ? 0 : 1);
}

const initialLength = 1_024;

export class SelectedRows {
  readonly #rows: LedgerRows;
  #buffers = createBuffers(initialLength);
  #length = 0;

  constructor(rows: LedgerRows) {
    this.#rows = rows;
  }

  get length(): number {
    return this.#length;
  }

  /** Keeps the candidates that count. */
  select(candidates: Uint32Array, signs: RowSigns): void {
    if (candidates.length > this.#buffers.rows.length) this.#buffers = createBuffers(candidates.length);
    const { table, kinds, positions } = signs;
    const { days, amounts } = this.#rows;
    this.#length = selectRows(candidates, { table, kinds, positions, days, amounts }, this.#buffers);
  }

  row(index: number): number {
    return this.#buffers.rows[index]!;
  }

  sign(index: number): number {
    return this.#buffers.signs[index]!;
  }

  /** The first index from which amounts belong to another cash position. */
  endOfSameCash(start: number): number {
    return countSameValue(this.#rows.cash, this.#buffers.rows.subarray(start, this.#length)) + start;
  }

  /** Valid until the next selection. */
  column(start: number, end: number): DatedColumn {
    return {
      days: this.#buffers.days.subarray(start, end),
      values: this.#buffers.values.subarray(start, end),
      scale: this.#rows.ledger.scales.amount,
    };
  }
}

interface SelectionBuffers {
  readonly rows: Uint32Array;
  readonly days: Int32Array;
  readonly values: Float64Array;
  readonly signs: Int8Array;
}

function createBuffers(length: number): SelectionBuffers {
  return {
    rows: new Uint32Array(length),
    days: new Int32Array(length),
    values: new Float64Array(length),
    signs: new Int8Array(length),
  };
}

/**
 * A function of its own that takes only arrays, so that the compiled code outlives the rows. Returns how many rows were selected.
 */
function selectRows(
  candidates: Uint32Array,
  { table, kinds, positions, days, amounts }: RowSigns & Pick<LedgerRows, 'days' | 'amounts'>,
  buffers: SelectionBuffers,
): number {
  const { rows, days: selectedDays, values, signs } = buffers;
  let length = 0;
  for (let index = 0; index < candidates.length; index++) {
    const row = candidates[index]!;
    const sign = table[signIndex(kinds[row]!, positions[row]!)]!;
    if (sign === 0) continue;
    rows[length] = row;
    signs[length] = sign;
    selectedDays[length] = days[row]!;
    values[length++] = sign * amounts[row]!;
  }
  return length;
}

/** Counts how many rows at the front have the same value. */
function countSameValue(column: Int32Array, rows: Uint32Array): number {
  const firstValue = column[rows[0]!];
  let end = 1;
  while (end < rows.length && column[rows[end]!] === firstValue) end++;
  return end;
}
