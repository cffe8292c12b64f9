// The status of limits on Plain: of one limit, or of all limits of a client.

import { limit as limitResource } from '../../model/limit/limit.ts';
import { limitStatusShape, type ReportedLimitStatus } from '../../model/report/limit-status.ts';
import { limitRules } from '../../actions/limits/limit.ts';
import { getLimitStatus, listLimitStatuses } from '../../actions/limits/limit-status.ts';
import { countRecords } from '../../actions/core/resource.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { cappedListSchema, cappedRows } from '../http/lists/row-cap.ts';
import { plain } from './wire.ts';

const plainStyle = plain.style;
const schema = limitStatusShape.schema(plainStyle);

const operationBase = {
  wire: plain,
  group: 'limits',
  resource: limitResource,
  method: 'GET',
  right: 'read',
  people: 'advisor',
  mode: 'read',
  heavy: true,
  query: {},
  read: () => undefined,
} as const;

const statusPath = defineOperation<void>({
  ...operationBase,
  id: 'plain.limit.status',
  path: '/v2/limits/{id}/status',
  summary: 'Status of a limit',
  description:
    'See whether a rule is kept now: the present value at each reporting entity that the limit is for, and the distance to its bounds.',
  threadKey: ({ params }) => pathParameter(params, 'id'),
  responses: { 200: { description: 'The status.', schema } },
  refusals: ['limit-not-found'],
  async handle({ work, params }) {
    return {
      status: 200,
      body: limitStatusShape.write(await getLimitStatus(work, pathParameter(params, 'id'), {}), plainStyle),
    };
  },
});

const clientPath = defineOperation<void>({
  ...operationBase,
  id: 'plain.limit.status-of-client',
  path: '/v2/clients/{id}/limits-status',
  summary: 'Status of every limit of a client',
  description:
    "See at once whether a client keeps its policy: the present compliance of every limit across the client's reporting entities.",
  threadKey: ({ params }) => pathParameter(params, 'id'),
  responses: { 200: { description: 'One for each limit, oldest first.', schema: cappedListSchema(schema) } },
  refusals: ['client-not-found'],
  async handle({ work, params }) {
    const client = pathParameter(params, 'id');
    const rows = {
      list: (limit: number) => listLimitStatuses(work, { client, limit }),
      count: () => countRecords(work, limitRules, { client }),
    };
    const render = (status: unknown): unknown => limitStatusShape.write(status as ReportedLimitStatus, plainStyle);
    return { status: 200, body: await cappedRows(rows, render) };
  },
});

export const limitStatusPaths = [statusPath, clientPath];
