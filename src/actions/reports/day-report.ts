// Lists what a reporting entity holds at the end of a day, position by position: the basis of holdings, lots and allocation.

import { type CalendarDate, fromDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { holdings, type Holding } from '../../engine/history/holdings.ts';
import { openTurn, type Work } from '../core/work.ts';
import type { Turn } from '../../kit/turns/fair-turns.ts';
import { computeReport, type ReportMoment, type ReportBasis } from './report-basis.ts';
import { refuseMissingRates } from './missing-rate-refusal.ts';
import { reportDay } from './latest-day.ts';
import { dayOfMoment, endOfDay } from './report-day.ts';

/** A day, or a moment of one. */
export type AsOf = CalendarDate | number;

export interface DayReportQuery extends ReportMoment {
  readonly reportingEntity: string;
  /** The latest day with data by default. */
  readonly asOf?: AsOf | undefined;
}

export interface DayReport {
  readonly basis: ReportBasis;
  readonly day: Day;
  /** The last moment of the day. */
  readonly asOf: number;
  /** Ordered by instrument, account and depository. */
  readonly holdings: readonly Holding[];
  /** For what is computed from the holdings one by one. */
  readonly turn: Turn;
}

export function openDayReport(work: Work, { reportingEntity, asOf, knownAt }: DayReportQuery): Promise<DayReport> {
  return refuseMissingRates((rates) =>
    computeReport(work, reportingEntity, { knownAt, ...rates }, (basis) => {
      const day = reportDay(requestedDate(asOf, basis), basis);
      const held = holdings(basis.history, { day, covers: basis.places.covers });
      const turn = openTurn(work, basis.history.rows.count);
      return { basis, day, asOf: endOfDay(day, basis.timeZone), holdings: held, turn };
    }),
  );
}

/** Within all valid days in every time zone. */
const momentMin = Date.UTC(1900, 0, 2);
const momentMax = Date.UTC(2200, 11, 30);

export function requestedDate(
  asOf: AsOf | undefined,
  { timeZone }: Pick<ReportBasis, 'timeZone'>,
): CalendarDate | undefined {
  if (typeof asOf !== 'number') return asOf;
  return fromDayNumber(dayOfMoment(Math.min(Math.max(asOf, momentMin), momentMax), timeZone));
}
