// Resolves the day of a report: the one that is requested, else the latest with data of what the report covers.

import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { latestDataDay } from '../../engine/history/latest-data-day.ts';
import type { Coverage } from '../../engine/history/holdings.ts';
import type { ReportBasis } from './report-basis.ts';

/** The requested day, or the latest day with data when absent. */
export function reportDay(requested: CalendarDate | undefined, basis: ReportBasis): Day {
  return requested === undefined ? latestDay(basis) : toDayNumber(requested);
}

type BasisOfDay = Pick<ReportBasis, 'history' | 'places' | 'today' | 'currency'>;

/** The latest day with data, or today if there are none. */
export function latestDay(basis: BasisOfDay, covers?: Coverage): Day {
  return findLatestDay(basis, covers) ?? basis.today;
}

/**
 * The latest day, up to today, with data of what the report covers, or of the part of it that is given. Data of others never move
 * it, and neither do points and rates that the report does not need.
 */
export function findLatestDay(
  { history, places, today, currency }: BasisOfDay,
  covers: Coverage = places.covers,
): Day | undefined {
  return latestDataDay(history, { covers, until: today, currency });
}
