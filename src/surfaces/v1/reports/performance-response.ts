// Writes performance for v1: as JSON, whole or streamed, or as lines of CSV or JSON, one for each segment and day.

import { csvLine } from '../../../kit/csv-line.ts';
import { writeJson } from '../../../kit/json.ts';
import { snakeCase } from '../../../kit/resource.ts';
import type { ValueOf, WritingStyle } from '../../../kit/field.ts';
import { listOf } from '../../../kit/structured-field.ts';
import type { PerformanceExplanations } from '../../../actions/reports/explain/explain-performance-rows.ts';
import { excessReturn, type BenchmarkReport } from '../../../actions/reports/benchmark.ts';
import type { PerformanceQuery, PerformanceReport, SegmentReport } from '../../../actions/reports/performance.ts';
import { emptyFigureSeries, type FigureSeries } from '../../../actions/reports/segments/segment-series.ts';
import type { SegmentNames } from '../../../actions/reports/segments/segment-names.ts';
import type { CalendarPeriod } from '../../../model/report/calendar-period.ts';
import type { OperationResponse } from '../../http/operation/operation.ts';
import {
  streamedResponse,
  isLongReport,
  mapSegments,
  seriesPlaceholder,
} from '../../http/reports/performance-response.ts';
import { jsonArray, fillJsonTemplate, placeholder, type TextPart } from '../../http/reports/json-template.ts';
import { figureNames, pointList, seriesCsvLines, seriesJson, seriesJsonLines } from '../../http/reports/series-text.ts';
import {
  benchmarkPoint,
  v1Benchmark,
  v1Performance,
  v1Point,
  v1Segment,
  v1SegmentSummary,
} from './performance-shapes.ts';
import { csvResponse } from './report-csv.ts';
import { ndjsonType, type ReportFormat } from './report-format.ts';
import { v1Style } from './report-query.ts';
import { csvType } from '../ledger/transaction-export.ts';
import { v1 } from '../wire.ts';

export type ReportDetail = 'series' | 'summary';

interface PerformanceParts {
  readonly report: PerformanceReport;
  readonly names: SegmentNames;
  readonly question: Pick<PerformanceQuery, 'method' | 'fees'>;
  readonly detail: ReportDetail;
  readonly style: WritingStyle;
  readonly every?: readonly CalendarPeriod[] | undefined;
  readonly explanations?: PerformanceExplanations | undefined;
}

const segment = v1Segment(pointList(v1Point));
const segmentTemplate = v1Segment(seriesPlaceholder);
const benchmark = v1Benchmark(pointList(benchmarkPoint));
const benchmarkTemplate = v1Benchmark(seriesPlaceholder);
const whole = v1Performance(benchmark, listOf(segment));
const template = v1Performance(placeholder('benchmark'), placeholder('data'));

export const performanceSchema = whole.schema(v1Style);

export async function performanceResponse(parts: PerformanceParts, format: ReportFormat): Promise<OperationResponse> {
  if (format !== 'json') return linesResponse(parts, format);
  const { report, detail } = parts;
  if (detail === 'series' && isLongReport(report))
    return streamedResponse(v1.mediaType, performanceText(parts), report);
  const data = await mapSegments(report, (one) => segmentBody(parts, one));
  const compared = report.benchmark && benchmarkBody(parts, report.benchmark);
  return { status: 200, body: whole.write({ ...reportHeading(parts), benchmark: compared, data }, parts.style) };
}

function reportHeading({ report, question }: PerformanceParts) {
  const { basis, currency, window, asOf } = report;
  const { method, fees } = question;
  return {
    reportingEntityId: basis.reportingEntity,
    currency,
    start: window.requestedStart,
    end: window.end,
    carriedFrom: window.carriedFrom,
    method,
    fees,
    asOf,
    ledgerVersion: basis.ledgerVersion,
  };
}

