// Readiness tells the truth: about a database that accepts no changes, and about a node that is about to stop.

import { expect, onTestFinished, test } from 'vitest';
import { minuteMs, secondMs } from '../../../src/kit/clock.ts';
import {
  fillDiskFor,
  freeDiskFor,
  makeReadOnly,
  makeWritable,
  reconnectNodes,
} from '../../setup/database/full-disk.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeDatabase, serviceForThisTest, startTestService, type TestService } from '../../setup/node/test-service.ts';

async function stateAt({ admin }: TestService, path: string): Promise<unknown[]> {
  const { status, headers, body } = await admin.get(path);
  return [status, headers.get('retry-after'), body.status];
}

const writeState = (service: TestService): Promise<unknown[]> => stateAt(service, '/readyz/write');
const ready = [200, null, 'ready'];

test('a database that is read-only: reads are answered, changes are refused with that reason, and made again afterwards', async () => {
  const service = await serviceForThisTest();
  const { admin, database, clock } = service;
  expect(await writeState(service)).toEqual(ready);
  await runSql(database, makeReadOnly(database.name));
  await runSql(database, reconnectNodes);
  await expect.poll(() => (clock.advance(5 * secondMs), writeState(service))).toEqual([503, '2', 'database-read-only']);
  expect((await admin.get('/readyz')).body).toEqual({ status: 'ready', writes: 'database-read-only' });
  const refused = await admin.post('/v1/clients', { name: 'Never' });
  expect([refused.status, refused.headers.get('retry-after'), refused.body.code, refused.body.detail]).toEqual([
    503,
    '2',
    'database-read-only',
    'The database is read-only at the moment: it accepts no changes. Nothing was changed.',
  ]);
  await runSql(database, makeWritable(database.name));
  await runSql(database, reconnectNodes);
  await expect.poll(() => (clock.advance(5 * secondMs), writeState(service))).toEqual(ready);
  expect((await admin.post('/v1/clients', { name: 'Again' })).status).toBe(201);
});

test('a database whose disk is full: reads are answered, changes are refused with that reason, and made again once there is room', async () => {
  const service = await serviceForThisTest();
  const { admin, database, clock } = service;
  expect(await writeState(service)).toEqual(ready);
  await runSql(database, fillDiskFor('client'));
  const refused = await admin.post('/v1/clients', { name: 'Never' });
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    503,
    'database-full',
    'The disk of the database is full: it can store no changes. Nothing was changed.',
  ]);
  expect(await writeState(service)).toEqual([503, '2', 'database-full']);
  clock.advance(5 * secondMs);
  expect(await writeState(service)).toEqual([503, '2', 'database-full']);
  await runSql(database, freeDiskFor('client'));
  clock.advance(5 * secondMs);
  expect(await writeState(service)).toEqual(ready);
  expect((await admin.post('/v1/clients', { name: 'Again' })).status).toBe(201);
});

test('a full disk is noticed without a request that fails', async () => {
  const service = await serviceForThisTest();
  expect(await writeState(service)).toEqual(ready);
  await runSql(service.database, fillDiskFor('client'));
  service.clock.advance(minuteMs);
  expect(await writeState(service)).toEqual([503, '2', 'database-full']);
  expect(await runSql(service.database, `SELECT FROM pg_class WHERE relname = 'readiness_probe'`)).toEqual([]);
});

test('a node that stops is not ready at once, and serves requests until its grace is over', async () => {
  const database = await makeDatabase();
  onTestFinished(() => database.drop());
  const service = await startTestService({ database, settings: { SHUTDOWN_GRACE_MS: '8000' } });
  expect(await writeState(service)).toEqual(ready);
  const stopped = service.stop();
  expect(await stateAt(service, '/readyz')).toEqual([503, '2', 'stopping']);
  expect(await writeState(service)).toEqual([503, '2', 'stopping']);
  const served = await service.admin.post('/v1/clients', { name: 'Late' });
  expect([served.status, served.headers.get('connection')]).toEqual([201, 'close']);
  await stopped;
  await expect(service.admin.get('/readyz')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/);
});
