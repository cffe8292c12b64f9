// Serves diagnostics on v1: webhooks that are disabled, behind, or have dead letters.

import { anyInteger, anyText, instant, nullable, oneOf } from '../../../kit/field.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import { listWebhookDiagnostics } from '../../../actions/events/delivery.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { v1Style } from '../reports/report-query.ts';
import { v1 } from '../wire.ts';

const webhookDiagnosis = objectOf({
  webhookId: member(anyText, 'The webhook.'),
  state: member(oneOf(['enabled', 'disabled']), 'Deliveries are sent only to an enabled webhook.'),
  pendingCount: member(anyInteger, 'Number of pending deliveries.'),
  oldestPendingAt: member(nullable(instant), 'When the oldest pending delivery was created.'),
  deadLetterCount: member(anyInteger, 'Number of deliveries that failed for good and were not replayed.'),
  newestDeadLetterAt: member(nullable(instant), 'When the newest dead letter failed for good.'),
});

const diagnostics = objectOf({
  webhooks: member(
    listOf(webhookDiagnosis),
    'Every webhook that is disabled, or has pending deliveries or dead letters.',
  ),
});

export const diagnosticsPath = defineOperation<void>({
  id: 'v1.diagnostics.read',
  wire: v1,
  group: 'diagnostics',
  method: 'GET',
  path: '/v1/diagnostics',
  summary: 'Diagnostics of the workspace',
  description:
    'Look here when events do not arrive: webhooks that need attention. `GET /v1/webhooks/{id}/deliveries?state=dead` lists the dead letters of a webhook.',
  right: 'admin',
  mode: 'read',
  query: {},
  responses: { 200: { description: 'The diagnostics.', schema: diagnostics.schema(v1Style) } },
  refusals: [],
  read: () => undefined,
  async handle({ work }) {
    const webhooks = await listWebhookDiagnostics(work);
    return { status: 200, body: diagnostics.write({ webhooks }, v1Style) };
  },
});
