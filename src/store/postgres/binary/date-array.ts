// Writes an array of days as PostgreSQL receives it in binary: in a fraction of the time that it takes to read them from text.

import { parseCalendarDate, toDayNumber } from '../../../kit/calendar-date.ts';
import { daysFrom1970To2000 } from './column-builder.ts';

const dateOid = 1082;
const headerBytes = 20;
const elementBytes = 8;

export function toDateArray(days: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + elementBytes * days.length);
  // One dimension, no nulls, the type, the length, and the number of the first element.
  let at = 0;
  for (const word of [1, 0, dateOid, days.length, 1]) at = bytes.writeInt32BE(word, at);
  // Rows of a batch mostly have days in common.
  const numbers = new Map<string, number>();
  for (const day of days) {
    let number = numbers.get(day);
    if (number === undefined) numbers.set(day, (number = toDayNumber(parseCalendarDate(day)) - daysFrom1970To2000));
    at = bytes.writeInt32BE(4, at);
    at = bytes.writeInt32BE(number, at);
  }
  return bytes;
}
