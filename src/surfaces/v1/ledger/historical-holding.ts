// Historical holdings on v1: lists uploads of all three kinds; creates, reads, changes and deletes one, or deletes those of a
// range of days.

import { defined } from '../../../kit/assert.ts';
import { id, oneOf } from '../../../kit/field.ts';
import { refusalForFaults } from '../../../kit/refusal.ts';
import { exampleIdOfType, type AnyChange } from '../../../kit/resource.ts';
import {
  historicalHolding as resource,
  historicalHoldingKinds,
  historicalHoldingsByKind,
  type HistoricalHoldingKind,
  type HistoricalHoldingResource,
} from '../../../model/ledger/historical-holding.ts';
import { changeActions } from '../../../actions/core/record-actions.ts';
import {
  deleteHoldingsOnDays,
  historicalHoldingRules,
  listHoldings,
  locationField,
  putHolding,
  putRefusals,
  type HoldingDayRange,
} from '../../../actions/custody/historical-holding.ts';
import {
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCaseSchema,
  readSnakeCase,
} from '../../snake-case/snake-case-object.ts';
import { listFromCursor, pageSchema } from '../../http/lists/cursor-page.ts';
import {
  dayRangeParameters,
  readDayRange,
  readRequiredDayRange,
  requiredDayRangeParameters,
  type DayRange,
} from '../../http/lists/day-range.ts';
import { defineOperation, type ParsedRequest } from '../../http/operation/operation.ts';
import { putResponse } from '../instruments/dated-values.ts';
import { requireFilterTargets } from '../../../actions/core/filter-targets.ts';
import { filterParameters, filterRefusals, filterTargets, resourceFilters, readFilters } from '../filters.ts';
import { knownAtParameter, readKnownAt } from '../known-at.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { v1ChangePath, v1DeletePath, v1ReadPath, renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const paths = { actions: changeActions(historicalHoldingRules) };
const path = `/v1/${resource.plural}`;
const filters = resourceFilters(resource);
const days = { from: 'from', to: 'to' } as const;

function operationBase(verb: string) {
  return { id: `v1.${resource.type}.${verb}`, wire: v1, group: resource.plural, resource, path };
}

const listPath = defineOperation<DayRange & { where: AnyChange }>({
  ...operationBase('list'),
  method: 'GET',
  summary: 'List historical holdings',
  right: 'read',
  mode: 'read',
  query: { ...pageParameters, ...filterParameters(filters), ...dayRangeParameters(days), ...knownAtParameter },
  responses: {
    200: {
      description: 'A page of historical holdings, ordered by day.',
      schema: pageSchema(snakeCaseSchema(resource, v1)),
    },
  },
  refusals: ['cursor-invalid', 'cursor-expired', ...filterRefusals(filters)],
  read: (parsed) => ({ where: readFilters(filters, parsed.query), ...readDayRange(parsed, days) }),
  async handle(request, input) {
    const query = { ...input, ...readKnownAt(request) };
    const page = await listFromCursor(request, {
      queryKey: [path, query],
      list: (after) =>
        listHoldings(request.work, { ...query, limit: pageSizeOf(request), after: after && JSON.parse(after) }),
      positionOf: ({ date, id: last }) => JSON.stringify({ date, id: last }),
    });
    if (page.data.length === 0) await requireFilterTargets(request.work, filterTargets(filters, request.query));
    return { status: 200, body: { ...page, data: page.data.map((one) => renderV1(resource, one)) } };
  },
});

const createPath = defineOperation<AnyChange>({
  ...operationBase('create'),
  method: 'POST',
  summary: 'Create or overwrite a historical holding',
  description:
    'State what was held at the end of a day that no feed supplies. Overwrites the historical holding with the same natural key: account and date for the kinds `account` and `fee`; depository, instrument and date for the kind `instrument`. Sending the same values again changes nothing.',
  right: 'write',
  mode: 'write',
  query: {},
  body: { schema: snakeCaseBodySchema(resource, v1, 'create'), example: snakeCaseExample(resource, v1, 'create') },
  responses: {
    200: {
      description: 'The historical holding that already had this natural key, overwritten where the values differ.',
      schema: snakeCaseSchema(resource, v1),
      headers: { ETag: 'Its entity tag.' },
    },
    201: {
      description: 'The new historical holding.',
      schema: snakeCaseSchema(resource, v1),
      headers: { Location: 'Its address.', ETag: 'Its entity tag.' },
    },
  },
  refusals: ['account-not-found', ...putRefusals(historicalHoldingsByKind.instrument)],
  read: ({ body }) => readSnakeCase(resource, body, { wire: v1, purpose: 'create' }),
  async handle(request, input) {
    return putResponse(
      request,
      resource,
      await putHolding(request.work, historicalHoldingsByKind[readKind(input['kind'])], input),
    );
  },
});

function readKind(value: unknown): HistoricalHoldingKind {
  return defined(
    historicalHoldingKinds.find((kind) => kind === value),
    'the kind was checked when it was read',
  );
}

interface HoldingDaysInput extends HoldingDayRange {
  readonly holding: HistoricalHoldingResource;
}

/** Requires the account or depository that the kind belongs to, and rejects the other one. */
function readDays(parsed: ParsedRequest): HoldingDaysInput {
  const holding = historicalHoldingsByKind[readKind(parsed.query['kind'])];
  const parameter = `${locationField(holding)}_id`;
  const other = parameter === 'account_id' ? 'depository_id' : 'account_id';
  const kindText = `with kind ${parsed.query['kind']}`;
  const faults = [
    ...(parsed.query[parameter] === undefined ? [[parameter, `${parameter} is required ${kindText}.`] as const] : []),
    ...(parsed.query[other] === undefined ? [] : [[other, `${other} cannot be sent ${kindText}.`] as const]),
  ].map(([name, detail]) => ({ code: 'invalid-parameter', detail, parameter: name }));
  if (faults.length > 0) throw refusalForFaults('invalid-parameter', faults);
  return { holding, locationId: parsed.query[parameter], parameter, ...readRequiredDayRange(parsed, days) };
}

const deleteDaysPath = defineOperation<HoldingDaysInput>({
  ...operationBase('delete-days'),
  method: 'DELETE',
  summary: 'Delete historical holdings in a range of days',
  description:
    'Take back statements of the past, for example before better ones are sent. Deletes all historical holdings of one kind from `from` to `to`, both days included: those of an account for the kinds `account` and `fee`, those of a depository for the kind `instrument`.',
  right: 'write',
  mode: 'write',
  query: {
    kind: {
      kind: oneOf(historicalHoldingKinds),
      description: 'The kind of the holdings to delete.',
      required: true,
      example: 'account',
    },
    account_id: {
      kind: id,
      description: 'The id of the account. Required for the kinds `account` and `fee`.',
      example: exampleIdOfType('account'),
    },
    depository_id: { kind: id, description: 'The id of the depository. Required for the kind `instrument`.' },
    ...requiredDayRangeParameters(days),
  },
  responses: {
    204: { description: 'No historical holdings remain on those days. The response is the same if there were none.' },
  },
  refusals: ['account-not-found', 'depository-not-found'],
  read: readDays,
  async handle({ work }, { holding, ...input }) {
    await deleteHoldingsOnDays(work, holding, input);
    return { status: 204 };
  },
});

export const v1HistoricalHoldingPaths = [
  listPath,
  createPath,
  deleteDaysPath,
  v1ReadPath(paths),
  v1ChangePath(paths),
  v1DeletePath(paths),
];
