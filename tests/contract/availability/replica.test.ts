// Reports with a replica, on real streaming replication: they are loaded from it and are the same to the byte, never behind what was
// committed on any node, whatever is wrong with the replica; and both walls hold on it.

import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { secondMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import { allClients } from '../../../src/model/access/scope.ts';
import { reportingEntity } from '../../../src/model/structure/reporting-entity.ts';
import type { ReplicaOutcome } from '../../../src/model/operations/node-figures.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { sql } from '../../../src/store/postgres/statement.ts';
import { databaseTimeouts } from '../../setup/database/database-timeouts.ts';
import { ReplicatedDatabase } from '../../setup/database/replicated-database.ts';
import { openSeverableConnection } from '../../setup/database/severable-connection.ts';
import { runSql } from '../../setup/database/sql.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { book, bookedId } from '../../setup/ledger/ledger-household.ts';
import { Scrape } from '../../setup/monitoring/scrape.ts';
import { startTestService, type TestService } from '../../setup/node/test-service.ts';
import { runAdmin } from '../../setup/operations/run-admin.ts';
import { makeReportHousehold, type ReportHousehold } from '../../setup/reports/report-household.ts';

const key = Keyring.generate();
let database: ReplicatedDatabase;
/** Two nodes with the replica, one of which computes reports in a thread, and one that knows nothing of it. */
let [node, other, plain]: TestService[] = [];
let household: ReportHousehold;

async function startNode(settings: Readonly<Record<string, string>>): Promise<TestService> {
  const clock = node === undefined ? {} : { clock: node.clock };
  return startTestService({ database: database.primary, settings: { ENCRYPTION_KEY: key, ...settings }, ...clock });
}

beforeAll(async () => {
  database = await ReplicatedDatabase.start();
  const settings = { DATABASE_READ_URL: database.standbyUrl };
  node = await startNode(settings);
  other = await startNode({ ...settings, WORK_THREADS: '1' });
  plain = await startNode({});
  household = await makeReportHousehold(node.admin);
});

afterAll(async () => {
  for (const one of [node, other, plain]) await one?.stop();
  await database.stop();
});

const paths = ['holdings', 'lots', 'realised-gains', 'performance'];

/** The same application on each of the nodes. */
function callers(): Caller[] {
  return [node!, other!, plain!].map(({ admin }) => admin);
}

async function reportOf(caller: Caller, { all }: ReportHousehold, path = 'holdings', query = ''): Promise<string> {
  const { status, text } = await caller.get(`/v1/${path}?reporting_entity_id=${all}${query}`);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return text;
}

/** What became of the reads on the replica since a count began. */
async function countReads({ admin }: TestService): Promise<() => Promise<Partial<Record<ReplicaOutcome, number>>>> {
  const read = async (): Promise<Map<string, number>> => {
    const { values } = await Scrape.of(admin.address);
    return new Map(
      [...values].flatMap(([series, value]) => {
        const [, outcome] = /^holdfast_replica_reads_total\{outcome="(.*)"\}$/.exec(series) ?? [];
        return outcome === undefined ? [] : [[outcome, value]];
      }),
    );
  };
  const before = await read();
  return async () => {
    const after = [...(await read())].map(([outcome, value]) => [outcome, value - (before.get(outcome) ?? 0)] as const);
    return Object.fromEntries(after.filter(([, count]) => count > 0));
  };
}

test('reports are loaded from the replica, and are the same to the byte', async () => {
  await database.untilFollowed();
  const reads = await countReads(node!);
  const [onNode, , onPlain] = callers();
  const past = `&known_at=${new Date(node!.clock.now()).toISOString()}`;
  node!.clock.advance(60 * secondMs);
  for (const query of ['', past])
    for (const path of paths)
      expect(await reportOf(onNode!, household, path, query)).toBe(await reportOf(onPlain!, household, path, query));
  // Once for what is known now, which is cached then, and for each question about the past.
  expect(await reads()).toEqual({ current: 1 + paths.length });
});

test('what has changed since it was cached is read on the replica as well, once that has it', async () => {
  const [onNode, onOther, onPlain] = callers();
  await reportOf(onNode!, household);
  await onOther!.post(`/v1/instruments/${household.stock}/prices`, { date: '2026-02-02', value: '80' });
  await database.untilFollowed();
  const reads = await countReads(node!);
  expect(await reportOf(onNode!, household)).toBe(await reportOf(onPlain!, household));
  expect(await reads()).toEqual({ current: 1 });
});

test('while the replica lags, no node shows anything older than what was committed', async () => {
  const late = await makeReportHousehold(node!.admin);
  await database.untilFollowed();
  await database.pause();
  const [onNode, onOther, onPlain] = callers();
  const [readsOnNode, readsOnOther] = [await countReads(node!), await countReads(other!)];
  const seen = new Set<string>();
  const expectSameOnAll = async (): Promise<void> => {
    const [first, second, expected] = await Promise.all([
      reportOf(onNode!, late),
      reportOf(onOther!, late),
      reportOf(onPlain!, late),
    ]);
    expect([first, second]).toEqual([expected, expected]);
    seen.add(expected);
  };
  const deposit = { type: 'deposit', account_id: late.account, amount: '77' };
  bookedId(await book(onNode!, 'v1', { ...deposit, date: '2026-02-03' }));
  await expectSameOnAll();
  await onOther!.post(`/v1/instruments/${late.stock}/prices`, { date: '2026-02-04', value: '81' });
  await expectSameOnAll();
  bookedId(await book(onOther!, 'v1', { ...deposit, date: '2026-02-05' }));
  await expectSameOnAll();
  expect(seen.size).toBe(3);
  // A past moment that the replica has not reached.
  const past = `&known_at=${new Date(node!.clock.now()).toISOString()}`;
  node!.clock.advance(60 * secondMs);
  expect(await reportOf(onOther!, late, 'holdings', past)).toBe(await reportOf(onPlain!, late, 'holdings', past));
  expect(await readsOnNode()).toEqual({ behind: 3 });
  expect(await readsOnOther()).toEqual({ behind: 4 });
  // A client and an application that the replica has never heard of.
  const newest = await makeReportHousehold(node!.admin);
  const stranger = await node!.enter(node!.first);
  expect(await reportOf(stranger, newest)).toBe(await reportOf(onPlain!, newest));
  expect(await readsOnNode()).toEqual({ behind: 4 });
});

test('an application that the replica still knows is refused once it is deleted', async () => {
  await database.resume();
  const application = await node!.enter(node!.first);
  const id = (await application.get('/v1/me')).body.credential_id;
  await database.untilFollowed();
  await database.pause();
  expect([id, (await node!.admin.send(`/v1/applications/${id}`, { method: 'DELETE' })).status]).toEqual([id, 204]);
  const fresh = await makeReportHousehold(node!.admin);
  const reply = await application.get(`/v1/holdings?reporting_entity_id=${fresh.all}`);
  expect([reply.status, reply.body.code]).toEqual([401, 'token-revoked']);
  await database.resume();
});

test('both walls hold on the replica', async () => {
  const fresh = await makeReportHousehold(node!.admin);
  const stranger = await node!.openWorkspace();
  await database.untilFollowed();
  const reply = await stranger.get(`/v1/holdings?reporting_entity_id=${fresh.all}`);
  expect(reply.status).toBe(404);
  const readAs = (workspaceId: string, text: string): Promise<unknown> => {
    const scope = { workspaceId: workspaceId as Id, environment: 'production' as const, visibleClients: allClients };
    return node!.context.stores.replica!.inSnapshot({ scope: { ...scope, credentialId: null } }, async (store) =>
      text === 'store'
        ? store.recordVersions(reportingEntity).listKnownAt({ ids: [fresh.all as Id] }, Date.UTC(9999, 0))
        : (await store.run(sql('test/all-clients', 'SELECT id FROM client'), [])).rows,
    );
  };
  const strangers = (await stranger.get('/v1/me')).body.workspace_id;
  expect(await readAs(node!.first.workspaceId, 'store')).toHaveLength(1);
  expect(await readAs(strangers, 'store')).toEqual([]);
  // Row-level security, without the store's own filter.
  expect(await readAs(node!.first.workspaceId, 'database')).not.toEqual([]);
  expect(await readAs(strangers, 'database')).toEqual([]);
});

/** A report that nothing is cached for. */
async function freshReport(): Promise<string> {
  const fresh = await makeReportHousehold(plain!.admin);
  const [onNode, , onPlain] = callers();
  const text = await reportOf(onNode!, fresh);
  expect(text).toBe(await reportOf(onPlain!, fresh));
  return text;
}

async function stateOf({ admin, clock }: TestService): Promise<string[]> {
  clock.advance(15 * secondMs);
  const { values } = await Scrape.of(admin.address);
  const states = [...values].filter(([series, value]) => series.startsWith('holdfast_replica_state') && value === 1);
  return states.map(([series]) => series.replace(/.*state="(.*)"\}/, '$1'));
}

