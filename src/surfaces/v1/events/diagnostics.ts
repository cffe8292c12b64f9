// What whoever runs a workspace should look at, on v1: webhooks that are disabled, behind, or have dead letters. Knows no remedy.

import { anyInteger, anyText, instant, nullable, oneOf } from '../../../kit/field.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import { listWebhookDiagnostics } from '../../../actions/events/delivery.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { v1Style } from '../reports/report-query.ts';
import { v1 } from '../wire.ts';

const webhookDiagnosis = objectOf({
  webhookId: member(anyText, 'The webhook.'),
  state: member(oneOf(['enabled', 'disabled']), 'Whether anything is sent to it.'),
  pendingCount: member(anyInteger, 'Deliveries that are still to be made.'),
  oldestPendingAt: member(nullable(instant), 'How long the oldest of them has waited: since when.'),
  deadLetterCount: member(anyInteger, 'Deliveries that were given up and not replayed since.'),
  newestDeadLetterAt: member(nullable(instant), 'When the last of them was given up.'),
});

const diagnostics = objectOf({
  webhooks: member(listOf(webhookDiagnosis), 'Every webhook that is disabled or has deliveries pending or given up.'),
});

export const diagnosticsPath = defineOperation<void>({
  id: 'v1.diagnostics.read',
  wire: v1,
  group: 'diagnostics',
  method: 'GET',
  path: '/v1/diagnostics',
  summary: 'Diagnostics of the workspace',
  description:
    'Webhooks that need somebody to look at them. `GET /v1/webhooks/{id}/deliveries?state=dead` lists the dead letters of one.',
  right: 'admin',
  mode: 'read',
  query: {},
  responses: { 200: { description: 'What there is to look at.', schema: diagnostics.schema(v1Style) } },
  refusals: [],
  read: () => undefined,
  async handle({ work }) {
    const webhooks = await listWebhookDiagnostics(work);
    return { status: 200, body: diagnostics.write({ webhooks }, v1Style) };
  },
});
