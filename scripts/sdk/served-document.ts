// Makes the OpenAPI document as the service serves it, without starting one.

import type { AppContext } from '../../src/actions/core/context.ts';
import { openApiDocument, type OpenApiDocument } from '../../src/surfaces/http/openapi/openapi-document.ts';
import { openOperations, operations } from '../../src/surfaces/operations.ts';
import { FailureThrottle } from '../../src/surfaces/token/failure-throttle.ts';
import { describeWebhooks } from '../../src/surfaces/v1/events/webhook-reference.ts';
import { noBudget } from '../../src/surfaces/http/pipeline/budget.ts';

const address = 'https://holdfast.example';
const addresses = { baseUrl: address, legacyUrl: address, authUrl: address };

export function servedDocument(): OpenApiDocument {
  const metrics = { contentType: 'text/plain', read: async () => ({ text: '' }) };
  const limits = { budget: noBudget, failures: new FailureThrottle(1) };
  const open = openOperations({ addresses } as AppContext, { metrics, version: '0', ...limits });
  return openApiDocument({ addresses, operations, openOperations: open, version: '0', webhooks: describeWebhooks() });
}
