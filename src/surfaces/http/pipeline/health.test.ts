// A node calls itself ready when it can take what it is sent.

import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { House } from '../../../actions/core/context.ts';
import { deskOperations } from './health.ts';
import { Metrics } from './metrics.ts';
import type { OpenSent } from '../operation/open-operation.ts';

test('after a start it is ready when its threads have begun, and not before', async () => {
  const order: string[] = [];
  const begun = Promise.withResolvers<void>();
  const house = { database: { ping: async () => void order.push('the database was asked') } } as unknown as House;
  const desk = deskOperations(house, new Metrics(), () => begun.promise);
  const answer = desk.find(({ path }) => path === '/readyz')!.handle({} as OpenSent);
  await setImmediate();
  order.push('begun');
  begun.resolve();
  expect((await answer).status).toBe(200);
  expect(order).toEqual(['begun', 'the database was asked']);
});
