// Readiness tells the truth: about a database that accepts no changes, and about a node that is about to stop.

import { expect, onTestFinished, test } from 'vitest';
import { minuteMs, secondMs } from '../../../src/kit/clock.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeDatabase, serviceForThisTest, startTestService, type TestService } from '../../setup/node/test-service.ts';

async function readyState({ admin }: TestService): Promise<unknown[]> {
  const { status, headers, body } = await admin.get('/readyz');
  return [status, headers.get('retry-after'), body.status];
}

const ready = [200, null, 'ready'];

test('a database that is read-only: not ready, changes are refused with that reason, and ready again afterwards', async () => {
  const service = await serviceForThisTest();
  const { admin, database, clock } = service;
  const name = `"${database.name}"`;
  const reconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'holdfast'`;
  expect(await readyState(service)).toEqual(ready);
  await runSql(database, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await runSql(database, reconnect);
  await expect.poll(() => (clock.advance(5 * secondMs), readyState(service))).toEqual([503, '2', 'database-read-only']);
  const refused = await admin.post('/v1/clients', { name: 'Never' });
  expect([refused.status, refused.headers.get('retry-after'), refused.body.code, refused.body.detail]).toEqual([
    503,
    '2',
    'database-read-only',
    'The database is read-only at the moment: it accepts no changes. Nothing was changed.',
  ]);
  await runSql(database, `BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`);
  await runSql(database, reconnect);
  await expect.poll(() => (clock.advance(5 * secondMs), readyState(service))).toEqual(ready);
  expect((await admin.post('/v1/clients', { name: 'Again' })).status).toBe(201);
});

/** What PostgreSQL does when it needs new space and the disk is full. */
const fillDisk = `
  CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
  CREATE FUNCTION no_room_for_tables() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER no_room BEFORE INSERT ON client FOR EACH ROW EXECUTE FUNCTION no_room();
  CREATE EVENT TRIGGER no_room_for_tables ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS')
    EXECUTE FUNCTION no_room_for_tables()`;

test('a database whose disk is full: not ready, changes are refused with that reason, and ready again once there is room', async () => {
  const service = await serviceForThisTest();
  const { admin, database, clock } = service;
  expect(await readyState(service)).toEqual(ready);
  await runSql(database, fillDisk);
  const refused = await admin.post('/v1/clients', { name: 'Never' });
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    503,
    'database-full',
    'The disk of the database is full: it can store no changes. Nothing was changed.',
  ]);
  expect(await readyState(service)).toEqual([503, '2', 'database-full']);
  clock.advance(5 * secondMs);
  expect(await readyState(service)).toEqual([503, '2', 'database-full']);
  await runSql(database, 'DROP EVENT TRIGGER no_room_for_tables; DROP TRIGGER no_room ON client');
  clock.advance(5 * secondMs);
  expect(await readyState(service)).toEqual(ready);
  expect((await admin.post('/v1/clients', { name: 'Again' })).status).toBe(201);
});

test('a full disk is noticed without a request that fails', async () => {
  const service = await serviceForThisTest();
  expect(await readyState(service)).toEqual(ready);
  await runSql(service.database, fillDisk);
  service.clock.advance(minuteMs);
  expect(await readyState(service)).toEqual([503, '2', 'database-full']);
  expect(await runSql(service.database, `SELECT FROM pg_class WHERE relname = 'readiness_probe'`)).toEqual([]);
});

test('a node that stops is not ready at once, and serves requests until its grace is over', async () => {
  const database = await makeDatabase();
  onTestFinished(() => database.drop());
  const service = await startTestService({ database, settings: { SHUTDOWN_GRACE_MS: '8000' } });
  expect(await readyState(service)).toEqual(ready);
  const stopped = service.stop();
  expect(await readyState(service)).toEqual([503, '2', 'stopping']);
  const served = await service.admin.post('/v1/clients', { name: 'Late' });
  expect([served.status, served.headers.get('connection')]).toEqual([201, 'close']);
  await stopped;
  await expect(service.admin.get('/readyz')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/);
});
