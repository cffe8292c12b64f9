// Moments on the wire: RFC 3339 with any offset is read, UTC is written; in memory they are epoch milliseconds.

import { fromDayNumber, parseCalendarDate, toDayNumber } from './calendar-date.ts';
import { dayMs, hourMs, minuteMs, secondMs } from './clock.ts';

export class InstantFault extends Error {
  readonly reason: 'not-an-instant' | 'no-such-time';

  constructor(reason: InstantFault['reason'], detail: string) {
    super(detail);
    this.name = 'InstantFault';
    this.reason = reason;
  }
}

const instantPattern = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Returns milliseconds since the epoch and drops finer digits. Throws a DateFault if the date does not exist. */
export function parseInstant(text: string): number {
  const match = instantPattern.exec(text);
  if (!match) {
    throw new InstantFault('not-an-instant', 'must be a timestamp with an offset, such as 2026-11-15T14:00:00Z');
  }
  const [, date = '', hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  const timeMs = clockTimeMs({ hour: Number(hour), minute: Number(minute) }) + secondsMs(Number(second));
  const offsetMs = clockTimeMs({ hour: Number(offsetHour), minute: Number(offsetMinute) });
  const local = toDayNumber(parseCalendarDate(date)) * dayMs + timeMs + Number(fraction.slice(0, 3).padEnd(3, '0'));
  const instant = sign === '-' ? local + offsetMs : local - offsetMs;
  // The answer is in UTC, so the date in UTC must be within the accepted range as well.
  fromDayNumber(Math.floor(instant / dayMs));
  return instant;
}

function clockTimeMs({ hour, minute }: { hour: number; minute: number }): number {
  if (hour > 23 || minute > 59) throw new InstantFault('no-such-time', 'must be a time and an offset that exist');
  return hour * hourMs + minute * minuteMs;
}

function secondsMs(second: number): number {
  // Epoch time has no leap seconds.
  if (second > 59) throw new InstantFault('no-such-time', 'must have seconds from 00 to 59');
  return second * secondMs;
}

export function formatInstant(instant: number): string {
  return new Date(instant).toISOString();
}
