// Calendar dates as text and as day numbers, by Gregorian rules alone. Knows no time of day, no zone and no clock.

/** YYYY-MM-DD, a real day from 1900-01-01 to 2200-12-31. Sorts as text. */
export type CalendarDate = string & { readonly __brand: 'CalendarDate' };

export type DateFaultReason = 'not-a-date' | 'no-such-day' | 'out-of-range';

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

const pattern = /^(\d{4})-(\d{2})-(\d{2})$/;

export function parseCalendarDate(text: string): CalendarDate {
  const match = pattern.exec(text);
  if (!match) throw new DateFault('not-a-date', 'must be a date as YYYY-MM-DD');
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw new DateFault('no-such-day', 'must be a day that exists');
  }
  if (year < yearMin || year > yearMax) throw outOfRange();
  return text as CalendarDate;
}

function outOfRange(): DateFault {
  return new DateFault('out-of-range', `must be a date from ${yearMin}-01-01 to ${yearMax}-12-31`);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

// Howard Hinnant's days_from_civil and civil_from_days: years begin in March, so that the leap day is a year's last, and
// each era of 400 years has the same number of days. Positive years only, so truncation is floor.
const daysPerEra = 146_097;
const daysFromMarchOfYear0 = 719_468;

/** Days since 1970-01-01. */
export function toDayNumber(date: CalendarDate): number {
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))];
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.trunc(marchYear / 400);
  const yearOfEra = marchYear % 400;
  const dayOfYear = Math.trunc((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.trunc(yearOfEra / 4) - Math.trunc(yearOfEra / 100);
  return era * daysPerEra + yearOfEra * 365 + leapDays + dayOfYear - daysFromMarchOfYear0;
}

const dayNumberMin = toDayNumber(parseCalendarDate(`${yearMin}-01-01`));
const dayNumberMax = toDayNumber(parseCalendarDate(`${yearMax}-12-31`));

export function fromDayNumber(dayNumber: number): CalendarDate {
  if (!Number.isInteger(dayNumber) || dayNumber < dayNumberMin || dayNumber > dayNumberMax) throw outOfRange();
  const days = dayNumber + daysFromMarchOfYear0;
  const era = Math.trunc(days / daysPerEra);
  const dayOfEra = days % daysPerEra;
  const leapDays = Math.trunc(dayOfEra / 1_460) - Math.trunc(dayOfEra / 36_524) + Math.trunc(dayOfEra / 146_096);
  const yearOfEra = Math.trunc((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.trunc(yearOfEra / 4) - Math.trunc(yearOfEra / 100));
  const monthFromMarch = Math.trunc((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.trunc((153 * monthFromMarch + 2) / 5) + 1;
  const month = ((monthFromMarch + 2) % 12) + 1;
  const year = era * 400 + yearOfEra + (month > 2 ? 0 : 1);
  return `${year}-${twoDigits(month)}-${twoDigits(day)}` as CalendarDate;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}
