// Feeds against the sandbox custodian: what a run shows, what it does when the custodian fails, and that nothing is doubled or lost.

import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { openReadWork, runInTransaction, serviceAuthor } from '../../../src/actions/core/work.ts';
import { reportWorking } from '../../../src/actions/custody/connector-access.ts';
import { revokeAuthority } from '../../../src/actions/custody/authority.ts';
import { finishFeedRun, renewFeedRun, takeFeedRun } from '../../../src/actions/feeds/feed-run.ts';
import type { Tenant } from '../../../src/model/access/scope.ts';
import { authority } from '../../../src/model/custody/authority.ts';
import { ConnectorFailure } from '../../../src/model/custody/connector.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import { revokeAtCustodians } from '../../../src/jobs/revocations.ts';
import { runSql } from '../../setup/database/sql.ts';
import { connectHousehold, makeFeedWorker, type ConnectedHousehold } from '../../setup/custody/connected-household.ts';
import { startTestSandbox, type RunningSandbox } from '../../setup/custody/sandbox.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { operatorOf } from '../../setup/node/operator.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const encryptionKey = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: encryptionKey } });
const operator = operatorOf(() => ({ DATABASE_URL: service.database.url, ENCRYPTION_KEY: encryptionKey }));
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox(service.clock);
});
afterAll(() => sandbox.stop());

interface Connected {
  readonly caller: Caller;
  readonly household: ConnectedHousehold;
  readonly tenant: Tenant;
  /** A caller with a token of now. */
  enter(): Promise<Caller>;
}

async function connect(): Promise<Connected> {
  sandbox.custodian.setOutage('sonnenberg', 'none');
  const caller = await service.openWorkspace();
  const tenant = await tenantOf(caller);
  const household = await connectHousehold(service, { caller, origin: sandbox.origin });
  return { caller, household, tenant, enter: () => service.enter(tenant) };
}

async function listRuns(caller: Caller, query = ''): Promise<any[]> {
  return (await caller.get(`/v1/feeds${query}`)).body.data;
}

type PullConnector = NonNullable<ReturnType<typeof service.context.connectors.get>>;
type FetchCall = Parameters<PullConnector['fetchSince']>;

/** The context of a node whose pull connector fetches so; `real` is the one that it would have. */
function contextFetching(
  fetchSince: (real: PullConnector, ...call: FetchCall) => ReturnType<PullConnector['fetchSince']>,
): typeof service.context {
  const { connectors } = service.context;
  const real = connectors.get('oauth-pull')!;
  const changed = {
    ...real,
    kind: real.kind,
    listAccounts: real.listAccounts!.bind(real),
    fetchSince: (...call: FetchCall) => fetchSince(real, ...call),
  };
  return { ...service.context, connectors: new Map([['oauth-pull', changed]]) as typeof connectors };
}

test('rows of an account that the authority no longer covers stay unbooked when the import is booked again', async () => {
  const { caller, household } = await connect();
  const { account, authority: id } = household;
  const unlinked = await caller.post(`/v1/admin/authorities/${id}/unlink`, { account_ids: [account] });
  expect(unlinked.status).toBe(200);
  await makeFeedWorker(service).runAll();
  const [run] = await listRuns(caller, `?authority_id=${id}&state=finished`);
  const [importId] = run.import_ids;
  const needs = run.counts.needs;
  expect(needs).toBeGreaterThan(0);
  const again = await caller.send(`/v1/imports/${importId}/book`, { method: 'POST' });
  expect([again.status, again.body.counts.needs]).toEqual([200, needs]);
  expect((await caller.get(`/v1/transactions?account_id=${account}`)).body.data).toEqual([]);
  await caller.post(`/v1/admin/authorities/${id}/link`, { account_ids: [account] });
  const linked = await caller.send(`/v1/imports/${importId}/book`, { method: 'POST' });
  expect(linked.body.counts.needs).toBeLessThan(needs);
});

