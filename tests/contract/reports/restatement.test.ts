// What has become of an earlier answer: positions and totals as known at two moments, and whatever has become known, was corrected
// or was deleted in between.

import { beforeAll, describe, expect, test } from 'vitest';
import { codeOf } from '../../setup/http/answer.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { book, bookedId, makeStock } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { make, makeHousehold, unknownId } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let home: Home;

interface Home {
  readonly account: string;
  readonly entity: string;
  readonly portfolio: string;
  readonly stock: string;
}

/** 10 shares that cost 700 and are worth 750, and 300 in cash. */
async function makeHome(): Promise<Home> {
  const { client, legalEntity } = await makeHousehold(admin);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const account = await make(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  const entity = await make(admin, 'reporting-entities', { client_id: client, name: 'All' });
  const portfolio = await make(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account] });
  const stock = await makeStock(admin, 'Novartis AG');
  await bookIn(account, { type: 'deposit', amount: '1000' });
  await bookIn(account, { type: 'buy', instrument_id: stock, quantity: '10', price: '70' });
  await putPrice(stock, '75');
  return { account, entity, portfolio, stock };
}

async function bookIn(account: string, fields: object): Promise<string> {
  return bookedId(await book(admin, 'v1', { account_id: account, date: '2026-01-05', ...fields }));
}

async function putPrice(stock: string, value: string, date = '2026-03-30'): Promise<string> {
  return (await admin.post(`/v1/instruments/${stock}/prices`, { date, value })).body.id;
}

beforeAll(async () => {
  ({ admin } = service);
  home = await makeHome();
});

/** After all so far, and before all that follows. */
function moment(): string {
  service.clock.advance(60_000);
  const text = new Date(service.clock.now()).toISOString();
  service.clock.advance(60_000);
  return text;
}

function compare(entity: string, query: string): Promise<Reply> {
  return admin.get(`/v1/restatements?reporting_entity_id=${entity}&${query}`);
}

async function restated(from: string, to?: string, query = '&as_of=2026-03-31'): Promise<any> {
  const second = to === undefined ? '' : `&to_known_at=${to}`;
  const { status, body, text } = await compare(home.entity, `from_known_at=${from}${second}${query}`);
  if (status !== 200) throw new Error(text);
  return body;
}

const figures = (quantity: string, market_value: string, cost_basis: string, unrealised_pnl: string): object => ({
  quantity,
  market_value,
  cost_basis,
  unrealised_pnl,
});

const worth = (market_value: string, cost_basis: string, unrealised_pnl: string): object => ({
  market_value,
  cost_basis,
  unrealised_pnl,
});

test('a corrected price and a late booking restate the position, its cash and the totals', async () => {
  const from = moment();
  const price = await putPrice(home.stock, '80');
  const at = new Date(service.clock.now()).toISOString();
  const late = { type: 'buy', instrument_id: home.stock, date: '2026-02-02', quantity: '2', price: '72' };
  const booked = await bookIn(home.account, late);
  const to = moment();
  const nothing = { depository_id: null, account_id: home.account };
  const listed = [
    { kind: 'price', id: price, other_id: null, change: 'changed', at, date: '2026-03-30', instrument_id: home.stock },
    { kind: 'transaction', id: booked, other_id: null, change: 'added', at, date: '2026-02-02' },
  ];
  const body = await restated(from, to);
  expect(body).toEqual({
    data: [
      { ...listed[0], account_id: null },
      { ...listed[1], instrument_id: home.stock, account_id: home.account },
    ],
    has_more: false,
    counts: [
      { kind: 'price', change: 'changed', count: 1 },
      { kind: 'transaction', change: 'added', count: 1 },
    ],
    holdings: [
      {
        ...nothing,
        instrument_id: home.stock,
        before: figures('10', '750', '700', '50'),
        after: figures('12', '960', '844', '116'),
        difference: figures('2', '210', '144', '66'),
      },
      {
        ...nothing,
        instrument_id: 'cash:CHF',
        before: figures('300', '300', '300', '0'),
        after: figures('156', '156', '156', '0'),
        difference: figures('-144', '-144', '-144', '0'),
      },
    ],
    totals: {
      before: worth('1050', '1000', '50'),
      after: worth('1116', '1000', '116'),
      difference: worth('66', '0', '66'),
    },
    currency: 'CHF',
    before_currency: 'CHF',
    from_known_at: from,
    to_known_at: to,
    as_of: '2026-03-30T23:59:59.999Z',
    ledger_version: expect.stringMatching(/^[\w-]{22}$/),
  });
});

