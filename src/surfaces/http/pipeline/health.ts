// What operators and the curious ask without a token: is it alive, is it ready, how is it doing.

import { isReady } from '../../../actions/core/readiness.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import type { Metrics } from './metrics.ts';
import { jsonResponse, type OpenOperation } from '../operation/open-operation.ts';

const statusSchema = { type: 'object', required: ['status'], properties: { status: { type: 'string' } } };

/** `untilBegun`: what a node waits for once before it calls itself ready. */
export function healthOperations(
  context: AppContext,
  metrics: Metrics,
  untilReady: () => Promise<void>,
): readonly OpenOperation[] {
  const operationBase = { host: 'any', method: 'GET', group: 'operations' } as const;
  return [
    {
      ...operationBase,
      id: 'desk.health',
      path: '/healthz',
      summary: 'Whether the process is alive',
      responses: { 200: { description: 'It is.', schema: statusSchema } },
      handle: async () => jsonResponse(200, { status: 'alive' }),
    },
    {
      ...operationBase,
      id: 'desk.readiness',
      path: '/readyz',
      summary: 'Whether requests can be served; right after a start, once its threads can take reports',
      responses: {
        200: { description: 'They can.', schema: statusSchema },
        503: { description: 'The database is away, or the node is being stopped.', schema: statusSchema },
      },
      handle: async () => {
        await untilReady();
        return (await isReady(context))
          ? jsonResponse(200, { status: 'ready' })
          : jsonResponse(503, { status: 'database-away' }, { 'retry-after': '2' });
      },
    },
    {
      ...operationBase,
      id: 'desk.metrics',
      path: '/metrics',
      summary: 'Metrics for Prometheus',
      responses: { 200: { description: "Prometheus' text format.", mediaType: 'text/plain' } },
      handle: async () => ({
        status: 200,
        headers: { 'content-type': metrics.contentType },
        text: await metrics.text(),
      }),
    },
  ];
}