describe('a run', () => {
  test('shows when it ran, what it fetched, from mark to mark, its counts, what it waits for, and the next run', async () => {
    const { caller, household } = await connect();
    await makeFeedWorker(service).runAll();
    const now = new Date(service.clock.now()).toISOString();
    const [next, first] = await listRuns(caller, `?authority_id=${household.authority}`);
    expect(first).toMatchObject({
      state: 'finished',
      connector: 'oauth-pull',
      client_id: household.client,
      authority_id: household.authority,
      custodian_id: household.custodian,
      started_at: now,
      finished_at: now,
      attempts: 1,
      from_mark: null,
      error: null,
      next_run_at: new Date(service.clock.now() + hourMs).toISOString(),
    });
    expect(Number(first.to_mark)).toBe(first.counts.fetched);
    expect(first.counts.fetched).toBeGreaterThan(100);
    expect(first.import_ids).toHaveLength(1);
    expect(next).toMatchObject({ state: 'waiting', waits_for: 'schedule', from_mark: first.to_mark, started_at: null });
    expect((await caller.get(`/v1/feeds/${first.id}`)).body).toEqual(first);
    expect(await listRuns(caller, `?client_id=${household.client}&state=waiting`)).toEqual([next]);
  });

  test('a day later fetches that day alone', async () => {
    const { caller, enter } = await connect();
    const worker = makeFeedWorker(service);
    await worker.runAll();
    await worker.runAll();
    expect(await listRuns(caller)).toHaveLength(2);
    service.clock.advance(dayMs);
    await worker.runAll();
    const [, second, first] = await listRuns(await enter());
    expect(second.from_mark).toBe(first.to_mark);
    expect(second.counts.fetched).toBeGreaterThan(0);
    expect(second.counts.fetched).toBeLessThan(first.counts.fetched);
  });
});

test('runs that brought nothing are kept for a week, those that brought something as long as their client', async () => {
  const { caller, household, tenant, enter } = await connect();
  const bank = { bank: 'harbor', customer: 'holding' };
  const other = await connectHousehold(service, { caller, origin: sandbox.origin, ...bank });
  await makeFeedWorker(service).runAll();
  const [next, first] = await listRuns(caller, `?authority_id=${household.authority}`);
  const endEmpty = `UPDATE feed_run SET state = 'finished', finished_at = $2 WHERE authority_id = $1 AND state = 'waiting'`;
  for (const { authority: own } of [household, other])
    await runSql(service.database, endEmpty, [own, new Date(service.clock.now())]);
  const listFinished = async (of: ConnectedHousehold): Promise<string[]> =>
    (await listRuns(await enter(), `?state=finished&authority_id=${of.authority}`)).map(({ id }) => id);
  const elsewhere = await listFinished(other);
  const finishOnce = async (): Promise<void> => {
    const held = (await takeFeedRun(service.context, { tenant, authority: household.authority as Id }))!;
    await finishFeedRun(service.context, held, { outcome: { kind: 'finished' }, intervalMs: 0 });
  };
  service.clock.advance(7 * dayMs);
  await finishOnce();
  expect(await listFinished(household)).toEqual(expect.arrayContaining([next.id, first.id]));
  service.clock.advance(1);
  await finishOnce();
  const left = await listFinished(household);
  expect([left.includes(first.id), left.includes(next.id), left.length]).toEqual([true, false, 3]);
  expect([elsewhere.length, await listFinished(other)]).toEqual([2, elsewhere]);
});

test('a node keeps a run for ninety seconds after it took it or said that it goes on, and another takes it then', async () => {
  const { household, tenant } = await connect();
  const wanted = { tenant, authority: household.authority as Id };
  const held = (await takeFeedRun(service.context, wanted))!;
  const isTaken = async (): Promise<boolean> => (await takeFeedRun(service.context, wanted)) === undefined;
  service.clock.advance(89 * secondMs);
  expect(await isTaken()).toBe(true);
  expect(await renewFeedRun(service.context, held)).toBe(true);
  service.clock.advance(89 * secondMs);
  expect(await isTaken()).toBe(true);
  service.clock.advance(secondMs);
  expect(await isTaken()).toBe(false);
  expect(await renewFeedRun(service.context, held)).toBe(false);
});

