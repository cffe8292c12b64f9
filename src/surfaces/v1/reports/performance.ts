// Performance on v1: by either method, along any axes, net or gross of fees, beside a benchmark, as JSON or as lines. Knows no
// formula.

import { calendarDate, id, oneOf, someOf } from '../../../kit/field.ts';
import { currencyCode } from '../../../model/currency.ts';
import { feeTreatments, returnMethods, type ReturnMethodName } from '../../../model/report/performance.ts';
import { axes, type Axis } from '../../../actions/reports/segments/axis.ts';
import { readPerformance, type PerformanceQuestion } from '../../../actions/reports/performance.ts';
import { readSegmentNames } from '../../../actions/reports/segments/segment-names.ts';
import { readDayRange, type DayRange } from '../../http/lists/day-range.ts';
import { defineOperation, type Ask } from '../../http/operation/operation.ts';
import { windowExample } from '../../http/reports/performance-response.ts';
import { formatOf, formatParameter, linesType } from './report-format.ts';
import { answerPerformance, performanceSchema, type ReportDetail } from './performance-response.ts';
import { readReport, reportFrame, reportParameters, reportRefusals } from './report-query.ts';
import { csvType } from '../ledger/transaction-export.ts';

const windowNames = { from: 'start', to: 'end' } as const;

const parameters = {
  ...reportParameters,
  start: {
    kind: calendarDate,
    description: 'The first day, included; 1 January of the year in which the window ends when it is not sent.',
    example: windowExample.from,
  },
  end: {
    kind: calendarDate,
    description: 'The last day, included; today when it is not sent, and never later than the latest day with data.',
    example: windowExample.to,
  },
  method: {
    kind: oneOf(returnMethods),
    description:
      '`daily`: money comes in at the start of a day and leaves at its end; `modified-dietz`: it counts for half the day. `daily` when it is not sent.',
  },
  by: {
    kind: someOf(axes),
    repeats: true,
    description:
      'Along which axes to break down; may be sent several times, or once with commas between. `class` is the top-level class.',
    example: ['class'],
  },
  currency: {
    kind: currencyCode,
    description: "Another currency than the client's reference currency, at each day's rate.",
  },
  fees: {
    kind: oneOf(feeTreatments),
    description: '`gross` adds back what was paid for advice, never what trading cost. `net` when it is not sent.',
  },
  benchmark: {
    kind: id,
    description:
      "An instrument to compare with: its index factors, else prices, else net asset values, at each day's rate where it names another currency.",
  },
  detail: {
    kind: oneOf(['series', 'summary']),
    description: '`summary` leaves the days out. `series` when it is not sent.',
  },
  ...formatParameter,
} as const;

interface AskedPerformance {
  readonly question: Omit<PerformanceQuestion, 'reportingEntity'>;
  readonly detail: ReportDetail;
}

interface SentQuery {
  readonly method?: ReturnMethodName;
  readonly by?: readonly Axis[];
  readonly currency?: string;
  readonly fees?: (typeof feeTreatments)[number];
  readonly benchmark?: string;
  readonly detail?: ReportDetail;
}

function readAsked({ query }: Pick<Ask, 'query'>): AskedPerformance {
  const { method = 'daily', by = [], currency, fees = 'net', benchmark, detail = 'series' } = query as SentQuery;
  const window: DayRange = readDayRange({ query }, windowNames);
  const compared = benchmark === undefined ? undefined : { parameter: 'benchmark', id: benchmark };
  return { question: { window, method, axes: by, currency, fees, benchmark: compared }, detail };
}

const performancePath = defineOperation<AskedPerformance>({
  ...reportFrame,
  people: 'viewer',
  id: 'v1.performance.report',
  group: 'performance',
  path: '/v1/performance',
  summary: 'Performance of a reporting entity',
  description:
    'Time-weighted returns day by day and what they come to, for the whole and for every segment of every axis in `by`. Along axes that do not overlap the flows and contributions of the segments add up to those of the whole. Long answers are streamed and carry no `ETag`.',
  query: parameters,
  alsoAs: [csvType, linesType],
  answers: { 200: { description: 'The whole and its segments.', schema: performanceSchema } },
  refusals: [...reportRefusals, 'report-too-large', 'instrument-not-found'],
  read: readAsked,
  async handle(ask, { question, detail }) {
    const asked = { ...question, ...readReport(ask) };
    const report = await readPerformance(ask.work, asked);
    const names = await readSegmentNames(ask.work, report.scope, question.axes);
    return answerPerformance({ report, names, question: asked, detail }, formatOf(ask));
  },
});

export const performancePaths = [performancePath];
