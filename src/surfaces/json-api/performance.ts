// Performance on the JSON:API wire: the daily series of a reporting entity, broken down by each axis that is asked for. Knows no
// formula.

import { someOf } from '../../kit/field.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { jsonApiPoint, jsonApiSegment } from '../../model/report/performance.ts';
import { residualSegment, type Axis } from '../../actions/reports/segments/axis.ts';
import { readPerformance, type PerformanceReport, type SegmentReport } from '../../actions/reports/performance.ts';
import { segmentSeries } from '../../actions/reports/segments/segment-series.ts';
import { dayRangeParameters, readDayRange, type DayRange } from '../http/lists/day-range.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { answerInPieces, isLong, seriesPlace, windowExample } from '../http/reports/performance-response.ts';
import { arrayOf, jsonAround, placeOf } from '../http/reports/json-template.ts';
import { pointList, seriesJson } from '../http/reports/series-text.ts';
import { notFoundOf } from '../http/operation/write-refusals.ts';
import {
  heldTypeOf,
  heldTypes,
  linkageSchema,
  linkageTo,
  membersSchema,
  optionalLinkageSchema,
  reportDocumentSchema,
  reportMeta,
  reportResourceSchema,
  style,
} from './report-document.ts';
import { jsonApi } from './wire.ts';

export const windowNames = { from: 'fromDate', to: 'toDate' } as const;

export const windowDescription =
  'Without `toDate` the window ends today, and never later than the latest day with data; without `fromDate` it begins on 1 January of the year in which it ends.';

export const windowParameters = dayRangeParameters(windowNames, windowExample);

/** What can be expanded: the axis it is, and the relationship that names a segment. */
const expandable = {
  portfolios: { axis: 'portfolio', relation: 'portfolio' },
  depositories: { axis: 'depository', relation: 'depository' },
  instruments: { axis: 'instrument', relation: 'instrument' },
  instrumentClasses: { axis: 'class', relation: 'instrumentClass' },
  instrumentClassesDetailed: { axis: 'detailed-class', relation: 'instrumentClass' },
} as const satisfies Record<string, { axis: Axis; relation: string }>;

type Expanded = keyof typeof expandable;
const expandedWords = Object.keys(expandable) as Expanded[];

function expandedAs(axis: Axis): Expanded {
  return expandedWords.find((word) => expandable[word].axis === axis)!;
}

const relationTypes = {
  portfolio: () => 'portfolio',
  depository: () => 'depository',
  instrument: (id: string, { scope }: PerformanceReport) => heldTypeOf(id, scope),
  instrumentClass: () => 'instrument-class',
};

function relationshipsOf({ axis, segment }: SegmentReport, report: PerformanceReport): object {
  const whole = { reportingEntity: linkageTo('reporting-entity', report.scope.reportingEntity) };
  if (axis === null) return whole;
  const { relation } = expandable[expandedAs(axis)];
  const id = segment === residualSegment ? null : segment;
  return { ...whole, [relation]: linkageTo(id === null ? '' : relationTypes[relation](id, report), id) };
}

const whole = jsonApiSegment(pointList(jsonApiPoint));
const frame = jsonApiSegment(seriesPlace);

function toPerformance(one: SegmentReport, report: PerformanceReport, shape: typeof whole): object {
  const { axis, segment, returns } = one;
  const word: Expanded | 'total' = axis === null ? 'total' : expandedAs(axis);
  const { window, currency, scope } = report;
  const attributes = {
    axis: word,
    currency,
    fromDate: window.start,
    toDate: window.end,
    method: 'daily' as const,
    series: segmentSeries(returns),
    warnings: one.warnings(),
  };
  return {
    type: 'performance',
    id: [scope.reportingEntity, word, ...(axis === null ? [] : [segment || '-'])].join('.'),
    attributes: shape.write(attributes, style),
    relationships: relationshipsOf(one, report),
  };
}

function* documentText(report: PerformanceReport): Generator<string> {
  const document = { data: placeOf('data').write(undefined, style), meta: reportMeta(report) };
  const series = ({ returns }: SegmentReport) => seriesJson(segmentSeries(returns), jsonApiPoint, style);
  yield* jsonAround(document, {
    data: () =>
      arrayOf(report.segments, (one) => jsonAround(toPerformance(one, report, frame), { series: () => series(one) })),
  });
}

const schema = reportResourceSchema({
  type: 'performance',
  attributes: whole.schema(style),
  relationships: membersSchema(
    { reportingEntity: linkageSchema('reporting-entity') },
    {
      portfolio: linkageSchema('portfolio'),
      depository: optionalLinkageSchema('depository'),
      instrument: linkageSchema(...heldTypes),
      instrumentClass: optionalLinkageSchema('instrument-class'),
    },
  ),
});

interface AskedPerformance {
  readonly window: DayRange;
  readonly axes: readonly Axis[];
}

const performancePath = defineOperation<AskedPerformance>({
  id: 'json-api.performance.report',
  wire: jsonApi,
  group: 'performance',
  method: 'GET',
  path: '/api/v2/performance/reporting-entities/{id}',
  summary: 'Performance of a reporting entity, day by day',
  description: `Daily time-weighted returns in the reference currency: money is taken to come in at the start of a day and to leave at its end. The whole first, then every segment of every axis in \`expand\`; what an axis does not name is a segment whose relationship is null. ${windowDescription}`,
  right: 'read',
  people: 'viewer',
  mode: 'read',
  heavy: true,
  thread: ({ params }) => params['id']!,
  query: {
    ...windowParameters,
    expand: {
      kind: someOf(expandedWords),
      repeats: true,
      description:
        'By what to break down; may be sent several times, or once with commas between. `instrumentClasses` are the top-level classes, `instrumentClassesDetailed` those that instruments are of.',
      example: ['instrumentClasses'],
    },
  },
  answers: {
    200: {
      description: 'The whole and its segments.',
      schema: reportDocumentSchema({ type: 'array', items: schema }),
    },
  },
  refusals: [notFoundOf(reportingEntity), 'report-too-large', 'fx-rate-missing'],
  read: (sent) => {
    const expand: readonly Expanded[] = sent.query['expand'] ?? [];
    return { window: readDayRange(sent, windowNames), axes: expand.map((word) => expandable[word].axis) };
  },
  async handle({ work, params }, asked) {
    const question = { reportingEntity: params['id']!, method: 'daily', fees: 'net', ...asked } as const;
    const report = await readPerformance(work, question);
    if (isLong(report)) return answerInPieces(jsonApi.mediaType, documentText(report));
    const data = report.segments.map((one) => toPerformance(one, report, whole));
    return { status: 200, body: { data, meta: reportMeta(report) } };
  },
});

export const performancePaths = [performancePath];
