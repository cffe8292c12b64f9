// Shapes of number columns as integer doubles, shared by the ledger, series and quick passes.

import type { Fixed } from '../../kit/fixed.ts';

/** Integers × 10^-scale, exact below 2^53. NaN marks what does not fit. */
export interface ScaledColumn {
  readonly values: Float64Array;
  readonly scale: number;
}

/**
 * Integers × 10^-places, each value with its own number of places. NaN marks a missing value, or one of `wide` that has more
 * digits than a double.
 */
export interface DigitsColumn {
  readonly digits: Float64Array;
  readonly places: Uint8Array;
  readonly wide: ReadonlyMap<number, Fixed>;
}
