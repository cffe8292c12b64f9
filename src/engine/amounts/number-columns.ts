// Columns of exact numbers as doubles that are integers: the plain shapes that the ledger, series and quick passes share.

import type { Fixed } from '../../kit/fixed.ts';

/** Integers × 10^-scale, exact below 2^53. NaN marks what does not fit. */
export interface ScaledColumn {
  readonly values: Float64Array;
  readonly scale: number;
}

/** Integers × 10^-places, each with places of its own. NaN marks a missing value, or one of `wide` that has more digits than a double. */
export interface DigitsColumn {
  readonly digits: Float64Array;
  readonly places: Uint8Array;
  readonly wide: ReadonlyMap<number, Fixed>;
}
