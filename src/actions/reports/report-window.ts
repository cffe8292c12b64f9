// Which days a report over a window is about. No report is about days of which nothing is known. Knows no wire.

import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { civilFromDay, dayFromCivil, type Day } from '../../kit/day.ts';
import type { ReturnWindow } from '../../engine/returns/return-path.ts';
import { reportDay } from './report-day.ts';

/** Both days included. */
export interface WindowInput {
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
  input: WindowInput,
  available: { readonly today: Day; readonly latestDay: Day },
): ReportWindow {
  const end = reportDay(input.to, available);
  const start = input.from === undefined ? firstOfYear(end) : toDayNumber(input.from);
  if (start > end) return { start, end: start, endsEarly: 'beyond-latest-day' };
  const isTruncated = input.to !== undefined && toDayNumber(input.to) > end;
  return { start, end, endsEarly: isTruncated ? 'at-latest-day' : null };
}

function firstOfYear(day: Day): Day {
  return dayFromCivil({ year: civilFromDay(day).year, month: 1, day: 1 });
}
