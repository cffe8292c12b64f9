// Performance on Plain: the whole of a reporting entity day by day, by Modified Dietz where money flowed, in any currency.

import { defined } from '../../kit/assert.ts';
import { currencyCode } from '../../model/currency.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { readPerformance, type PerformanceReport } from '../../actions/reports/performance.ts';
import { dayRangeParameters, readDayRange, type DayRange } from '../http/lists/day-range.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import {
  streamedResponse,
  isLongReport,
  seriesPlaceholder,
  windowExample,
} from '../http/reports/performance-response.ts';
import { fillJsonTemplate, type TextPart } from '../http/reports/json-template.ts';
import { pointList, seriesJson } from '../http/reports/series-text.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import { plainPerformance, plainPoint } from './performance-shapes.ts';
import { plain } from './wire.ts';

const plainStyle = plain.style;
const windowNames = { from: 'start', to: 'end' } as const;

const whole = plainPerformance(pointList(plainPoint));
const template = plainPerformance(seriesPlaceholder);

function renderPerformance(report: PerformanceReport, shape: typeof whole): unknown {
  const { basis, currency, window, asOf, segments } = report;
  const { returns, series, warnings } = defined(segments[0], 'the whole comes first');
  const { path } = returns;
  const performance = {
    reportingEntityId: basis.reportingEntity,
    currency,
    start: window.requestedStart,
    end: window.end,
    method: 'modified-dietz' as const,
    series,
    summary: {
      totalReturn: path.cumulativeReturn,
      annualisedReturn: path.annualised().ratio,
      maxDrawdown: path.maximumDrawdown().ratio,
      volatility: path.volatility().ratio,
    },
    warnings: warnings(),
    asOf,
    ledgerVersion: basis.ledgerVersion,
  };
  return shape.write(performance, plainStyle);
}

function performanceText(report: PerformanceReport): Iterable<TextPart> {
  const { series } = defined(report.segments[0], 'the whole comes first');
  return fillJsonTemplate(renderPerformance(report, template), {
    series: () => seriesJson(series, plainPoint, plainStyle),
  });
}

interface PerformanceInput {
  readonly window: DayRange;
  readonly currency?: string;
}

const performancePath = defineOperation<PerformanceInput>({
  id: 'plain.performance.report',
  wire: plain,
  group: 'performance',
  method: 'GET',
  path: '/v2/performance/reporting-entities/{id}',
  summary: 'Performance of a reporting entity, day by day',
  description:
    'For charts and comparisons: daily time-weighted returns; on days with flows by the Modified Dietz approximation, a flow counting for half the day. Without `end` the window ends today; without `start` it begins on 1 January of the current year, or of the year of `end` if that is earlier. Days before anything is held are left out of the series. Days after the latest data carry the last values, and the warning `carried` names the first of them.',
  right: 'read',
  people: 'viewer',
  mode: 'read',
  heavy: true,
  threadKey: ({ params }) => pathParameter(params, 'id'),
  query: {
    ...dayRangeParameters(windowNames, windowExample),
    currency: {
      kind: currencyCode,
      description:
        "Another currency than the client's reference currency: every day's amounts are converted at that day's rate.",
    },
  },
  responses: { 200: { description: 'The series and its summary.', schema: whole.schema(plainStyle) } },
  refusals: [notFoundCode(reportingEntity), 'report-too-large', 'fx-rate-missing'],
  read: (parsed) => ({ window: readDayRange(parsed, windowNames), currency: parsed.query['currency'] }),
  async handle({ work, params }, input) {
    const question = {
      reportingEntity: pathParameter(params, 'id'),
      method: 'modified-dietz',
      fees: 'net',
      axes: [],
    } as const;
    const report = await readPerformance(work, { ...question, ...input });
    if (isLongReport(report)) return streamedResponse(plain.mediaType, performanceText(report), report);
    return { status: 200, body: renderPerformance(report, whole) };
  },
});

export const plainPerformancePaths = [performancePath];
