// Serves liveness, readiness and metrics, which need no token.

import type { ReadyState } from '../../../actions/core/readiness.ts';
import type { Metrics } from './metrics.ts';
import { jsonResponse, type OpenOperation } from '../operation/open-operation.ts';

const statusSchema = { type: 'object', required: ['status'], properties: { status: { type: 'string' } } };

const operationBase = { host: 'any', method: 'GET', group: 'operations' } as const;

const notReady =
  'Requests cannot be served, or not all of them. `status` says why: `database-away`, `database-read-only`, `database-full`, `starting` or `stopping`.';

/** Without metrics, those have an address of their own. */
export function healthOperations(
  metrics: Metrics | undefined,
  checkReady: () => Promise<ReadyState>,
): readonly OpenOperation[] {
  return [
    {
      ...operationBase,
      id: 'desk.health',
      path: '/healthz',
      summary: 'Check that the process is alive',
      responses: { 200: { description: 'The process is alive.', schema: statusSchema } },
      handle: async () => jsonResponse(200, { status: 'alive' }),
    },
    {
      ...operationBase,
      id: 'desk.readiness',
      path: '/readyz',
      summary: 'Check that requests can be served; after a start, waits until the threads for reports are ready',
      responses: {
        200: { description: 'Requests can be served.', schema: statusSchema },
        503: { description: notReady, schema: statusSchema },
      },
      handle: async () => {
        const status = await checkReady();
        return status === 'ready'
          ? jsonResponse(200, { status })
          : jsonResponse(503, { status }, { 'retry-after': '2' });
      },
    },
    ...(metrics === undefined ? [] : [metricsOperation(metrics)]),
  ];
}

export function metricsOperation(metrics: Metrics): OpenOperation {
  return {
    ...operationBase,
    id: 'desk.metrics',
    isCompressible: true,
    path: '/metrics',
    summary: 'Metrics for Prometheus',
    responses: { 200: { description: "Prometheus' text format.", mediaType: 'text/plain' } },
    handle: async () => ({
      status: 200,
      headers: { 'content-type': metrics.contentType },
      text: await metrics.text(),
    }),
  };
}
