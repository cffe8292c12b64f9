// The request log: what a workspace was asked for, by whom, with what result; shown only to those who administer the whole workspace,
// without secrets, bounded, and never in anybody's way.

import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../../src/actions/access/session.ts';
import { deleteExpired } from '../../../src/jobs/expiry.ts';
import { RequestLogWriter } from '../../../src/jobs/request-log-writer.ts';
import { dayMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { Browser } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator, signIn } from '../../setup/people/person-caller.ts';
import { LockHolder } from '../../setup/database/database-parts.ts';

const service = serviceForThisFile({ settings: { REQUEST_LOG: 'on' } });
let client: string;

beforeAll(async () => {
  client = await service.admin.makeClient('Client');
});

interface Line {
  readonly request_id: string;
  readonly path: string;
  readonly at: string;
}

/** The line of a request, once it has been written. */
async function lineOf(requestId: string, admin: Caller = service.admin): Promise<Line> {
  const find = async () => (await admin.get(`/v1/requests?request_id=${requestId}`)).body.data[0];
  await expect.poll(find).toBeDefined();
  return find();
}

describe('a line', () => {
  test('says what was asked for, by whom, and with what result', async () => {
    const [application] = (await service.admin.get('/v1/applications')).body.data;
    await service.admin.get(`/v1/clients/${client}`, { 'x-request-id': 'read-one' });
    expect(await lineOf('read-one')).toEqual({
      id: expect.any(String),
      at: '2026-11-15T12:00:00.000Z',
      method: 'GET',
      route: '/v1/clients/{id}',
      path: `/v1/clients/${client}`,
      status: 200,
      outcome: 'answered',
      code: null,
      duration_ms: expect.any(Number),
      credential_id: application.id,
      user_id: null,
      request_id: 'read-one',
      trace_id: null,
    });
  });

  test.each([
    ['refused by a rule', 'post', '/v1/clients', { name: '' }, 422, 'invalid-document'],
    ['refused before it is read', 'post', '/v1/clients?odd=1', { name: 'A' }, 400, 'unknown-parameter'],
    ['about what is not there', 'get', '/api/v2/clients/0123456789abcdef01234567', undefined, 404, 'client-not-found'],
  ] as const)('of a request %s has the code of the problem', async (why, method, path, body, status, code) => {
    const id = why.replaceAll(' ', '-');
    if (method === 'get') await service.admin.get(path, { 'x-request-id': id });
    else await service.admin.post(path, body, { 'x-request-id': id });
    expect(await lineOf(id)).toMatchObject({ status, code, outcome: 'refused' });
  });

  test('of a person names the person', async () => {
    const person = await insertAdministrator(service);
    await (await signIn(service, person)).get('/v1/clients', { 'x-request-id': 'by-a-person' });
    expect(await lineOf('by-a-person')).toMatchObject({ credential_id: null, user_id: person });
  });

  test('holds neither query nor body, nor the secret in the address of a page', async () => {
    const { workspaceId } = service.first;
    const personId = await insertAdministrator(service);
    const session = await openSession(service.context, { workspaceId, environment: 'production', personId });
    const browser = new Browser();
    browser.cookies.set('holdfast_session', session.secret);
    await browser.fetchPage(`${service.addresses.baseUrl}/invites/hidden-in-the-path?and=hidden-in-the-query`);
    await service.admin.post(
      '/v1/clients?a=hidden-in-a-query',
      { name: 'hidden-in-a-body' },
      { 'x-request-id': 'last' },
    );
    await lineOf('last');
    const rows = await runSql<{ row: string }>(service.database, 'SELECT t::text AS row FROM request_log t');
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).toContain('/v1/clients');
    expect(text).not.toContain('hidden');
    expect(text).not.toContain(session.secret);
  });
});

