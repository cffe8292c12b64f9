// What a reporting entity holds at the end of a day, position by position: what reports of holdings, lots and allocation are made
// of. Knows no wire.

import { type CalendarDate, fromDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { holdings, type Holding } from '../../engine/history/holdings.ts';
import type { Work } from '../core/work.ts';
import { reportOn, type ReportMoment, type ReportScope } from './report-basis.ts';
import { withRates } from './missing-rate-refusal.ts';
import { dayOfMoment, endOfDay, reportDay } from './report-day.ts';

/** A day, or a moment of one. */
export type AsOf = CalendarDate | number;

export interface DayQuestion extends ReportMoment {
  readonly reportingEntity: string;
  /** Today where nothing is asked for. */
  readonly asOf?: AsOf | undefined;
}

export interface DayReport {
  readonly scope: ReportScope;
  readonly day: Day;
  /** The last moment of the day. */
  readonly asOf: number;
  /** In the order of instrument, account and depository. */
  readonly holdings: readonly Holding[];
}

export function openDayReport(work: Work, { reportingEntity, asOf, knownAt }: DayQuestion): Promise<DayReport> {
  return withRates(() =>
    reportOn(work, reportingEntity, { knownAt }, (scope) => {
      const day = reportDay(dateAsked(asOf, scope), scope);
      const held = holdings(scope.history, { day, covers: scope.places.covers });
      return { scope, day, asOf: endOfDay(day, scope.timeZone), holdings: held };
    }),
  );
}

/** A day within all that there are, in whichever zone: nothing is known at their ends. */
const momentMin = Date.UTC(1900, 0, 2);
const momentMax = Date.UTC(2200, 11, 30);

export function dateAsked(asOf: AsOf | undefined, { timeZone }: ReportScope): CalendarDate | undefined {
  if (typeof asOf !== 'number') return asOf;
  return fromDayNumber(dayOfMoment(Math.min(Math.max(asOf, momentMin), momentMax), timeZone));
}
