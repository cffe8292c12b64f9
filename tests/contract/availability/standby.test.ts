// A node whose address leads to a real standby of PostgreSQL, as after a failover that nobody has finished: it starts, reads and issues tokens
// there, and changes once the standby is promoted.

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { secondMs } from '../../../src/kit/clock.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { ReplicatedDatabase } from '../../setup/database/replicated-database.ts';
import { runSql } from '../../setup/database/sql.ts';
import { insertAdministrator, signIn } from '../../setup/people/person-caller.ts';
import { startTestService } from '../../setup/node/test-service.ts';
import { makeReportHousehold } from '../../setup/reports/report-household.ts';

let database: ReplicatedDatabase;

beforeAll(async () => {
  database = await ReplicatedDatabase.start();
});
afterAll(() => database.stop());

test('a node on a standby answers reads, reports and pages, issues tokens, refuses changes, and makes them once it is promoted', async () => {
  const settings = { ENCRYPTION_KEY: Keyring.generate(), ROLE: 'all', REQUEST_LOG: 'on' };
  const primary = await startTestService({ database: database.primary, settings });
  const household = await makeReportHousehold(primary.admin);
  const administrator = await insertAdministrator(primary);
  const report = `/v1/holdings?reporting_entity_id=${household.all}`;
  const before = await primary.admin.get(report);
  await primary.stop();
  await database.untilFollowed();
  const standby = { url: database.standbyUrl, name: database.primary.name, drop: async () => {} };
  const node = await startTestService({ database: standby, settings, clock: primary.clock });
  onTestFinished(() => node.stop());
  const { admin, clock } = node;
  expect([before.status, (await admin.get(report)).text]).toEqual([200, before.text]);
  expect((await admin.get('/readyz')).body).toEqual({ status: 'ready', writes: 'database-read-only' });
  const refused = await admin.post('/v1/clients', { name: 'Never' }, { 'idempotency-key': 'one' });
  expect([refused.status, refused.body.code]).toEqual([503, 'database-read-only']);
  const person = await signIn({ ...node, first: primary.first }, administrator);
  expect((await person.get('/console')).status).toBe(200);
  await runSql(standby, 'SELECT pg_promote()');
  const state = async (): Promise<string> => (await admin.get('/readyz/write')).body.status;
  await expect.poll(() => (clock.advance(5 * secondMs), state()), { timeout: 30_000 }).toBe('ready');
  expect((await admin.post('/v1/clients', { name: 'Now' }, { 'idempotency-key': 'one' })).status).toBe(201);
  expect(node.log.filter((line) => line.includes('"defect"'))).toEqual([]);
});
