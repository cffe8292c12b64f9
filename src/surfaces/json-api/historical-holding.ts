// Historical uploads on the JSON:API wire: stated one by one, taken back by days. That track has no list of them.

import { id } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { exampleIdOf, oneOfItsKind, wordsOf, type AnyChange, type AnyRecord } from '../../kit/resource.ts';
import {
  historicalAccountHolding,
  historicalFeeHolding,
  historicalHolding,
  historicalInstrumentHolding,
  type HoldingResource,
} from '../../model/ledger/historical-holding.ts';
import {
  deleteDays,
  placeOf,
  putHolding,
  putRefusalsOf,
  type HoldingDays,
} from '../../actions/custody/historical-holding.ts';
import { readWholeRange, wholeRangeParameters } from '../http/lists/day-range.ts';
import { defineOperation, type Operation } from '../http/operation/operation.ts';
import { notFoundOf } from '../http/operation/write-refusals.ts';
import { documentExample, documentSchema, documentSchemaOf } from './document-schema.ts';
import { readDocument, renderResource } from './document.ts';
import { jsonApi } from './wire.ts';

const days = { from: 'fromDate', to: 'toDate' } as const;

function frame(resource: HoldingResource, version: string, verb: string) {
  return {
    id: `json-api.${resource.type}.${verb}`,
    wire: jsonApi,
    group: resource.plural,
    resource,
    path: `/api/${version}/${resource.plural}`,
    right: 'write',
    mode: 'write',
  } as const;
}

function createPath(resource: HoldingResource, version: string): Operation {
  const settable = { purpose: 'create', above: undefined } as const;
  const schema = documentSchemaOf(resource);
  const key = resource.versions.key.join(', ').replace(/, (?=date)/, ' and ');
  return defineOperation<AnyChange>({
    ...frame(resource, version, 'create'),
    method: 'POST',
    summary: `Upload ${oneOfItsKind(resource)}`,
    description: `Overwrites what was uploaded for the same ${key}, so it may be sent again. The same once more changes nothing.`,
    query: {},
    body: { schema: documentSchema(resource, settable), example: documentExample(resource, settable) },
    answers: {
      200: {
        description: 'What was uploaded for the same before, overwritten; or as it was, where nothing is new.',
        schema,
      },
      201: { description: `The new ${wordsOf(resource)}.`, schema, headers: { Location: 'Its address on v1.' } },
    },
    refusals: ['type-mismatch', 'client-generated-id', ...putRefusalsOf(resource)],
    read: ({ body }) => readDocument(resource, body, { purpose: 'create' }),
    async handle({ work }, asked) {
      const { record, outcome } = await putHolding(work, resource, asked);
      const body = { data: renderResource(resource, record as AnyRecord) };
      if (outcome !== 'created') return { status: 200, body };
      const location = `${work.house.addresses.baseUrl}/v1/${historicalHolding.plural}/${record.id}`;
      return { status: 201, headers: { location }, body };
    },
  });
}

function deletePath(resource: HoldingResource, version: string): Operation {
  const place = placeOf(resource);
  const parameter = `${place}Id`;
  return defineOperation<HoldingDays>({
    ...frame(resource, version, 'delete'),
    method: 'DELETE',
    summary: `Delete ${resource.plural.replaceAll('-', ' ')} by days`,
    description: `Deletes what was uploaded for the ${place} on every day from \`fromDate\` to \`toDate\`, both included.`,
    query: {
      [parameter]: { kind: id, description: `The id of the ${place}.`, required: true, example: exampleIdOf(place) },
      ...wholeRangeParameters(days),
    },
    answers: { 204: { description: 'Nothing of those days is left, and it may be that there was nothing.' } },
    refusals: [notFoundOf({ type: place })],
    read: (sent) => ({ place: sent.query[parameter] as Id, parameter, ...readWholeRange(sent, days) }),
    async handle({ work }, asked) {
      await deleteDays(work, resource, asked);
      return { status: 204 };
    },
  });
}

const served = [
  [historicalAccountHolding, 'v2'],
  [historicalFeeHolding, 'v2'],
  [historicalInstrumentHolding, 'v3'],
] as const;

export const historicalHoldingPaths: readonly Operation[] = served.flatMap(([resource, version]) => [
  createPath(resource, version),
  deletePath(resource, version),
]);
