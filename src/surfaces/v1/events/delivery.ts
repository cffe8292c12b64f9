// Serves deliveries on v1: lists those of a webhook with their attempts, and sends them again.

import { instant, type JsonSchema } from '../../../kit/field.ts';
import { defined } from '../../../kit/assert.ts';
import { isJsonObject, type Json } from '../../../kit/json.ts';
import { delivery } from '../../../model/event/delivery.ts';
import { webhook } from '../../../model/event/webhook.ts';
import { readActions } from '../../../actions/core/record-actions.ts';
import {
  deliveryRules,
  getDelivery,
  replayDeadLetters,
  replayDelivery,
  replayMax,
  testWebhook,
} from '../../../actions/events/delivery.ts';
import { getRecord } from '../../../actions/core/resource.ts';
import { webhookRules } from '../../../actions/events/webhook.ts';
import { snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { pageSchema } from '../../http/lists/cursor-page.ts';
import { Faults, pointerToken } from '../../http/operation/declared-fields.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { filterParameters, resourceFilters, readFilters } from '../filters.ts';
import { listPage, pageParameters } from '../page.ts';
import { v1ReadPath, renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const schema = snakeCaseSchema(delivery, v1);
const filters = resourceFilters(delivery);
const operationBase = { wire: v1, group: webhook.plural, right: 'admin', query: {} } as const;

const listPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.delivery.list',
  group: delivery.plural,
  resource: delivery,
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries',
  summary: 'List the deliveries of a webhook',
  description:
    'See whether your receiver gets what it should. Newest first, each with its attempts. `state=dead` lists the dead letters: deliveries that failed for 24 hours.',
  mode: 'read',
  query: { ...pageParameters, ...filterParameters(filters) },
  responses: { 200: { description: 'A page, newest first.', schema: pageSchema(schema) } },
  refusals: ['webhook-not-found', 'cursor-invalid', 'cursor-expired'],
  read: () => undefined,
  async handle(request) {
    const { id } = await getRecord(request.work, webhookRules, pathParameter(request.params, 'id'));
    const where = { ...readFilters(filters, request.query), webhook: id };
    const page = await listPage(request, {
      operation: pathParameter(request.params, 'id'),
      actions: readActions(deliveryRules),
      where,
      order: 'newest-first',
    });
    return { status: 200, body: { ...page, data: page.data.map((one) => renderV1(delivery, one)) } };
  },
});

const testPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.webhook.test',
  resource: webhook,
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  summary: 'Send a test to a webhook',
  description:
    'Try your receiver before it counts. Sends an event of the type `webhook.test` to this webhook only, signed like all others. The response is its delivery: read it a moment later to see the result.',
  mode: 'write',
  responses: {
    201: { description: 'The pending delivery.', schema, headers: { Location: 'The address of the delivery.' } },
  },
  refusals: ['webhook-not-found', 'webhook-disabled'],
  read: () => undefined,
  async handle({ work, params }) {
    const created = await testWebhook(work, pathParameter(params, 'id'));
    const location = `${work.context.addresses.baseUrl}/v1/deliveries/${created.id}`;
    return { status: 201, headers: { location }, body: renderV1(delivery, created) };
  },
});

const replayPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.delivery.replay',
  resource: delivery,
  group: delivery.plural,
  method: 'POST',
  path: '/v1/deliveries/{id}/replay',
  summary: 'Send a delivery again',
  description:
    'Get one event again that your receiver took and lost. Sends a finished delivery once more, with the same event and the same id, and retries it for another 24 hours. It arrives out of order: later events may have arrived long before.',
  mode: 'write',
  responses: { 200: { description: 'The delivery, pending again.', schema } },
  refusals: ['delivery-not-found', 'delivery-pending', 'webhook-disabled'],
  read: () => undefined,
  handle: async ({ work, params }) => ({
    status: 200,
    body: renderV1(delivery, await replayDelivery(work, pathParameter(params, 'id'))),
  }),
});

const bodySchema: JsonSchema = {
  type: 'object',
  required: ['since'],
  properties: {
    since: { ...instant.schema(v1.style), description: 'Sends dead letters that failed at this time or later.' },
  },
  additionalProperties: false,
};

function readSince(body: Json | undefined): number {
  const faults = new Faults();
  if (!isJsonObject(body)) faults.add('invalid-attribute', '', 'The body must be an object.');
  faults.throwIfAny();
  const members = body as { [member: string]: Json };
  for (const name of Object.keys(members).filter((one) => one !== 'since')) {
    const detail = `There is no field ${JSON.stringify(name)} that can be set here.`;
    faults.add('unknown-attribute', `/${pointerToken(name)}`, detail);
  }
  const sentSince = members['since'];
  if (sentSince === undefined) faults.add('missing-attribute', '/since', 'since is required.');
  const since = sentSince === undefined ? undefined : faults.tryRead('/since', 'since', () => instant.read(sentSince));
  faults.throwIfAny();
  return defined(since, 'a time that was read without a fault is there');
}

const replayDeadPath = defineOperation<number>({
  ...operationBase,
  id: 'v1.webhook.replay-dead-letters',
  method: 'POST',
  path: '/v1/webhooks/{id}/replay-dead-letters',
  summary: 'Send all dead letters of a webhook again',
  description: `After your receiver was down for long. Sends all dead letters since a point in time once more, those of a client in their original order. One request queues at most ${replayMax}: repeat it until none are left.`,
  mode: 'write',
  body: { schema: bodySchema, example: { since: '2026-11-14T00:00:00Z' } },
  responses: {
    200: {
      description: 'The number of queued deliveries.',
      schema: {
        type: 'object',
        required: ['replayed_count'],
        properties: {
          replayed_count: { type: 'integer', description: 'Number of deliveries that will be sent again.' },
        },
        additionalProperties: false,
      },
    },
  },
  refusals: ['webhook-not-found', 'webhook-disabled'],
  read: ({ body }) => readSince(body),
  handle: async ({ work, params }, since) => ({
    status: 200,
    body: { replayed_count: await replayDeadLetters(work, pathParameter(params, 'id'), since) },
  }),
});

export const deliveryPaths = [
  listPath,
  testPath,
  replayDeadPath,
  v1ReadPath({ actions: { ...readActions(deliveryRules), get: getDelivery }, readRight: 'admin' }),
  replayPath,
];
