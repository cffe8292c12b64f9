// An amount at 18 places as two integer doubles, high × 10^-4 + low × 10^-18: how it is taken apart, put together and rounded.
// Knows no arrays.

import type { Fixed } from '../../kit/fixed.ts';

const lowUnit = 1e14;
const lowUnitFixed = 10n ** 14n;

export function highPart(amount: Fixed): number {
  return Number(amount / lowUnitFixed);
}

/** Has the sign of the amount, and less than 10^14 of it. */
export function lowPart(amount: Fixed): number {
  return Number(amount % lowUnitFixed);
}

export function amountFromParts(high: number, low: number): Fixed {
  return BigInt(high) * lowUnitFixed + BigInt(low);
}

/** Added and taken away again, it rounds what lies within ±2^71 to a multiple of 2^20. */
const upperRoundingConstant = 3 * 2 ** 71;

/** 10^14 = 5^14 × 2^14 has 33 bits that count. Of its two halves each can be multiplied by as many without loss. */
const lowUnitUpper = 46_566 * 2 ** 31;
const lowUnitLower = lowUnit - lowUnitUpper;

/**
 * The double nearest to the amount × 10^18, the same as Number(amountOf(high, low)), for |high| up to 2^53 and |low| up to 2^52;
 * also where high is half of such an integer.
 * What the product loses is an integer up to 2^46, so that it and low add up without loss and only the last sum is rounded.
 */
export function amountAsDouble(high: number, low: number): number {
  const product = high * lowUnit;
  const upper = high + upperRoundingConstant - upperRoundingConstant;
  const productLoss = upper * lowUnitUpper - product + upper * lowUnitLower + (high - upper) * lowUnit;
  return product + (productLoss + low);
}
