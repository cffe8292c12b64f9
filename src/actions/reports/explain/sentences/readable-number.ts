// Writes numbers and days for readers: 1,005.00, 9.10 %, 3 Jan 2024. The exact digits are beside them in the figure.

import { defined } from '../../../../kit/assert.ts';
import { civilFromDay, type Day } from '../../../../kit/day.ts';
import { divideRounded, fixedText, type Fixed } from '../../../../kit/fixed.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function readableDay(day: Day): string {
  const { year, month, day: dayOfMonth } = civilFromDay(day);
  return `${dayOfMonth} ${defined(months[month - 1], 'a date has a month')} ${year}`;
}

interface Places {
  readonly min: number;
  readonly max: number;
}

const moneyPlaces: Places = { min: 2, max: 2 };
const pricePlaces: Places = { min: 2, max: 6 };
const unitPlaces: Places = { min: 0, max: 6 };

/** Money, rounded to two places. */
export function readableMoney(value: string, currency: string): string {
  return `${readableDecimal(value, moneyPlaces)} ${currency}`;
}

/** A price or a rate. */
export function readablePrice(value: string | Fixed): string {
  return readableDecimal(toText(value), pricePlaces);
}

export function readableUnits(value: string | Fixed): string {
  return readableDecimal(toText(value), unitPlaces);
}

/** A fraction as per cent. */
export function readablePercent(value: string): string {
  return `${readableDecimal(shiftPoint(value), moneyPlaces)} %`;
}

function toText(value: string | Fixed): string {
  return typeof value === 'bigint' ? fixedText(value) : value;
}

function shiftPoint(value: string): string {
  const [whole = '', fraction = ''] = value.replace('-', '').split('.');
  const digits = fraction.padEnd(2, '0');
  return `${value.startsWith('-') ? '-' : ''}${whole}${digits.slice(0, 2)}.${digits.slice(2)}`;
}

const groupedThousands = new Intl.NumberFormat('en');

/** Rounds half to even, and groups thousands. */
function readableDecimal(value: string, { min, max }: Places): string {
  const [whole = '', fraction = ''] = value.replace('-', '').split('.');
  const scale = 10n ** BigInt(Math.max(0, fraction.length - max));
  const rounded = divideRounded(BigInt(whole + fraction), scale);
  const places = Math.min(fraction.length, max);
  const digits = String(rounded).padStart(places + 1, '0');
  const at = digits.length - places;
  const rest = digits
    .slice(at)
    .replace(/(?<!0)0+$/, '')
    .padEnd(min, '0');
  const grouped = groupedThousands.format(BigInt(digits.slice(0, at)));
  const sign = value.startsWith('-') && rounded !== 0n ? '−' : '';
  return sign + grouped + (rest && `.${rest}`);
}
