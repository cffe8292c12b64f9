// Writes the canonical text of a column's amounts from their parts, without converting them to big integers.

import { fixedText, roundedText } from '../../kit/fixed.ts';
import type { AmountColumn } from './amount-column.ts';
import { lowUnit } from './amount-parts.ts';

const highPerWhole = 10_000;

/**
 * Returns a function that gives the same text as `fixedText` by index, or as `roundedText` where a number of digits is given.
 * Valid until the column changes.
 */
export function amountFormatter(column: AmountColumn, digits: number | null = null): (index: number) => string {
  if (digits !== null) return roundingFormatter(column, digits);
  const parts = column.findParts();
  if (parts === undefined) return (index) => fixedText(column.at(index));
  const { high, low } = parts;
  return (index) => formatAmountParts(high[index]!, low[index]!);
}

/** The digits of the high part. */
const highDigits = 4;

function roundingFormatter(column: AmountColumn, digits: number): (index: number) => string {
  const parts = digits > highDigits ? undefined : column.findParts();
  if (parts === undefined) return (index) => roundedText(column.at(index), digits);
  const { high, low } = parts;
  return (index) => roundParts(high[index]!, low[index]!, digits);
}

function roundParts(high: number, low: number, digits: number): string {
  if (high > 0 || (high === 0 && low >= 0)) return roundedUnits(roundPositive(high, low, digits), digits);
  const rounded = roundPositive(-high, -low, digits);
  return rounded === 0 ? roundedUnits(0, digits) : `-${roundedUnits(rounded, digits)}`;
}

/** The nearest number of units of 10^-digits, half to even. */
function roundPositive(high: number, low: number, digits: number): number {
  if (low < 0) return roundPositive(high - 1, low + lowUnit, digits);
  const unit = 10 ** (highDigits - digits);
  const rest = high % unit;
  const down = (high - rest) / unit;
  const beyondHalf = unit === 1 ? 2 * low - lowUnit : 2 * rest - unit || low;
  return beyondHalf > 0 || (beyondHalf === 0 && down % 2 === 1) ? down + 1 : down;
}

function roundedUnits(units: number, digits: number): string {
  if (digits === 0) return String(units);
  const text = String(units).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Both parts must be integers; low must be below 10^14. */
function formatAmountParts(high: number, low: number): string {
  return high < 0 || (high === 0 && low < 0) ? `-${formatPositive(-high, -low)}` : formatPositive(high, low);
}

/** Low may be negative while high is positive. */
function formatPositive(high: number, low: number): string {
  if (low < 0) return formatPositive(high - 1, low + lowUnit);
  const whole = Math.floor(high / highPerWhole);
  const tenThousandths = high - whole * highPerWhole;
  if (low === 0) return tenThousandths === 0 ? String(whole) : whole + cachedFraction(tenThousandths);
  return `${whole}.${padToFour(tenThousandths)}${trimTrailingZeros(String(low).padStart(14, '0'))}`;
}

const fractionCache: (string | undefined)[] = Array.from({ length: highPerWhole });

/** Includes the decimal point. There are only 10,000 of them, and most amounts need one. */
function cachedFraction(tenThousandths: number): string {
  return (fractionCache[tenThousandths] ??= `.${trimTrailingZeros(padToFour(tenThousandths))}`);
}

function padToFour(value: number): string {
  return value >= 1_000 ? String(value) : String(value).padStart(4, '0');
}

function trimTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}
