// The performance of a reporting entity over a whole window, on JSON:API.

import { defined } from '../../kit/assert.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import type { ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';
import { residualSegment } from '../../actions/reports/segments/axis.ts';
import { readPerformance, type PerformanceReport, type SegmentReport } from '../../actions/reports/performance.ts';
import { readDayRange, type DayRange } from '../http/lists/day-range.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { mapSegments } from '../http/reports/performance-response.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import { windowDescription, jsonApiWindowNames, windowParameters } from './performance.ts';
import { performanceSummaryShape } from './performance-shapes.ts';
import { linkage, linkageTo, reportDocument, reportMeta, reportResource, jsonApiStyle } from './report-document.ts';
import { jsonApi } from './wire.ts';

type Summarized = ValueOf<typeof performanceSummaryShape>;

function contributionOf(
  { segment, returns }: SegmentReport,
  { basis }: PerformanceReport,
): Summarized['contributions'][0] {
  const { gain, end } = returns.totals();
  return {
    id: segment === residualSegment ? null : segment,
    name: basis.classes.path(segment).at(-1)?.name ?? null,
    contribution: returns.contribution,
    contributionAmount: gain,
    marketValue: end,
  };
}

async function summaryOf(report: PerformanceReport): Promise<Summarized> {
  const [first] = report.segments;
  const whole = defined(first, 'the whole comes first');
  const { returns } = whole;
  const { begin, end, flow, gain, income, fees } = returns.totals();
  const { path } = returns;
  const contributions = await mapSegments(report, (one) => contributionOf(one, report));
  return {
    currency: report.currency,
    fromDate: report.window.requestedStart,
    toDate: report.window.end,
    method: 'daily',
    beginMarketValue: begin,
    endMarketValue: end,
    netCashFlow: flow,
    totalReturn: path.cumulativeReturn,
    cumulativeTwr: path.cumulativeReturn,
    annualisedTwr: path.annualised().ratio,
    contributionAmount: gain,
    maxDrawdown: path.maximumDrawdown().ratio,
    volatility: path.volatility().ratio,
    income,
    fees,
    contributions: contributions.slice(1),
    warnings: whole.warnings(),
  };
}

const relationships = objectOf({ reportingEntity: member(linkage('reporting-entity'), 'The reporting entity.') });
const document = reportDocument(reportResource('summarized-performance', performanceSummaryShape, relationships));

const summarizedPath = defineOperation<DayRange>({
  id: 'json-api.summarized-performance.report',
  wire: jsonApi,
  group: 'summarized-performance',
  method: 'GET',
  path: '/api/v2/summarized-performance/reporting-entities/{id}',
  summary: 'Summarised performance of a reporting entity',
  description: `For a report on one page: values, flows, return and risk of a window in the reference currency, and what each top-level class of instruments contributed: the contributions add up to the total return. ${windowDescription}`,
  right: 'read',
  people: 'viewer',
  mode: 'read',
  heavy: true,
  threadKey: ({ params }) => pathParameter(params, 'id'),
  query: windowParameters,
  responses: { 200: { description: 'The figures.', schema: document.schema(jsonApiStyle) } },
  refusals: [notFoundCode(reportingEntity), 'report-too-large', 'fx-rate-missing'],
  read: (parsed) => readDayRange(parsed, jsonApiWindowNames),
  async handle({ work, params }, window) {
    const id = pathParameter(params, 'id');
    const question = { reportingEntity: id, window, method: 'daily', fees: 'net', axes: ['class'] } as const;
    const report = await readPerformance(work, question);
    const data = {
      type: 'summarized-performance',
      id,
      attributes: await summaryOf(report),
      relationships: { reportingEntity: linkageTo('reporting-entity', id) },
    };
    return { status: 200, body: document.write({ data, meta: reportMeta(report) }, jsonApiStyle) };
  },
});

export const summarizedPerformancePaths = [summarizedPath];
