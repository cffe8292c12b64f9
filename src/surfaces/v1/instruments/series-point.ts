// The points of an instrument's time series on v1: lists by day, single points, and bulk writes.

import { defined } from '../../../kit/assert.ts';
import type { Json } from '../../../kit/json.ts';
import { resourceLabel } from '../../../kit/resource.ts';
import { instrument } from '../../../model/instrument/instrument.ts';
import { seriesPoints } from '../../../model/instrument/series-point.ts';
import { instrumentActions } from '../../../actions/instruments/instrument-actions.ts';
import { deleteActions } from '../../../actions/core/record-actions.ts';
import {
  type SeriesPointChange,
  recordPointImport,
  lockSeries,
  seriesPointRules,
  putPoint,
  putPoints,
  type SeriesPointInput,
  type SeriesResource,
} from '../../../actions/instruments/series-point.ts';
import { SeriesBulk, type NamedPoint } from '../../../actions/instruments/series-bulk.ts';
import { snakeCaseCreationSchema } from '../../snake-case/creation-schema.ts';
import {
  snakeCaseExample,
  snakeCasePointer,
  snakeCaseSchema,
  readSnakeCase,
} from '../../snake-case/snake-case-object.ts';
import { bulkParameters, runBulk } from '../../http/bulk/bulk-mode.ts';
import { writeBulk } from '../../http/bulk/write-bulk.ts';
import { pageSchema } from '../../http/lists/cursor-page.ts';
import { readDatedRange, type DatedRange } from '../../http/lists/dated-query.ts';
import {
  defineOperation,
  type BulkDescription,
  type Operation,
  type ParsedRequest,
} from '../../http/operation/operation.ts';
import type { FaultDetail } from '../../http/operation/declared-fields.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { seriesHolderId } from '../../http/openapi/parameters.ts';
import { notFoundCode } from '../../http/operation/write-refusals.ts';
import {
  bulkResponses,
  bulkRowsDescription,
  datedPageParameters,
  listDatedPage,
  putResponse,
  putResponses,
} from './dated-values.ts';
import { instrumentMembers, readNamedInstrument, withNameMembers } from '../named-members.ts';
import { v1DeletePath, v1ReadPath, renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

function operationBase(resource: SeriesResource, verb: string) {
  return { id: `v1.${resource.type}.${verb}`, wire: v1, group: resource.plural, resource };
}

function collectionPath({ plural }: SeriesResource): string {
  return `/v1/instruments/{id}/${plural}`;
}

const words = ({ plural }: SeriesResource): string => plural.replaceAll('-', ' ');

function instrumentParent({ params }: ParsedRequest) {
  return { relation: 'instrument', id: pathParameter(params, 'id') };
}

function listPath(resource: SeriesResource): Operation {
  const path = collectionPath(resource);
  return defineOperation<DatedRange>({
    ...operationBase(resource, 'list'),
    method: 'GET',
    path,
    summary: `List ${words(resource)} of an instrument`,
    right: 'read',
    mode: 'read',
    query: datedPageParameters,
    responses: { 200: { description: 'A page, by day.', schema: pageSchema(snakeCaseSchema(resource, v1)) } },
    refusals: ['cursor-invalid', 'cursor-expired', notFoundCode(instrument)],
    read: readDatedRange,
    async handle(request, range) {
      const where = { instrument: pathParameter(request.params, 'id') };
      const page = await listDatedPage(request, resource, { operation: path, where, ...range });
      // A point proves that its instrument exists; an empty page does not.
      if (page.data.length === 0) await instrumentActions.get(request.work, pathParameter(request.params, 'id'));
      return { status: 200, body: { ...page, data: page.data.map((one) => renderV1(resource, one)) } };
    },
  });
}

function createPath(resource: SeriesResource): Operation {
  return defineOperation<SeriesPointChange>({
    ...operationBase(resource, 'create'),
    method: 'POST',
    path: collectionPath(resource),
    summary: `Put ${/^[aeiou]/.test(resource.type) ? 'an' : 'a'} ${resourceLabel(resource)}`,
    description: 'It overwrites the value of the same day and source.',
    right: 'write',
    mode: 'write',
    query: {},
    fieldInPath: 'instrument',
    body: {
      schema: snakeCaseCreationSchema(resource, v1, 'instrument'),
      example: snakeCaseExample(resource, v1, 'create'),
    },
    responses: putResponses(resource),
    refusals: [notFoundCode(instrument), 'series-not-of-type', 'outside-reach'],
    read: (parsed) =>
      readSnakeCase(resource, parsed.body, {
        wire: v1,
        purpose: 'create',
        parent: instrumentParent(parsed),
      }),
    handle: async (request, input) => putResponse(request, resource, await putPoint(request.work, resource, input)),
  });
}

function bulkPath(resource: SeriesResource): Operation {
  const example = snakeCaseExample(resource, v1, 'create');
  const bulk: BulkDescription = {
    row: snakeCaseCreationSchema(resource, v1, 'instrument'),
    example: [{ ...example, date: '2026-11-12' }, example],
  };
  return defineOperation<void>({
    ...operationBase(resource, 'bulk'),
    method: 'POST',
    path: `${collectionPath(resource)}/bulk`,
    summary: `Put many ${words(resource)}`,
    description: bulkRowsDescription,
    right: 'write',
    mode: 'write',
    heavy: true,
    query: bulkParameters,
    bulk,
    responses: bulkResponses,
    refusals: [notFoundCode(instrument), 'series-not-of-type', 'outside-reach'],
    read: () => undefined,
    async handle(request) {
      const { work } = request;
      const parent = instrumentParent(request);
      const body = await runBulk(request, async () => {
        const lockedInstrument = await lockSeries(work, resource, parent.id);
        const report = await writeBulk<SeriesPointInput, 'written'>(request, bulk, {
          counts: ['written'],
          read: (row, at, faultDetail) =>
            readSnakeCase(resource, row, { wire: v1, purpose: 'create', parent, at, faultDetail }) as never,
          write: async (points) => ({
            counts: putPoints(work, resource, lockedInstrument, points).then((written) => ({ written })),
          }),
        });
        recordPointImport(work, resource, lockedInstrument, { accepted: report.accepted, written: report.written });
        return report;
      });
      return { status: 200, body };
    },
  });
}

/** A point of any instrument: named by its id, or by codes. */
function readNamedPoint(resource: SeriesResource, row: Json, at: string, faultDetail: FaultDetail): NamedPoint {
  const named = readNamedInstrument(row, at, faultDetail);
  const { date, value, ...others } = readSnakeCase(resource, row, {
    wire: v1,
    purpose: 'create',
    at,
    faultDetail,
    otherMembers: Object.keys(instrumentMembers),
    givenElsewhere: named === undefined ? [] : ['instrument'],
  });
  return {
    ...others,
    date: defined(date, 'a point is read with its date'),
    value: defined(value, 'a point is read with its value'),
    ...(named && { named }),
  };
}

function bulkAcrossPath(resource: SeriesResource): Operation {
  const example = { ...snakeCaseExample(resource, v1, 'create'), instrument_id: seriesHolderId(resource) };
  const bulk: BulkDescription = {
    row: withNameMembers(snakeCaseCreationSchema(resource, v1), instrumentMembers, ['instrument_id']),
    example: [{ ...example, date: '2026-11-12' }, example],
  };
  return defineOperation<void>({
    ...operationBase(resource, 'bulk-across'),
    method: 'POST',
    path: `/v1/${resource.plural}/bulk`,
    summary: `Put ${words(resource)} of many instruments`,
    description: `Load the ${words(resource)} of a whole catalogue in one file, such as what a data vendor delivers for a day. ${bulkRowsDescription}\n\nEach row names its instrument by \`instrument_id\`, or by \`isin\`, \`cusip\`, \`sedol\`, \`ticker\` with \`mic\`, or \`custodian_code\`; where both are sent, they must mean the same. Of two instruments with one code, one that all clients share goes before a private one.`,
    right: 'write',
    mode: 'write',
    heavy: true,
    query: bulkParameters,
    bulk,
    responses: bulkResponses,
    refusals: [notFoundCode(instrument), 'series-not-of-type', 'outside-reach', 'ambiguous-name'],
    read: () => undefined,
    async handle(request) {
      const body = await runBulk(request, async () => {
        const points = new SeriesBulk(request.work, resource);
        const report = await writeBulk<NamedPoint, 'written'>(request, bulk, {
          counts: ['written'],
          read: (row, at, faultDetail) => readNamedPoint(resource, row, at, faultDetail),
          write: (rows) => points.write(rows),
          check: (rows) => points.check(rows),
          pointer: (field, item) => snakeCasePointer(resource, field, item),
        });
        points.finish();
        return report;
      });
      return { status: 200, body };
    },
  });
}

export const v1SeriesPointPaths: readonly Operation[] = seriesPoints.flatMap((resource) => {
  const actions = deleteActions(seriesPointRules(resource as (typeof seriesPoints)[0]));
  return [
    listPath(resource),
    createPath(resource),
    bulkPath(resource),
    bulkAcrossPath(resource),
    v1ReadPath({ actions }),
    v1DeletePath({ actions }),
  ];
});
