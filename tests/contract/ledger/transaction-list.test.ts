// Lists of transactions: in ledger order, by date and place, complete or page by page, and stable pages while others book.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { book, bookedId, makeLedgerHousehold, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeRecord, makeHousehold } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let household: LedgerHousehold;
/** The ids by their names in the test. */
const booked: Record<string, string> = {};

type Fields = Readonly<Record<string, unknown>>;

async function bookAs(word: string, fields: Fields): Promise<void> {
  booked[word] = bookedId(await book(admin, 'v1', { account_id: household.account, ...fields }));
}

function labelsOf(rows: readonly { readonly id: string }[]): string[] {
  const labels = new Map(Object.entries(booked).map(([word, id]) => [id, word]));
  return rows.map(({ id }) => labels.get(id) ?? id);
}

beforeAll(async () => {
  ({ admin } = service);
  household = await makeLedgerHousehold(admin);
  const { stock, depository, vault, savings } = household;
  const trade = { quantity: '10', price: '5', instrument_id: stock };
  await bookAs('late buy', { ...trade, type: 'buy', date: '2026-03-31', depository_id: depository });
  await bookAs('first fee', { type: 'fee', date: '2026-03-01', amount: '-1' });
  await bookAs('second fee', {
    type: 'fee',
    date: '2026-03-01',
    amount: '-2',
    source: 'custodian',
    external_reference: 'F-2',
  });
  await bookAs('move', { type: 'withdrawal', date: '2026-03-15', amount: '-5', counter_account_id: savings });
  await bookAs('units', {
    type: 'withdrawal',
    date: '2026-03-16',
    quantity: '1',
    instrument_id: stock,
    depository_id: depository,
    counter_depository_id: vault,
  });
  await bookAs('elsewhere', { type: 'deposit', date: '2026-03-20', amount: '5', account_id: savings });
});

const allLabels = ['first fee', 'second fee', 'move', 'units', 'elsewhere', 'late buy'];

