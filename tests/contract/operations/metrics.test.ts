// What a node tells about its work: each kind of work moves its metric, nothing that a caller chooses becomes a series, and asking often
// costs the database little.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { dayMs, secondMs } from '../../../src/kit/clock.ts';
import { connectHousehold } from '../../setup/custody/connected-household.ts';
import { startTestSandbox } from '../../setup/custody/sandbox.ts';
import { openCountedConnection } from '../../setup/database/counted-connection.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeLedgerHousehold, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { Scrape } from '../../setup/monitoring/scrape.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { makeInvite, makeUser } from '../../setup/people/members.ts';
import {
  makeDatabase,
  serviceForThisFile,
  serviceForThisTest,
  startTestService,
} from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';

const service = serviceForThisFile({ settings: { WORK_THREADS: '1', LEDGER_MEMORY_MB: '64' } });
let household: LedgerHousehold;
/** With a token of now. */
let caller: Caller;
let receiver: Server;
let receiverStatus = 204;

beforeAll(async () => {
  caller = service.admin;
  household = await makeLedgerHousehold(service.admin);
  receiver = createServer((_request, response) => void response.writeHead(receiverStatus).end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const events = ['transaction.created'];
  await service.admin.post('/v1/webhooks', { url, events });
});

afterAll(() => void receiver.close());

const scrape = (): Promise<Scrape> => Scrape.of(service.admin.address);

/** Runs the jobs of the node that have this name, as the scheduler would. */
async function runJob(name: string): Promise<void> {
  const { signal } = new AbortController();
  for (const job of service.jobs.filter((one) => one.name === name)) await job.run(signal);
}

/** Waits until a series has this value: on a busy machine, what is measured rarely may come too late for the metrics that asked for it. */
async function expectValue(series: string, value: unknown): Promise<void> {
  await expect.poll(async () => (await scrape()).values.get(series)).toEqual(value);
}

/** Waits until the series whose names begin so have grown, and returns by how much. */
async function growth(start: string, work: () => Promise<unknown>): Promise<number> {
  const before = (await scrape()).sum(start);
  await work();
  await expect.poll(async () => (await scrape()).sum(start)).toBeGreaterThan(before);
  return (await scrape()).sum(start) - before;
}

async function book(amount = '100', headers: Record<string, string> = {}): Promise<number> {
  const deposit = { type: 'deposit', account_id: household.account, date: '2026-01-05', amount };
  return (await caller.post('/v1/transactions', deposit, headers)).status;
}

describe('work moves its metric', () => {
  test('a request: by route and class of status', async () => {
    const series =
      'holdfast_http_request_seconds_count{operation="v1.client.read",route="/v1/clients/{id}",status_class="4xx"}';
    expect(await growth(series, () => service.admin.get('/v1/clients/000000000000000000000001'))).toBe(1);
  });

  test('a request with a key that was used: its answer is repeated, or it is a conflict', async () => {
    expect(await book('1', { 'idempotency-key': 'once' })).toBe(201);
    const replayed = 'holdfast_idempotent_requests_total{outcome="replayed"}';
    expect(await growth(replayed, () => book('1', { 'idempotency-key': 'once' }))).toBe(1);
    const conflict = 'holdfast_idempotent_requests_total{outcome="conflict"}';
    expect(await growth(conflict, () => book('2', { 'idempotency-key': 'once' }))).toBe(1);
  });

  test('an event: it waits with its age, is delivered, and is a dead letter when its receiver fails for a day', async () => {
    await runJob('all deliveries');
    await expect
      .poll(async () => (await scrape()).sum('holdfast_delivery_attempts_total{outcome="delivered"}'))
      .toBeGreaterThan(0);
    await book();
    service.clock.advance(20 * secondMs);
    await expectValue('holdfast_queue_items{queue="outbox"}', 1);
    await expectValue('holdfast_queue_oldest_seconds{queue="outbox"}', 20);
    await expectValue('holdfast_queues_measured_timestamp_seconds', service.clock.now() / 1_000);
    const delivered = 'holdfast_delivery_attempts_total{outcome="delivered"}';
    expect(await growth(delivered, () => runJob('all deliveries'))).toBe(1);
    receiverStatus = 500;
    await book();
    expect(await growth('holdfast_delivery_attempts_total{outcome="retried"}', () => runJob('all deliveries'))).toBe(1);
    service.clock.advance(dayMs);
    caller = await service.enter(service.first);
    expect(await growth('holdfast_dead_letters_total', () => runJob('all deliveries'))).toBe(1);
    receiverStatus = 204;
    expect((await scrape()).sum('holdfast_delivery_attempt_seconds_count')).toBeGreaterThan(2);
  });

  test('a round: how it ended and how long it took', async () => {
    await book();
    service.clock.advance(20 * secondMs);
    await expect.poll(async () => (await scrape()).sum('holdfast_queue_items{queue="rounds"}')).toBeGreaterThan(0);
    await growth('holdfast_rounds_total{outcome="finished"}', () => runJob('all rounds'));
    expect((await scrape()).sum('holdfast_round_seconds_count')).toBeGreaterThan(0);
  });

  test('a mail', async () => {
    await makeInvite(caller, await makeUser(caller, household.client, { email: 'a@amsel.example' }));
    service.clock.advance(20 * secondMs);
    await expectValue('holdfast_queue_items{queue="mails"}', 1);
    expect(await growth('holdfast_mails_total{outcome="sent"}', () => runJob('all mails'))).toBe(1);
  });

  test('a feed: its runs by outcome, and that it is broken', async () => {
    const sandbox = await startTestSandbox(service.clock);
    onTestFinished(() => sandbox.stop());
    const other = await service.openWorkspace();
    const { authority } = await connectHousehold(service, { caller: other, origin: sandbox.origin });
    const rows = 'holdfast_import_rows_total{outcome="booked"}';
    const booked = await growth(rows, () =>
      growth('holdfast_feed_runs_total{outcome="finished"}', () => runJob('all feeds')),
    );
    expect(booked).toBeGreaterThan(0);
    await runSql(
      service.database,
      `UPDATE authority SET broken_at = now(), broken_reason = 'Consent has ended.' WHERE id = $1`,
      [authority],
    );
    service.clock.advance(20 * secondMs);
    await expectValue('holdfast_feeds_broken', 1);
  });

  test('an import: its rows by what became of them', async () => {
    const camt = new CamtText({ version: 8 });
    const file = camt.document([{ balances: [], entries: [camt.entry({ amount: '5.00', direction: 'CRDT' })] }]);
    const send = (): Promise<unknown> =>
      caller.send(`/v1/imports?client_id=${household.client}&book=true`, {
        method: 'POST',
        raw: file,
        headers: { 'content-type': 'application/xml' },
      });
    expect(await growth('holdfast_import_rows_total{outcome="needs"}', send)).toBe(1);
  });

  test('a report: the ledgers that its thread keeps, and the connections it has', async () => {
    const report = `/v1/holdings?reporting_entity_id=${household.reportingEntity}`;
    await growth('holdfast_ledger_cache_misses_total', () => caller.get(report));
    await growth('holdfast_ledger_cache_hits_total', () => caller.get(report));
    const { values } = await scrape();
    expect(values.get('holdfast_ledger_cache_bytes{thread="reports"}')).toBeGreaterThan(0);
    expect(values.get('holdfast_ledger_cache_entries{thread="reports"}')).toBeGreaterThan(0);
    expect(values.get('holdfast_database_connections{thread="reports"}')).toBeGreaterThan(0);
    expect(values.get('holdfast_database_connections_max{thread="main"}')).toBe(16 * inject('databaseServers').length);
    expect(values.get('holdfast_work_threads{thread="reports"}')).toBe(1);
    expect(values.get('holdfast_ready{state="ready"}')).toBe(1);
  });
});

test('a budget that is used up is counted', async () => {
  const strict = await serviceForThisTest({ settings: { BUDGET_PER_MINUTE: '1', BUDGET_BURST: '1' } });
  for (let times = 0; times < 3; times++) await strict.admin.get('/v1/me');
  const refused = (await Scrape.of(strict.admin.address)).values;
  expect(refused.get('holdfast_budget_refusals_total{reason="budget-exceeded"}')).toBeGreaterThan(0);
});

test('an error of the database is counted by its kind', async () => {
  const broken = await serviceForThisTest();
  await runSql(broken.database, 'ALTER TABLE client RENAME TO lost');
  await broken.admin.get('/v1/clients');
  const { values } = await Scrape.of(broken.admin.address);
  expect(values.get('holdfast_database_errors_total{kind="statement"}')).toBeGreaterThan(0);
  expect(values.get('holdfast_database_errors_total{kind="disk-full"}')).toBe(0);
});

test('a job that fails is counted by its name, and is in the log without what it was about', async () => {
  const broken = await serviceForThisTest({ settings: { ROLE: 'all', WORK_THREADS: '1' } });
  await runSql(broken.database, 'ALTER TABLE mail RENAME TO lost');
  await expect
    .poll(async () => (await Scrape.of(broken.admin.address)).sum('holdfast_job_failures_total{work="all mails"}'))
    .toBeGreaterThan(0);
  const lines = broken.log.map((line) => JSON.parse(line)).filter(({ job }) => job === 'all mails');
  expect(lines[0]).toMatchObject({ level: 40, msg: 'a job failed and will be retried', error: { code: '42P01' } });
});

test('the number of series does not depend on what is asked for', async () => {
  const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PROPFIND', 'MKCOL'];
  const ask = async (round: string): Promise<void> => {
    for (let number = 0; number < 300; number++) {
      const id = `${round}${number.toString(16)}`.padStart(24, '0');
      const path = number % 2 === 0 ? `/v1/clients/${id}` : `/${id}/${round}?${id}=${id}`;
      const method = methods[number % methods.length]!;
      await service.admin.send(path, { method, headers: { 'x-request-id': id } });
    }
  };
  /** Those of Node itself have a series for each kind of garbage collection, from its first run on. */
  const listOwn = async (): Promise<string[]> =>
    [...(await scrape()).values.keys()].filter((series) => series.startsWith('holdfast_'));
  await ask('a');
  const first = await listOwn();
  await ask('b');
  expect(await listOwn()).toEqual(first);
  const lines = (await scrape()).text.split('\n');
  const [ofWorkspaces, others] = [true, false].map((isOf) =>
    lines.filter((line) => line.startsWith('holdfast_workspace_') === isOf).join('\n'),
  );
  expect(others).not.toMatch(/\b[0-9a-f]{24}\b/);
  const known = await runSql<{ id: string }>(service.database, 'SELECT workspace_id AS id FROM workspace');
  const named = new Set(ofWorkspaces!.match(/\b[0-9a-f]{24}\b/g));
  expect(named.isSubsetOf(new Set(known.map(({ id }) => id)))).toBe(true);
  expect(named.has(service.first.workspaceId)).toBe(true);
});

test('what strangers ask for adds no series, at whichever path', async () => {
  const listOwn = async (): Promise<string[]> =>
    [...(await scrape()).values.keys()].filter((series) => series.startsWith('holdfast_http_'));
  const ask = async (paths: readonly string[]): Promise<unknown> =>
    Promise.all(paths.map(async (path) => (await fetch(service.admin.address + path, { redirect: 'manual' })).status));
  await scrape();
  expect(await ask(['/v1/clients', '/console'])).toEqual([401, 303]);
  const before = await listOwn();
  expect(await ask(['/v1/accounts', '/v1/limits/x', '/v2/clients/x', '/api/v3/instruments'])).toEqual(
    Array(4).fill(401),
  );
  expect(await ask(['/console/imports', '/console/developers/requests'])).toEqual([303, 303]);
  expect(await listOwn()).toEqual(before);
});

test('metrics that are asked for every second ask the database a few questions a minute', async () => {
  const database = await makeDatabase();
  const connection = await openCountedConnection(database);
  const counted = await startTestService({ database: { ...database, url: connection.url } });
  onTestFinished(async () => {
    await counted.stop();
    await connection.close();
    await database.drop();
  });
  await Scrape.of(counted.admin.address);
  const before = connection.statementCount;
  for (let second = 0; second < 60; second++) {
    counted.clock.advance(secondMs);
    await Scrape.of(counted.admin.address);
  }
  // Readiness every five seconds in three statements, the queues and the archive every fifteen in two each, the workspaces in four.
  expect(connection.statementCount - before).toBeLessThanOrEqual(12 * 4 + 4 * 2 * 2 + 4 * 4);
});
