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
      description:
        'For whatever restarts processes. It looks at nothing else, so a database that is away does not make it fail: use `/readyz` to decide where requests go.',
      responses: { 200: { description: 'The process is alive.', schema: statusSchema } },
      handle: async () => jsonResponse(200, { status: 'alive' }),
    },
    {
      ...operationBase,
      id: 'desk.readiness',
      path: '/readyz',
      summary: 'Check that requests can be served',
      description:
        'For a load balancer: sends requests elsewhere while the database is away or this node starts or stops. After a start it waits until the threads for reports are ready, so that the first reports are not slow.',
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
    description:
      'Requests, durations, queues and memory of this node, for dashboards and alarms. Where the operator has set an address of its own for metrics, only that one has them.',
    responses: { 200: { description: "Prometheus' text format.", mediaType: 'text/plain' } },
    handle: async () => ({
      status: 200,
      headers: { 'content-type': metrics.contentType },
      text: await metrics.text(),
    }),
  };
}