test.each([
  ['was revoked', `UPDATE authority SET state = 'revoked' WHERE id = $1`],
  ['is broken', `UPDATE authority SET broken_at = now(), broken_reason = 'The bank is gone.' WHERE id = $1`],
  ['has expired', `UPDATE authority SET expires_at = '2026-01-01' WHERE id = $1`],
  ['has no credentials', 'UPDATE authority SET credentials_sealed = NULL WHERE id = $1'],
  [
    'is at a custodian without a connector',
    'UPDATE custodian SET connector = NULL WHERE id = (SELECT custodian_id FROM authority WHERE id = $1)',
  ],
])('an authority that %s is not fetched, beside one that is', async (_how, change) => {
  const { caller, household } = await connect();
  const other = await connectHousehold(service, {
    caller,
    origin: sandbox.origin,
    customer: 'holding',
    bank: 'harbor',
  });
  await runSql(service.database, change, [other.authority]);
  const worker = makeFeedWorker(service);
  await worker.runAll();
  const runs = await listRuns(caller);
  expect([worker.failures, new Set(runs.map((run) => run.authority_id))]).toEqual([[], new Set([household.authority])]);
});

describe('a custodian that fails', () => {
  test('is tried again later and later, and the run says why and goes on where it was', async () => {
    const { caller } = await connect();
    const worker = makeFeedWorker(service);
    sandbox.custodian.setOutage('sonnenberg', 'garbage');
    const waits: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      await worker.runAll();
      const [run] = await listRuns(caller);
      expect(run).toMatchObject({
        state: 'waiting',
        error: 'invalid-answer',
        waits_for: 'custodian',
        attempts: attempt + 1,
      });
      const dueAt = Date.parse(run.due_at);
      waits.push(dueAt - service.clock.now());
      service.clock.advance(dueAt - service.clock.now());
    }
    expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
    sandbox.custodian.setOutage('sonnenberg', 'none');
    await worker.runAll();
    expect((await listRuns(caller))[1]).toMatchObject({ state: 'finished', error: null, attempts: 4 });
  });

  test('that no longer accepts the consent ends the run, and the authority waits for a reconnection, after which it goes on', async () => {
    const { caller, household, tenant } = await connect();
    const worker = makeFeedWorker(service);
    sandbox.custodian.setOutage('sonnenberg', 'expired-consent');
    await worker.runAll();
    const [run, ...others] = await listRuns(caller);
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      state: 'failed',
      error: 'credentials-broken',
      waits_for: 'consent',
      next_run_at: null,
    });
    const { body: events } = await caller.get('/v1/events?type=account.disconnected');
    expect(events.data.map(({ data }: any) => data.object.id)).toEqual([household.account]);
    sandbox.custodian.setOutage('sonnenberg', 'none');
    await worker.runAll();
    expect(await listRuns(caller)).toHaveLength(1);
    await reportWorking(service.context, { tenant, authority: household.authority as Id });
    await worker.runAll();
    expect((await listRuns(caller)).map(({ state }) => state)).toEqual(['waiting', 'finished', 'failed']);
  });
});

test('a feed beyond the quota of imports books nothing of what it fetched, says what it waits for, and goes on once there is room', async () => {
  const { caller, tenant } = await connect();
  const worker = makeFeedWorker(service);
  await operator('workspace', 'settings', tenant.workspaceId, '--import-rows', '1');
  await worker.runAll();
  const [run, ...others] = await listRuns(caller);
  expect([others, worker.failures]).toEqual([[], []]);
  expect(run).toMatchObject({
    state: 'waiting',
    error: 'quota-reached',
    waits_for: 'quota',
    to_mark: null,
    import_ids: [],
  });
  expect(run.error_detail).toMatch(
    /^With this import, imports would take \d+ rows\. The quota of the workspace is 1\./,
  );
  expect((await caller.get('/v1/imports')).body.data).toEqual([]);
  await operator('workspace', 'settings', tenant.workspaceId, '--import-rows', 'default');
  service.clock.advance(Date.parse(run.due_at) - service.clock.now());
  await worker.runAll();
  const [, finished] = await listRuns(caller);
  expect(finished).toMatchObject({ state: 'finished', error: null, attempts: 2 });
  expect(finished.counts.booked).toBeGreaterThan(1);
});

