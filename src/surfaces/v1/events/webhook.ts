// Serves webhooks on v1. A secret is shown once, in the response to the creation or the rotation.

import type { ChangeOf } from '../../../kit/resource.ts';
import { webhook } from '../../../model/event/webhook.ts';
import { changeActions } from '../../../actions/core/record-actions.ts';
import { createWebhook, rotateWebhookSecret, webhookRules } from '../../../actions/events/webhook.ts';
import { snakeCaseBodySchema, snakeCaseExample, snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { withRequiredMembers } from '../../http/operation/object-schema.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { deliveryPaths } from './delivery.ts';
import {
  v1ChangePath,
  v1CreatePath,
  v1DeletePath,
  v1ListPath,
  v1ReadPath,
  renderV1,
  type V1ChangePaths,
} from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const paths: V1ChangePaths<typeof webhook> = {
  actions: changeActions(webhookRules),
  readRight: 'admin',
  writeRight: 'admin',
};

const secret = {
  anyOf: [{ type: 'string' }, { type: 'null' }],
  description:
    'The secret to verify `Service-Signature` with. Save it: it is shown only once. Null for the scheme `standard`, which uses public keys instead.',
};

const responseSchema = withRequiredMembers(snakeCaseSchema(webhook, v1), { secret });

const rotatePath = defineOperation<void>({
  id: 'v1.webhook.rotate-secret',
  wire: v1,
  group: webhook.plural,
  resource: webhook,
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate-secret',
  summary: 'Rotate the secret of a webhook',
  description:
    'Do it at intervals, and at once if the secret may be known to others. Replaces the secret of the webhook. For 24 hours each delivery also carries `Service-Signature-Previous`, which has the form of `Service-Signature` and is made with the previous secret.',
  right: 'admin',
  mode: 'write',
  addsNothing: true,
  query: {},
  responses: { 200: { description: 'The webhook with its new secret.', schema: responseSchema } },
  refusals: ['webhook-not-found', 'webhook-without-secret'],
  answersSecret: true,
  read: () => undefined,
  async handle({ work, params }) {
    const rotated = await rotateWebhookSecret(work, pathParameter(params, 'id'));
    return { status: 200, body: { ...renderV1(webhook, rotated.webhook), secret: rotated.secret } };
  },
});

export const webhookPaths = [
  v1ListPath(paths),
  v1CreatePath(paths, {
    body: { schema: snakeCaseBodySchema(webhook, v1, 'create'), example: snakeCaseExample(webhook, v1, 'create') },
    responseSchema,
    answersSecret: true,
    read: (fields) => fields as ChangeOf<typeof webhook>,
    async create({ work }, fields) {
      const created = await createWebhook(work, fields);
      return { record: created.webhook, more: { secret: created.secret } };
    },
  }),
  v1ReadPath(paths),
  v1ChangePath(paths),
  v1DeletePath(paths),
  rotatePath,
  ...deliveryPaths,
];
