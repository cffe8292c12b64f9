// Performance on the Plain wire: the whole of a reporting entity day by day, by Modified Dietz where money flowed, in any currency.
// Knows no formula.

import { currencyCode } from '../../model/currency.ts';
import { plainPerformance, plainPoint } from '../../model/report/performance.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { readPerformance, type PerformanceReport } from '../../actions/reports/performance.ts';
import { segmentSeries } from '../../actions/reports/segments/segment-series.ts';
import { dayRangeParameters, readDayRange, type DayRange } from '../http/lists/day-range.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { answerInPieces, isLong, seriesPlace, windowExample } from '../http/reports/performance-response.ts';
import { jsonAround } from '../http/reports/json-template.ts';
import { pointList, seriesJson } from '../http/reports/series-text.ts';
import { notFoundOf } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

const style = { decimals: plain.decimals, names: 'snake' } as const;
const windowNames = { from: 'start', to: 'end' } as const;

const whole = plainPerformance(pointList(plainPoint));
const frame = plainPerformance(seriesPlace);

function toPerformance(report: PerformanceReport, shape: typeof whole): unknown {
  const { scope, currency, window, asOf, segments } = report;
  const { returns, warnings } = segments[0]!;
  const { path } = returns;
  const performance = {
    reportingEntityId: scope.reportingEntity,
    currency,
    start: window.start,
    end: window.end,
    method: 'modified-dietz' as const,
    series: segmentSeries(returns),
    summary: {
      totalReturn: path.cumulativeReturn,
      annualisedReturn: path.annualised().ratio,
      maxDrawdown: path.maximumDrawdown().ratio,
      volatility: path.volatility().ratio,
    },
    warnings: warnings(),
    asOf,
    ledgerVersion: scope.ledgerVersion,
  };
  return shape.write(performance, style);
}

function performanceText(report: PerformanceReport): Iterable<string> {
  const series = segmentSeries(report.segments[0]!.returns);
  return jsonAround(toPerformance(report, frame), { series: () => seriesJson(series, plainPoint, style) });
}

interface AskedPerformance {
  readonly window: DayRange;
  readonly currency?: string;
}

const performancePath = defineOperation<AskedPerformance>({
  id: 'plain.performance.report',
  wire: plain,
  group: 'performance',
  method: 'GET',
  path: '/v2/performance/reporting-entities/{id}',
  summary: 'Performance of a reporting entity, day by day',
  description:
    'Daily time-weighted returns; on days with flows by the Modified Dietz approximation, a flow counting for half the day. Without `end` the window ends today, and never later than the latest day with data; without `start` it begins on 1 January of the year in which it ends.',
  right: 'read',
  people: 'viewer',
  mode: 'read',
  heavy: true,
  thread: ({ params }) => params['id']!,
  query: {
    ...dayRangeParameters(windowNames, windowExample),
    currency: {
      kind: currencyCode,
      description:
        "Another currency than the client's reference currency: every day's amounts are converted at that day's rate.",
    },
  },
  answers: { 200: { description: 'The series and what it comes to.', schema: whole.schema(style) } },
  refusals: [notFoundOf(reportingEntity), 'report-too-large', 'fx-rate-missing'],
  read: (sent) => ({ window: readDayRange(sent, windowNames), currency: sent.query['currency'] }),
  async handle({ work, params }, asked) {
    const question = { reportingEntity: params['id']!, method: 'modified-dietz', fees: 'net', axes: [] } as const;
    const report = await readPerformance(work, { ...question, ...asked });
    if (isLong(report)) return answerInPieces(plain.mediaType, performanceText(report));
    return { status: 200, body: toPerformance(report, whole) };
  },
});

export const performancePaths = [performancePath];
