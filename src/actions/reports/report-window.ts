// Resolves the days of a report over a window, which ends at the latest on the last day with data, and the part of them that is computed.

import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { civilFromDay, dayFromCivil, type Day } from '../../kit/day.ts';
import { firstCoveredDay } from '../../engine/history/first-covered-day.ts';
import type { ReturnWindow } from '../../engine/returns/return-path.ts';
import type { ReportBasis } from './report-basis.ts';
import { reportDay } from './report-day.ts';

/** Both days are included. */
export interface WindowInput {
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
}

/** From `start` on, figures are computed. */
export interface ReportWindow extends ReturnWindow {
  /** The first day that was requested: before `start` where nothing had happened yet. */
  readonly requestedStart: Day;
  /** Says why the window ends before the requested day: there is no later data. */
  readonly endsEarly: 'at-latest-day' | 'beyond-latest-day' | null;
}

/**
 * Ends today when `to` is absent, and at most on the last day with data. Starts on the first day of the year in which it ends
 * when `from` is absent. A window entirely after the last day with data shrinks to its first day. Days before the first on which
 * anything happened to what the report covers are left out; where nothing has happened by its end, the last day is left.
 */
export function reportWindow(
  input: WindowInput,
  basis: Pick<ReportBasis, 'today' | 'latestDay' | 'history' | 'places'>,
): ReportWindow {
  const end = reportDay(input.to, basis);
  const requestedStart = input.from === undefined ? firstOfYear(end) : toDayNumber(input.from);
  if (requestedStart > end)
    return { requestedStart, start: requestedStart, end: requestedStart, endsEarly: 'beyond-latest-day' };
  const isTruncated = input.to !== undefined && toDayNumber(input.to) > end;
  const firstDay = firstCoveredDay(basis.history, basis.places.covers) ?? end;
  const start = Math.min(Math.max(requestedStart, firstDay), end);
  return { requestedStart, start, end, endsEarly: isTruncated ? 'at-latest-day' : null };
}

function firstOfYear(day: Day): Day {
  return dayFromCivil({ year: civilFromDay(day).year, month: 1, day: 1 });
}
