// Which days a report over a window is about. No report is about days of which nothing is known. Knows no wire.

import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { civilOf, dayOf, type Day } from '../../kit/day.ts';
import type { ReturnWindow } from '../../engine/returns/return-path.ts';
import { reportDay } from './report-day.ts';

/** Both days included. */
export interface AskedWindow {
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
}

export interface ReportWindow extends ReturnWindow {
  /** The latest day with data, where more was asked for. */
  readonly endsEarly: 'at-latest-day' | 'beyond-latest-day' | null;
}

/**
 * To today, and no later than the latest day with data; from the first day of the year in which it ends. A window that lies after
 * that day as a whole is its first day.
 */
export function reportWindow(
  asked: AskedWindow,
  known: { readonly today: Day; readonly latestDay: Day },
): ReportWindow {
  const end = reportDay(asked.to, known);
  const start = asked.from === undefined ? firstOfYear(end) : toDayNumber(asked.from);
  if (start > end) return { start, end: start, endsEarly: 'beyond-latest-day' };
  const isCut = asked.to !== undefined && toDayNumber(asked.to) > end;
  return { start, end, endsEarly: isCut ? 'at-latest-day' : null };
}

function firstOfYear(day: Day): Day {
  return dayOf({ year: civilOf(day).year, month: 1, day: 1 });
}
