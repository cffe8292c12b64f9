// Workspaces in which nothing happens cost a node nothing: what it asks the database while it waits does not depend on how many there are.

import { expect, onTestFinished, test } from 'vitest';
import type { CalendarDate } from '../../../src/kit/calendar-date.ts';
import { minuteMs, secondMs } from '../../../src/kit/clock.ts';
import { openCountedConnection, type CountedConnection } from '../../setup/database/counted-connection.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeDatabase, startTestService, type TestService } from '../../setup/node/test-service.ts';

interface CountedService {
  readonly service: TestService;
  readonly connection: CountedConnection;
}

async function startCounted(): Promise<CountedService> {
  const database = await makeDatabase();
  const connection = await openCountedConnection(database);
  const service = await startTestService({ database: { ...database, url: connection.url } });
  onTestFinished(async () => {
    await service.stop();
    await connection.close();
    await database.drop();
  });
  return { service: { ...service, database }, connection };
}

/**
 * Workspaces as they are after a day without any request: a client with a last round, however old, a breach that is over, a line of the
 * audit log, a used assertion and a stored answer.
 */
const quietWorkspaces = `
  WITH made AS (INSERT INTO workspace SELECT 'quiet' || n, 'Quiet', now() FROM generate_series(1, $1::int) n RETURNING workspace_id)
  INSERT INTO environment (workspace_id, environment, created_at, taxonomy_at, day_marked)
  SELECT workspace_id, one, now(), now(), $2::date FROM made, unnest(ARRAY['production', 'sandbox']) one`;
const inQuiet = (text: string): string =>
  text.replace('TENANTS', `(SELECT * FROM environment WHERE workspace_id LIKE 'quiet%') e`);
const quietRows = [
  `INSERT INTO client (workspace_id, environment, id, path, name, reference_currency, accounting_method, created_at)
   SELECT e.workspace_id, e.environment, 'c', ARRAY['c'], 'Quiet', 'EUR', 'FIFO', $1 FROM TENANTS`,
  `INSERT INTO calculation_round (workspace_id, environment, id, client_id, causes, state, marked_since, started_at, finished_at, lease_until)
   SELECT e.workspace_id, e.environment, repeat('0', 24), 'c', '{day}', 'finished', $1, $1, $1, $1 FROM TENANTS`,
  `INSERT INTO limit_state (workspace_id, environment, id, client_id, limit_id, reporting_entity_id, kind, state, current_value, since, until)
   SELECT e.workspace_id, e.environment, 's', 'c', 'l', 'r', 'absolute', 'breached', 1, $1::timestamptz - interval '1 day', $1 FROM TENANTS`,
  `INSERT INTO audit_entry (workspace_id, environment, id, at, act, subject_type, subject_id)
   SELECT e.workspace_id, e.environment, lpad(to_hex((extract(epoch FROM $1::timestamptz) * 1000)::bigint), 12, '0') || repeat('0', 12), $1,
     'create', 'client', 'c' FROM TENANTS`,
  `INSERT INTO used_assertion (workspace_id, environment, token_id_hash, expires_at)
   SELECT e.workspace_id, e.environment, '\\x00', $1::timestamptz + interval '1 day' FROM TENANTS`,
  `INSERT INTO idempotent_answer (workspace_id, environment, key_hash, caller, request_hash, expires_at)
   SELECT e.workspace_id, e.environment, '\\x00', 'a', '\\x00', $1::timestamptz + interval '20 hours' FROM TENANTS`,
].map(inQuiet);

/** More than any job needs to do everything that it does now and then. */
const runsMax = 60;

/** Runs every job of the node as often as ten minutes have time for, or `runsMax` times. Returns how many statements a second that makes. */
async function statementRate({ service, connection }: CountedService): Promise<number> {
  const { jobs, clock } = service;
  const { signal } = new AbortController();
  const runAll = async (): Promise<void> => {
    for (const { run } of jobs) await run(signal);
  };
  // What the start has left to do.
  for (let times = 0; times < 3; times++) {
    await runAll();
    clock.advance(5 * secondMs);
  }
  let rate = 0;
  for (const { run, intervalMs } of jobs) {
    const runs = Math.min((10 * minuteMs) / intervalMs, runsMax);
    const before = connection.statementCount;
    for (let count = 0; count < runs; count++) {
      clock.advance(intervalMs);
      await run(signal);
    }
    rate += ((connection.statementCount - before) / Math.ceil(runs)) * (secondMs / intervalMs);
  }
  return rate;
}

test('a node asks the database the same few questions, whether it serves one workspace or two hundred quiet ones', async () => {
  const alone = await startCounted();
  const rate = await statementRate(alone);
  const crowded = await startCounted();
  const { database, clock } = crowded.service;
  const now = new Date(clock.now()).toISOString();
  await runSql(database, quietWorkspaces, [200, now.slice(0, 10)]);
  for (const text of quietRows) await runSql(database, text, [now]);
  expect(await statementRate(crowded)).toBe(rate);
  expect(rate).toBeGreaterThan(0);
  expect(rate).toBeLessThan(10);
});

test('a tenant with much to do is listed once', async () => {
  const { service } = await startCounted();
  const { admin, first, context, clock } = service;
  for (const name of ['One', 'Two', 'Three']) await admin.post('/v1/clients', { name });
  const { dueTenants } = context.stores.preAuth;
  const tenant = { workspaceId: first.workspaceId, environment: 'production' };
  expect(await dueTenants.withUnchainedLines()).toEqual([tenant]);
  const tenants = await dueTenants.withRounds({ now: clock.now(), today: '2100-01-01' as CalendarDate });
  expect(tenants.filter(({ environment }) => environment === 'production')).toEqual([tenant]);
});
