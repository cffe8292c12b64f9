// Cash as booked and as settled: a trade counts from its trade date, and its money is there from its settlement date.

import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { cashId } from '../../setup/instruments/built-in-ids.ts';
import { book, makeStock } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord, unknownId } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let account: string;
let dollars: string;
let entity: string;

beforeAll(async () => {
  ({ admin } = service);
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  dollars = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'USD' });
  entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'All' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account, dollars] });
  await admin.post('/v1/fx-rates', { base: 'USD', quote: 'CHF', date: '2026-03-02', rate: '0.8' });
  const stock = await makeStock(admin, 'Nestlé');
  const rows = [
    { type: 'deposit', date: '2026-03-02', amount: '1000' },
    {
      type: 'buy',
      date: '2026-03-05',
      settlement_date: '2026-03-09',
      instrument_id: stock,
      quantity: '3',
      price: '100',
    },
    {
      type: 'fx-trade',
      date: '2026-03-06',
      settlement_date: '2026-03-10',
      amount: '-80',
      counter_amount: '100',
      counter_currency: 'USD',
      counter_account_id: dollars,
    },
  ];
  // The report goes on to the last day with data.
  await admin.post(`/v1/instruments/${stock}/prices`, { date: '2026-03-10', value: '100' });
  for (const row of rows) await book(admin, 'v1', { account_id: account, ...row });
});

async function balances(id: string, query: string): Promise<any> {
  const { status, body } = await admin.get(`/v1/accounts/${id}/balances?${query}`);
  expect(status).toBe(200);
  return body.data.map((row: any) => [row.currency, row.balance, row.settled_balance]);
}

test.each([
  ['2026-03-04', '1000', '1000', undefined],
  ['2026-03-05', '700', '1000', undefined],
  ['2026-03-06', '620', '1000', ['100', '0']],
  ['2026-03-09', '620', '700', ['100', '0']],
  ['2026-03-10', '620', '620', ['100', '100']],
])('on %s %s francs are booked and %s are settled', async (day, booked, settled, usd) => {
  expect(await balances(account, `as_of=${day}`)).toEqual([['CHF', booked, settled]]);
  expect(await balances(dollars, `as_of=${day}`)).toEqual(usd === undefined ? [] : [['USD', ...usd]]);
  const { data } = (await admin.get(`/v1/holdings?reporting_entity_id=${entity}&as_of=${day}`)).body;
  const cash = data.find(({ segment_id }: any) => segment_id === cashId('CHF'));
  expect([cash.quantity, cash.settled_quantity]).toEqual([booked, settled]);
  const others = data.filter(({ segment_name }: any) => segment_name === 'Nestlé');
  expect(others.map((row: any) => row.settled_quantity)).toEqual(day < '2026-03-05' ? [] : [null]);
});

test('without a day the balances are those of today', async () => {
  const { body } = await admin.get(`/v1/accounts/${account}/balances`);
  expect(body.as_of).toBe('2026-11-15T23:59:59.999Z');
  expect(body.data).toEqual([{ currency: 'CHF', balance: '620', settled_balance: '620' }]);
});

test('what an upload states has settled, whatever is booked before it', async () => {
  const { legalEntity } = await makeHousehold(admin, 'Bussard');
  const other = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  const row = { account_id: other, type: 'withdrawal', amount: '-50', settlement_date: '2026-03-20' };
  await book(admin, 'v1', { ...row, date: '2026-03-05' });
  await book(admin, 'v1', { ...row, date: '2026-03-09' });
  const upload = { kind: 'account', account_id: other, date: '2026-03-06', market_value: '400' };
  await makeRecord(admin, 'historical-holdings', upload);
  expect(await balances(other, 'as_of=2026-03-09')).toEqual([['CHF', '350', '400']]);
});

test('an account that does not exist has none', async () => {
  expect((await admin.get(`/v1/accounts/${unknownId}/balances`)).status).toBe(404);
});
