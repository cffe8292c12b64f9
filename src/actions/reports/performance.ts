// The performance of a reporting entity over a window: the whole and every segment of every axis that is asked for. Knows no wire.

import type { ReturnMethod } from '../../engine/returns/daily-return.ts';
import { coveredPositions } from '../../engine/history/holdings.ts';
import { performance } from '../../engine/returns/performance/performance.ts';
import type { PositionKey } from '../../engine/ledger/position-key.ts';
import type { SegmentReturn } from '../../engine/returns/segments/segment-return.ts';
import type { FeeTreatment } from '../../engine/returns/performance/position-days.ts';
import type { ReturnMethodName } from '../../model/report/performance.ts';
import type { Warning } from '../../model/report/warning.ts';
import type { Work } from '../core/work.ts';
import { segmentsOn, type Axis } from './segments/axis.ts';
import { benchmarkReport, getCompared, type AskedInstrument, type BenchmarkReport } from './benchmark.ts';
import { openReport, openReportBeside, type ReportMoment, type ReportScope } from './report-basis.ts';
import { PerformanceWarnings } from './data-quality/performance-warnings.ts';
import { withRates } from './missing-rate-refusal.ts';
import { endOfDay } from './report-day.ts';
import { checkPoints } from './report-size.ts';
import { reportWindow, type AskedWindow, type ReportWindow } from './report-window.ts';
import { axisContextOf, compareSegments } from './segments/segments.ts';

export interface PerformanceQuestion extends ReportMoment {
  readonly reportingEntity: string;
  readonly window: AskedWindow;
  readonly method: ReturnMethodName;
  readonly fees: FeeTreatment;
  /** The reference currency where none is asked for. */
  readonly currency?: string | undefined;
  readonly axes: readonly Axis[];
  readonly benchmark?: AskedInstrument | undefined;
}

export interface SegmentReport {
  /** Null for the whole. */
  readonly axis: Axis | null;
  /** Of the whole the residual one. */
  readonly segment: string;
  readonly returns: SegmentReturn;
  warnings(): readonly Warning[];
}

export interface PerformanceReport {
  readonly scope: ReportScope;
  readonly window: ReportWindow;
  readonly currency: string;
  readonly asOf: number;
  /** The whole first, then along each axis; on each what it does not name last. */
  readonly segments: readonly SegmentReport[];
  readonly benchmark: BenchmarkReport | null;
}

export const methods: Readonly<Record<ReturnMethodName, ReturnMethod>> = {
  daily: 'start-end-of-day',
  'modified-dietz': 'modified-dietz',
};

export function readPerformance(work: Work, question: PerformanceQuestion): Promise<PerformanceReport> {
  const { reportingEntity, benchmark, knownAt } = question;
  return withRates(async () => {
    const { scope, beside } =
      benchmark === undefined
        ? { scope: await openReport(work, reportingEntity, { knownAt }), beside: undefined }
        : await openReportBeside(work, reportingEntity, { knownAt }, (together) =>
            getCompared(together, benchmark, knownAt),
          );
    const window = reportWindow(question.window, scope);
    const currency = question.currency ?? scope.currency;
    return {
      scope,
      window,
      currency,
      asOf: endOfDay(window.end, scope.timeZone),
      segments: segmentReports(scope, question, window),
      benchmark: beside === undefined ? null : benchmarkReport(beside, scope, { window, currency }),
    };
  });
}

/** Of the year so far, in the reference currency and net of fees: the whole alone. */
export function wholePerformance(scope: ReportScope): {
  readonly window: ReportWindow;
  readonly returns: SegmentReturn;
} {
  const window = reportWindow({}, scope);
  const [whole] = segmentReports(scope, { axes: [], method: 'daily', fees: 'net' }, window);
  return { window, returns: whole!.returns };
}

function segmentReports(
  scope: ReportScope,
  { axes, method, fees, currency }: Pick<PerformanceQuestion, 'axes' | 'method' | 'fees' | 'currency'>,
  window: ReportWindow,
): SegmentReport[] {
  const { history, places } = scope;
  const context = axisContextOf(scope);
  const segmentsOf = (key: PositionKey) =>
    Object.fromEntries(axes.map((axis) => [axis, segmentsOn(axis, key, context)])) as Record<Axis, readonly string[]>;
  const covered = coveredPositions(history, places.covers).map((position) => segmentsOf(history.key(position)));
  checkPoints({ days: window.end - window.start + 1, segments: segmentCount(covered, axes) });
  const { whole, axes: byAxis } = performance(history, {
    window,
    method: methods[method],
    axes,
    covers: places.covers,
    fees,
    ...(currency === undefined ? {} : { currency }),
    segmentsOf,
  });
  const warnings = new PerformanceWarnings({ scope, window, axes });
  const total = { axis: null, segment: '', returns: whole, warnings: () => warnings.ofWhole(whole) };
  return [total, ...axes.flatMap((axis) => reportsAlong(axis, byAxis[axis], warnings))];
}

function reportsAlong(
  axis: Axis,
  segments: ReadonlyMap<string, SegmentReturn>,
  warnings: PerformanceWarnings,
): SegmentReport[] {
  return [...segments]
    .toSorted(([one], [other]) => compareSegments(one, other))
    .map(([segment, returns]) => ({
      axis,
      segment,
      returns,
      warnings: () => warnings.ofSegment(axis, segment, returns),
    }));
}

/** Of all axes, the whole included. */
function segmentCount(positions: readonly Readonly<Record<Axis, readonly string[]>>[], axes: readonly Axis[]): number {
  const along = axes.map((axis) => new Set(positions.flatMap((segments) => segments[axis])).size);
  return along.reduce((sum, count) => sum + count, 1);
}
