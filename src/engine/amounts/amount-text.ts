// Writes the canonical text of a column's amounts from their parts, without converting them to big integers and without a string for each.

import {
  putFourDigits,
  putFourteenDigits,
  putInteger,
  putText,
  trimZeros,
  type AsciiTarget,
  type PutAscii,
} from '../../kit/text/ascii.ts';
import { fixedText, roundedText } from '../../kit/fixed.ts';
import type { AmountColumn } from './amount-column.ts';
import { lowUnit } from './amount-parts.ts';

const highPerWhole = 10_000;
const minus = 45;
const point = 46;

/**
 * Returns a function that writes the same text as `fixedText` by index, or as `roundedText` where a number of digits is given.
 * Valid until the column changes.
 */
export function amountWriter(column: AmountColumn, digits: number | null = null): PutAscii {
  if (digits !== null) return roundingWriter(column, digits);
  const parts = column.findParts();
  if (parts === undefined) return (index, target, at) => putText(fixedText(column.at(index)), target, at);
  const { high, low } = parts;
  return (index, target, at) => putParts(high[index]!, low[index]!, target, at);
}

/** The digits of the high part. */
const highDigits = 4;

function roundingWriter(column: AmountColumn, digits: number): PutAscii {
  const parts = digits > highDigits ? undefined : column.findParts();
  if (parts === undefined) return (index, target, at) => putText(roundedText(column.at(index), digits), target, at);
  const { high, low } = parts;
  return (index, target, at) => putText(roundParts(high[index]!, low[index]!, digits), target, at);
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
function putParts(high: number, low: number, target: AsciiTarget, at: number): number {
  if (high > 0 || (high === 0 && low >= 0)) return putPositive(high, low, target, at);
  target.bytes[at] = minus;
  return putPositive(-high, -low, target, at + 1);
}

/** Low may be negative while high is positive. */
function putPositive(high: number, low: number, target: AsciiTarget, at: number): number {
  if (low < 0) return putPositive(high - 1, low + lowUnit, target, at);
  const whole = Math.floor(high / highPerWhole);
  const tenThousandths = high - whole * highPerWhole;
  const end = putInteger(whole, target, at);
  if (low === 0 && tenThousandths === 0) return end;
  target.bytes[end] = point;
  const afterFour = putFourDigits(tenThousandths, target, end + 1);
  return trimZeros(target, low === 0 ? afterFour : putFourteenDigits(low, target, afterFour));
}
