// Reports the performance of a reporting entity over a window: the total, and every segment of the requested axes.

import type { Turn } from '../../kit/turns/fair-turns.ts';
import type { ReturnMethod } from '../../engine/returns/daily-return.ts';
import { findingPieces } from '../../engine/history/findings.ts';
import { coveredPositions } from '../../engine/history/holdings.ts';
import { performancePieces } from '../../engine/returns/performance/performance.ts';
import type { PositionKey } from '../../engine/ledger/position-key.ts';
import type { SegmentReturn } from '../../engine/returns/segments/segment-return.ts';
import type { FeeTreatment } from '../../engine/returns/performance/position-days.ts';
import type { CalendarPeriod } from '../../model/report/calendar-period.ts';
import type { ReturnMethodName } from '../../model/report/performance.ts';
import type { Warning } from '../../model/report/warning.ts';
import { openTurn, type Work } from '../core/work.ts';
import { segmentsOn, type Axis } from './segments/axis.ts';
import { benchmarkReport, getComparedInstrument, type InstrumentInput, type BenchmarkReport } from './benchmark.ts';
import { loadReportBasis, loadReportBasisWith, type ReportMoment, type ReportBasis } from './report-basis.ts';
import { PerformanceWarnings } from './data-quality/performance-warnings.ts';
import { groupWarnings, ratesOutsideRange } from './data-quality/warnings.ts';
import { refuseMissingRates } from './missing-rate-refusal.ts';
import { endOfDay } from './report-day.ts';
import { checkReportSize } from './report-size.ts';
import { reportWindow, type WindowInput, type ReportWindow } from './report-window.ts';
import { makeAxisContext, compareSegments } from './segments/segments.ts';
import { segmentPeriods, type PeriodFigures } from './segments/segment-periods.ts';
import { emptyFigureSeries, segmentSeries, type FigureSeries } from './segments/segment-series.ts';

export interface PerformanceQuery extends ReportMoment {
  readonly reportingEntity: string;
  readonly window: WindowInput;
  readonly method: ReturnMethodName;
  readonly fees: FeeTreatment;
  /** The reference currency when absent. */
  readonly currency?: string | undefined;
  readonly axes: readonly Axis[];
  readonly benchmark?: InstrumentInput | undefined;
  /** Whether gains are split into price, income and currency. */
  readonly splitsGain?: boolean;
}

export interface SegmentReport {
  /** Null for the total. */
  readonly axis: Axis | null;
  /** The residual segment for the total. */
  readonly segment: string;
  readonly returns: SegmentReturn;
  /** Without days if nothing of the whole was held in the window. */
  readonly series: FigureSeries;
  periods(every: readonly CalendarPeriod[]): readonly PeriodFigures[];
  warnings(): readonly Warning[];
  /** What to know about the money-weighted return. */
  rateWarnings(): readonly Warning[];
}

export interface PerformanceReport {
  readonly basis: ReportBasis;
  readonly window: ReportWindow;
  readonly currency: string;
  readonly asOf: number;
  /** The total first, then the segments of each axis, with the residual segment of an axis last. */
  readonly segments: readonly SegmentReport[];
  readonly benchmark: BenchmarkReport | null;
  /** Call it between segments while writing the report: others may compute in between. */
  readonly pause: Turn['pause'];
}

export const engineReturnMethods: Readonly<Record<ReturnMethodName, ReturnMethod>> = {
  daily: 'start-end-of-day',
  'modified-dietz': 'modified-dietz',
};

export function readPerformance(work: Work, query: PerformanceQuery): Promise<PerformanceReport> {
  const { reportingEntity, benchmark, knownAt } = query;
  return refuseMissingRates(async (rates) => {
    const moment = { knownAt, ...rates };
    const { basis, extra } =
      benchmark === undefined
        ? { basis: await loadReportBasis(work, reportingEntity, moment), extra: undefined }
        : await loadReportBasisWith(work, reportingEntity, moment, (snapshotWork) =>
            getComparedInstrument(snapshotWork, benchmark, knownAt),
          );
    const currency = query.currency ?? basis.currency;
    const window = reportWindow(query.window, basis, currency);
    const { segments, turn } = await segmentReports(work, basis, query, window);
    return {
      basis,
      window,
      currency,
      asOf: endOfDay(window.end, basis.timeZone),
      segments,
      benchmark: extra === undefined ? null : benchmarkReport(extra, basis, { window, currency }),
      pause: turn.pause,
    };
  });
}

interface ComputedSegments {
  readonly segments: readonly SegmentReport[];
  readonly turn: Turn;
}

async function segmentReports(
  work: Work,
  basis: ReportBasis,
  query: Pick<PerformanceQuery, 'axes' | 'method' | 'fees' | 'currency' | 'splitsGain'>,
  window: ReportWindow,
): Promise<ComputedSegments> {
  const { axes, method, fees, currency, splitsGain = false } = query;
  const { history, places } = basis;
  const axisContext = makeAxisContext(basis);
  const segmentsOf = (key: PositionKey) =>
    Object.fromEntries(axes.map((axis) => [axis, segmentsOn(axis, key, axisContext)])) as Record<
      Axis,
      readonly string[]
    >;
  const covered = coveredPositions(history, places.covers).map((position) => segmentsOf(history.key(position)));
  const points = checkReportSize({ days: window.end - window.start + 1, segments: segmentCount(covered, axes) });
  const turn = openTurn(work, points);
  const request = {
    window,
    method: engineReturnMethods[method],
    axes,
    covers: places.covers,
    fees,
    splitsGain,
    ...(currency === undefined ? {} : { currency }),
    segmentsOf,
  };
  const { whole, axes: byAxis } = await turn.run(performancePieces(history, request));
  const found = await turn.run(findingPieces(history, { day: window.end, covers: places.covers, from: window.start }));
  const warnings = new PerformanceWarnings({ basis, window, axes, found });
  const report = (segment: Pick<SegmentReport, 'axis' | 'segment' | 'returns' | 'warnings'>): SegmentReport => ({
    ...segment,
    series: window.isCovered ? segmentSeries(segment.returns) : emptyFigureSeries,
    periods: (every) => (window.isCovered ? segmentPeriods(segment.returns, every) : []),
    rateWarnings: rateWarnings(segment.returns),
  });
  const total = report({ axis: null, segment: '', returns: whole, warnings: () => warnings.forWhole(whole) });
  const others = axes.flatMap((axis) =>
    [...byAxis[axis]]
      .toSorted(([one], [other]) => compareSegments(one, other))
      .map(([segment, returns]) =>
        report({ axis, segment, returns, warnings: () => warnings.forSegment(axis, segment, returns) }),
      ),
  );
  return { segments: [total, ...others], turn };
}

function rateWarnings(returns: SegmentReturn): () => readonly Warning[] {
  return () => groupWarnings(ratesOutsideRange(returns.moneyWeightedReturn(), null));
}

/** Counts the segments of all axes and the total. */
function segmentCount(positions: readonly Readonly<Record<Axis, readonly string[]>>[], axes: readonly Axis[]): number {
  const countByAxis = axes.map((axis) => new Set(positions.flatMap((segments) => segments[axis])).size);
  return countByAxis.reduce((sum, count) => sum + count, 1);
}