describe('the list', () => {
  test('is filtered by outcome, status, path, credential and time, and continues from a cursor', async () => {
    const admin = await service.openWorkspace();
    const { credential_id } = (await admin.get('/v1/me')).body;
    for (const name of ['a', 'b', 'c']) await admin.get(`/v1/clients?${name}=1`, { 'x-request-id': name });
    await admin.get('/v1/me', { 'x-request-id': 'd' });
    await lineOf('d', admin);
    const ids = async (query: string): Promise<string[]> =>
      (await admin.get(`/v1/requests?${query}`)).body.data.map((line: Line) => line.request_id);
    expect(await ids('outcome=refused')).toEqual(['c', 'b', 'a']);
    expect(await ids('status=400&path=/v1/clients')).toEqual(['c', 'b', 'a']);
    expect(await ids(`outcome=refused&credential_id=${credential_id}`)).toEqual(['c', 'b', 'a']);
    expect(await ids(`outcome=refused&credential_id=${client}`)).toEqual([]);
    expect(await ids('request_id=d&since=2026-11-15T12:00:00Z&until=2026-11-15T12:00:00.001Z')).toEqual(['d']);
    expect(await ids('request_id=d&until=2026-11-15T12:00:00Z')).toEqual([]);
    const first = (await admin.get('/v1/requests?outcome=refused&limit=2')).body;
    expect(first.has_more).toBe(true);
    expect(await ids(`outcome=refused&limit=2&cursor=${first.next_cursor}`)).toEqual(['a']);
  });

  test('shows nothing of another workspace', async () => {
    const [one, other] = [await service.openWorkspace(), await service.openWorkspace()];
    await one.get('/v1/me', { 'x-request-id': 'of-one' });
    await lineOf('of-one', one);
    expect((await other.get('/v1/requests?request_id=of-one')).body.data).toEqual([]);
  });

  test('and the usage are for administrators of the whole workspace only', async () => {
    const bound = await service.admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: client });
    const reader = await service.admin.becomeApplication({ rights: ['read'] });
    for (const path of ['/v1/requests', '/v1/usage']) {
      expect(errorCodeOf(await bound.get(path))).toBe('outside-reach');
      expect(errorCodeOf(await reader.get(path))).toBe('right-missing');
    }
  });
});

describe('the usage', () => {
  test('counts requests in minutes, hours and days beside the budget', async () => {
    const admin = await service.openWorkspace();
    await admin.get('/v1/clients?odd=1');
    await admin.get('/v1/me', { 'x-request-id': 'counted' });
    await lineOf('counted', admin);
    const { credential_id } = (await admin.get('/v1/me')).body;
    const { body } = await admin.get('/v1/usage?interval=day');
    expect(body).toMatchObject({ interval: 'day', requests_per_minute: 6_000_000, burst: 1_000_000 });
    expect(body.slots.map(({ from }: { from: string }) => from.slice(0, 10))).toEqual([
      '2026-11-09',
      '2026-11-10',
      '2026-11-11',
      '2026-11-12',
      '2026-11-13',
      '2026-11-14',
      '2026-11-15',
    ]);
    const [today, ...before] = body.slots.toReversed();
    const none = { request_count: 0, application_count: 0, refused_count: 0, failed_count: 0, over_budget_count: 0 };
    expect(before).toEqual(before.map(({ from }: { from: string }) => ({ from, ...none })));
    expect(today).toMatchObject({ refused_count: 1, failed_count: 0, over_budget_count: 0 });
    expect(today.application_count).toBe(today.request_count);
    expect(body.callers).toEqual([{ credential_id, user_id: null, request_count: today.request_count }]);
    expect((await admin.get('/v1/usage?interval=minute')).body.slots).toHaveLength(60);
  });
});

const answeredLine = {
  method: 'GET',
  route: '/x',
  path: '/x',
  status: 200,
  code: null,
  durationMs: 1.4,
  credentialId: null,
  userId: null,
  requestId: 'slow',
  traceId: null,
};

