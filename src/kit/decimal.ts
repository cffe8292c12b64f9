// Exact decimals as canonical text: parsed from text without going through a double. `fixed.ts` computes with them.

/** Plain digits as numeric(38,18) stores them: no exponent, no redundant zero, no "-0". Equal texts are equal values. */
export type Decimal = string & { readonly __brand: 'Decimal' };

export type DecimalFaultReason = 'not-a-decimal' | 'too-long' | 'exponent-too-long' | 'too-large' | 'too-fine';

export class DecimalFault extends Error {
  readonly reason: DecimalFaultReason;

  constructor(reason: DecimalFaultReason, detail: string) {
    super(detail);
    this.name = 'DecimalFault';
    this.reason = reason;
  }
}

const integerDigitsMax = 20;
const fractionDigitsMax = 18;
const exponentDigitsMax = 2;
/** In characters, leading and trailing zeros included. */
const lengthMax = 400;

const canonicalPattern = /^(?!-0$)-?(?:0|[1-9]\d{0,19})(?:\.\d{0,17}[1-9])?$/;
const jsonNumberPattern = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?)(\d+))?$/;

export function isDecimal(text: string): text is Decimal {
  return canonicalPattern.test(text);
}

/** Accepts what JSON's grammar accepts as a number. */
export function parseDecimal(text: string): Decimal {
  if (isDecimal(text)) return text;
  if (text.length > lengthMax) throw new DecimalFault('too-long', `must have at most ${lengthMax} characters`);
  const [, minus, whole = '', fraction = '', sign = '', power = ''] = jsonNumberPattern.exec(text) ?? [];
  if (minus === undefined) throw new DecimalFault('not-a-decimal', 'must be a decimal such as -1234.5');
  if (power.length > exponentDigitsMax) {
    throw new DecimalFault('exponent-too-long', `must have an exponent of at most ${exponentDigitsMax} digits`);
  }
  const magnitude = placePoint(whole + fraction, whole.length + Number(sign + power));
  return (magnitude === '0' ? magnitude : minus + magnitude) as Decimal;
}

/** Puts the point after `integerLength` digits, which may be negative or beyond the last, and removes redundant zeros. */
function placePoint(digits: string, integerLength: number): string {
  const padded = digits.padStart(digits.length - integerLength, '0').padEnd(integerLength, '0');
  const pointAt = Math.max(integerLength, 0);
  const integer = padded.slice(countLeadingZeros(padded.slice(0, pointAt)), pointAt);
  const fraction = padded.slice(pointAt, padded.length - countTrailingZeros(padded.slice(pointAt)));
  if (integer.length > integerDigitsMax) {
    throw new DecimalFault('too-large', `must have at most ${integerDigitsMax} digits before the point`);
  }
  if (fraction.length > fractionDigitsMax) {
    throw new DecimalFault('too-fine', `must have at most ${fractionDigitsMax} digits after the point`);
  }
  return (integer || '0') + (fraction && `.${fraction}`);
}

function countLeadingZeros(digits: string): number {
  let count = 0;
  while (digits[count] === '0') count++;
  return count;
}

// A loop, since the pattern 0+$ takes quadratic time.
function countTrailingZeros(digits: string): number {
  let count = 0;
  while (digits[digits.length - 1 - count] === '0') count++;
  return count;
}

/** The shortest decimal that reads back as the same double, without an exponent. */
export function doubleText(value: number): string {
  const [text, size] = [String(value), Math.abs(value)];
  // JavaScript writes an exponent only outside this range; comparing is faster than searching the text for one.
  if ((size >= 1e-6 && size < 1e21) || !text.includes('e')) return text;
  const [digits = '', exponent] = text.split('e');
  const [whole = '', part = ''] = digits.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const all = (whole + part).padEnd(point, '0');
  const sign = value < 0 ? '-' : '';
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${all}` : `${sign}${all.slice(0, point)}`;
}

export const zeroDecimal: Decimal = parseDecimal('0');
