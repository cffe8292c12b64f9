// Performance as v1 writes it: as JSON, whole or in pieces, or as lines of CSV or JSON, one for each segment and day. Knows no
// question.

import { csvLine } from '../../../kit/csv-line.ts';
import { writeJson } from '../../../kit/json.ts';
import { snakeCase } from '../../../kit/resource.ts';
import { listOf, type Shaped } from '../../../kit/shape.ts';
import {
  benchmarkPoint,
  v1Benchmark,
  v1Performance,
  v1Point,
  v1Segment,
  v1SegmentSummary,
} from '../../../model/report/performance.ts';
import type { BenchmarkReport } from '../../../actions/reports/benchmark.ts';
import type { PerformanceQuestion, PerformanceReport, SegmentReport } from '../../../actions/reports/performance.ts';
import {
  noSeries,
  pathSeries,
  segmentSeries,
  type FigureSeries,
} from '../../../actions/reports/segments/segment-series.ts';
import type { SegmentNames } from '../../../actions/reports/segments/segment-names.ts';
import type { Answer } from '../../http/operation/operation.ts';
import { answerInPieces, isLong, seriesPlace } from '../../http/reports/performance-response.ts';
import { arrayOf, jsonAround, placeOf } from '../../http/reports/json-template.ts';
import { figuresOf, pointList, seriesCsvLines, seriesJson, seriesJsonLines } from '../../http/reports/series-text.ts';
import { csvReport } from './report-csv.ts';
import { linesType, type ReportFormat } from './report-format.ts';
import { style } from './report-query.ts';
import { csvType } from '../ledger/transaction-export.ts';
import { v1 } from '../wire.ts';

export type ReportDetail = 'series' | 'summary';

export interface AnsweredPerformance {
  readonly report: PerformanceReport;
  readonly names: SegmentNames;
  readonly question: Pick<PerformanceQuestion, 'method' | 'fees'>;
  readonly detail: ReportDetail;
}

const segment = v1Segment(pointList(v1Point));
const segmentFrame = v1Segment(seriesPlace);
const benchmark = v1Benchmark(pointList(benchmarkPoint));
const benchmarkFrame = v1Benchmark(seriesPlace);
const whole = v1Performance(benchmark, listOf(segment));
const frame = v1Performance(placeOf('benchmark'), placeOf('data'));

export const performanceSchema = whole.schema(style);

export function answerPerformance(answered: AnsweredPerformance, format: ReportFormat): Answer {
  if (format !== 'json') return answerLines(answered, format);
  const { report, detail } = answered;
  if (detail === 'series' && isLong(report)) return answerInPieces(v1.mediaType, performanceText(answered));
  const data = report.segments.map((one) => segmentOf(answered, one));
  const compared = report.benchmark && benchmarkOf(answered, report.benchmark);
  return { status: 200, body: whole.write({ ...headingOf(answered), benchmark: compared, data }, style) };
}

function headingOf({ report, question }: AnsweredPerformance) {
  const { scope, currency, window, asOf } = report;
  const { method, fees } = question;
  return {
    reportingEntityId: scope.reportingEntity,
    currency,
    start: window.start,
    end: window.end,
    method,
    fees,
    asOf,
    ledgerVersion: scope.ledgerVersion,
  };
}

function summaryOf({ names }: AnsweredPerformance, { axis, segment: key, returns }: SegmentReport) {
  const { begin, end, flow, gain, income, fees } = returns.totals();
  const { path } = returns;
  const drawdown = path.maximumDrawdown();
  const { rate, reason } = returns.moneyWeightedReturn();
  return {
    axis: axis ?? 'total',
    ...(axis === null ? { segmentId: null, segmentName: null } : names.tell(axis, key)),
    beginMarketValue: begin,
    endMarketValue: end,
    netCashFlow: flow,
    gain,
    income,
    fees,
    twr: path.cumulativeReturn,
    annualisedTwr: path.annualised().ratio,
    volatility: path.volatility().ratio,
    maxDrawdown: drawdown.ratio,
    maxDrawdownFrom: drawdown.peak,
    maxDrawdownTo: drawdown.trough,
    moneyWeightedReturn: rate,
    moneyWeightedReason: reason,
    contribution: returns.contribution,
  };
}

function segmentOf(answered: AnsweredPerformance, one: SegmentReport): Shaped<typeof segment> {
  const series = answered.detail === 'summary' ? noSeries : segmentSeries(one.returns);
  return { ...summaryOf(answered, one), warnings: one.warnings(), series };
}

function benchmarkOf({ report, detail }: AnsweredPerformance, compared: BenchmarkReport): Shaped<typeof benchmark> {
  const { instrument, kind, path, warnings } = compared;
  return {
    instrumentId: instrument,
    seriesKind: kind,
    twr: path.cumulativeReturn,
    annualisedTwr: path.annualised().ratio,
    volatility: path.volatility().ratio,
    maxDrawdown: path.maximumDrawdown().ratio,
    excessReturn: report.segments[0]!.returns.path.cumulativeReturn - path.cumulativeReturn,
    warnings,
    series: detail === 'summary' ? noSeries : pathSeries(path),
  };
}

function* performanceText(answered: AnsweredPerformance): Generator<string> {
  const { report } = answered;
  const seriesOf = (series: FigureSeries, members: typeof v1Point | typeof benchmarkPoint) => ({
    series: () => seriesJson(series, members, style),
  });
  yield* jsonAround(frame.write({ ...headingOf(answered), benchmark: report.benchmark, data: null }, style), {
    benchmark: () => {
      const compared = benchmarkOf(answered, report.benchmark!);
      return jsonAround(benchmarkFrame.write(compared, style), seriesOf(compared.series, benchmarkPoint));
    },
    data: () =>
      arrayOf(report.segments, (one) => {
        const told = segmentOf(answered, one);
        return jsonAround(segmentFrame.write(told, style), seriesOf(told.series, v1Point));
      }),
  });
}

function answerLines(answered: AnsweredPerformance, format: Exclude<ReportFormat, 'json'>): Answer {
  const { segments } = answered.report;
  if (answered.detail === 'series') {
    const type = format === 'csv' ? `${csvType}; charset=utf-8; header=present` : linesType;
    return answerInPieces(type, format === 'csv' ? csvLines(answered) : jsonLines(answered));
  }
  const rows = segments.map((one) => summaryOf(answered, one));
  if (format === 'csv') return csvReport(v1SegmentSummary, rows);
  return answerInPieces(
    linesType,
    rows.map((row) => `${writeJson(v1SegmentSummary.write(row, style))}\n`),
  );
}

function* csvLines({ report, names }: AnsweredPerformance): Generator<string> {
  yield csvLine(['axis', 'segment_id', ...figuresOf(v1Point).map(snakeCase)]);
  for (const one of report.segments) {
    const before = csvLine(segmentIn(one, names).map((text) => text ?? '')).replace(/\r\n$/, ',');
    yield* seriesCsvLines(segmentSeries(one.returns), v1Point, before);
  }
}

function* jsonLines({ report, names }: AnsweredPerformance): Generator<string> {
  for (const one of report.segments) {
    const [axis, segmentId] = segmentIn(one, names);
    const before = `${writeJson({ axis, segment_id: segmentId }).slice(1, -1)},`;
    yield* seriesJsonLines(segmentSeries(one.returns), v1Point, { style, before });
  }
}

function segmentIn({ axis, segment: key }: SegmentReport, names: SegmentNames): [axis: string, id: string | null] {
  return axis === null ? ['total', null] : [axis, names.tell(axis, key).segmentId];
}
