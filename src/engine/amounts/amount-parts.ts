// Splits an amount with 18 places into two integer doubles, high × 10^-4 + low × 10^-18, joins them again, sums and rounds them.

import type { Fixed } from '../../kit/fixed.ts';

export const lowUnit = 1e14;

/** The largest high: three of them, and what their lows carry over, still add up exactly. */
export const highMax = 2 ** 51;

/** The largest low while columns are summed: the sum of two stays below 2^53. */
export const lowMax = 2 ** 52;

/** Amount i is high[i] × 10^-4 + low[i] × 10^-18. */
export interface AmountParts {
  readonly high: Float64Array;
  readonly low: Float64Array;
}

const lowUnitFixed = 10n ** 14n;

export function highPart(amount: Fixed): number {
  return Number(amount / lowUnitFixed);
}

/** Has the sign of the amount and is below 10^14. */
export function lowPart(amount: Fixed): number {
  return Number(amount % lowUnitFixed);
}

export function amountFromParts(high: number, low: number): Fixed {
  return BigInt(high) * lowUnitFixed + BigInt(low);
}

/** Adding and subtracting it rounds a double within ±2^71 to a multiple of 2^20. */
const upperRoundingConstant = 3 * 2 ** 71;

/** 10^14 = 5^14 × 2^14 has 33 significant bits. Each of its two halves can be multiplied by a 33-bit number without loss. */
const lowUnitUpper = 46_566 * 2 ** 31;
const lowUnitLower = lowUnit - lowUnitUpper;

/**
 * Returns the double nearest to the amount × 10^18, the same as Number(amountFromParts(high, low)), for |high| up to 2^53 (or
 * half of such an integer) and |low| up to 2^52. The rounding error of the product is an integer up to 2^46, so it and low add up
 * exactly and only the last sum is rounded.
 */
export function amountAsDouble(high: number, low: number): number {
  const product = high * lowUnit;
  const upper = high + upperRoundingConstant - upperRoundingConstant;
  const productLoss = upper * lowUnitUpper - product + upper * lowUnitLower + (high - upper) * lowUnit;
  return product + (productLoss + low);
}

/** Sums all amounts of a column, whose highs are at most 2^51 + 50 and lows at most 10^14 away from zero. */
export function sumParts({ high: highs, low: lows }: AmountParts): Fixed {
  let sum = 0n;
  let high = 0;
  let low = 0;
  for (let index = 0, { length } = highs; index < length; index++) {
    high += highs[index]!;
    low += lows[index]!;
    if (Math.abs(high) < highMax && Math.abs(low) < lowMax) continue;
    sum += amountFromParts(high, low);
    high = 0;
    low = 0;
  }
  return sum + amountFromParts(high, low);
}

/** Sums what one column has more than another, without their last entries: as many as surely fit into doubles at a time. */
export function sumPartDifferences(one: AmountParts, other: AmountParts): Fixed {
  const { high: highs, low: lows } = one;
  const { high: otherHighs, low: otherLows } = other;
  const last = highs.length - 1;
  let sum = 0n;
  let high = 0;
  let low = 0;
  for (let index = 0; index < last; index++) {
    high += highs[index]! - otherHighs[index]!;
    low += lows[index]! - otherLows[index]!;
    if (high < highMax && high > -highMax && low < lowMax && low > -lowMax) continue;
    sum += amountFromParts(high, low);
    high = 0;
    low = 0;
  }
  return sum + amountFromParts(high, low);
}
