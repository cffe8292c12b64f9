// Clients of the sandbox over HTTP: events, two requests at once, bounds, refusals, tenants, and deletion.

import { beforeAll, describe, expect, test } from 'vitest';
import { runSql } from '../../setup/database/sql.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { madeId, makeSandboxClient, shortLife } from '../../setup/sandbox/sandbox-clients.ts';
import { advance, comparable, getBody, quarterLife, readFigures } from '../../setup/sandbox/sandbox-figures.ts';

const service = workspaceForThisFile();
let caller: Caller;

beforeAll(async () => {
  caller = await service.openWorkspace('sandbox');
});

test('what advances is announced like any booking, and is in the audit log', async () => {
  const made = await makeSandboxClient(caller, quarterLife);
  const before = (await getBody(caller, `/v1/events?client_id=${made.id}&type=transaction.created&limit=1`)).data[0];
  const { body } = await advance(caller, made.id, { days: 31 });
  const { data } = await getBody(caller, `/v1/events?client_id=${made.id}&type=transaction.created&limit=100`);
  expect(data.findIndex(({ id }: any) => id === before.id)).toBe(body.written.transactions);
  expect((await caller.delete(`/v1/sandbox/clients/${made.id}`)).status).toBe(204);
  const log = await getBody(caller, `/v1/audit-log?subject_id=${made.id}&subject_type=sandbox-client`);
  expect(log.data.map(({ act }: any) => act)).toEqual(['delete', 'change', 'create']);
});

test('without dates, a life ends yesterday and has three years', async () => {
  const { start_date, end_date } = await makeSandboxClient(caller, { persona: 'young-couple' });
  expect([start_date, end_date]).toEqual(['2023-11-14', '2026-11-14']);
});

test('as much is written as is said to be, on being made and on advancing', async () => {
  const own = await service.openWorkspace('sandbox');
  const { workspace_id: workspace } = (await own.get('/v1/me')).body;
  const stored = async (): Promise<object> => {
    const [counts] = await runSql<object>(
      service.database,
      `SELECT (SELECT count(*)::int FROM transaction WHERE workspace_id = $1) AS transactions,
         (SELECT count(*)::int FROM series_point WHERE workspace_id = $1) AS prices,
         (SELECT count(*)::int FROM fx_rate WHERE workspace_id = $1) AS rates`,
      [workspace],
    );
    return counts!;
  };
  const made = await makeSandboxClient(own, quarterLife);
  expect(made.written).toEqual(await stored());
  const { written } = (await advance(own, made.id, { days: 60 })).body;
  const sum = (name: string): number => made.written[name] + written[name];
  expect(await stored()).toEqual({
    transactions: sum('transactions'),
    prices: sum('prices'),
    rates: sum('rates'),
  });
});

