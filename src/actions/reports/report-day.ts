// The calendar days of moments, in the workspace's time zone.

import { fromDayNumber, parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';

/** The calendar day of a moment. */
export function dayOfMoment(moment: number, timeZone: string): Day {
  const date = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone).toPlainDate();
  return toDayNumber(parseCalendarDate(date.toString()));
}

/** The last moment of a day, to the millisecond. */
export function endOfDay(day: Day, timeZone: string): number {
  const next = Temporal.PlainDate.from(fromDayNumber(day)).add({ days: 1 });
  return next.toZonedDateTime(timeZone).epochMilliseconds - 1;
}

/** When the figures of an answer were read. They are of the day on which the work on it began; so is their moment, at midnight too. */
export function momentOfAnswer(work: { begunAt: number; readAt: number; timeZone: string }): number {
  const { begunAt, readAt, timeZone } = work;
  return Math.min(readAt, endOfDay(dayOfMoment(begunAt, timeZone), timeZone));
}