function doctor(readUrl: string): Promise<{ code: number; stdout: string }> {
  return runAdmin(['doctor'], {
    DATABASE_URL: database.primary.url,
    DATABASE_READ_URL: readUrl,
    ENCRYPTION_KEY: key,
    DATA_DIR: tmpdir(),
    WORK_THREADS: '2',
  });
}

test('doctor and metrics tell whether the replica follows', async () => {
  // Each time anew: on a busy machine a measurement may come too late for the metrics that asked for it.
  await expect.poll(() => stateOf(node!)).toEqual(['following']);
  expect(await stateOf(plain!)).toEqual(['none']);
  await expect
    .poll(async () => (await doctor(database.standbyUrl)).stdout)
    .toMatch(
      /^ok {4}the replica has all that the primary has\nok {4}reports run on the replica in the same roles\nok {4}a node opens up to 12 connections/m,
    );
  expect(await doctor(database.primary.url)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^fail {2}the server of DATABASE_READ_URL follows no other.*\n {6}It is not asked/m),
  });
  await database.pause();
  await freshReport();
  expect((await doctor(database.standbyUrl)).stdout).toMatch(/^(ok {4}|warn {2})the replica lacks \d+ KiB of the log/m);
  const lag = async (): Promise<number | undefined> => {
    await stateOf(node!);
    return (await Scrape.of(node!.admin.address)).values.get('holdfast_replica_lag_seconds');
  };
  await expect.poll(lag).toBeGreaterThan(0);
  await database.resume();
  await expect.poll(lag).toBe(0);
});

