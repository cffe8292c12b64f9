// Keeps exact decimals as integer doubles × 10^-scale, and separately the few that do not fit.

import { fixedPlaces, type Fixed } from '../../kit/fixed.ts';

/** Values that only a few rows of a chunk have, by index. */
export type SparseColumn<T> = ReadonlyMap<number, T>;

export class DecimalColumn {
  /** Integers × 10^-scale up to 2^53 − 1. NaN marks a missing value, or one that is in `wide`. */
  readonly values: Float64Array;
  readonly scale: number;
  /** Values that do not fit a double. */
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

  /** Null if there is no value. */
  find(index: number): Fixed | null {
    return Number.isNaN(this.values[index]!) && !this.wide.has(index) ? null : this.get(index);
  }
}

const unitsByScale = Array.from({ length: fixedPlaces + 1 }, (_, scale) => 10n ** BigInt(fixedPlaces - scale));

/** One unit in the last place of a scale. */
export function unitAtScale(scale: number): Fixed {
  return unitsByScale[scale]!;
}
