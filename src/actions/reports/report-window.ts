// Resolves the days of a report over a window, which ends at the latest on the last day with data.

import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { civilFromDay, dayFromCivil, type Day } from '../../kit/day.ts';
import type { ReturnWindow } from '../../engine/returns/return-path.ts';
import { reportDay } from './report-day.ts';

/** Both days are included. */
export interface WindowInput {
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
}

export interface ReportWindow extends ReturnWindow {
  /** Says why the window ends before the requested day: there is no later data. */
  readonly endsEarly: 'at-latest-day' | 'beyond-latest-day' | null;
}

/**
 * Ends today when `to` is absent, and at most on the last day with data. Starts on the first day of the year in which it ends
 * when `from` is absent. A window entirely after the last day with data shrinks to its first day.
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
