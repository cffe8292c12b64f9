// One workspace cannot use up a node's connections to the database, whatever its requests wait for.

import { expect, onTestFinished, test } from 'vitest';
import { awaitLockWaits, countLockWaits } from '../../setup/database/lock-waits.ts';
import { lockClients } from '../../setup/database/row-lock.ts';
import type { TestDatabase } from '../../setup/database/test-database.ts';
import { serviceForThisTest } from '../../setup/node/test-service.ts';
import { runOnServers } from '../../setup/database/database-parts.ts';

const settings = { DATABASE_POOL: '6', BUDGET_IN_FLIGHT: '8', BASE_URL: 'http://holdfast.test' };

/** The connections of nodes that are in the middle of a transaction. */
async function countBusyConnections(database: TestDatabase): Promise<number> {
  const found = await runOnServers<{ count: number }>(
    database,
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'holdfast' AND state <> 'idle'`,
  );
  return found.reduce((sum, { count }) => sum + count, 0);
}

test('two environments of one workspace whose requests all wait hold half of the connections, and others are served', async () => {
  const service = await serviceForThisTest({ settings });
  const { admin, database } = service;
  const neighbour = await service.openWorkspace();
  const sandbox = await admin.becomeApplication({ environment: 'sandbox' });
  const [inProduction, inSandbox] = [await admin.makeClient('Production'), await sandbox.makeClient('Sandbox')];
  const lock = await lockClients(database, inProduction, inSandbox);
  onTestFinished(() => lock.release().catch(() => {}));
  const waiting = Array.from({ length: 8 }, (_none, index) => [
    admin.patch(`/v1/clients/${inProduction}`, { name: `Production ${index}` }),
    sandbox.patch(`/v1/clients/${inSandbox}`, { name: `Sandbox ${index}` }),
  ]).flat();
  await awaitLockWaits(database, 3);
  for (let reads = 0; reads < 20; reads++) expect((await neighbour.get('/v1/clients')).status).toBe(200);
  expect((await neighbour.post('/v1/clients', { name: 'Next door' })).status).toBe(201);
  // Others may be busy for a moment: those that the node uses for itself.
  await expect.poll(() => countBusyConnections(database)).toBe(3);
  expect(await countLockWaits(database)).toBe(3);
  await lock.release();
  const replies = await Promise.all(waiting);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});

test('identical requests that wait for the first of them hold no connection, on its node and on another', async () => {
  const first = await serviceForThisTest({ settings });
  const { admin, database } = first;
  const second = await serviceForThisTest({ settings, database, clock: first.clock });
  const id = await admin.makeClient('Before');
  const lock = await lockClients(database, id);
  onTestFinished(() => lock.release().catch(() => {}));
  const path = `/v1/clients/${id}`;
  const header = { 'idempotency-key': 'once' };
  const original = admin.patch(path, { name: 'After' }, header);
  await awaitLockWaits(database, 1);
  const twins = [admin, second.admin].flatMap((caller) =>
    Array.from({ length: 8 }, () => caller.patch(path, { name: 'After' }, header)),
  );
  for (const caller of [admin, second.admin])
    for (let reads = 0; reads < 10; reads++) expect((await caller.get('/v1/clients')).status).toBe(200);
  expect(await countLockWaits(database)).toBe(1);
  await lock.release();
  expect((await original).status).toBe(200);
  const replies = await Promise.all(twins);
  expect(replies.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(twins.map(() => 'true'));
});
