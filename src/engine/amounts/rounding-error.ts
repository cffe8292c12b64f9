// Returns what a product or a sum of two doubles loses to rounding, exactly, as a double.

/** 2^27 + 1 splits 53 bits into two halves whose products are exact (Veltkamp, Dekker 1971). */
const splitter = 2 ** 27 + 1;

/** one × other − the double nearest to it. */
export function productError(one: number, other: number): number {
  const product = one * other;
  const oneShifted = splitter * one;
  const oneUpper = oneShifted - (oneShifted - one);
  const oneLower = one - oneUpper;
  const otherShifted = splitter * other;
  const otherUpper = otherShifted - (otherShifted - other);
  const otherLower = other - otherUpper;
  return oneUpper * otherUpper - product + oneUpper * otherLower + oneLower * otherUpper + oneLower * otherLower;
}

/** one + other − the double nearest to it (Knuth's two-sum). */
export function sumError(one: number, other: number): number {
  const sum = one + other;
  const otherPart = sum - one;
  return one - (sum - otherPart) + (other - otherPart);
}
