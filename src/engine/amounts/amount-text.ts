// Writes the canonical text of a column's amounts from their parts, without converting them to big integers.

import { fixedText } from '../../kit/fixed.ts';
import type { AmountColumn } from './amount-column.ts';
import { lowUnit } from './amount-parts.ts';

const highPerWhole = 10_000;

/** Returns a function that gives the same text as `fixedText` by index. Valid until the column changes. */
export function amountFormatter(column: AmountColumn): (index: number) => string {
  const parts = column.findParts();
  if (parts === undefined) return (index) => fixedText(column.at(index));
  const { high, low } = parts;
  return (index) => formatAmountParts(high[index]!, low[index]!);
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
