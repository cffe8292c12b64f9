// Exact arithmetic on decimals with 18 digits after the point, as integers scaled by 10^18.

import type { Decimal } from './decimal.ts';

/** A decimal × 10^18. Add and subtract with + and −; multiply and divide with the functions below. */
export type Fixed = bigint;

export const fixedPlaces = 18;
export const oneFixed: Fixed = 10n ** 18n;

/** 38 digits in total: the limit of numeric(38,18) and of the wires. */
const fixedLimit = 10n ** 38n;

/** How to round. `half-even` and `half-up` go to the nearer neighbour and differ only at equal distance. */
export type Rounding = 'half-even' | 'half-up' | 'down' | 'up' | 'floor' | 'ceiling';

export class FixedFault extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'FixedFault';
  }
}

/** 10^18 for a decimal without digits after the point, 10^17 with one, and so on. */
const scales: readonly Fixed[] = Array.from(
  { length: fixedPlaces + 1 },
  (_, places) => 10n ** BigInt(fixedPlaces - places),
);
/** Texts of at most this many digits, a sign and a point are read as doubles, which are exact and faster. */
const exactLengthMax = 15;

export function toFixed(decimal: Decimal): Fixed {
  return scaled(decimal);
}

const fixedPattern = /^-?\d+(?:\.\d{1,18})?$/;

/** Reads what `fixedText` writes: a figure of any length. */
export function parseFixed(text: string): Fixed {
  if (!fixedPattern.test(text)) throw new FixedFault('A figure is written with digits, at most 18 after the point.');
  return scaled(text);
}

function scaled(decimal: string): Fixed {
  const point = decimal.indexOf('.');
  const places = point < 0 ? 0 : decimal.length - point - 1;
  const digits = point < 0 ? decimal : decimal.slice(0, point) + decimal.slice(point + 1);
  const scale = scales[places];
  if (scale === undefined) throw new FixedFault('A decimal has at most 18 digits after the point.');
  return BigInt(digits.length <= exactLengthMax ? Number(digits) : digits) * scale;
}

export function toFixedOrNull(decimal: Decimal | null | undefined): Fixed | null {
  return decimal == null ? null : toFixed(decimal);
}

export function fromFixed(value: Fixed): Decimal {
  if (value <= -fixedLimit || value >= fixedLimit)
    throw new FixedFault('A result has more than 20 digits before the point.');
  return fixedText(value) as Decimal;
}

const zeroCode = '0'.charCodeAt(0);

/** Writes a value of any length: a sum of storable values may be too large to store. */
export function fixedText(value: Fixed): string {
  if (value === 0n) return '0';
  const isNegative = value < 0n;
  const digits = (isNegative ? -value : value).toString().padStart(fixedPlaces + 1, '0');
  const point = digits.length - fixedPlaces;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === zeroCode) end--;
  const whole = `${isNegative ? '-' : ''}${digits.slice(0, point)}`;
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}

/** Writes exactly this many digits after the point, rounded half to even. Zero has no sign. */
export function roundedText(value: Fixed, digits: number): string {
  const rounded = divideRounded(value, 10n ** BigInt(fixedPlaces - digits));
  const text = magnitude(rounded)
    .toString()
    .padStart(digits + 1, '0');
  const sign = rounded < 0n ? '-' : '';
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Divides two integers and rounds once. */
export function divideRounded(dividend: bigint, divisor: bigint, rounding: Rounding = 'half-even'): bigint {
  if (divisor === 0n) throw new FixedFault('Division by zero.');
  const quotient = dividend / divisor; // towards zero
  const remainder = dividend - quotient * divisor;
  if (remainder === 0n) return quotient;
  const stepAwayFromZero = dividend < 0n === divisor < 0n ? 1n : -1n;
  return isRoundedAway(quotient, remainder, { divisor, stepAwayFromZero, rounding })
    ? quotient + stepAwayFromZero
    : quotient;
}

interface RoundingCase {
  readonly divisor: bigint;
  readonly stepAwayFromZero: bigint;
  readonly rounding: Rounding;
}

function isRoundedAway(
  quotient: bigint,
  remainder: bigint,
  { divisor, stepAwayFromZero, rounding }: RoundingCase,
): boolean {
  switch (rounding) {
    case 'down':
      return false;
    case 'up':
      return true;
    case 'floor':
      return stepAwayFromZero < 0n;
    case 'ceiling':
      return stepAwayFromZero > 0n;
    default: {
      const doubled = 2n * magnitude(remainder);
      const whole = magnitude(divisor);
      if (doubled !== whole) return doubled > whole;
      return rounding === 'half-up' || quotient % 2n !== 0n;
    }
  }
}

export function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [larger, smaller] = [one, other];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

export function multiply(one: Fixed, other: Fixed, rounding: Rounding = 'half-even'): Fixed {
  return divideRounded(one * other, oneFixed, rounding);
}

export function divide(dividend: Fixed, divisor: Fixed, rounding: Rounding = 'half-even'): Fixed {
  return divideRounded(dividend * oneFixed, divisor, rounding);
}

/** Computes one × other ÷ divisor with a single rounding at the end. */
export function multiplyDivide(one: Fixed, other: Fixed, divisor: Fixed, rounding: Rounding = 'half-even'): Fixed {
  return divideRounded(one * other, divisor, rounding);
}

/** Converts to a double, exact to one unit in the last place. For ratios only: amounts stay exact. */
export function toRatio(value: Fixed): number {
  return Number(value) / 1e18;
}

/** part ÷ whole as the nearest double: small shares keep all their digits. The whole must not be zero. */
export function ratioOf(part: bigint, whole: bigint): number {
  const [dividend, divisor] = [magnitude(part), magnitude(whole)];
  const shift = BigInt(Math.max(0, 4 * (hexLength(divisor) - hexLength(dividend)) + 70));
  const quotient = (dividend << shift) / divisor;
  // A last bit that is set stands for everything that was cut off, so that the conversion rounds correctly.
  const isExact = quotient * divisor === dividend << shift;
  const ratio = Number(isExact ? quotient : quotient | 1n) / 2 ** Number(shift);
  return part < 0n === whole < 0n ? ratio : -ratio;
}

function hexLength(value: bigint): number {
  return value.toString(16).length;
}
