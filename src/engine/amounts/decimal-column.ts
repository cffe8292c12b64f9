// Exact decimals as doubles that are integers × 10^-scale, and beside them the few that do not fit. Knows not what they count.

import { fixedPlaces, type Fixed } from '../../kit/fixed.ts';

/** By index in a chunk: what few rows have. */
export type SparseColumn<T> = ReadonlyMap<number, T>;

export class DecimalColumn {
  /** Integers × 10^-scale up to 2^53 − 1; NaN for what does not fit, and for none. */
  readonly values: Float64Array;
  readonly scale: number;
  /** What does not fit. */
  readonly wide: SparseColumn<Fixed>;
  readonly #unit: Fixed;

  constructor(column: { readonly values: Float64Array; readonly scale: number; readonly wide: SparseColumn<Fixed> }) {
    this.values = column.values;
    this.scale = column.scale;
    this.wide = column.wide;
    this.#unit = unitAtScale(column.scale);
  }

  get(index: number): Fixed {
    const value = this.values[index]!;
    return Number.isNaN(value) ? this.wide.get(index)! : BigInt(value) * this.#unit;
  }

  /** Null for none. */
  find(index: number): Fixed | null {
    return Number.isNaN(this.values[index]!) && !this.wide.has(index) ? null : this.get(index);
  }
}

const unitsByScale = Array.from({ length: fixedPlaces + 1 }, (_, scale) => 10n ** BigInt(fixedPlaces - scale));

/** One in the last place of a scale. */
export function unitAtScale(scale: number): Fixed {
  return unitsByScale[scale]!;
}