test('an upload restates the cash, and the same question has the same bytes whatever comes later', async () => {
  const from = moment();
  const stated = { kind: 'account', account_id: home.account, date: '2026-03-30', market_value: '200' };
  const { id } = (await admin.post('/v1/historical-holdings', stated)).body;
  const to = moment();
  const query = `from_known_at=${from}&to_known_at=${to}&as_of=2026-03-31`;
  const { body, text } = await compare(home.entity, query);
  expect(body.data).toMatchObject([{ kind: 'historical-holding', id, change: 'added', date: '2026-03-30' }]);
  expect(body.holdings).toMatchObject([{ instrument_id: 'cash:CHF', difference: figures('44', '44', '44', '0') }]);
  await admin.delete(`/v1/historical-holdings/${id}`);
  expect((await compare(home.entity, query)).text).toBe(text);
  expect((await restated(from)).data).toEqual([]);
  const { data, holdings, to_known_at } = await restated(to);
  expect([data[0].change, holdings[0].difference.quantity, to_known_at]).toEqual(['removed', '-44', null]);
});

describe('what changed is told of', () => {
  test.each<[string, () => Promise<unknown>, object[]]>([
    [
      'an account that is left out',
      () => admin.patch(`/v1/accounts/${home.account}`, { exclude_from_reporting: true }),
      [{ kind: 'account', change: 'changed' }],
    ],
    [
      'an account that counts again',
      () => admin.patch(`/v1/accounts/${home.account}`, { exclude_from_reporting: false }),
      [{ kind: 'account', change: 'changed' }],
    ],
    [
      'a portfolio without its account',
      () => admin.patch(`/v1/portfolios/${home.portfolio}`, { account_ids: [] }),
      [{ kind: 'portfolio-account', change: 'removed' }],
    ],
    [
      'a portfolio with its account',
      () => admin.patch(`/v1/portfolios/${home.portfolio}`, { account_ids: [home.account] }),
      [{ kind: 'portfolio-account', change: 'added' }],
    ],
    [
      'terms of an instrument',
      () => admin.patch(`/v1/instruments/${home.stock}`, { tags: ['core'] }),
      [{ kind: 'instrument', change: 'changed' }],
    ],
    [
      'a rate of a currency that is held',
      () => admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date: '2026-02-01', rate: '0.9' }),
      [{ kind: 'fx-rate', change: 'added', date: '2026-02-01' }],
    ],
    [
      'no rate of others',
      () => admin.post('/v1/fx-rates', { base: 'EUR', quote: 'USD', date: '2026-02-01', rate: '1.1' }),
      [],
    ],
    ['nothing that is about a later day', () => putPrice(home.stock, '99', '2026-04-01'), []],
    [
      'nothing that came and went',
      async () => admin.delete(`/v1/prices/${await putPrice(home.stock, '1', '2026-02-02')}`),
      [],
    ],
    ['nothing of another client', () => makeHome(), []],
  ])('%s', async (_, write, expected) => {
    const from = moment();
    await write();
    const { data, counts } = await restated(from, moment());
    expect(data.filter(({ kind }: { kind: string }) => kind !== 'portfolio')).toEqual(
      expected.map((one) => expect.objectContaining(one)),
    );
    expect(counts).toHaveLength(data.length);
  });
});

test('an answer that changes nothing has no holdings in it', async () => {
  const from = moment();
  await putPrice(home.stock, '81', '2026-02-01');
  const { holdings, totals, data } = await restated(from, moment());
  expect([holdings, totals.difference, data.length]).toEqual([[], worth('0', '0', '0'), 1]);
});