test('two that move one clock at once follow each other, and a repeated one moves nothing twice', async () => {
  const made = await makeSandboxClient(caller);
  const replies = await Promise.all([1, 2].map(() => advance(caller, made.id, { days: 10 })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  const { end_date: reached } = await getBody(caller, `/v1/sandbox/clients/${made.id}`);
  expect(reached).toBe('2025-03-25');
  const together = await Promise.all([1, 2].map(() => advance(caller, made.id, { to: '2025-04-10' })));
  const counts = together.map(({ body }) => body.written.transactions);
  expect(counts.filter((count) => count === 0)).toHaveLength(1);
  const key = { 'idempotency-key': 'once only' };
  const path = `/v1/sandbox/clients/${made.id}/advance`;
  for (const _ of [1, 2]) expect((await caller.post(path, { days: 5 }, key)).body.end_date).toBe('2025-04-15');
});

test('a life may begin with the market, last one day, end today, and be moved there', async () => {
  const first = { ...shortLife, start_date: '2010-01-01', end_date: '2010-01-01' };
  expect((await makeSandboxClient(caller, first)).end_date).toBe('2010-01-01');
  const last = await makeSandboxClient(caller, { ...shortLife, start_date: '2026-11-14', end_date: '2026-11-14' });
  expect((await advance(caller, last.id, { to: '2026-11-15' })).body.end_date).toBe('2026-11-15');
  const today = { ...shortLife, start_date: '2026-11-15', end_date: '2026-11-15' };
  expect((await makeSandboxClient(caller, today)).end_date).toBe('2026-11-15');
  const longest = { ...shortLife, start_date: '2010-01-02', end_date: '2020-01-02' };
  expect((await makeSandboxClient(caller, longest)).start_date).toBe('2010-01-02');
});

describe('refused are', () => {
  test.each([
    [{ to: '2025-03-04' }, '/to', 'A clock cannot be moved back: it shows 2025-03-05.'],
    [{ to: '2027-01-01' }, '/to', 'A clock cannot be moved beyond today, 2026-11-15. It shows 2025-03-05.'],
    [{ to: '2026-11-15' }, '/to', 'A clock can be moved by at most 366 days at a time. It shows 2025-03-05.'],
    [{ days: 367 }, '/days', 'days must be a whole number from 1 to 366.'],
    [{ days: 0 }, '/days', 'days must be a whole number from 1 to 366.'],
    [{}, '/to', 'Send either to or days.'],
    [{ to: '2025-03-06', days: 1 }, '/to', 'Send either to or days.'],
  ])('to advance by %j', async (body, pointer, detail) => {
    unmoved ??= makeSandboxClient(caller);
    const reply = await advance(caller, (await unmoved).id, body);
    expect([reply.status, reply.body.errors]).toEqual([422, [{ code: 'invalid-attribute', detail, pointer }]]);
  });

  let unmoved: Promise<any> | undefined;

  test.each([
    [{ persona: 'pirate' }, '/persona'],
    [{ ...shortLife, end_date: '2026-11-16' }, '/end_date'],
    [{ ...shortLife, start_date: '2025-03-06' }, '/start_date'],
    [{ ...shortLife, start_date: '2009-12-31' }, '/start_date'],
    [{ ...shortLife, start_date: '2015-03-04' }, '/start_date'],
    [{ persona: 'foundation', years: 10, end_date: '2019-12-31' }, '/end_date'],
    [{ persona: 'foundation', years: 11 }, '/years'],
    [{ ...shortLife, years: 1 }, '/years'],
    [{ ...shortLife, reporting_currency: 'JPY' }, '/reporting_currency'],
    [{ ...shortLife, seed: -1 }, '/seed'],
  ])('to make %j', async (body, pointer) => {
    const reply = await caller.post('/v1/sandbox/clients', body);
    expect([reply.status, reply.body.errors.map((one: any) => one.pointer)]).toEqual([422, [pointer]]);
  });

  test('more than fifty clients in an environment', async () => {
    const other = await service.openWorkspace('sandbox');
    const { workspace_id: workspace } = (await other.get('/v1/me')).body;
    const made = await makeSandboxClient(other);
    // As many as there may be, without the data of each.
    await runSql(
      service.database,
      `WITH ids AS (SELECT lpad(to_hex(number), 24, '0') AS id FROM generate_series(1, 49) number),
        clients AS (INSERT INTO client (workspace_id, environment, id, path, name, reference_currency, accounting_method, created_at)
          SELECT $1, 'sandbox', id, ARRAY[id], 'One more', 'EUR', 'FIFO', now() FROM ids)
       INSERT INTO sandbox_client (workspace_id, environment, id, client_id, persona, reporting_currency, seed, start_date, end_date, records, created_at)
       SELECT $1, 'sandbox', id, id, 'foundation', 'EUR', 1, '2025-01-01', '2025-01-02', '[]', now() FROM ids`,
      [workspace],
    );
    const full = await other.post('/v1/sandbox/clients', shortLife);
    expect([full.status, full.body.code]).toEqual([409, 'sandbox-full']);
    expect((await other.delete(`/v1/sandbox/clients/${made.id}`)).status).toBe(204);
    expect((await other.post('/v1/sandbox/clients', shortLife)).status).toBe(201);
  });

  test('everything in production, and nothing is made', async () => {
    const { admin } = service;
    for (const reply of [
      await admin.get('/v1/sandbox/personas'),
      await admin.get('/v1/sandbox/clients'),
      await admin.post('/v1/sandbox/clients', shortLife),
      await admin.post('/v1/sandbox/clients', { persona: 'nobody' }),
      await admin.delete('/v1/sandbox/clients/no-id'),
    ])
      expect([reply.status, reply.body.code]).toEqual([403, 'sandbox-only']);
    expect((await admin.get('/v1/clients')).body.data).toEqual([]);
  });

  test('to move a clock whose accounts were changed', async () => {
    const made = await makeSandboxClient(caller);
    const account = madeId(made, 'account', 'savings');
    const { data } = await getBody(caller, `/v1/transactions?account_id=${account}`);
    for (const { id } of data) await caller.delete(`/v1/transactions/${id}`);
    const portfolio = madeId(made, 'portfolio', 'everyday');
    const rest = { account_ids: [madeId(made, 'account', 'current')] };
    expect((await caller.patch(`/v1/portfolios/${portfolio}`, rest)).status).toBe(200);
    expect((await caller.delete(`/v1/accounts/${account}`)).status).toBe(204);
    const reply = await advance(caller, made.id, { days: 120 });
    expect([reply.status, reply.body.code]).toEqual([409, 'sandbox-client-changed']);
    expect((await getBody(caller, `/v1/sandbox/clients/${made.id}`)).end_date).toBe('2025-03-05');
  });
});

describe('tenants', () => {
  test('another workspace sees and changes nothing; a token of one client reads its own, and makes none', async () => {
    const made = await makeSandboxClient(caller);
    const stranger = await service.openWorkspace('sandbox');
    const path = `/v1/sandbox/clients/${made.id}`;
    for (const reply of [
      await stranger.get(path),
      await advance(stranger, made.id, { days: 1 }),
      await stranger.delete(path),
    ])
      expect([reply.status, reply.body.code]).toEqual([404, 'sandbox-client-not-found']);
    expect((await getBody(stranger, '/v1/sandbox/clients')).data).toEqual([]);
    const bound = await caller.becomeApplication({ rights: ['read', 'write'], scoped_to: made.id });
    expect((await getBody(bound, '/v1/sandbox/clients')).data.map((one: any) => one.id)).toEqual([made.id]);
    for (const reply of [
      await advance(bound, made.id, { days: 1 }),
      await bound.delete(path),
      await bound.post('/v1/sandbox/clients', shortLife),
    ])
      expect([reply.status, reply.body.code]).toEqual([403, 'outside-reach']);
  });

  test("users' own rates and prices are left alone", async () => {
    const own = await service.openWorkspace('sandbox');
    const rate = { base: 'USD', quote: 'CHF', date: '2025-03-03', rate: '0.5' };
    expect((await own.post('/v1/fx-rates', rate)).status).toBe(201);
    const made = await makeSandboxClient(own, { ...shortLife, persona: 'hedge-fund' });
    expect((await getBody(own, '/v1/fx-rates?limit=100')).data.map((one: any) => one.quote)).toEqual(
      expect.arrayContaining(['GBP', 'CHF']),
    );
    const { data } = await getBody(own, '/v1/fx-rates?base=EUR&limit=100');
    expect([...new Set(data.map((one: any) => one.quote))]).toEqual(['GBP']);
    const share = madeId(made, 'instrument', 'chips');
    const price = { date: '2025-03-06', value: '1234.5' };
    expect((await own.post(`/v1/instruments/${share}/prices`, price)).status).toBe(201);
    await advance(own, made.id, { to: '2025-03-07' });
    const { data: prices } = await getBody(own, `/v1/instruments/${share}/prices?start=2025-03-06&end=2025-03-06`);
    expect(prices.find((one: any) => one.source === 'manual').value).toBe('1234.5');
  });
});

test('a client is removed whole, unless something else was added to it; the shared market stays', async () => {
  const other = await service.openWorkspace('sandbox');
  const made = await makeSandboxClient(other, quarterLife);
  const [stays] = [await makeSandboxClient(other, quarterLife)];
  const expected = comparable(await readFigures(other, stays));
  const path = `/v1/sandbox/clients/${made.id}`;
  const key = await other.post('/v1/applications', { name: 'Bound', scoped_to: made.id });
  const blocked = await other.delete(path);
  expect([blocked.status, blocked.body.code]).toEqual([409, 'client-has-live-data']);
  expect((await getBody(other, path)).end_date).toBe(made.end_date);
  await other.delete(`/v1/applications/${key.body.id}`);
  expect((await other.delete(path)).status).toBe(204);
  for (const gone of [path, `/v1/clients/${made.id}`, `/v1/accounts/${madeId(made, 'account')}`])
    expect((await other.get(gone)).status).toBe(404);
  expect(comparable(await readFigures(other, stays))).toEqual(expected);
  expect((await other.delete(path)).status).toBe(404);
});
