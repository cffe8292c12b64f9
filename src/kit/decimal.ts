// Exact decimals at the edges, text in and canonical text out, never through a double. Knows no arithmetic.

/** Plain digits as numeric(38,18) holds them: no exponent, no needless zero, no "-0". Equal text is equal value. */
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
const lengthMax = 400;

const canonicalPattern = /^(?!-0$)-?(?:0|[1-9]\d{0,19})(?:\.\d{0,17}[1-9])?$/;
const jsonNumberPattern = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?)(\d+))?$/;

export function isDecimal(text: string): text is Decimal {
  return canonicalPattern.test(text);
}

/** Takes what JSON's grammar takes for a number. */
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

/** The canonical form of these digits with the point after so many of them: before the first or past the last, too. */
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

// Not by the pattern 0+$, which takes quadratic time.
function countTrailingZeros(digits: string): number {
  let count = 0;
  while (digits[digits.length - 1 - count] === '0') count++;
  return count;
}
