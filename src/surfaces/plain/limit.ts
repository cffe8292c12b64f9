// Limits on the Plain wire: made, and listed with their filters below their client.

import type { AnyChange, AnyRecord, ChangeOf } from '../../kit/resource.ts';
import { limit } from '../../model/limit/limit.ts';
import { clientRules } from '../../actions/structure/client.ts';
import { limitRules } from '../../actions/limits/limit.ts';
import { createThing, getThing } from '../../actions/core/resource.ts';
import { flatBodySchema, flatExample, flatSchema, readFlat, renderFlat } from '../snake-case/snake-case-object.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { cappedList, cappedListSchema } from '../http/lists/row-cap.ts';
import { writeRefusalsOf } from '../http/operation/write-refusals.ts';
import { limitStatusPaths } from './limit-status.ts';
import { plain } from './wire.ts';

const frame = { wire: plain, group: 'limits', resource: limit } as const;
const schema = flatSchema(limit, plain);
/** As the specification shows one: a share. Decimals are numbers on this wire. */
const { max_amount: _amount, ...fields } = flatExample(limit, 'plain', 'create');
const example = { ...fields, kind: 'proportional', max_pct: 0.3 };

const listPath = defineOperation<void>({
  ...frame,
  id: 'plain.limit.list',
  method: 'GET',
  path: '/v2/clients/{id}/limits',
  summary: 'List the limits of a client',
  right: 'read',
  mode: 'read',
  heavy: true,
  query: {},
  answers: {
    200: { description: 'Every limit of the client with its filter, oldest first.', schema: cappedListSchema(schema) },
  },
  refusals: ['client-not-found'],
  read: () => undefined,
  async handle({ work, params }) {
    const { id: client } = await getThing(work, clientRules, params['id']!);
    const query = { rules: limitRules, where: { client } };
    return { status: 200, body: await cappedList(work, query, (record) => renderFlat(limit, record, plain)) };
  },
});

const createPath = defineOperation<AnyChange>({
  ...frame,
  id: 'plain.limit.create',
  method: 'POST',
  path: '/v2/limits',
  summary: 'Create a limit',
  description:
    'For every reporting entity of the client. The bounds stand beside the other fields or in `bounds`; v1 changes and deletes what was made here.',
  right: 'write',
  mode: 'write',
  query: {},
  body: { schema: flatBodySchema(limit, plain, 'create'), example },
  answers: { 201: { description: 'The new limit.', schema, headers: { Location: 'Its address, on v1.' } } },
  refusals: writeRefusalsOf(limitRules, { wire: 'plain', purpose: 'create' }),
  read: ({ body }) => readFlat(limit, body, { wire: 'plain', purpose: 'create' }),
  async handle({ work }, asked) {
    const made = await createThing(work, limitRules, asked as ChangeOf<typeof limit>);
    const location = `${work.house.addresses.baseUrl}/v1/limits/${made.id}`;
    return { status: 201, headers: { location }, body: renderFlat(limit, made as AnyRecord, plain) };
  },
});

export const limitPaths = [listPath, createPath, ...limitStatusPaths];
