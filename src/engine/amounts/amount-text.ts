// Writes the text of a column's amounts, rounded from their parts where that is enough: without converting them to big integers.

import { fixedText, roundedText } from '../../kit/fixed.ts';
import type { AmountColumn } from './amount-column.ts';
import { lowUnit } from './amount-parts.ts';

/** The digits of the high part. */
const highDigits = 4;

/**
 * Returns the same text as `fixedText` by index, or as `roundedText` where a number of digits is given. Valid until the column changes.
 */
export function amountText(column: AmountColumn, digits: number | null): (index: number) => string {
  if (digits === null) return (index) => fixedText(column.at(index));
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