test('a suspended workspace fetches nothing and revokes nothing, and does both once it is resumed', async () => {
  const { household, tenant, enter } = await connect();
  const rowsOf = (): Promise<object[]> =>
    runSql(
      service.database,
      `SELECT (SELECT array_agg(state || attempts ORDER BY id) FROM feed_run WHERE workspace_id = $1) AS runs,
         (SELECT count(*)::int FROM import WHERE workspace_id = $1) AS imports`,
      [tenant.workspaceId],
    );
  const before = await rowsOf();
  await operator('workspace', 'suspend', tenant.workspaceId);
  service.clock.advance(2 * hourMs);
  const worker = makeFeedWorker(service);
  await worker.runAll();
  expect([worker.failures, await rowsOf()]).toEqual([[], before]);
  await operator('workspace', 'resume', tenant.workspaceId);
  await worker.runAll();
  const [, run] = await listRuns(await enter(), `?authority_id=${household.authority}`);
  expect(run).toMatchObject({ state: 'finished', attempts: 1 });
  const { signal } = new AbortController();
  await runInTransaction(service.context, serviceAuthor(tenant), (work) => revokeAuthority(work, household.authority));
  await operator('workspace', 'suspend', tenant.workspaceId);
  expect(await revokeAtCustodians(service.context, signal)).toBe(0);
  await operator('workspace', 'resume', tenant.workspaceId);
  expect(await revokeAtCustodians(service.context, signal)).toBe(1);
});

test('a node that runs no such connector says so, and another one goes on with the run', async () => {
  const { caller, household, enter } = await connect();
  const without = { ...service.context, connectors: new Map() as typeof service.context.connectors };
  const worker = makeFeedWorker({ context: without });
  await worker.runAll();
  const [run] = await listRuns(caller, `?authority_id=${household.authority}`);
  expect([worker.failures, run]).toMatchObject([
    [],
    { state: 'waiting', error: 'unavailable', waits_for: 'custodian', attempts: 1 },
  ]);
  service.clock.advance(Date.parse(run.due_at) - service.clock.now());
  await makeFeedWorker(service).runAll();
  const [, finished] = await listRuns(await enter(), `?authority_id=${household.authority}`);
  expect(finished).toMatchObject({ id: run.id, state: 'finished', error: null, attempts: 2 });
});

test('a failure is shown as the custodian describes it, in up to a thousand characters', async () => {
  const { caller, household } = await connect();
  const detailOf = async (detail: string): Promise<unknown> => {
    const context = contextFetching(async function* () {
      yield await Promise.reject<never>(new ConnectorFailure('unavailable', detail));
    });
    await makeFeedWorker({ context }).runAll();
    return (await listRuns(caller, `?authority_id=${household.authority}`))[0].error_detail;
  };
  expect(await detailOf('Maintenance until noon.')).toBe('Maintenance until noon.');
  service.clock.advance(5 * minuteMs);
  expect(await detailOf(`a${'\u{1F3E6}'.repeat(1_000)}`)).toBe(`a${'\u{1F3E6}'.repeat(999)}`);
});

test('a silent custodian delays nobody else, not even with more authorities than the node has places', async () => {
  const { caller } = await connect();
  const silent = await service.openWorkspace();
  for (const _number of [1, 2, 3])
    await connectHousehold(service, { caller: silent, origin: sandbox.origin, bank: 'harbor', customer: 'holding' });
  sandbox.custodian.setOutage('harbor', 'silence');
  const worker = makeFeedWorker(service, { concurrency: 2 });
  const running = worker.runAll();
  await expect.poll(async () => (await listRuns(caller, '?state=finished')).length).toBe(1);
  expect(await listRuns(silent, '?state=running')).toHaveLength(1);
  expect(await listRuns(silent, '?state=finished')).toEqual([]);
  sandbox.custodian.setOutage('harbor', 'errors');
  sandbox.custodian.server.closeAllConnections();
  await running;
  expect((await listRuns(silent)).map(({ error }) => error)).toEqual(['unavailable', 'unavailable', 'unavailable']);
});

