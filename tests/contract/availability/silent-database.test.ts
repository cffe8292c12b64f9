// The network swallows what a node and the database send, and tells neither: requests are answered, jobs go on, locks are released and the
// node stops.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test, type TestContext } from 'vitest';
import { databaseTimeouts } from '../../setup/database/database-timeouts.ts';
import { awaitLockWaits } from '../../setup/database/lock-waits.ts';
import { lockClients } from '../../setup/database/row-lock.ts';
import { openSeverableConnection, type SeverableConnection } from '../../setup/database/severable-connection.ts';
import type { TestDatabase } from '../../setup/database/test-database.ts';
import { EventInbox, emitEvents, tenantOf } from '../../setup/events/event-source.ts';
import {
  makeDatabase,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../../setup/node/test-service.ts';

interface SilenceableNode {
  readonly database: TestDatabase;
  readonly connection: SeverableConnection;
  readonly service: TestService;
}

/** Long enough for a busy machine to answer, short enough to wait for. */
const impatient = { ...databaseTimeouts, connectMs: 6_000, answerMs: 6_000, readinessMs: 2_000 };

/** The tests run at the same time, so each hands in its own. */
type OnTestFinished = TestContext['onTestFinished'];

async function startSilenceableNode(
  onTestFinished: OnTestFinished,
  options: TestServiceOptions = {},
): Promise<SilenceableNode> {
  const database = await makeDatabase();
  onTestFinished(() => database.drop());
  const connection = await openSeverableConnection(database);
  onTestFinished(() => connection.close());
  const settings = { database: { ...database, url: connection.url }, databaseTimeouts: impatient, ...options };
  return { database, connection, service: await startTestService(settings) };
}

// At the same time: they mostly wait for timeouts.
describe.concurrent('while the network is silent', () => {
  test('requests on silent connections are answered with 503, and those after them are served', async ({
    onTestFinished,
    expect,
  }) => {
    const { connection, service } = await startSilenceableNode(onTestFinished);
    onTestFinished(() => service.stop());
    const read = () => service.admin.get('/v1/clients');
    const write = () => service.admin.post('/v1/clients', { name: 'Swallowed' });
    await Promise.all(Array.from({ length: 8 }, read));
    connection.silence();
    const swallowed = [read(), write(), read(), write(), read(), write(), read(), write()];
    const ready = await service.admin.get('/readyz');
    expect([ready.status, ready.body]).toEqual([503, { status: 'database-away' }]);
    connection.restore();
    const replies = await Promise.all(swallowed);
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(swallowed.map(() => [503, 'database-away']));
    expect((await read()).body.data).toEqual([]);
    expect((await write()).status).toBe(201);
    expect((await service.admin.get('/readyz')).status).toBe(200);
  });

  test('a silent commit is not reported as having changed nothing', async ({ onTestFinished, expect }) => {
    const { connection, service } = await startSilenceableNode(onTestFinished);
    onTestFinished(() => service.stop());
    await service.admin.get('/v1/clients');
    connection.silenceAtCommit();
    const reply = await service.admin.post('/v1/clients', { name: 'Perhaps' });
    expect([reply.status, reply.body.code]).toEqual([503, 'database-away']);
    expect(reply.body.detail).toContain('the change was made completely or not at all');
  });

  test('a writer that vanished in the middle of a change soon lets others change the same client', async ({
    onTestFinished,
    expect,
  }) => {
    const timeouts = { ...impatient, writeGapMs: 8_000 };
    const { database, connection, service } = await startSilenceableNode(onTestFinished, {
      databaseTimeouts: timeouts,
    });
    onTestFinished(() => service.stop());
    const other = await startTestService({ database, clock: service.clock });
    onTestFinished(() => other.stop());
    const id = await other.admin.makeClient('Before');
    const lock = await lockClients(database, id);
    const vanished = service.admin.patch(`/v1/clients/${id}`, { name: 'Vanished' });
    await awaitLockWaits(database, 1);
    connection.silence();
    await lock.release();
    const changed = await other.admin.patch(`/v1/clients/${id}`, { name: 'After' });
    expect([changed.status, changed.body.name]).toEqual([200, 'After']);
    expect((await vanished).status).toBe(503);
    connection.restore();
    expect((await other.admin.get(`/v1/clients/${id}`)).body.name).toBe('After');
  });

  test('deliveries go on after a silence', async ({ onTestFinished, expect }) => {
    const inbox = new EventInbox();
    const sink = createServer((request, response) => {
      void text(request).then((body) => {
        inbox.receive(body);
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void (sink.closeAllConnections(), sink.close()));
    const { database, connection, service } = await startSilenceableNode(onTestFinished, { settings: { ROLE: 'all' } });
    onTestFinished(() => service.stop());
    const writer = await startTestService({ database, clock: service.clock });
    onTestFinished(() => writer.stop());
    const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`;
    await writer.admin.post('/v1/webhooks', { url, events: ['limit.breached'] });
    const tenant = await tenantOf(writer.admin);
    await emitEvents(writer.context, tenant, { clients: 4, perClient: 1 });
    await expect.poll(() => inbox.sequences).toEqual([[0]]);
    connection.silence();
    await emitEvents(writer.context, tenant, { clients: 4, perClient: 1 });
    const failedJobs = (): boolean => service.log.some((line) => line.includes('"job":"all deliveries"'));
    await expect.poll(failedJobs).toBe(true);
    connection.restore();
    service.clock.advance(10 * 60_000);
    await expect.poll(() => inbox.ids.length).toBeGreaterThanOrEqual(8);
  });

  test('a node whose connections are silent stops by itself, and answers the requests in progress', async ({
    onTestFinished,
    expect,
  }) => {
    const { connection, service } = await startSilenceableNode(onTestFinished, { databaseTimeouts });
    await Promise.all(Array.from({ length: 4 }, () => service.admin.get('/v1/clients')));
    connection.silence();
    const waiting = service.admin.post('/v1/clients', { name: 'Swallowed' });
    await expect.poll(() => connection.swallowedCount).toBeGreaterThan(0);
    await service.stop();
    const reply = await waiting;
    expect([reply.status, reply.body.code]).toEqual([503, 'database-away']);
  });
});
