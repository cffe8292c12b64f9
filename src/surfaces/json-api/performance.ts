// Performance on JSON:API: the daily series of a reporting entity, broken down by each axis in `expand`.

import { defined } from '../../kit/assert.ts';
import { someOf, type ValueOf } from '../../kit/field.ts';
import { keysOf } from '../../kit/keys.ts';
import { listOf, member, objectOf, omissible } from '../../kit/structured-field.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { heldTypeOf } from '../../actions/reports/report-basis.ts';
import { residualSegment, type Axis } from '../../actions/reports/segments/axis.ts';
import { readPerformance, type PerformanceReport, type SegmentReport } from '../../actions/reports/performance.ts';
import { dayRangeParameters, readDayRange, type DayRange } from '../http/lists/day-range.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import {
  streamedResponse,
  isLongReport,
  seriesPlaceholder,
  windowExample,
} from '../http/reports/performance-response.ts';
import { jsonArray, fillJsonTemplate, placeholder, type TextPart } from '../http/reports/json-template.ts';
import { pointList, seriesJson } from '../http/reports/series-text.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import {
  heldTypes,
  linkage,
  linkageTo,
  optionalLinkage,
  reportDocument,
  reportMeta,
  reportResource,
  jsonApiStyle,
} from './report-document.ts';
import { jsonApiPoint, jsonApiSegment } from './performance-shapes.ts';
import { jsonApi } from './wire.ts';

export const jsonApiWindowNames = { from: 'fromDate', to: 'toDate' } as const;

export const windowDescription =
  'Without `toDate` the window ends today; without `fromDate` it begins on 1 January of the current year, or of the year of `toDate` if that is earlier. Days before anything is held are left out of series. Days after the latest data carry the last values, and the warning `carried` names the first of them.';

export const windowParameters = dayRangeParameters(jsonApiWindowNames, windowExample);

/** The values of `expand`: the axis of each, and the relationship that names a segment. */
const expandable = {
  portfolios: { axis: 'portfolio', relation: 'portfolio' },
  depositories: { axis: 'depository', relation: 'depository' },
  instruments: { axis: 'instrument', relation: 'instrument' },
  instrumentClasses: { axis: 'class', relation: 'instrumentClass' },
  instrumentClassesDetailed: { axis: 'detailed-class', relation: 'instrumentClass' },
} as const satisfies Record<string, { axis: Axis; relation: string }>;

type Expanded = keyof typeof expandable;
const expandedWords = keysOf(expandable);

function expandWord(axis: Axis): Expanded {
  return defined(
    expandedWords.find((word) => expandable[word].axis === axis),
    'only axes of `expand` are reported',
  );
}

const relationTypes = {
  portfolio: () => 'portfolio',
  depository: () => 'depository',
  instrument: (id: string, { basis }: PerformanceReport) => heldTypeOf(id, basis),
  instrumentClass: () => 'instrument-class',
};

const relationships = objectOf({
  reportingEntity: member(linkage('reporting-entity'), 'The reporting entity.'),
  portfolio: omissible(linkage('portfolio'), 'Of a segment of portfolios: the portfolio.'),
  depository: omissible(optionalLinkage('depository'), 'Of a segment of depositories: the depository.'),
  instrument: omissible(linkage(...heldTypes), 'Of a segment of instruments: the instrument.'),
  instrumentClass: omissible(optionalLinkage('instrument-class'), 'Of a segment of classes: the class.'),
});

function relationshipsOf({ axis, segment }: SegmentReport, report: PerformanceReport): ValueOf<typeof relationships> {
  const reportingEntityLink = { reportingEntity: linkageTo('reporting-entity', report.basis.reportingEntity) };
  if (axis === null) return reportingEntityLink;
  const { relation } = expandable[expandWord(axis)];
  const id = segment === residualSegment ? null : segment;
  return { ...reportingEntityLink, [relation]: linkageTo(id === null ? '' : relationTypes[relation](id, report), id) };
}

const resource = reportResource('performance', jsonApiSegment(pointList(jsonApiPoint)), relationships);
const template = reportResource('performance', jsonApiSegment(seriesPlaceholder), relationships);
const document = reportDocument(listOf(resource));
const documentTemplate = reportDocument(placeholder('data'));

function toResource(one: SegmentReport, report: PerformanceReport): ValueOf<typeof resource> {
  const { axis, segment, series } = one;
  const word: Expanded | 'total' = axis === null ? 'total' : expandWord(axis);
  const { window, currency, basis } = report;
  const attributes = {
    axis: word,
    currency,
    fromDate: window.requestedStart,
    toDate: window.end,
    method: 'daily' as const,
    series,
    warnings: one.warnings(),
  };
  return {
    type: 'performance',
    id: [basis.reportingEntity, word, ...(axis === null ? [] : [segment || '-'])].join('.'),
    attributes,
    relationships: relationshipsOf(one, report),
  };
}

function* documentText(report: PerformanceReport): Generator<TextPart> {
  const around = documentTemplate.write({ data: undefined, meta: reportMeta(report) }, jsonApiStyle);
  const text = ({ series }: SegmentReport) => seriesJson(series, jsonApiPoint, jsonApiStyle);
  yield* fillJsonTemplate(around, {
    data: () =>
      jsonArray(report.segments, (one) =>
        fillJsonTemplate(template.write(toResource(one, report), jsonApiStyle), { series: () => text(one) }),
      ),
  });
}

interface PerformanceInput {
  readonly window: DayRange;
  readonly axes: readonly Axis[];
}

const performancePath = defineOperation<PerformanceInput>({
  id: 'json-api.performance.report',
  wire: jsonApi,
  group: 'performance',
  method: 'GET',
  path: '/api/v2/performance/reporting-entities/{id}',
  summary: 'Performance of a reporting entity, day by day',
  description: `For charts and comparisons: daily time-weighted returns in the reference currency: money is taken to come in at the start of a day and to leave at its end. The whole first, then every segment of every axis in \`expand\`; what an axis does not name is a segment whose relationship is null. ${windowDescription}`,
  right: 'read',
  people: 'viewer',
  mode: 'read',
  heavy: true,
  threadKey: ({ params }) => pathParameter(params, 'id'),
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
  responses: {
    200: {
      description: 'The whole and its segments.',
      schema: document.schema(jsonApiStyle),
    },
  },
  refusals: [notFoundCode(reportingEntity), 'report-too-large', 'fx-rate-missing'],
  read: (parsed) => {
    const expand: readonly Expanded[] = parsed.query['expand'] ?? [];
    return { window: readDayRange(parsed, jsonApiWindowNames), axes: expand.map((word) => expandable[word].axis) };
  },
  async handle({ work, params }, input) {
    const question = { reportingEntity: pathParameter(params, 'id'), method: 'daily', fees: 'net', ...input } as const;
    const report = await readPerformance(work, question);
    if (isLongReport(report)) return streamedResponse(jsonApi.mediaType, documentText(report), report);
    const data = report.segments.map((one) => toResource(one, report));
    return { status: 200, body: document.write({ data, meta: reportMeta(report) }, jsonApiStyle) };
  },
});

export const jsonApiPerformancePaths = [performancePath];