test('a custodian that fails is visited by one run at a time, until one of them succeeds', async () => {
  sandbox.custodian.setOutage('harbor', 'none');
  const caller = await service.openWorkspace();
  const own = new Set<string>();
  for (const _number of [1, 2, 3]) {
    const at = { caller, origin: sandbox.origin, bank: 'harbor', customer: 'holding' } as const;
    own.add((await connectHousehold(service, at)).authority);
  }
  let [visiting, most] = [0, 0];
  let gate = Promise.withResolvers<void>();
  // Counts how many of them visit at a time, and lets none go on before the gate is opened.
  const context = contextFetching(async function* (real, ...call) {
    if (own.has(call[0].authority)) {
      most = Math.max(most, ++visiting);
      await gate.promise;
      visiting--;
    }
    yield* real.fetchSince(...call);
  });
  const worker = makeFeedWorker({ context }, { concurrency: 4 });
  /** Runs all feeds while the custodian is like this, and as many visit it at a time. */
  const expectVisits = async (count: number, outage: 'none' | 'errors'): Promise<void> => {
    sandbox.custodian.setOutage('harbor', outage);
    [most, gate] = [0, Promise.withResolvers()];
    const running = worker.runAll();
    await expect.poll(() => visiting).toBe(count);
    await caller.get('/readyz');
    gate.resolve();
    await running;
    expect(most).toBe(count);
    service.clock.advance(dayMs);
  };
  await expectVisits(2, 'errors');
  await expectVisits(1, 'none');
  await expectVisits(2, 'none');
  expect(worker.failures).toEqual([]);
});

test('two nodes never run one authority at the same time, and what one has booked the other does not fetch again', async () => {
  const { caller, household } = await connect();
  const [one, other] = [makeFeedWorker(service), makeFeedWorker(service)];
  await Promise.all([one.runAll(), other.runAll()]);
  expect([...one.failures, ...other.failures]).toEqual([]);
  const rows = await runSql(service.database, 'SELECT id FROM import WHERE client_id = $1', [household.client]);
  expect(rows).toHaveLength(1);
  expect(await listRuns(caller)).toHaveLength(2);
});

test('a run that another node has taken over books nothing more', async () => {
  const { household, enter } = await connect();
  const worker = makeFeedWorker(service);
  // The lease passes on while the first page is on its way.
  const context = contextFetching(async function* (real, ...call) {
    for await (const page of real.fetchSince(...call)) {
      await runSql(service.database, 'UPDATE feed_run SET attempts = attempts + 1 WHERE authority_id = $1', [
        household.authority,
      ]);
      yield page;
    }
  });
  await makeFeedWorker({ context }).runAll();
  expect(await runSql(service.database, 'SELECT id FROM import WHERE client_id = $1', [household.client])).toEqual([]);
  service.clock.advance(hourMs);
  await worker.runAll();
  expect((await listRuns(await enter()))[1]).toMatchObject({ state: 'finished', attempts: 3, from_mark: null });
});

test('what was revoked here is revoked at the custodian, and confirmed once it answers', async () => {
  const { caller, household, tenant } = await connect();
  const { signal } = new AbortController();
  const author = serviceAuthor(tenant);
  const state = async (): Promise<unknown> =>
    (await openReadWork(service.context, author).store.table(authority).find(household.authority))?.state;
  await runInTransaction(service.context, author, (work) => revokeAuthority(work, household.authority));
  sandbox.custodian.setOutage('sonnenberg', 'errors');
  await revokeAtCustodians(service.context, signal);
  expect(await state()).toBe('revoke-in-progress');
  sandbox.custodian.setOutage('sonnenberg', 'none');
  await revokeAtCustodians(service.context, signal);
  expect(await state()).toBe('revoked');
  await makeFeedWorker(service).runAll();
  expect(await listRuns(caller)).toEqual([]);
});

test('a custodian reaches no account that its authority does not cover', async () => {
  const { caller, household } = await connect();
  await runSql(service.database, 'DELETE FROM authority_account WHERE authority_id = $1', [household.authority]);
  await makeFeedWorker(service).runAll();
  const [, run] = await listRuns(caller);
  expect(run.waits_for).toBe('correction');
  expect(run.problems.map(({ code }: any) => code)).toContain('account-not-linked');
  const { body } = await caller.get(`/v1/transactions?account_id=${household.account}`);
  expect(body.data).toEqual([]);
});
