// Numbers and dates as SWIFT writes them: a comma before the decimals, years of two digits.

import { parseCalendarDate, toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { FieldFault } from '../field-fault.ts';
import { readDecimal } from '../stated-values.ts';
import type { SwiftField } from './swift-fields.ts';

export function fieldFault({ line, tag }: Pick<SwiftField, 'line' | 'tag'>, detail: string): FieldFault {
  return new FieldFault({ line, field: `:${tag}:` }, detail);
}

/** More than ten times what the standard allows, and enough for banks that write a field on one line. */
const fieldLineLengthMax = 4_096;

/** Refuses lines of a field that are too long to be read. */
export function refuseLongLines({ line, tag, lines }: SwiftField): void {
  const at = lines.findIndex(({ length }) => length > fieldLineLengthMax);
  if (at < 0) return;
  const detail = `The line has ${lines[at]!.length} characters, and at most ${fieldLineLengthMax} are read.`;
  throw fieldFault({ line: line + at, tag }, detail);
}

/** A number without a sign: `1234,5`, also `1234.5`. Undefined if it is none. */
export function readSwiftNumber(text: string): Decimal | undefined {
  return /^\d+(?:[.,]\d*)?$/.test(text) ? readDecimal(text.replace(/[.,]$/, '').replace(',', '.')) : undefined;
}

function dateOrUndefined(text: string): CalendarDate | undefined {
  try {
    return parseCalendarDate(text);
  } catch {
    return undefined;
  }
}

/** `YYMMDD`. Years from 80 on are those of the last century. */
export function readShortDate(text: string): CalendarDate | undefined {
  const [, year, month, day] = /^(\d{2})(\d{2})(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  return dateOrUndefined(`${Number(year) >= 80 ? '19' : '20'}${year}-${month}-${day}`);
}

/** `YYYYMMDD`, with or without a time after it. */
export function readLongDate(text: string): CalendarDate | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})(?!\d{1,5}$)/.exec(text) ?? [];
  return year === undefined ? undefined : dateOrUndefined(`${year}-${month}-${day}`);
}

/** `YYYYMMDD[HHMMSS]` as a moment in UTC. */
export function readLongMoment(text: string): string | undefined {
  const date = readLongDate(text);
  if (date === undefined) return undefined;
  const [, hour = '00', minute = '00', second = '00'] = /^\d{8}(\d{2})(\d{2})(\d{2})?/.exec(text) ?? [];
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
    ? `${date}T${hour}:${minute}:${second}Z`
    : undefined;
}

/** The day `MMDD` of the year in which it is nearest to another day: an entry in January may have a value date in December. */
export function nearestDate(monthAndDay: string, to: CalendarDate): CalendarDate | undefined {
  const [, month, day] = /^(\d{2})(\d{2})$/.exec(monthAndDay) ?? [];
  if (month === undefined) return undefined;
  const year = Number(to.slice(0, 4));
  const distance = (date: CalendarDate): number => Math.abs(toDayNumber(date) - toDayNumber(to));
  return [year, year - 1, year + 1]
    .flatMap((one) => dateOrUndefined(`${one}-${month}-${day}`) ?? [])
    .toSorted((one, other) => distance(one) - distance(other))[0];
}