function segmentSummary({ names }: PerformanceParts, { axis, segment: key, returns }: SegmentReport) {
  const { begin, end, flow, gain, income, fees } = returns.totals();
  const { path } = returns;
  const parts = returns.gainParts();
  const drawdown = path.maximumDrawdown();
  const { windowRate, windowRoots, yearlyRate, reason } = returns.moneyWeightedReturn();
  return {
    axis: axis ?? 'total',
    ...(axis === null ? { segmentId: null, segmentName: null } : names.nameSegment(axis, key)),
    beginMarketValue: begin,
    endMarketValue: end,
    netCashFlow: flow,
    gain,
    gainPricePart: parts.price,
    gainIncomePart: parts.income,
    gainCurrencyPart: parts.currency,
    income,
    fees,
    twr: path.cumulativeReturn,
    twrReason: path.noReturn,
    annualisedTwr: path.annualised().ratio,
    volatility: path.volatility().ratio,
    maxDrawdown: drawdown.ratio,
    maxDrawdownFrom: drawdown.peak,
    maxDrawdownTo: drawdown.trough,
    moneyWeightedReturn: windowRate,
    annualisedMoneyWeightedReturn: yearlyRate,
    moneyWeightedReason: reason,
    moneyWeightedRoots: windowRoots,
    contribution: returns.contribution,
  };
}

function segmentBody(parts: PerformanceParts, one: SegmentReport): ValueOf<typeof segment> {
  const series = parts.detail === 'summary' ? emptyFigureSeries : one.series;
  const explanations = parts.explanations?.segments[parts.report.segments.indexOf(one)];
  const periods = parts.every && one.periods(parts.every);
  return {
    ...segmentSummary(parts, one),
    periods,
    explanations,
    warnings: [...one.warnings(), ...one.rateWarnings()],
    series,
  };
}

function benchmarkBody(
  { report, detail, explanations }: PerformanceParts,
  compared: BenchmarkReport,
): ValueOf<typeof benchmark> {
  const { instrument, kind, path, warnings } = compared;
  return {
    instrumentId: instrument,
    seriesKind: kind,
    twr: path.cumulativeReturn,
    annualisedTwr: path.annualised().ratio,
    volatility: path.volatility().ratio,
    maxDrawdown: path.maximumDrawdown().ratio,
    excessReturn: excessReturn(report.segments[0]!.returns.path, path),
    explanations: explanations?.benchmark,
    warnings,
    series: detail === 'summary' ? emptyFigureSeries : compared.series,
  };
}

function* performanceText(parts: PerformanceParts): Generator<TextPart> {
  const { report, style } = parts;
  const seriesFiller = (series: FigureSeries, members: typeof v1Point | typeof benchmarkPoint) => ({
    series: () => seriesJson(series, members, style),
  });
  yield* fillJsonTemplate(template.write({ ...reportHeading(parts), benchmark: report.benchmark, data: null }, style), {
    benchmark: () => {
      const compared = benchmarkBody(parts, report.benchmark!);
      return fillJsonTemplate(benchmarkTemplate.write(compared, style), seriesFiller(compared.series, benchmarkPoint));
    },
    data: () =>
      jsonArray(report.segments, (one) => {
        const body = segmentBody(parts, one);
        return fillJsonTemplate(segmentTemplate.write(body, style), seriesFiller(body.series, v1Point));
      }),
  });
}

async function linesResponse(
  parts: PerformanceParts,
  format: Exclude<ReportFormat, 'json'>,
): Promise<OperationResponse> {
  const { report, style } = parts;
  if (parts.detail === 'series') {
    const type = format === 'csv' ? `${csvType}; charset=utf-8; header=present` : ndjsonType;
    return streamedResponse(type, format === 'csv' ? csvLines(parts) : jsonLines(parts), report);
  }
  const rows = await mapSegments(report, (one) => segmentSummary(parts, one));
  if (format === 'csv') return csvResponse(v1SegmentSummary, rows, { style });
  return streamedResponse(
    ndjsonType,
    rows.map((row) => `${writeJson(v1SegmentSummary.write(row, style))}\n`),
    report,
  );
}

function* csvLines({ report, names, style }: PerformanceParts): Generator<TextPart> {
  yield csvLine(['axis', 'segment_id', ...figureNames(v1Point).map(snakeCase)]);
  for (const one of report.segments) {
    const before = csvLine(axisAndSegment(one, names).map((text) => text ?? '')).replace(/\r\n$/, ',');
    yield* seriesCsvLines(one.series, v1Point, { style, before });
  }
}

function* jsonLines({ report, names, style }: PerformanceParts): Generator<TextPart> {
  for (const one of report.segments) {
    const [axis, segmentId] = axisAndSegment(one, names);
    const before = `${writeJson({ axis, segment_id: segmentId }).slice(1, -1)},`;
    yield* seriesJsonLines(one.series, v1Point, { style, before });
  }
}

function axisAndSegment({ axis, segment: key }: SegmentReport, names: SegmentNames): [axis: string, id: string | null] {
  return axis === null ? ['total', null] : [axis, names.nameSegment(axis, key).segmentId];
}
