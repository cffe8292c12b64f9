// Deliveries are read by the index that has their order: those of a queue whatever the database knows about its tables, and pages of a webhook's.

import { expect, test } from 'vitest';
import { pullBackAfterSetback } from '../../../src/jobs/clock-setback.ts';
import { deleteLeftoverDeliveries } from '../../../src/jobs/leftover-deliveries.ts';
import { dayMs, hourMs } from '../../../src/kit/clock.ts';
import { liftConstraints } from '../../setup/database/filled-tables.ts';
import { observedServiceForThisTest, rowsReadOf } from '../../setup/database/observed-service.ts';
import { connectionRefused, createDeliveries, deliverAllDue, webhookAnswer } from '../../setup/events/deliveries.ts';
import { emitEvents, tenantOf } from '../../setup/events/event-source.ts';

/**
 * Deliveries of the same webhook that wait in other queues: so many that the index in the order of queues has a level more than that of the
 * ids, and seems to cost more.
 */
const waiting = 3_000;
/** A few rows for each delivery that is sent, far fewer than those that wait. */
const rowsMax = 200;

test('a queue is read in its order, also by a server that has no statistics yet', async () => {
  const { service, owner, plans } = await observedServiceForThisTest();
  const { context, clock } = service;
  const tenant = await tenantOf(service.admin);
  await service.admin.post('/v1/webhooks', { url: 'https://hooks.example.com/one', events: ['limit.breached'] });
  const events = { clients: 3, perClient: 4 };
  let answer = webhookAnswer(204);
  const deliveries = createDeliveries(context, async () => answer);
  await emitEvents(context, tenant, events);
  await deliverAllDue(context, deliveries);
  await liftConstraints(owner);
  await owner.query(
    `INSERT INTO delivery (workspace_id, environment, id, webhook_id, event_id, order_key, number, state, created_at)
     SELECT workspace_id, environment, lpad(to_hex(n), 24, '0'), webhook_id, lpad(to_hex(n), 24, '0'), lpad(to_hex(n), 24, 'c'), n, 'pending', created_at
     FROM (SELECT * FROM delivery LIMIT 1) d, generate_series(1, ${waiting}) n`,
  );
  const readWhile = async (act: () => Promise<unknown>): Promise<number> => {
    plans.take();
    await act();
    return rowsReadOf('delivery', plans.take());
  };

  await emitEvents(context, tenant, events);
  expect(await readWhile(() => deliverAllDue(context, deliveries))).toBeLessThan(rowsMax);

  answer = connectionRefused;
  await emitEvents(context, tenant, events);
  await deliverAllDue(context, deliveries);
  clock.advance(-hourMs);
  expect(await readWhile(() => pullBackAfterSetback(context))).toBeLessThan(rowsMax);
  clock.advance(hourMs + dayMs);
  expect(await readWhile(() => deliverAllDue(context, deliveries))).toBeLessThan(rowsMax);
  const { rows } = await owner.query(`SELECT state, count(*)::int FROM delivery GROUP BY state ORDER BY state`);
  const eventCount = events.clients * events.perClient;
  expect(rows).toEqual([
    { state: 'dead', count: eventCount },
    { state: 'delivered', count: 2 * eventCount },
    { state: 'pending', count: waiting },
  ]);
});

test('a page of the deliveries of a webhook reads neither all of them nor those of others', async () => {
  const { service, owner, plans } = await observedServiceForThisTest();
  const [listed, other] = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const webhook = { url: `https://hooks.example.com/${name}`, events: ['limit.breached'] };
      return (await service.admin.post('/v1/webhooks', webhook)).body.id;
    }),
  );
  await service.admin.send(`/v1/webhooks/${listed}/test`, { method: 'POST' });
  await liftConstraints(owner);
  await owner.query(
    `INSERT INTO event (workspace_id, environment, id, batch_id, type, created_at, data)
     SELECT workspace_id, environment, lpad(to_hex(n), 24, '0'), batch_id, type, created_at, data
     FROM (SELECT * FROM event LIMIT 1) e, generate_series(1, ${waiting}) n`,
  );
  // Those of the other webhook are newer than those that are listed.
  await owner.query(
    `INSERT INTO delivery (workspace_id, environment, id, webhook_id, event_id, order_key, number, state, created_at, ended_at)
     SELECT workspace_id, environment, w.digit || lpad(to_hex(n), 23, '0'), w.id, lpad(to_hex(n), 24, '0'), order_key, n, 'delivered', created_at, created_at
     FROM (SELECT workspace_id, environment, order_key, created_at FROM delivery LIMIT 1) d, (VALUES ($1, '0'), ($2, 'f')) w (id, digit), generate_series(1, ${waiting}) n`,
    [listed, other],
  );
  await owner.query('ANALYZE');
  plans.take();
  const { body } = await service.admin.get(`/v1/webhooks/${listed}/deliveries?limit=10`);
  expect(body.data.map(({ webhook_id: id }: any) => id)).toEqual(Array(10).fill(listed));
  expect(rowsReadOf('delivery', plans.take())).toBeLessThan(rowsMax);
});

test('what a deleted webhook has left is found and deleted without reading the deliveries of others', async () => {
  const { service, owner, plans } = await observedServiceForThisTest();
  const webhooks: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const webhook = { url: `https://hooks.example.com/${name}`, events: ['limit.breached'] };
    webhooks.push((await service.admin.post('/v1/webhooks', webhook)).body.id);
  }
  const [, deleted] = webhooks;
  await service.admin.send(`/v1/webhooks/${deleted}/test`, { method: 'POST' });
  await liftConstraints(owner);
  // Of each kept webhook, before and after those of the deleted one.
  await owner.query(
    `INSERT INTO delivery (workspace_id, environment, id, webhook_id, event_id, order_key, number, state, created_at, ended_at)
     SELECT workspace_id, environment, lpad(to_hex(n), 12, '0') || right(w.id, 12), w.id, lpad(to_hex(n), 24, '0'), order_key, n, 'delivered', created_at, created_at
     FROM (SELECT * FROM delivery LIMIT 1) d, unnest($1::text[]) w (id), generate_series(1, ${waiting}) n WHERE w.id <> $2`,
    [webhooks, deleted],
  );
  await service.admin.delete(`/v1/webhooks/${deleted}`);
  plans.take();
  expect(await deleteLeftoverDeliveries(service.context)).toBe(1);
  expect(rowsReadOf('delivery', plans.take())).toBeLessThan(rowsMax);
});
