// Checks that a node is ready only once its threads can take work.

import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AppContext } from '../../../actions/core/context.ts';
import { healthOperations } from './health.ts';
import { Metrics } from './metrics.ts';
import type { ParsedOpenRequest } from '../operation/open-operation.ts';

test('a started node is not ready until its threads are', async () => {
  const order: string[] = [];
  const ready = Promise.withResolvers<void>();
  const context = {
    stores: { ping: async () => void order.push('the database was asked') },
  } as unknown as AppContext;
  const operations = healthOperations(context, new Metrics(), () => ready.promise);
  const response = operations.find(({ path }) => path === '/readyz')!.handle({} as ParsedOpenRequest);
  await setImmediate();
  order.push('threads ready');
  ready.resolve();
  expect((await response).status).toBe(200);
  expect(order).toEqual(['threads ready', 'the database was asked']);
});
