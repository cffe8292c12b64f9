// Numbers, dates and moments as statements write them in any format, without a locale.

import { DateFault, parseCalendarDate, type CalendarDate } from '../kit/calendar-date.ts';
import { DecimalFault, parseDecimal, zeroDecimal, type Decimal } from '../kit/decimal.ts';
import { formatInstant, parseInstant } from '../kit/instant.ts';

const plainNumber = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** Accepts what XML Schema accepts as a decimal: also a plus sign, leading zeros and a bare point. Undefined if it is no number. */
export function readDecimal(text: string): Decimal | undefined {
  try {
    return parseDecimal(text);
  } catch (error) {
    if (!(error instanceof DecimalFault)) throw error;
    return error.reason === 'not-a-decimal' ? readLooseDecimal(text) : undefined;
  }
}

function readLooseDecimal(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = ''] = plainNumber.exec(text) ?? [];
  if (sign === undefined || !/\d/.test(text)) return undefined;
  return readDecimal(`${sign === '-' ? '-' : ''}${whole.replace(/^0+/, '') || '0'}${fraction && `.${fraction}`}`);
}

/** The day that a date or a moment says in its own time zone. Undefined if there is no such day. */
export function readIsoDate(text: string): CalendarDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(?:Z|[+-]\d{2}:\d{2}|T.*)?$/.test(text)) return undefined;
  try {
    return parseCalendarDate(text.slice(0, 10));
  } catch (error) {
    if (error instanceof DateFault) return undefined;
    throw error;
  }
}

/** A moment in UTC; one without an offset is taken to be in UTC, so that moments of one sender can be compared. */
export function readMoment(text: string): string | undefined {
  const hasOffset = /(?:[Zz]|[+-]\d{2}:\d{2})$/.test(text);
  return readExactMoment(hasOffset ? text : `${text.length === 10 ? `${text}T00:00:00` : text}Z`);
}

/** Undefined if it does not say its offset. */
export function readExactMoment(text: string): string | undefined {
  try {
    return formatInstant(parseInstant(text));
  } catch {
    return undefined;
  }
}

/** What files write where they have no value. */
const missingWords = new Set(['', '-', '--', '–', '—', 'n/a', 'na', 'n.a.', 'none', 'null', '...']);

export function isNotAvailable(text: string): boolean {
  return missingWords.has(text.trim().toLowerCase());
}

export function negated(value: Decimal): Decimal {
  if (value === zeroDecimal) return value;
  return (value.startsWith('-') ? value.slice(1) : `-${value}`) as Decimal;
}

export function laterDate(one: CalendarDate | undefined, other: CalendarDate): CalendarDate {
  return one !== undefined && one > other ? one : other;
}
