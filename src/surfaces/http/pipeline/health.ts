// What operators and the curious ask without a token: is it alive, is it ready, how is it doing.

import { isReady } from '../../../actions/core/readiness.ts';
import type { House } from '../../../actions/core/context.ts';
import type { Metrics } from './metrics.ts';
import { jsonAnswer, type OpenOperation } from '../operation/open-operation.ts';

const stateSchema = { type: 'object', required: ['status'], properties: { status: { type: 'string' } } };

/** `untilBegun`: what a node waits for once before it calls itself ready. */
export function deskOperations(
  house: House,
  metrics: Metrics,
  untilBegun: () => Promise<void>,
): readonly OpenOperation[] {
  const frame = { host: 'any', method: 'GET', group: 'operations' } as const;
  return [
    {
      ...frame,
      id: 'desk.health',
      path: '/healthz',
      summary: 'Whether the process is alive',
      answers: { 200: { description: 'It is.', schema: stateSchema } },
      handle: async () => jsonAnswer(200, { status: 'alive' }),
    },
    {
      ...frame,
      id: 'desk.readiness',
      path: '/readyz',
      summary: 'Whether requests can be served; right after a start, once its threads can take reports',
      answers: {
        200: { description: 'They can.', schema: stateSchema },
        503: { description: 'The database is away, or the node is being stopped.', schema: stateSchema },
      },
      handle: async () => {
        await untilBegun();
        return (await isReady(house))
          ? jsonAnswer(200, { status: 'ready' })
          : jsonAnswer(503, { status: 'database-away' }, { 'retry-after': '2' });
      },
    },
    {
      ...frame,
      id: 'desk.metrics',
      path: '/metrics',
      summary: 'Metrics for Prometheus',
      answers: { 200: { description: "Prometheus' text format.", mediaType: 'text/plain' } },
      handle: async () => ({
        status: 200,
        headers: { 'content-type': metrics.contentType },
        text: await metrics.text(),
      }),
    },
  ];
}
