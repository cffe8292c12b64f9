// A node that shuts down finishes requests in progress, turns later ones away, and waits for no idle connection.

import { Agent, request, Server } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { TestDatabase } from '../../setup/database/test-database.ts';
import { makeDatabase, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { awaitLockWaits } from '../../setup/database/lock-waits.ts';
import { lockClients } from '../../setup/database/row-lock.ts';
import { runSql } from '../../setup/database/sql.ts';

interface StopReply {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Sends over a keep-alive connection. */
function send(
  { admin }: TestService,
  agent: Agent,
  path: string,
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
): Promise<StopReply> {
  const { promise, resolve, reject } = Promise.withResolvers<StopReply>();
  const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' };
  const sent = request(admin.address + path, { agent, method, headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () =>
      resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString(), headers: response.headers }),
    );
  });
  sent.on('error', reject);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

function keepAlive(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  onTestFinished(() => agent.destroy());
  return agent;
}

async function startNode(database: TestDatabase): Promise<TestService> {
  onTestFinished(() => database.drop());
  return startTestService({ database });
}

/** Detects whether connections are cut after the timeout. */
function spyOnCutConnections(): ReturnType<typeof vi.spyOn> {
  onTestFinished(() => void vi.restoreAllMocks());
  return vi.spyOn(Server.prototype, 'closeAllConnections');
}

test('idle connections do not delay the shutdown', async () => {
  const service = await startNode(await makeDatabase());
  const agent = keepAlive();
  await Promise.all(Array.from({ length: 20 }, () => send(service, agent, '/v1/me')));
  expect(Object.values(agent.freeSockets).flat().length).toBe(20);
  const cutOff = spyOnCutConnections();
  await service.stop();
  expect(cutOff).not.toHaveBeenCalled();
});

test('requests in progress are finished, later ones are turned away, and their connections do not delay the shutdown', async () => {
  const database = await makeDatabase();
  const service = await startNode(database);
  const agent = keepAlive();
  const id = await service.admin.makeClient('Before');
  const { release } = await lockClients(database, id);
  const changed = send(service, agent, `/v1/clients/${id}`, { method: 'PATCH', body: { name: 'After' } });
  const again = send(service, agent, `/v1/clients/${id}`, { method: 'PATCH', body: { name: 'After' } });
  await awaitLockWaits(database, 2);
  let isStopped = false;
  const stopped = service.stop().then(() => (isStopped = true));
  await expect(send(service, new Agent(), '/v1/me')).rejects.toThrow(/ECONNREFUSED|socket hang up|ECONNRESET/);
  expect(isStopped).toBe(false);
  const cutOff = spyOnCutConnections();
  await release();
  const replies = await Promise.all([changed, again]);
  expect(replies.map(({ status, text }) => [status, JSON.parse(text).name])).toEqual([
    [200, 'After'],
    [200, 'After'],
  ]);
  await stopped;
  expect(cutOff).not.toHaveBeenCalled();
  expect(await runSql(database, 'SELECT name FROM client')).toEqual([{ name: 'After' }]);
});

test('a second request on a busy connection is turned away', async () => {
  const database = await makeDatabase();
  const service = await startNode(database);
  const id = await service.admin.makeClient('Held');
  const { release } = await lockClients(database, id);
  const socket = connect(Number(new URL(service.admin.address).port), '127.0.0.1');
  const headers = `host: localhost\r\nauthorization: Bearer ${service.admin.token}\r\ncontent-type: application/json`;
  socket.write(`PATCH /v1/clients/${id} HTTP/1.1\r\n${headers}\r\ncontent-length: 15\r\n\r\n{"name":"Late"}`);
  await awaitLockWaits(database, 1);
  const stopped = service.stop();
  socket.write(`GET /v1/me HTTP/1.1\r\n${headers}\r\n\r\n`);
  await release();
  const [, first = '', second = ''] = (await socket.toArray()).join('').split('HTTP/1.1 ');
  expect(first).toMatch(/^200 [^]*"name":"Late"/);
  expect(second).toMatch(/^503 /);
  for (const part of ['\r\nconnection: close\r\n', '\r\nretry-after: 1\r\n', '"code":"stopping"']) {
    expect(second).toContain(part);
  }
  await stopped;
});
