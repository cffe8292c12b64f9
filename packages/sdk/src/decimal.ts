// Exact arithmetic on decimals as the service writes them: strings in, strings out, never through a double.

/** A decimal number as text, such as `"1234.56"`. */
export type Decimal = string;

/** `units` × 10^-`places`. */
interface Exact {
  readonly units: bigint;
  readonly places: number;
}

export type Rounding = 'half-even' | 'half-away' | 'down';

const placesMax = 100;
const pattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,2}))?$/i;

function read(value: Decimal | bigint): Exact {
  if (typeof value === 'bigint') return { units: value, places: 0 };
  const [matched, sign, whole, fraction = '', exponent = '0'] =
    (typeof value === 'string' && pattern.exec(value)) || [];
  if (matched === undefined) throw new TypeError(`Not a decimal as text: ${String(value)}`);
  const units = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
  const places = fraction.length - Number(exponent);
  return places < 0 ? { units: units * power(-places), places: 0 } : { units, places };
}

function power(places: number): bigint {
  return 10n ** BigInt(places);
}

/** Without zeros at the end, as the service answers. */
function write({ units, places }: Exact): Decimal {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const fraction = digits.slice(digits.length - places).replace(/(?<!0)0+$/, '');
  const whole = digits.slice(0, digits.length - places);
  return `${units < 0n ? '-' : ''}${whole}${places > 0 && fraction !== '' ? `.${fraction}` : ''}`;
}

/** Both numbers in the same units. */
function align(one: Exact, other: Exact): [bigint, bigint, number] {
  const places = Math.max(one.places, other.places);
  return [one.units * power(places - one.places), other.units * power(places - other.places), places];
}

function divideUnits(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  const rest = dividend % divisor;
  if (rest === 0n || rounding === 'down') return quotient;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const size = divisor < 0n ? -divisor : divisor;
  const isUp = twice > size || (twice === size && (rounding === 'half-away' || quotient % 2n !== 0n));
  if (!isUp) return quotient;
  return quotient + (dividend < 0n === divisor < 0n ? 1n : -1n);
}

function checkPlaces(places: number): void {
  if (!Number.isInteger(places) || places < 0 || places > placesMax)
    throw new RangeError(`The number of places is an integer from 0 to ${placesMax}.`);
}

type Operand = Decimal | bigint;

function add(one: Operand, other: Operand): Decimal {
  const [left, right, places] = align(read(one), read(other));
  return write({ units: left + right, places });
}

function negate(value: Operand): Decimal {
  const { units, places } = read(value);
  return write({ units: -units, places });
}

function compare(one: Operand, other: Operand): -1 | 0 | 1 {
  const [left, right] = align(read(one), read(other));
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function multiply(one: Operand, other: Operand): Decimal {
  const [left, right] = [read(one), read(other)];
  return write({ units: left.units * right.units, places: left.places + right.places });
}

/** Rounds to `places` digits after the point, 18 unless told otherwise. */
function divide(
  dividend: Operand,
  divisor: Operand,
  { places = 18, rounding = 'half-even' }: { places?: number; rounding?: Rounding } = {},
): Decimal {
  checkPlaces(places);
  const [left, right] = align(read(dividend), read(divisor));
  if (right === 0n) throw new RangeError('Division by zero.');
  return write({ units: divideUnits(left * power(places), right, rounding), places });
}

function round(value: Operand, places: number, rounding: Rounding = 'half-even'): Decimal {
  checkPlaces(places);
  const exact = read(value);
  if (exact.places <= places) return write(exact);
  return write({ units: divideUnits(exact.units, power(exact.places - places), rounding), places });
}

export interface DecimalFormat {
  /** Such as `de-CH`; the language of the machine unless told otherwise. */
  readonly locale?: string;
  /** Shows this many digits after the point, rounded half to even. All digits unless told otherwise. */
  readonly places?: number;
  /** Shows the number as an amount of this currency, such as `EUR`. */
  readonly currency?: string;
  /** Shows a fraction as a percentage: `0.0525` as `5.25 %`. */
  readonly percent?: boolean;
}

/** Shows a number to people, with all its digits or with `places`. */
function format(value: Operand, { locale, places, currency, percent }: DecimalFormat = {}): string {
  // A percentage has two places less than the fraction.
  const rounded = places === undefined ? write(read(value)) : round(value, percent ? places + 2 : places);
  const digits = rounded.split('.')[1]?.length ?? 0;
  const shown = places ?? Math.max(0, percent ? digits - 2 : digits);
  const options: Intl.NumberFormatOptions = {
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
    ...(currency === undefined ? {} : { style: 'currency', currency }),
    ...(percent ? { style: 'percent' } : {}),
  };
  // Given as text, `Intl` reads every digit.
  return new Intl.NumberFormat(locale, options).format(isNumeric(rounded) ? rounded : 0n);
}

function isNumeric(text: string): text is `${number}` {
  return pattern.test(text);
}

export const decimal = {
  add,
  subtract: (one: Operand, other: Operand): Decimal => add(one, negate(other)),
  multiply,
  divide,
  negate,
  absolute: (value: Operand): Decimal => (compare(value, 0n) < 0 ? negate(value) : write(read(value))),
  compare,
  equals: (one: Operand, other: Operand): boolean => compare(one, other) === 0,
  sum: (values: Iterable<Operand>): Decimal => [...values].reduce<Decimal>(add, '0'),
  round,
  format,
  isDecimal: (value: unknown): value is Decimal => typeof value === 'string' && pattern.test(value),
} as const;
