// Limits on Plain: created, and listed below their client.

import type { ChangeOf } from '../../kit/resource.ts';
import { limit } from '../../model/limit/limit.ts';
import { readActions } from '../../actions/core/record-actions.ts';
import { clientRules } from '../../actions/structure/client.ts';
import { limitRules } from '../../actions/limits/limit.ts';
import { createRecord, getRecord } from '../../actions/core/resource.ts';
import {
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCaseSchema,
  readSnakeCase,
  renderSnakeCase,
} from '../snake-case/snake-case-object.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { cappedList, cappedListSchema } from '../http/lists/row-cap.ts';
import { writeRefusals } from '../http/operation/write-refusals.ts';
import { limitStatusPaths } from './limit-status.ts';
import { plain } from './wire.ts';

const operationBase = { wire: plain, group: 'limits', resource: limit } as const;
const schema = snakeCaseSchema(limit, plain);
/** The example of the specification: a share of the whole. Decimals are numbers on Plain. */
const { max_amount: _amount, ...fields } = snakeCaseExample(limit, plain, 'create');
const example = { ...fields, kind: 'proportional', max_pct: 0.3 };

const listPath = defineOperation<void>({
  ...operationBase,
  id: 'plain.limit.list',
  method: 'GET',
  path: '/v2/clients/{id}/limits',
  summary: 'List the limits of a client',
  right: 'read',
  mode: 'read',
  heavy: true,
  query: {},
  responses: {
    200: { description: 'Every limit of the client with its filter, oldest first.', schema: cappedListSchema(schema) },
  },
  refusals: ['client-not-found'],
  read: () => undefined,
  async handle({ work, params }) {
    const { id: client } = await getRecord(work, clientRules, pathParameter(params, 'id'));
    const query = { actions: readActions(limitRules), where: { client } };
    return { status: 200, body: await cappedList(work, query, (record) => renderSnakeCase(limit, record, plain)) };
  },
});

const createPath = defineOperation<ChangeOf<typeof limit>>({
  ...operationBase,
  id: 'plain.limit.create',
  method: 'POST',
  path: '/v2/limits',
  summary: 'Create a limit',
  description:
    'For every reporting entity of the client. The bounds stand beside the other fields or in `bounds`; v1 changes and deletes what was made here.',
  right: 'write',
  mode: 'write',
  query: {},
  body: { schema: snakeCaseBodySchema(limit, plain, 'create'), example },
  responses: {
    201: { description: 'The new limit. It has no address here, since no single limit can be read.', schema },
  },
  refusals: writeRefusals(limitRules, { wire: plain, purpose: 'create' }),
  read: ({ body }) => readSnakeCase(limit, body, { wire: plain, purpose: 'create' }),
  async handle({ work }, input) {
    const created = await createRecord(work, limitRules, input);
    return { status: 201, body: renderSnakeCase(limit, created, plain) };
  },
});

export const plainLimitPaths = [listPath, createPath, ...limitStatusPaths];