test('a read that the replica cancels for what it replays is made on the primary, and the replica stays in use', async () => {
  await database.setOnStandby('max_standby_streaming_delay', '0');
  const reads = await countReads(node!);
  const { workspaceId, environment } = node!.first;
  const scope = { workspaceId, environment, visibleClients: allClients, credentialId: null };
  const cancelled = node!.context.stores.replica!.inSnapshot({ scope }, async ({ run }) => {
    await run(sql('test/all-clients', 'SELECT id FROM client'), []);
    return run(sql('test/long-read', 'SELECT pg_sleep(300)'), []);
  });
  await database.untilRunsOnStandby('SELECT pg_sleep(300)');
  await runSql(database.primary, 'DO $$ BEGIN LOCK TABLE client IN ACCESS EXCLUSIVE MODE; END $$');
  expect(await cancelled).toBeUndefined();
  await database.setOnStandby('max_standby_streaming_delay', '30s');
  await freshReport();
  const { conflict, resting } = await reads();
  expect({ conflict, resting }).toEqual({ conflict: 1 });
});

test('a replica that falls silent holds up one report, until the primary is asked', async () => {
  const connection = await openSeverableConnection({ url: database.standbyUrl });
  const impatient = await startTestService({
    database: database.primary,
    clock: node!.clock,
    settings: { ENCRYPTION_KEY: key, DATABASE_READ_URL: connection.url },
    databaseTimeouts: { ...databaseTimeouts, replicaMs: 2_000 },
  });
  onTestFinished(async () => {
    await impatient.stop();
    await connection.close();
  });
  connection.silence();
  const reads = await countReads(impatient);
  for (let count = 0; count < 2; count++) {
    const fresh = await makeReportHousehold(plain!.admin);
    expect(await reportOf(impatient.admin, fresh)).toBe(await reportOf(plain!.admin, fresh));
  }
  expect(await reads()).toEqual({ away: 1, resting: 1 });
});

test('a replica that was away rests for its time, even if it is back before', async () => {
  const reads = await countReads(node!);
  await database.stopStandby();
  await freshReport();
  await database.startStandby();
  for (let count = 0; count < 4; count++) await freshReport();
  expect(await reads()).toEqual({ away: 1, resting: 4 });
  node!.clock.advance(10 * secondMs);
  await expect
    .poll(async () => {
      await freshReport();
      return Object.keys(await reads());
    })
    .toContain('current');
});

test('without the replica the primary answers, not each report tries it, and it is used again once it is back', async () => {
  await database.stopStandby();
  const reads = await countReads(node!);
  for (let count = 0; count < 3; count++) await freshReport();
  expect(await reads()).toEqual({ away: 1, resting: 2 });
  expect((await node!.admin.get('/readyz')).status).toBe(200);
  await expect.poll(() => stateOf(node!)).toEqual(['away']);
  expect((await doctor(database.standbyUrl)).stdout).toMatch(
    /^warn {2}the replica cannot be used: .*\n {6}Reports are/m,
  );
  await database.startStandby();
  await expect
    .poll(async () => {
      node!.clock.advance(10 * secondMs);
      await freshReport();
      return Object.keys(await reads());
    })
    .toContain('current');
});

test('a replica that was promoted is not asked any more', async () => {
  await database.promote();
  const reads = await countReads(node!);
  await freshReport();
  await freshReport();
  expect(await reads()).toEqual({ 'not-standby': 1, resting: 1 });
  await expect.poll(() => stateOf(node!)).toEqual(['not-standby']);
});
