// Rows whose amounts are about to be added up, as columns that are used again and again. Knows not what they are added to.

import type { Rows } from '../../history/ledger-rows.ts';
import type { DatedColumn } from '../../quick/quick-values.ts';

/** How the amount of each row counts: as its kind does, with an instrument or without. */
export interface RowSigns {
  readonly table: Int8Array;
  readonly kinds: Uint8Array;
  readonly positions: Int32Array;
}

/** Where a table of signs has that of a row. */
export function signIndex(kind: number, position: number): number {
  return 2 * kind + (position < 0 ? 0 : 1);
}

const lengthAtFirst = 1_024;

export class GatheredRows {
  readonly #rows: Rows;
  #gathered = gatheredOf(lengthAtFirst);
  #length = 0;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  get length(): number {
    return this.#length;
  }

  /** Of those asked for, those that count. */
  gather(asked: Uint32Array, signs: RowSigns): void {
    if (asked.length > this.#gathered.rows.length) this.#gathered = gatheredOf(asked.length);
    const { table, kinds, positions } = signs;
    const { days, amounts } = this.#rows;
    this.#length = gatherRows(asked, { table, kinds, positions, days, amounts }, this.#gathered);
  }

  row(index: number): number {
    return this.#gathered.rows[index]!;
  }

  sign(index: number): number {
    return this.#gathered.signs[index]!;
  }

  /** The first index from which on the amounts are in other cash. */
  endOfCash(start: number): number {
    return endOfSame(this.#rows.cash, this.#gathered.rows.subarray(start, this.#length)) + start;
  }

  /** Good until the next are gathered. */
  column(start: number, end: number): DatedColumn {
    return {
      days: this.#gathered.days.subarray(start, end),
      values: this.#gathered.values.subarray(start, end),
      scale: this.#rows.ledger.scales.amount,
    };
  }
}

interface Gathered {
  readonly rows: Uint32Array;
  readonly days: Int32Array;
  readonly values: Float64Array;
  readonly signs: Int8Array;
}

function gatheredOf(length: number): Gathered {
  return {
    rows: new Uint32Array(length),
    days: new Int32Array(length),
    values: new Float64Array(length),
    signs: new Int8Array(length),
  };
}

/** By itself, and with nothing but arrays: what is compiled for it outlives the rows. Answers how many there are. */
function gatherRows(
  asked: Uint32Array,
  { table, kinds, positions, days, amounts }: RowSigns & Pick<Rows, 'days' | 'amounts'>,
  gathered: Gathered,
): number {
  const { rows, days: ownDays, values, signs } = gathered;
  let length = 0;
  for (let index = 0; index < asked.length; index++) {
    const row = asked[index]!;
    const sign = table[signIndex(kinds[row]!, positions[row]!)]!;
    if (sign === 0) continue;
    rows[length] = row;
    signs[length] = sign;
    ownDays[length] = days[row]!;
    values[length++] = sign * amounts[row]!;
  }
  return length;
}

/** How many of the rows at first have the same. */
function endOfSame(column: Int32Array, rows: Uint32Array): number {
  const own = column[rows[0]!];
  let end = 1;
  while (end < rows.length && column[rows[end]!] === own) end++;
  return end;
}