describe('a list', () => {
  const filters: [query: string, ids: () => Fields, words: string[]][] = [
    ['', () => ({}), allLabels],
    ['from the day on', () => ({ from: '2026-03-15' }), ['move', 'units', 'elsewhere', 'late buy']],
    ['until the day', () => ({ to: '2026-03-15' }), ['first fee', 'second fee', 'move']],
    ['of one day', () => ({ from: '2026-03-31', to: '2026-03-31' }), ['late buy']],
    ['of an account', () => ({ account: household.account }), ['first fee', 'second fee', 'move', 'units', 'late buy']],
    ['of the other account of a move', () => ({ account: household.savings }), ['move', 'elsewhere']],
    ['of a depository', () => ({ depository: household.depository }), ['units', 'late buy']],
    ['of the target depository of units', () => ({ depository: household.vault }), ['units']],
    ['of an account and a depository', () => ({ account: household.savings, depository: household.vault }), []],
  ];

  function query(names: Readonly<Record<string, string>>, wanted: Fields): string {
    return new URLSearchParams(Object.entries(wanted).map(([name, value]) => [names[name]!, String(value)])).toString();
  }

  test.each(filters)('on v1 %s', async (_what, ids, labels) => {
    const names = { from: 'from', to: 'to', account: 'account_id', depository: 'depository_id' };
    const { body } = await admin.get(`/v1/transactions?${query(names, ids())}`);
    expect([labelsOf(body.data), body.has_more]).toEqual([labels, false]);
  });

  test.each(filters)('on JSON:API %s', async (_what, ids, labels) => {
    const names = { from: 'fromDate', to: 'toDate', account: 'accountId', depository: 'depositoryId' };
    const { body } = await admin.get(`/api/v2/transactions?${query(names, ids())}`);
    expect([labelsOf(body.data), 'meta' in body]).toEqual([labels, false]);
  });

  test.each([
    ['type=fee', ['first fee', 'second fee']],
    ['type=withdrawal&from=2026-03-16', ['units']],
    ['source=custodian', ['second fee']],
    ['external_reference=F-2', ['second fee']],
    ['external_reference=F-3', []],
  ])('on v1 by %s', async (wanted, labels) => {
    expect(labelsOf((await admin.get(`/v1/transactions?${wanted}`)).body.data)).toEqual(labels);
  });

  test('on v1 by instrument', async () => {
    const { body } = await admin.get(`/v1/transactions?instrument_id=${household.stock}`);
    expect(labelsOf(body.data)).toEqual(['units', 'late buy']);
  });

  test.each([
    ['/api/v2/transactions?fromDate=2026-02-30', /^fromDate must be a day that exists\.$/],
    ['/api/v2/transactions?accountId=x', /^accountId must be an id of 24 hexadecimal characters\.$/],
    ['/v1/transactions?type=EquityTrade', /^type must be one of buy, sell, /],
    ['/v1/transactions?limit=101', /^limit must be a whole number from 1 to 100\.$/],
  ])('%s is refused', async (path, detail) => {
    const { status, body } = await admin.get(path);
    expect([status, body.errors[0].detail]).toEqual([400, expect.stringMatching(detail)]);
  });

  test('shows a transaction as it is after an amendment, in its place, and none that was deleted', async () => {
    const path = `/v1/transactions/${booked['first fee']}`;
    await admin.patch(path, { date: '2026-03-02' });
    expect(labelsOf((await admin.get('/v1/transactions?to=2026-03-02')).body.data)).toEqual([
      'second fee',
      'first fee',
    ]);
    await admin.patch(path, { date: '2026-03-01' });
    expect(labelsOf((await admin.get('/v1/transactions?to=2026-03-02')).body.data)).toEqual([
      'first fee',
      'second fee',
    ]);
  });

  test('of a caller bound to a client contains that client’s transactions', async () => {
    const other = await makeHousehold(admin, 'Bystander');
    const stranger = await admin.becomeApplication({ scoped_to: other.client });
    const own = await admin.becomeApplication({ scoped_to: household.client });
    for (const path of ['/v1/transactions', '/api/v2/transactions']) {
      expect((await stranger.get(path)).body.data).toEqual([]);
      expect(labelsOf((await own.get(path)).body.data)).toEqual(allLabels);
    }
  });
});

describe('pages', () => {
  async function walk(path: string, between: () => Promise<void> = async () => {}): Promise<string[]> {
    const labels: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await admin.get(`${path}${cursor}`);
      labels.push(...labelsOf(body.data));
      if (!body.has_more) return labels;
      cursor = `&cursor=${body.next_cursor}`;
      await between();
    }
  }

  test.each([1, 2, 4, 5])('of %i contain everything once, in order', async (limit) => {
    expect(await walk(`/v1/transactions?limit=${limit}`)).toEqual(allLabels);
  });

  test('of both sides of an account do so too', async () => {
    expect(await walk(`/v1/transactions?limit=1&account_id=${household.savings}`)).toEqual(['move', 'elsewhere']);
  });

  test('contain existing transactions once while others book and amend', async () => {
    let turn = 0;
    const bookMore = async (): Promise<void> => {
      await bookAs(`new ${turn}`, { type: 'fee', date: turn % 2 === 0 ? '2026-02-01' : '2026-12-31', amount: '-1' });
      await admin.patch(`/v1/transactions/${booked['late buy']}`, { comment: `turn ${turn++}` });
    };
    const labels = await walk('/v1/transactions?limit=2', bookMore);
    expect(labels.filter((word) => allLabels.includes(word))).toEqual(allLabels);
    expect(new Set(labels).size).toBe(labels.length);
  });

  test('cannot be continued with other filters', async () => {
    const { body } = await admin.get('/v1/transactions?limit=1');
    const other = await admin.get(`/v1/transactions?limit=1&type=fee&cursor=${body.next_cursor}`);
    expect([other.status, other.body.code]).toEqual([400, 'cursor-invalid']);
  });
});

