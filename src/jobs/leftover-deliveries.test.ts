// Tests that a deleted webhook leaves no deliveries: none is made any more, and those that it had are deleted some at a time, and no others.

import { beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../tests/setup/http/caller.ts';
import { awaitLockWaits, holdLock } from '../../tests/setup/database/lock-waits.ts';
import { runSql } from '../../tests/setup/database/sql.ts';
import {
  connectionRefused,
  createDeliveries,
  deliverAllDue,
  webhookAnswer,
} from '../../tests/setup/events/deliveries.ts';
import { emitEvents, tenantOf } from '../../tests/setup/events/event-source.ts';
import { serviceForThisFile } from '../../tests/setup/node/test-service.ts';
import { fanOutEvents } from '../actions/events/delivery-queue.ts';
import type { Tenant } from '../model/access/scope.ts';
import { deleteLeftoverDeliveries } from './leftover-deliveries.ts';

const service = serviceForThisFile();
let admin: Caller;
let tenant: Tenant;

beforeEach(async () => {
  admin = await service.openWorkspace();
  tenant = await tenantOf(admin);
});

async function register(caller = admin): Promise<string> {
  const sent = { url: 'https://hooks.example.com/one', events: ['limit.breached'] };
  return (await caller.post('/v1/webhooks', sent)).body.id;
}

/** How many deliveries and attempts of each of these webhooks there are. */
async function remaining(...webhooks: readonly string[]): Promise<number[][]> {
  const counted = webhooks.map((webhook) =>
    runSql<{ deliveries: number; attempts: number }>(
      service.database,
      `SELECT (SELECT count(*)::int FROM delivery WHERE webhook_id = $1) AS deliveries, (SELECT count(*)::int FROM delivery_attempt a
         JOIN delivery d ON d.workspace_id = a.workspace_id AND d.id = a.delivery_id WHERE d.webhook_id = $1) AS attempts`,
      [webhook],
    ),
  );
  return (await Promise.all(counted)).map(([row]) => [row!.deliveries, row!.attempts]);
}

/** Deletes a webhook as a node of the release before does, which leaves the rest to the database. */
function deleteInDatabase(webhook: string): Promise<unknown> {
  return runSql(service.database, 'DELETE FROM webhook WHERE id = $1', [webhook]);
}

describe('the deliveries of a deleted webhook', () => {
  test('are deleted whatever their state, with their attempts, and no others', async () => {
    const webhooks = [await register(), await register(), await register()];
    const [first, kept, last] = webhooks as [string, string, string];
    const { context } = service;
    await emitEvents(context, tenant, { clients: 1, perClient: 2 });
    await deliverAllDue(
      context,
      createDeliveries(context, async () => webhookAnswer(204)),
    );
    await emitEvents(context, tenant, { clients: 1, perClient: 2 });
    await deliverAllDue(
      context,
      createDeliveries(context, async () => connectionRefused),
    );
    const all = [4, 1];
    expect(await remaining(...webhooks)).toEqual([all, all, all]);
    expect(await deleteLeftoverDeliveries(context)).toBe(0);
    expect((await admin.delete(`/v1/webhooks/${first}`)).status).toBe(204);
    await deleteInDatabase(last);
    expect(await remaining(...webhooks)).toEqual([all, all, all]);
    expect(await deleteLeftoverDeliveries(context)).toBe(8);
    expect(await remaining(...webhooks)).toEqual([[0, 0], all, [0, 0]]);
    const listed = await admin.get(`/v1/webhooks/${kept}/deliveries`);
    expect(listed.body.data).toHaveLength(4);
  });

  test('are deleted where no webhook is left, and of several that follow each other', async () => {
    const webhooks = [await register(), await register(), await register()];
    for (const webhook of webhooks) await admin.send(`/v1/webhooks/${webhook}/test`, { method: 'POST' });
    for (const webhook of webhooks) await admin.delete(`/v1/webhooks/${webhook}`);
    expect(await deleteLeftoverDeliveries(service.context)).toBe(3);
    expect(await remaining(...webhooks)).toEqual(webhooks.map(() => [0, 0]));
  });

  test('are deleted however many there are', async () => {
    const webhook = await register();
    await admin.send(`/v1/webhooks/${webhook}/test`, { method: 'POST' });
    await runSql(
      service.database,
      `INSERT INTO delivery (workspace_id, environment, id, webhook_id, event_id, order_key, number, state, created_at, ended_at)
       SELECT workspace_id, environment, 'copy ' || n, webhook_id, 'event ' || n, order_key, n, 'delivered', created_at, created_at
       FROM delivery, generate_series(1, 2500) n WHERE webhook_id = $1`,
      [webhook],
    );
    await admin.delete(`/v1/webhooks/${webhook}`);
    expect(await deleteLeftoverDeliveries(service.context)).toBe(2_501);
    expect(await remaining(webhook)).toEqual([[0, 0]]);
  });

  test('of a hundred webhooks that follow each other are deleted in one run, and of one more in the next', async () => {
    const { workspaceId, environment } = tenant;
    await runSql(
      service.database,
      `INSERT INTO delivery (workspace_id, environment, id, webhook_id, event_id, order_key, number, state, created_at, ended_at)
       SELECT $1, $2, 'left ' || n, 'deleted ' || to_char(n, 'FM000'), 'event', '', 1, 'delivered', now(), now() FROM generate_series(1, 101) n`,
      [workspaceId, environment],
    );
    expect(await deleteLeftoverDeliveries(service.context)).toBe(100);
    expect(await deleteLeftoverDeliveries(service.context)).toBe(1);
  });

  test('of one that cannot be deleted stay until the next run, and those of others go', async () => {
    const stranger = await service.openWorkspace();
    const [stuck, gone] = [await register(), await register(stranger)];
    await admin.send(`/v1/webhooks/${stuck}/test`, { method: 'POST' });
    await stranger.send(`/v1/webhooks/${gone}/test`, { method: 'POST' });
    await admin.delete(`/v1/webhooks/${stuck}`);
    await stranger.delete(`/v1/webhooks/${gone}`);
    await runSql(
      service.database,
      'CREATE TABLE pin AS SELECT workspace_id, environment, id FROM delivery WHERE 1 = 0',
    );
    await runSql(
      service.database,
      'INSERT INTO pin SELECT workspace_id, environment, id FROM delivery WHERE webhook_id = $1',
      [stuck],
    );
    await runSql(
      service.database,
      'ALTER TABLE pin ADD FOREIGN KEY (workspace_id, environment, id) REFERENCES delivery',
    );
    await expect(deleteLeftoverDeliveries(service.context)).rejects.toThrow(
      'Deliveries of 1 deleted webhooks could not be deleted.',
    );
    expect(await remaining(stuck, gone)).toEqual([
      [1, 0],
      [0, 0],
    ]);
    await runSql(service.database, 'DROP TABLE pin');
    expect(await deleteLeftoverDeliveries(service.context)).toBe(1);
  });

  test('are not shown and cannot be sent again meanwhile', async () => {
    const webhook = await register();
    const { body: made } = await admin.send(`/v1/webhooks/${webhook}/test`, { method: 'POST' });
    await deliverAllDue(
      service.context,
      createDeliveries(service.context, async () => webhookAnswer(204)),
    );
    await admin.delete(`/v1/webhooks/${webhook}`);
    const answers = [
      await admin.get(`/v1/deliveries/${made.id}`),
      await admin.send(`/v1/deliveries/${made.id}/replay`, { method: 'POST' }),
    ];
    const refused = [404, 'delivery-not-found'];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([refused, refused]);
    expect(await remaining(webhook)).toEqual([[1, 0]]);
  });

  test('wait in a suspended workspace', async () => {
    const webhook = await register();
    await admin.send(`/v1/webhooks/${webhook}/test`, { method: 'POST' });
    await admin.delete(`/v1/webhooks/${webhook}`);
    const setState = (state: string): Promise<unknown> =>
      runSql(service.database, 'UPDATE workspace SET state = $2 WHERE workspace_id = $1', [tenant.workspaceId, state]);
    await setState('suspended');
    await deleteLeftoverDeliveries(service.context);
    expect(await remaining(webhook)).toEqual([[1, 0]]);
    await setState('active');
    expect(await deleteLeftoverDeliveries(service.context)).toBe(1);
  });
});

test('whoever hands out events while a webhook is deleted makes no delivery for it', async () => {
  const [deleted, kept] = [await register(), await register()];
  await emitEvents(service.context, tenant, { clients: 1, perClient: 1 });
  const release = await holdLock(service.database, `DELETE FROM webhook WHERE id = '${deleted}'`);
  const handedOut = fanOutEvents(service.context, tenant);
  await awaitLockWaits(service.database, 1);
  await release();
  await handedOut;
  expect(await remaining(deleted, kept)).toEqual([
    [0, 0],
    [1, 0],
  ]);
});
