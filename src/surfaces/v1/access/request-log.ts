// The request log on v1, newest first and read-only, and how much of its budget a workspace uses.

import { anyInteger, anyText, instant, nullable, oneOf } from '../../../kit/field.ts';
import { keysOf } from '../../../kit/keys.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import {
  readUsage,
  requestLogActions,
  usageIntervals,
  type UsageInterval,
} from '../../../actions/access/request-log.ts';
import { listSettings, readSettings } from '../../../actions/access/workspace-settings.ts';
import { snakeCase } from '../../../kit/resource.ts';
import { loggedRequest } from '../../../model/access/logged-request.ts';
import { settingSources, workspaceSettingNames, workspaceSettings } from '../../../model/access/workspace-settings.ts';
import { pageSchema } from '../../http/lists/cursor-page.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { filterParameters, readFilters, resourceFilters } from '../filters.ts';
import { listPage, pageParameters } from '../page.ts';
import { renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const filters = resourceFilters(loggedRequest);
const operationBase = { wire: v1, method: 'GET', right: 'admin', mode: 'read', read: () => undefined } as const;

const listPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.request-log.read',
  group: loggedRequest.plural,
  path: '/v1/requests',
  summary: 'List requests',
  description:
    'Find out what your program sent, and why it was refused. The request log of the workspace in this environment. Requests that had no valid token or session belong to no workspace and are not listed.',
  query: { ...pageParameters, ...filterParameters(filters) },
  responses: {
    200: { description: 'A page, newest first.', schema: pageSchema(snakeCaseSchema(loggedRequest, v1)) },
  },
  refusals: ['cursor-invalid', 'cursor-expired', 'outside-reach'],
  async handle(request) {
    const where = readFilters(filters, request.query);
    const list = { operation: '/v1/requests', actions: requestLogActions, where, order: 'newest-first' } as const;
    const page = await listPage(request, list);
    return { status: 200, body: { ...page, data: page.data.map((line) => renderV1(loggedRequest, line)) } };
  },
});

const counts = {
  requestCount: member(anyInteger, 'Requests that were answered.'),
  applicationCount: member(anyInteger, 'Those of applications and keys, which share one budget.'),
  refusedCount: member(anyInteger, 'Those that were answered with a status from 400 to 499.'),
  failedCount: member(anyInteger, 'Those that were answered with 500 or above.'),
  overBudgetCount: member(anyInteger, 'Those that were refused because a budget was used up.'),
} as const;

const settingWords = workspaceSettingNames.map((name) => snakeCase(name));

const setting = objectOf({
  name: member(
    oneOf(settingWords),
    workspaceSettingNames.map((name) => `\`${snakeCase(name)}\`: ${workspaceSettings[name].description}`).join(' '),
  ),
  value: member(nullable(anyInteger), 'What is allowed, in requests, bytes, rows or days; null if there is no limit.'),
  source: member(
    oneOf(settingSources),
    '`workspace`: the operator has set it for this workspace. `installation`: it holds for all that have no value of their own.',
  ),
  used: member(
    nullable(anyInteger),
    'How much of it is used now; null where nothing is counted, and before the storage was first measured.',
  ),
});

const usage = objectOf({
  interval: member(oneOf(keysOf(usageIntervals)), 'What the requests are counted in.'),
  requestsPerMinute: member(anyInteger, 'The budget: requests a minute of one `sub` in this environment.'),
  burst: member(anyInteger, 'How many of them may come at once.'),
  settings: member(
    listOf(setting),
    'What the workspace may use in this environment, and for how long its rows are kept. The operator of the installation changes it.',
  ),
  slots: member(
    listOf(objectOf({ from: member(instant, 'Its beginning, in UTC.'), ...counts })),
    'The last 60 minutes, 24 hours or 7 days, oldest first; the last one has not ended yet.',
  ),
  callers: member(
    listOf(
      objectOf({
        credentialId: member(nullable(anyText), 'The application or key; null in a session.'),
        userId: member(nullable(anyText), 'The person, if there was one.'),
        requestCount: counts.requestCount,
      }),
    ),
    'Who made the most requests in that time: at most 20.',
  ),
});

const usagePath = defineOperation<void>({
  ...operationBase,
  id: 'v1.usage.read',
  group: 'usage',
  path: '/v1/usage',
  summary: 'Usage of the workspace',
  description:
    'See how much of the budget is used, and by whom. What the workspace was asked for in this environment, counted from its request log, beside its budget. Applications and keys share one budget, and each person has one of their own. `RateLimit` of each answer says what is left. `settings` lists every limit of the workspace with what is used of it.',
  query: {
    interval: {
      kind: oneOf(keysOf(usageIntervals)),
      description: 'Count in minutes, hours or days of UTC; hours when it is not sent.',
    },
  },
  responses: { 200: { description: 'The usage.', schema: usage.schema(v1.style) } },
  refusals: ['outside-reach'],
  async handle({ work, query }) {
    const interval: UsageInterval = query['interval'] ?? 'hour';
    const { slots, callers } = await readUsage(work, interval);
    const states = await listSettings(work);
    const { requestsPerMinute, burst } = await readSettings(work.context, work.store);
    const settings = states.map((state) => ({ ...state, name: snakeCase(state.name) }));
    return {
      status: 200,
      body: usage.write({ interval, requestsPerMinute, burst, settings, slots, callers }, v1.style),
    };
  },
});

export const requestLogPaths = [listPath, usagePath];