describe('a CSV file', () => {
  const header =
    'id,type,date,settlement_date,executed_at,quantity,price,amount,currency,exchange_rate,fees,taxes,accrued_interest,comment,source,' +
    'external_reference,created_at,account_id,depository_id,instrument_id,reverses_transaction_id,client_id,lots,counter_amount,acquired,counter_account_id,' +
    'counter_depository_id,period_start,period_end,trade_id,rate,category,counter_currency,action,ratio,cost_share,cash_in_lieu_quantity,' +
    'target_instrument_id,effect_on_unfunded,recallable_amount';

  test.each([
    ['the parameter format', '&format=csv', {}],
    ['an Accept header', '', { accept: 'text/csv' }],
    ['a preference in the Accept header', '', { accept: 'application/json;q=0.5, text/csv' }],
  ])('is returned for %s', async (_how, parameter, headers) => {
    const reply = await admin.get(`/v1/transactions?external_reference=F-2${parameter}`, headers);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    const { id, account, client } = { ...household, id: booked['second fee'] };
    const line = `${id},fee,2026-03-01,,,,,-2,CHF,,,,,,custodian,F-2,2026-11-15T12:00:00.000Z,${account},,,,${client},,,,,,,,,,,,,,,,,,`;
    expect(reply.text).toBe(`${header}\r\n${line}\r\n`);
  });

  test.each([
    ['', { accept: '*/*' }],
    ['', { accept: 'application/json, text/csv' }],
    ['?format=json', { accept: 'text/csv, application/json;q=0.1' }],
  ])('is not returned for "%s" with %o', async (query, headers) => {
    const reply = await admin.get(`/v1/transactions${query}`, headers);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json']);
  });

  test('quotes characters that would end a field, and writes lots as JSON', async () => {
    const acquired = [{ date: '2020-01-05', quantity: '1', cost: '80' }];
    const comment = 'A "quoted", field\nof two lines';
    const fields = {
      type: 'deposit',
      date: '2026-05-01',
      quantity: '1',
      instrument_id: household.stock,
      acquired,
      comment,
    };
    await bookAs('quoted', fields);
    const { text } = await admin.get('/v1/transactions?format=csv&from=2026-05-01&to=2026-05-01');
    expect(text).toContain(',"A ""quoted"", field\nof two lines",');
    expect(text).toContain(',"[{""date"":""2020-01-05"",""quantity"":""1"",""cost"":""80""}]",');
  });

  test('has no pages', async () => {
    const { status, body } = await admin.get('/v1/transactions?format=csv&limit=5');
    expect([status, body.errors]).toEqual([
      400,
      [{ code: 'invalid-parameter', detail: 'A CSV file has no pages.', parameter: 'limit' }],
    ]);
  });

  test('is refused like any list', async () => {
    expect((await admin.withToken(null).get('/v1/transactions?format=csv')).status).toBe(401);
    expect((await admin.get('/v1/clients', { accept: 'text/csv' })).status).toBe(406);
  });
});

describe('the row cap', () => {
  test('cuts a list of JSON:API at 10,000 and says so; a CSV file is whole', async () => {
    const { client, legalEntity } = await makeHousehold(admin, 'Many');
    const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
    await runSql(
      service.database,
      `INSERT INTO transaction (workspace_id, environment, id, sequence, known_from, opened_version, client_id, account_id, kind, type,
         date, amount, currency, value, unexplained, source, created_at)
       SELECT c.workspace_id, c.environment, lpad(n::text, 24, '0'), n, now(), n, c.id, '${account}', 'fee', 'fee',
         date '2020-01-01' + n / 10, -1, 'CHF', 0, 0, 'manual', now()
       FROM client c, generate_series(1, 10001) n WHERE c.id = '${client}'`,
    );
    const { body } = await admin.get(`/api/v2/transactions?accountId=${account}`);
    expect([body.data.length, body.meta]).toEqual([10_000, { truncated: true, cap: 10_000, total: 10_001 }]);
    expect(body.data[9_999].id).toBe('000000000000000000010000');
    const lines = (await admin.get(`/v1/transactions?format=csv&account_id=${account}`)).text.split('\r\n');
    expect([lines.length, lines.at(-2)!.slice(0, 24)]).toEqual([10_003, '000000000000000000010001']);
  });
});
