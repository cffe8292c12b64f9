// Historical holdings on v1: the three kinds of uploads in one list, each read, changed and deleted by itself or by days.

import { id, oneOf } from '../../../kit/field.ts';
import type { Id } from '../../../kit/id.ts';
import { refuseFaults } from '../../../kit/refusal.ts';
import { exampleIdOf, type AnyChange } from '../../../kit/resource.ts';
import {
  historicalHolding as resource,
  holdingKinds,
  holdingsByKind,
  type HoldingKind,
  type HoldingResource,
} from '../../../model/ledger/historical-holding.ts';
import {
  deleteDays,
  holdingRules,
  listHoldings,
  placeOf,
  putHolding,
  putRefusalsOf,
  type HoldingDays,
} from '../../../actions/custody/historical-holding.ts';
import { flatBodySchema, flatExample, flatSchema, readFlat } from '../../snake-case/snake-case-object.ts';
import { listFromCursor, pageSchema } from '../../http/lists/cursor-page.ts';
import {
  dayRangeParameters,
  readDayRange,
  readWholeRange,
  wholeRangeParameters,
  type DayRange,
} from '../../http/lists/day-range.ts';
import { defineOperation, type Sent } from '../../http/operation/operation.ts';
import { putAnswer } from '../instruments/dated-values.ts';
import { filterParameters, filtersOf, whereOf } from '../filters.ts';
import { knownAtParameter, readKnownAt } from '../known-at.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { changePath, deletePath, readPath, renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const paths = { rules: holdingRules };
const path = `/v1/${resource.plural}`;
const filters = filtersOf(resource);
const days = { from: 'from', to: 'to' } as const;

function frame(verb: string) {
  return { id: `v1.${resource.type}.${verb}`, wire: v1, group: resource.plural, resource, path };
}

const listPath = defineOperation<DayRange & { where: AnyChange }>({
  ...frame('list'),
  method: 'GET',
  summary: 'List historical holdings',
  right: 'read',
  mode: 'read',
  query: { ...pageParameters, ...filterParameters(filters), ...dayRangeParameters(days), ...knownAtParameter },
  answers: { 200: { description: 'A page, by day.', schema: pageSchema(flatSchema(resource, v1)) } },
  refusals: ['cursor-invalid', 'cursor-expired'],
  read: (sent) => ({ where: whereOf(filters, sent.query), ...readDayRange(sent, days) }),
  async handle(ask, asked) {
    const query = { ...asked, ...readKnownAt(ask) };
    const page = await listFromCursor(ask, {
      question: [path, query],
      list: (after) => listHoldings(ask.work, { ...query, limit: pageSizeOf(ask), after: after && JSON.parse(after) }),
      positionOf: ({ date, id: last }) => JSON.stringify({ date, id: last }),
    });
    return { status: 200, body: { ...page, data: page.data.map((one) => renderV1(resource, one)) } };
  },
});

const createPath = defineOperation<AnyChange>({
  ...frame('create'),
  method: 'POST',
  summary: 'State a historical holding',
  description:
    'Overwrites what was stated for the same natural key: of the kinds `account` and `fee` the account and the date, of the kind `instrument` the depository, the instrument and the date. The same once more changes nothing.',
  right: 'write',
  mode: 'write',
  query: {},
  body: { schema: flatBodySchema(resource, v1, 'create'), example: flatExample(resource, 'v1', 'create') },
  answers: {
    200: {
      description: 'What was stated for the same before, overwritten; or as it was, where nothing is new.',
      schema: flatSchema(resource, v1),
      headers: { ETag: 'Its entity tag.' },
    },
    201: {
      description: 'The new historical holding.',
      schema: flatSchema(resource, v1),
      headers: { Location: 'Its address.', ETag: 'Its entity tag.' },
    },
  },
  refusals: ['account-not-found', ...putRefusalsOf(holdingsByKind.instrument)],
  read: ({ body }) => readFlat(resource, body, { wire: 'v1', purpose: 'create' }),
  async handle(ask, asked) {
    return putAnswer(ask, resource, await putHolding(ask.work, holdingsByKind[asked['kind'] as HoldingKind], asked));
  },
});

interface AskedDays extends HoldingDays {
  readonly holding: HoldingResource;
}

/** The place that the kind is stated for must be named, and no other. */
function readDays(sent: Sent): AskedDays {
  const holding = holdingsByKind[sent.query['kind'] as HoldingKind];
  const parameter = `${placeOf(holding)}_id`;
  const other = parameter === 'account_id' ? 'depository_id' : 'account_id';
  const of = `with kind ${sent.query['kind']}`;
  const faults = [
    ...(sent.query[parameter] === undefined ? [[parameter, `${parameter} is required ${of}.`] as const] : []),
    ...(sent.query[other] === undefined ? [] : [[other, `${other} cannot be sent ${of}.`] as const]),
  ].map(([name, detail]) => ({ code: 'invalid-parameter', detail, parameter: name }));
  if (faults.length > 0) throw refuseFaults('invalid-parameter', faults);
  return { holding, place: sent.query[parameter] as Id, parameter, ...readWholeRange(sent, days) };
}

const deleteDaysPath = defineOperation<AskedDays>({
  ...frame('delete-days'),
  method: 'DELETE',
  summary: 'Delete historical holdings by days',
  description:
    'Deletes all of one kind that was stated for a place on every day from `from` to `to`, both included: for an account with the kinds `account` and `fee`, for a depository with the kind `instrument`.',
  right: 'write',
  mode: 'write',
  query: {
    kind: { kind: oneOf(holdingKinds), description: 'Of which kind.', required: true, example: 'account' },
    account_id: { kind: id, description: 'The id of the account.', example: exampleIdOf('account') },
    depository_id: { kind: id, description: 'The id of the depository.' },
    ...wholeRangeParameters(days),
  },
  answers: { 204: { description: 'Nothing of those days is left, and it may be that there was nothing.' } },
  refusals: ['account-not-found', 'depository-not-found'],
  read: readDays,
  async handle({ work }, { holding, ...asked }) {
    await deleteDays(work, holding, asked);
    return { status: 204 };
  },
});

export const historicalHoldingPaths = [
  listPath,
  createPath,
  deleteDaysPath,
  readPath(paths),
  changePath(paths),
  deletePath(paths),
];
