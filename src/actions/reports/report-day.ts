// Which day a report is about: moments become days in the zone of the workspace, and no report is about days of which nothing is
// known. Knows no wire.

import { fromDayNumber, parseCalendarDate, toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';

/** The calendar day on which a moment falls. */
export function dayOfMoment(moment: number, timeZone: string): Day {
  const date = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone).toPlainDate();
  return toDayNumber(parseCalendarDate(date.toString()));
}

/** The last moment of a day, to the millisecond. */
export function endOfDay(day: Day, timeZone: string): number {
  const next = Temporal.PlainDate.from(fromDayNumber(day)).add({ days: 1 });
  return next.toZonedDateTime(timeZone).epochMilliseconds - 1;
}

/** What is asked for, else today; in either case no later than the last day with data. */
export function reportDay(requested: CalendarDate | undefined, available: { today: Day; latestDay: Day }): Day {
  return Math.min(requested === undefined ? available.today : toDayNumber(requested), available.latestDay);
}
