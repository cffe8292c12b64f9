// Points of an instrument's time series on JSON:API: the effective one of each day, and points entered by hand.

import { resourceLabel } from '../../kit/resource.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import { seriesPoints } from '../../model/instrument/series-point.ts';
import { countDatedValues, listDatedValues } from '../../actions/core/dated-value.ts';
import { instrumentActions } from '../../actions/instruments/instrument-actions.ts';
import { deleteRecord } from '../../actions/core/resource.ts';
import {
  type SeriesPointChange,
  seriesPointRules,
  putPoint,
  type SeriesResource,
} from '../../actions/instruments/series-point.ts';
import { defineOperation, type Operation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { cappedListSchema, cappedRows } from '../http/lists/row-cap.ts';
import { deleteRefusals, notFoundCode } from '../http/operation/write-refusals.ts';
import { documentExample, documentSchema, responseDocumentSchema, resourceSchema } from './document-schema.ts';
import { readDocument, renderResource } from './document.ts';
import { jsonApi } from './wire.ts';

function operationBase(resource: SeriesResource, verb: string) {
  return { id: `json-api.${resource.type}.${verb}`, wire: jsonApi, group: resource.plural, resource, query: {} };
}

function collectionPath({ plural }: SeriesResource): string {
  return `/api/v3/instruments/{id}/${plural}`;
}

const words = ({ plural }: SeriesResource): string => plural.replaceAll('-', ' ');

function listPath(resource: SeriesResource): Operation {
  return defineOperation<void>({
    ...operationBase(resource, 'list'),
    method: 'GET',
    path: collectionPath(resource),
    summary: `List ${words(resource)} of an instrument`,
    right: 'read',
    mode: 'read',
    heavy: true,
    responses: {
      200: {
        description: `The ${words(resource)} of the instrument by day: of each day the effective one.`,
        schema: cappedListSchema(resourceSchema(resource)),
      },
    },
    refusals: [notFoundCode(instrument)],
    read: () => undefined,
    async handle({ work, params }) {
      const where = { instrument: pathParameter(params, 'id') };
      const rows = {
        list: (limit: number) => listDatedValues(work, resource, { where, limit }),
        count: () => countDatedValues(work, resource, { where }),
      };
      const body = await cappedRows(rows, (point) => renderResource(resource, point));
      // A list that is not empty proves that the instrument exists.
      if (body.data.length === 0) await instrumentActions.get(work, pathParameter(params, 'id'));
      return { status: 200, body };
    },
  });
}

function createPath(resource: SeriesResource): Operation {
  const settable = { purpose: 'create', parent: 'instrument' } as const;
  const schema = responseDocumentSchema(resource);
  return defineOperation<SeriesPointChange>({
    ...operationBase(resource, 'create'),
    method: 'POST',
    path: collectionPath(resource),
    summary: `Put ${/^[aeiou]/.test(resource.type) ? 'an' : 'a'} ${resourceLabel(resource)}`,
    description:
      'A point entered by hand (`manual`) takes precedence over all others of its day. Entering another for the same day replaces it.',
    right: 'write',
    mode: 'write',
    fieldInPath: 'instrument',
    body: { schema: documentSchema(resource, settable), example: documentExample(resource, settable) },
    responses: {
      200: { description: 'The point, which replaces an earlier one entered by hand for that day.', schema },
      201: {
        description: 'The first point entered by hand for that day.',
        schema,
        headers: { Location: 'Its address.' },
      },
    },
    refusals: ['type-mismatch', 'client-generated-id', notFoundCode(instrument), 'series-not-of-type', 'outside-reach'],
    read: ({ body, params }) => {
      const parent = { relation: 'instrument', id: pathParameter(params, 'id') };
      return readDocument(resource, body, { purpose: 'create', parent });
    },
    async handle({ work }, input) {
      const { record, outcome } = await putPoint(work, resource, input);
      const body = { data: renderResource(resource, record) };
      if (outcome !== 'created') return { status: 200, body };
      const location = `${work.context.addresses.legacyUrl}/api/v3/${resource.plural}/${record.id}`;
      return { status: 201, headers: { location }, body };
    },
  });
}

function deletePath(resource: SeriesResource): Operation {
  const rules = seriesPointRules(resource as (typeof seriesPoints)[0]);
  return defineOperation<void>({
    ...operationBase(resource, 'delete'),
    method: 'DELETE',
    path: `/api/v3/${resource.plural}/{id}`,
    summary: `Delete one ${resourceLabel(resource)}`,
    description: 'The point of another source becomes the effective one of its day.',
    right: 'write',
    mode: 'write',
    responses: { 204: { description: 'It is gone. Deleting it again answers 404.' } },
    refusals: [...deleteRefusals(resource), 'outside-reach'],
    read: () => undefined,
    async handle({ work, params }) {
      await deleteRecord(work, rules, pathParameter(params, 'id'));
      return { status: 204 };
    },
  });
}

export const jsonApiSeriesPointPaths: readonly Operation[] = seriesPoints.flatMap((resource) => [
  listPath(resource),
  createPath(resource),
  deletePath(resource),
]);
