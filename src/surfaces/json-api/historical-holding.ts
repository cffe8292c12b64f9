// Historical holdings on JSON:API: uploaded one by one and deleted by days. JSON:API does not list them.

import { id } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { exampleIdOfType, resourceLabelWithArticle, resourceLabel, type AnyChange } from '../../kit/resource.ts';
import {
  historicalAccountHolding,
  historicalFeeHolding,
  historicalInstrumentHolding,
  type HistoricalHoldingResource,
} from '../../model/ledger/historical-holding.ts';
import {
  deleteHoldingsOnDays,
  locationField,
  putHolding,
  putRefusals,
  type HoldingDayRange,
} from '../../actions/custody/historical-holding.ts';
import { readRequiredDayRange, requiredDayRangeParameters } from '../http/lists/day-range.ts';
import { defineOperation, type Operation } from '../http/operation/operation.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import { documentExample, documentSchema, responseDocumentSchema } from './document-schema.ts';
import { readDocument, renderResource } from './document.ts';
import { jsonApi } from './wire.ts';

const days = { from: 'fromDate', to: 'toDate' } as const;

function operationBase(resource: HistoricalHoldingResource, version: string, verb: string) {
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

function createPath(resource: HistoricalHoldingResource, version: string): Operation {
  const settable = { purpose: 'create', parent: undefined } as const;
  const schema = responseDocumentSchema(resource);
  const key = resource.versions.key.join(', ').replace(/, (?=date)/, ' and ');
  return defineOperation<AnyChange>({
    ...operationBase(resource, version, 'create'),
    method: 'POST',
    summary: `Upload ${resourceLabelWithArticle(resource)}`,
    description: `Replaces what was uploaded for the same ${key}, so that it can be sent again safely. Sending the same values again changes nothing.`,
    query: {},
    body: { schema: documentSchema(resource, settable), example: documentExample(resource, settable) },
    responses: {
      200: {
        description: 'The upload that replaces an earlier one, or the earlier one where nothing differs.',
        schema,
      },
      201: {
        description: `The new ${resourceLabel(resource)}. It has no address here, since no single one can be read.`,
        schema,
      },
    },
    refusals: ['type-mismatch', 'client-generated-id', ...putRefusals(resource)],
    read: ({ body }) => readDocument(resource, body, { purpose: 'create' }),
    async handle({ work }, input) {
      const { record, outcome } = await putHolding(work, resource, input);
      const body = { data: renderResource(resource, record) };
      return { status: outcome === 'created' ? 201 : 200, body };
    },
  });
}

function deletePath(resource: HistoricalHoldingResource, version: string): Operation {
  const placeType = locationField(resource);
  const parameter = `${placeType}Id`;
  return defineOperation<HoldingDayRange>({
    ...operationBase(resource, version, 'delete'),
    method: 'DELETE',
    summary: `Delete ${resource.plural.replaceAll('-', ' ')} by days`,
    description: `Deletes what was uploaded for the ${placeType} on every day from \`fromDate\` to \`toDate\`, both included.`,
    query: {
      [parameter]: {
        kind: id,
        description: `The id of the ${placeType}.`,
        required: true,
        example: exampleIdOfType(placeType),
      },
      ...requiredDayRangeParameters(days),
    },
    responses: { 204: { description: 'No uploads of those days remain. The answer is the same if there were none.' } },
    refusals: [notFoundCode({ type: placeType })],
    read: (parsed) => ({ locationId: parsed.query[parameter] as Id, parameter, ...readRequiredDayRange(parsed, days) }),
    async handle({ work }, input) {
      await deleteHoldingsOnDays(work, resource, input);
      return { status: 204 };
    },
  });
}

const served = [
  [historicalAccountHolding, 'v2'],
  [historicalFeeHolding, 'v2'],
  [historicalInstrumentHolding, 'v3'],
] as const;

export const jsonApiHistoricalHoldingPaths: readonly Operation[] = served.flatMap(([resource, version]) => [
  createPath(resource, version),
  deletePath(resource, version),
]);