test('what has changed comes in pages that hold each thing once', async () => {
  const from = moment();
  for (const date of ['2026-02-10', '2026-02-11', '2026-02-12']) {
    await putPrice(home.stock, '80', date);
    service.clock.advance(1_000);
  }
  await putPrice(home.stock, '81', '2026-02-10');
  const to = moment();
  const whole = (await restated(from, to)).data;
  expect(whole.map(({ date }: { date: string }) => date)).toEqual(['2026-02-11', '2026-02-12', '2026-02-10']);
  const first = await restated(from, to, '&as_of=2026-03-31&limit=2');
  const cursor = `&cursor=${first.next_cursor}`;
  const second = await restated(from, to, `&as_of=2026-03-31&limit=2${cursor}`);
  expect([...first.data, ...second.data]).toEqual(whole);
  expect([first.has_more, second.has_more, second.counts]).toEqual([true, false, first.counts]);
  const other = await compare(home.entity, `from_known_at=${from}&as_of=2026-03-31${cursor}`);
  expect(codeOf(other)).toBe('cursor-invalid');
});

test('before a reporting entity was made it held nothing; without a day that of the first moment is meant', async () => {
  const { entity, stock } = await makeHome();
  const { body } = await compare(entity, 'from_known_at=2026-01-06T12:00:00Z');
  expect(body.as_of).toBe('2026-01-06T23:59:59.999Z');
  expect(body.holdings[0]).toMatchObject({
    instrument_id: stock,
    before: null,
    after: figures('10', '700', '700', '0'),
  });
  expect(body.totals.before).toEqual(worth('0', '0', '0'));
});

test('in another reference currency the two do not compare', async () => {
  const { entity } = await makeHome();
  const { client_id } = (await admin.get(`/v1/reporting-entities/${entity}`)).body;
  await admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date: '2026-01-01', rate: '0.9' });
  const from = moment();
  await admin.patch(`/v1/clients/${client_id}`, { reference_currency: 'EUR' });
  const { body } = await compare(entity, `from_known_at=${from}&as_of=2026-03-31`);
  expect([body.before_currency, body.currency, body.totals.difference]).toEqual(['CHF', 'EUR', null]);
  expect(body.holdings.map(({ difference }: { difference: unknown }) => difference)).toEqual([null, null]);
  expect(body.data).toMatchObject([{ kind: 'client', id: client_id, change: 'changed' }]);
});

test.each([
  ['', 400, 'from_known_at'],
  ['from_known_at=2030-01-01T00:00:00Z', 400, 'from_known_at'],
  ['from_known_at=2026-01-01T00:00:00Z&to_known_at=2030-01-01T00:00:00Z', 400, 'to_known_at'],
  ['from_known_at=2026-02-01T00:00:00Z&to_known_at=2026-01-01T00:00:00Z', 400, 'to_known_at'],
  ['from_known_at=2026-02-01T00:00:00Z&known_at=2026-03-01T00:00:00Z', 400, 'known_at'],
])('%s is refused with %i for %s', async (query, status, parameter) => {
  const reply = await compare(home.entity, query);
  expect([reply.status, reply.body.errors[0].parameter]).toEqual([status, parameter]);
});

test('who sees the client alone is told the same, and a stranger nothing', async () => {
  const { client_id } = (await admin.get(`/v1/reporting-entities/${home.entity}`)).body;
  const query = 'from_known_at=2026-01-01T00:00:00Z&as_of=2026-03-31';
  const { body } = await compare(home.entity, query);
  expect(body.counts.length).toBeGreaterThan(8);
  const path = `/v1/restatements?reporting_entity_id=${home.entity}&${query}`;
  const own = await (await admin.become({ scoped_to: client_id })).get(path);
  expect({ ...own.body, next_cursor: null }).toEqual({ ...body, next_cursor: null });
  const { client } = await makeHousehold(admin, 'Bussard');
  expect((await (await admin.become({ scoped_to: client })).get(path)).status).toBe(404);
});

test('of a reporting entity that nobody knew or knows there is none', async () => {
  const reply = await compare(unknownId, 'from_known_at=2026-02-01T00:00:00Z');
  expect([reply.status, codeOf(reply)]).toEqual([404, 'reporting-entity-not-found']);
});
