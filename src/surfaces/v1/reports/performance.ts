// The performance report on v1: by either method, along any axes, net or gross of fees, with a benchmark, as JSON or as lines.

import { calendarDate, id, oneOf, someOf } from '../../../kit/field.ts';
import { currencyCode } from '../../../model/currency.ts';
import { feeTreatments, returnMethods, type ReturnMethodName } from '../../../model/report/performance.ts';
import { axes, type Axis } from '../../../actions/reports/segments/axis.ts';
import { readPerformance, type PerformanceQuery } from '../../../actions/reports/performance.ts';
import { explainPerformance } from '../../../actions/reports/explain/explain-performance-rows.ts';
import { readSegmentNames } from '../../../actions/reports/segments/segment-names.ts';
import { readDayRange, type DayRange } from '../../http/lists/day-range.ts';
import { calendarPeriods, type CalendarPeriod } from '../../../model/report/calendar-period.ts';
import { invalidParameter } from '../../http/operation/query-parameters.ts';
import type { RequestContext } from '../../http/operation/operation.ts';
import { windowExample } from '../../http/reports/performance-response.ts';
import { explainParameter, wantsExplanations } from './explain-parameter.ts';
import { reportFormat, formatParameter, ndjsonType } from './report-format.ts';
import { performanceResponse, performanceSchema, type ReportDetail } from './performance-response.ts';
import {
  defineReport,
  readReportInput,
  reportOperationBase,
  reportParameters,
  reportRefusals,
} from './report-query.ts';
import { reportStyle, roundParameter } from './report-rounding.ts';
import { csvType } from '../ledger/transaction-export.ts';

const v1WindowNames = { from: 'start', to: 'end' } as const;

const parameters = {
  ...reportParameters,
  start: {
    kind: calendarDate,
    description:
      'The first day, inclusive. The default is 1 January of the current year, or of the year of `end` if that is earlier. Days before anything is held are left out: series and volatility begin there.',
    example: windowExample.from,
  },
  end: {
    kind: calendarDate,
    description:
      'The last day, inclusive. The default is today. Days after the latest data carry the last values, from the day in `carried_from` on.',
    example: windowExample.to,
  },
  method: {
    kind: oneOf(returnMethods),
    description:
      '`daily`: money comes in at the start of a day and leaves at its end; `modified-dietz`: it counts for half the day. `daily` by default.',
  },
  by: {
    kind: someOf(axes),
    repeats: true,
    description:
      'The axes to break down by. May be sent several times, or once with commas. `class` is the top-level class.',
    example: ['class'],
  },
  currency: {
    kind: currencyCode,
    description: "A currency other than the client's reference currency, at each day's rate.",
  },
  fees: {
    kind: oneOf(feeTreatments),
    description: '`gross` adds back what was paid for advice, never what trading cost. `net` by default.',
  },
  benchmark: {
    kind: id,
    description:
      "An instrument to compare with: its index factors, else prices, else net asset values, at each day's rate where it names another currency.",
  },
  detail: {
    kind: oneOf(['series', 'summary']),
    description: '`summary` leaves out the days. `series` by default.',
  },
  every: {
    kind: someOf(calendarPeriods),
    repeats: true,
    description:
      'May be sent several times, or once with commas. Adds the figures of each calendar month, quarter or year of the window to every segment, as `periods`. Available with JSON only.',
  },
  ...roundParameter,
  ...explainParameter,
  ...formatParameter,
} as const;

interface PerformanceInput {
  readonly question: Omit<PerformanceQuery, 'reportingEntity'>;
  readonly detail: ReportDetail;
}

interface PerformanceParameters {
  readonly method?: ReturnMethodName;
  readonly by?: readonly Axis[];
  readonly currency?: string;
  readonly fees?: (typeof feeTreatments)[number];
  readonly benchmark?: string;
  readonly detail?: ReportDetail;
}

function readInput({ query }: Pick<RequestContext, 'query'>): PerformanceInput {
  const {
    method = 'daily',
    by = [],
    currency,
    fees = 'net',
    benchmark,
    detail = 'series',
  } = query as PerformanceParameters;
  const window: DayRange = readDayRange({ query }, v1WindowNames);
  const compared = benchmark === undefined ? undefined : { parameter: 'benchmark', id: benchmark };
  const question = { window, method, axes: by, currency, fees, benchmark: compared, splitsGain: true };
  return { question, detail };
}

const everyNeedsJson = 'every is available with JSON only: a line of a file has the figures of a segment or of a day.';

const performancePath = defineReport<PerformanceInput>({
  ...reportOperationBase,
  people: 'viewer',
  id: 'v1.performance.report',
  group: 'performance',
  path: '/v1/performance',
  summary: 'Performance of a reporting entity',
  description:
    'How well the wealth was invested, whatever was paid in or out: daily time-weighted returns and their totals, for the whole reporting entity and for every segment of every axis in `by`. Along axes that do not overlap, the flows and contributions of the segments add up to those of the whole. Long answers are streamed and have no `ETag`.',
  query: parameters,
  alternativeMediaTypes: [csvType, ndjsonType],
  responses: { 200: { description: 'The whole and its segments.', schema: performanceSchema } },
  refusals: [...reportRefusals, 'report-too-large', 'instrument-not-found'],
  read: readInput,
  async handle(request, { question, detail }) {
    const input = { ...question, ...readReportInput(request) };
    const isExplained = wantsExplanations(request, input.reportingEntity, reportFormat(request) === 'json');
    const report = await readPerformance(request.work, input);
    const names = await readSegmentNames(request.work, report.basis, question.axes);
    const format = reportFormat(request);
    const style = reportStyle(request, report.currency, format === 'csv' ? 'csv' : 'json');
    const every: readonly CalendarPeriod[] | undefined = request.query['every'];
    if (every !== undefined && format !== 'json') throw invalidParameter('every', everyNeedsJson);
    const explanations = isExplained ? await explainPerformance(request.work, report, question.fees) : undefined;
    return performanceResponse({ report, names, question: input, detail, style, every, explanations }, format);
  },
});

export const v1PerformancePaths = [performancePath];
