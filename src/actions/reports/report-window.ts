// Resolves the days of a report over a window: those that were requested, and among them those with figures and those after the
// latest data.

import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { civilFromDay, dayFromCivil, type Day } from '../../kit/day.ts';
import { firstCoveredDay } from '../../engine/history/first-covered-day.ts';
import { latestDataDay } from '../../engine/history/latest-data-day.ts';
import type { ReturnWindow } from '../../engine/returns/return-path.ts';
import type { ReportBasis } from './report-basis.ts';

/** Both days are included. */
export interface WindowInput {
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
}

/** Both days are included. */
export interface RequestedDays {
  readonly from: Day;
  readonly to: Day;
}

/** From `start` on, figures are computed. */
export interface ReportWindow extends ReturnWindow {
  /** The first day that was requested: before `start` where nothing was held yet. */
  readonly requestedStart: Day;
  /** The first day after the latest data, from which on values are carried; null if the last day has data. */
  readonly carriedFrom: Day | null;
  /** Whether anything was held or moved. If not, only the last day is computed, and the report has no days. */
  readonly isCovered: boolean;
}

/**
 * Without `to`, ends today, or at `from` if that is later. Without `from`, starts on the first day of the current year, or of the
 * year in which it ends if that is an earlier one.
 */
export function requestedDays({ from, to }: WindowInput, today: Day): RequestedDays {
  const first = from === undefined ? undefined : toDayNumber(from);
  const last = to === undefined ? Math.max(today, first ?? today) : toDayNumber(to);
  return { from: first ?? firstOfYear(Math.min(today, last)), to: last };
}

/** Leaves out the days before anything is held or moves. */
export function reportWindow(
  input: WindowInput,
  { today, history, places, currency: referenceCurrency }: ReportBasisOfWindow,
  currency: string = referenceCurrency,
): ReportWindow {
  const { from: requestedStart, to: end } = requestedDays(input, today);
  const { covers } = places;
  const first = firstCoveredDay(history, { covers, from: requestedStart });
  const isCovered = first !== undefined && first <= end;
  const start = isCovered ? first : end;
  const latest = latestDataDay(history, { covers, until: end, currency });
  const carriedFrom = latest === undefined || latest >= end ? null : Math.max(start, latest + 1);
  return { requestedStart, start, end, carriedFrom: isCovered ? carriedFrom : null, isCovered };
}

type ReportBasisOfWindow = Pick<ReportBasis, 'today' | 'history' | 'places' | 'currency'>;

function firstOfYear(day: Day): Day {
  return dayFromCivil({ year: civilFromDay(day).year, month: 1, day: 1 });
}
