// Calendar dates as text, and their conversion to and from day numbers.

import { ownText } from './memory/own-text.ts';
import { civilFromDay, dayFromCivil, daysInMonth, type Day } from './day.ts';

/** YYYY-MM-DD, a real day from 1900-01-01 to 2200-12-31. Sorts as text. */
export type CalendarDate = string & { readonly __brand: 'CalendarDate' };

type DateFaultReason = 'not-a-date' | 'no-such-day' | 'out-of-range';

export class DateFault extends Error {
  readonly reason: DateFaultReason;

  constructor(reason: DateFaultReason, detail: string) {
    super(detail);
    this.name = 'DateFault';
    this.reason = reason;
  }
}

const yearMin = 1900;
const yearMax = 2200;

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The date that was read last: rows that follow each other mostly have the same. */
let lastRead: string | undefined;

export function parseCalendarDate(text: string): CalendarDate {
  if (text === lastRead) return text as CalendarDate;
  const match = datePattern.exec(text);
  if (!match) throw new DateFault('not-a-date', 'must be a date in the form YYYY-MM-DD');
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw new DateFault('no-such-day', 'must be a day that exists');
  }
  if (year < yearMin || year > yearMax) throw outOfRange();
  lastRead = ownText(text);
  return text as CalendarDate;
}

function outOfRange(): DateFault {
  return new DateFault('out-of-range', `must be a date from ${yearMin}-01-01 to ${yearMax}-12-31`);
}

/** Days since 1970-01-01. */
export function toDayNumber(date: CalendarDate): Day {
  return dayFromCivil({ year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8)) });
}

const dayNumberMin = toDayNumber(parseCalendarDate(`${yearMin}-01-01`));
const dayNumberMax = toDayNumber(parseCalendarDate(`${yearMax}-12-31`));

export function fromDayNumber(dayNumber: Day): CalendarDate {
  if (!Number.isInteger(dayNumber) || dayNumber < dayNumberMin || dayNumber > dayNumberMax) throw outOfRange();
  const { year, month, day } = civilFromDay(dayNumber);
  return `${year}-${twoDigits(month)}-${twoDigits(day)}` as CalendarDate;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}
