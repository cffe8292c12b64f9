// Checks on two nodes of one database that a node hears where the other has written, and does without where messages do not arrive.

import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { emitEvents, tenantOf } from '../../tests/setup/events/event-source.ts';
import { serviceForThisFile, startTestService, type TestService } from '../../tests/setup/node/test-service.ts';
import { runSql } from '../../tests/setup/database/sql.ts';
import type { Tenant } from '../model/access/scope.ts';
import { NodeMessages } from '../store/postgres/node-messages.ts';
import { listenToNodes } from './node-listening.ts';

const settings = { BASE_URL: 'http://holdfast.test' };
const writer = serviceForThisFile({ settings });
let tenant: Tenant;

beforeAll(async () => {
  tenant = await tenantOf(writer.admin);
  await writer.admin.post('/v1/webhooks', { url: 'https://hooks.example.com/', events: ['limit.breached'] });
});

/** A second node, which runs no jobs that could look by themselves, and listens once this is done. */
async function startListener(): Promise<TestService> {
  const listener = await startTestService({ database: writer.database, clock: writer.clock, settings });
  const states: string[] = [];
  const { stop } = listenToNodes({
    context: listener.context,
    connection: { connectionString: writer.database.url },
    onChange: (state) => void states.push(state),
  });
  onTestFinished(async () => {
    await stop();
    await listener.stop();
  });
  await expect.poll(() => states.at(-1)).toBe('on');
  return listener;
}

function woken({ context }: TestService): readonly Tenant[] {
  return context.deliveryWakeUps.take(context.clock.now());
}

test('a node that listens looks where another node has written an event', async () => {
  const listener = await startListener();
  await emitEvents(writer.context, tenant, { clients: 1, perClient: 1 });
  await expect.poll(() => woken(listener)).toEqual([tenant]);
});

test('a node is not woken up by what it wrote itself, nor by a text that is no announcement', async () => {
  const listener = await startListener();
  await emitEvents(listener.context, tenant, { clients: 1, perClient: 1 });
  expect(woken(listener)).toEqual([tenant]);
  const { workspaceId } = tenant;
  const others = ['', 'x', `n rounds ${workspaceId} production`, `n mails ${workspaceId}`, 'n mails 1 production'];
  const texts = [...others, `n mails ${workspaceId} elsewhere`, `n mails ${workspaceId} production more`];
  for (const text of texts) await runSql(writer.database, `SELECT pg_notify('holdfast_nodes', $1)`, [text]);
  await runSql(writer.database, `SELECT pg_notify('holdfast_nodes', 'n mails ${workspaceId} sandbox')`);
  const { mailWakeUps, clock } = listener.context;
  await expect.poll(() => mailWakeUps.take(clock.now())).toEqual([{ workspaceId, environment: 'sandbox' }]);
  expect(woken(listener)).toEqual([]);
});

test('where messages do not arrive, as behind a pooler, listening is off and says so', async () => {
  const states: string[] = [];
  const messages = new NodeMessages({
    connection: { connectionString: writer.database.url },
    arrivalMs: 50,
    probe: async () => {},
    onMessage: () => {},
    onChange: (state) => void states.push(state),
  });
  messages.start();
  await expect.poll(() => states).toEqual(['off']);
  await messages.stop();
});

test('a node that has lost the connection listens again on another', async () => {
  const listener = await startListener();
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query = 'LISTEN holdfast_nodes'`;
  await runSql(writer.database, end);
  await expect
    .poll(async () => {
      await emitEvents(writer.context, tenant, { clients: 1, perClient: 1 });
      return woken(listener);
    })
    .toEqual([tenant]);
});