describe('the log is bounded', () => {
  const tenant = (): unknown[] => [service.first.workspaceId, 'sandbox'];
  const insertLines = (count: number, at: number): Promise<unknown> =>
    runSql(
      service.database,
      `INSERT INTO request_log SELECT $1, $2, lpad(to_hex(n), 24, '0'), $4, 'GET', '/', '/', 200, 'answered', NULL, 1, NULL, NULL, 'x'
       FROM generate_series(1, $3::int) n`,
      [...tenant(), count, new Date(at)],
    );
  const stored = async (): Promise<string[]> =>
    (
      await runSql<{ id: string }>(
        service.database,
        'SELECT id FROM request_log WHERE workspace_id = $1 AND environment = $2 ORDER BY id',
        tenant(),
      )
    ).map(({ id }) => id);

  beforeAll(() =>
    runSql(service.database, 'INSERT INTO environment VALUES ($1, $2, now()) ON CONFLICT DO NOTHING', tenant()),
  );

  test('by time: a line goes after seven days', async () => {
    const now = service.clock.now();
    await insertLines(1, now - 7 * dayMs);
    await deleteExpired(service.context);
    expect(await stored()).toHaveLength(1);
    service.clock.advance(1);
    await deleteExpired(service.context);
    expect(await stored()).toEqual([]);
  });

  test('by number: the newest 100,000 lines of an environment stay', async () => {
    await insertLines(100_003, service.clock.now());
    await deleteExpired(service.context);
    const ids = await stored();
    expect([ids.length, ids[0]]).toEqual([100_000, '000000000000000000000004']);
    // A node looks for itself after every 10,000 lines of an environment.
    const [workspaceId, environment] = [service.first.workspaceId, 'sandbox' as const];
    const writer = new RequestLogWriter(service.context, { onDropped: () => {} });
    const count = `SELECT count(*)::int FROM request_log WHERE workspace_id = $1 AND environment = $2`;
    for (const total of [102_500, 105_000, 107_500, 100_000]) {
      for (let line = 0; line < 2_500; line++) writer.record({ ...answeredLine, workspaceId, environment });
      await expect.poll(() => runSql(service.database, count, tenant())).toEqual([{ count: total }]);
    }
    await writer.stop();
  });

  test('in counts that outlive its lines: one row a day, whatever the batch', async () => {
    const workspaceId = (await (await service.openWorkspace()).get('/v1/me')).body.workspace_id;
    let now = Date.UTC(2026, 9, 16);
    const { stores, ids, logShipping } = service.context;
    const writer = new RequestLogWriter(
      { stores, ids, logShipping, clock: { now: () => now } },
      { onDropped: () => {} },
    );
    for (const status of [200, 404]) writer.record({ ...answeredLine, status, workspaceId, environment: 'production' });
    now -= 1;
    for (const status of [503, 304]) writer.record({ ...answeredLine, status, workspaceId, environment: 'production' });
    await writer.stop();
    const counts = `SELECT day::text, requests::int, refused::int, failed::int FROM request_count
      WHERE workspace_id = $1 AND day < '2026-11-01' ORDER BY day`;
    expect(await runSql(service.database, counts, [workspaceId])).toEqual([
      { day: '2026-10-15', requests: 2, refused: 0, failed: 1 },
      { day: '2026-10-16', requests: 2, refused: 1, failed: 0 },
    ]);
  });

  test('in memory: what the database is too slow for is dropped, and nobody waits', async () => {
    const workspace = await service.openWorkspace();
    const { workspace_id: workspaceId } = (await workspace.get('/v1/me')).body;
    let droppedCount = 0;
    const writer = new RequestLogWriter(service.context, { onDropped: (count) => (droppedCount += count) });
    const blocker = await LockHolder.open(service.database);
    await blocker.query('LOCK TABLE request_log IN ACCESS EXCLUSIVE MODE');
    /** How many of 6,000 lines of a workspace are dropped. */
    const droppedOf = (workspace: Id): number => {
      const before = droppedCount;
      const line = { ...answeredLine, path: `/x/${'y'.repeat(5_000)}`, workspaceId: workspace };
      for (let count = 0; count < 6_000; count++) writer.record({ ...line, environment: 'production' });
      return droppedCount - before;
    };
    // Two workspaces are written at a time, 500 lines each. 5,000 of each may wait, and 20,000 of all.
    const others = [1, 2, 3].map(() => service.context.ids.next());
    expect([workspaceId, ...others].map(droppedOf)).toEqual([500, 500, 1_000, 2_000]);
    expect((await workspace.get('/v1/me')).status).toBe(200);
    await blocker.release();
    await writer.stop();
    const [rows] = await runSql<{ count: number; longest: number }>(
      service.database,
      `SELECT count(*)::int AS count, max(length(path)) AS longest FROM request_log WHERE workspace_id = $1 AND request_id = 'slow'`,
      [workspaceId],
    );
    expect(rows).toEqual({ count: 5_500, longest: 300 });
  });
});
