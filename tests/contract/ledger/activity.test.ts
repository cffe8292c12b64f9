// The activity of a reporting entity that owns one side of its transactions: what it sees of them, and how their figures are explained.

import { beforeAll, expect, test } from 'vitest';
import { checkExplanations } from '../../setup/engine/explained-rows.ts';
import { explanationLines } from '../../setup/engine/explanation-check.ts';
import { book, bookedId, makeStock } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let entity: string;
/** An account of the entity, and one of the same client that it does not have. */
let own: string;
let away: string;

beforeAll(async () => {
  const { admin } = service;
  const { legalEntity, reportingEntity } = await makeHousehold(admin);
  entity = reportingEntity;
  const account = (name: string, currency: string): Promise<string> =>
    makeRecord(admin, 'accounts', { entity_id: legalEntity, name, currency });
  [own, away] = [await account('Own', 'CHF'), await account('Away', 'CHF')];
  const euros = await account('Euros', 'EUR');
  const depository = (name: string): Promise<string> =>
    makeRecord(admin, 'depositories', { legal_entity_id: legalEntity, name });
  const [vault, locker] = [await depository('Vault'), await depository('Locker')];
  const members = { account_ids: [own, euros], depository_ids: [vault] };
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, name: 'All', ...members });
  const instrument_id = await makeStock(admin, 'Orbit AG', 'CHF');
  const bookRow = async (fields: object): Promise<string> =>
    bookedId(await book(admin, 'v1', { account_id: away, ...fields }));
  await bookRow({ type: 'withdrawal', date: '2026-01-05', amount: '-250', counter_account_id: own });
  const exchanged = { amount: '-950', counter_currency: 'EUR', counter_amount: '1000', counter_account_id: euros };
  await bookRow({ type: 'fx-trade', date: '2026-01-06', ...exchanged });
  const units = { instrument_id, quantity: '3' };
  await bookRow({ type: 'deposit', date: '2026-01-07', ...units, depository_id: locker });
  await bookRow({
    type: 'withdrawal',
    date: '2026-01-08',
    ...units,
    depository_id: locker,
    counter_account_id: own,
    counter_depository_id: vault,
  });
  await bookRow({ type: 'buy', date: '2026-01-09', ...units, price: '7', fees: '1', depository_id: vault });
  await bookRow({ type: 'deposit', date: '2026-01-10', account_id: own, amount: '12.5' });
});

async function listActivity(query = ''): Promise<any[]> {
  const { status, body, text } = await service.admin.get(`/v1/activity?reporting_entity_id=${entity}${query}`);
  expect([status, text]).toEqual([200, text]);
  return body.data;
}

function shown(row: any): unknown[] {
  const { date, account_name: account, counter_account_name: counter, quantity } = row;
  return [date, account, counter, quantity, row.amount, row.currency, row.counter_amount, row.counter_currency];
}

const buy = ['2026-01-09', null, null, '3', '-22', 'CHF', null, null];
const moved = ['2026-01-08', null, 'Own', '3', null, 'CHF', null, null];
const exchange = ['2026-01-06', null, 'Euros', null, '1000', 'EUR', '-950', 'CHF'];
const paidIn = ['2026-01-05', null, 'Own', null, '250', 'CHF', '-250', 'CHF'];
const deposit = ['2026-01-10', 'Own', null, null, '12.5', 'CHF', null, null];

test('what moves an account or depository of the entity is seen from its side, the rest not', async () => {
  expect((await listActivity()).map(shown)).toEqual([deposit, buy, moved, exchange, paidIn]);
  expect((await listActivity('&cash=in')).map(shown)).toEqual([deposit, exchange, paidIn]);
  expect((await listActivity('&cash=out')).map(shown)).toEqual([buy]);
});

test('of one account of the entity, only what moves that account is seen', async () => {
  expect((await listActivity(`&account_id=${own}`)).map(shown)).toEqual([deposit, moved, paidIn]);
});

test('figures of the other side are explained by what was booked', async () => {
  const rows = await listActivity('&explain=true');
  expect(checkExplanations(rows)).toHaveLength(10);
  const linesOf = (date: string, figure: string): readonly string[] =>
    explanationLines(rows.find((row) => row.date === date).explanations[figure]);
  expect(linesOf('2026-01-05', 'amount')).toEqual(['other-cash-leg 250']);
  expect(linesOf('2026-01-05', 'counter_amount')).toEqual(['row-amount -250']);
  expect(linesOf('2026-01-06', 'amount')).toEqual(['other-cash-leg 1000']);
  expect(linesOf('2026-01-06', 'counter_amount')).toEqual(['row-amount -950']);
  expect(linesOf('2026-01-09', 'fees')).toEqual(['fees 1']);
  expect(linesOf('2026-01-08', 'quantity')).toEqual(['units 3 = 0 − (-3)', '  units -3']);
  expect(linesOf('2026-01-09', 'amount').slice(0, 2)).toEqual([
    'row-amount -22 = 0 − 22',
    '  row-value 22 = 3 × 7 + 1',
  ]);
  const { amount, counter_amount } = rows.find(({ date }) => date === '2026-01-06').explanations;
  expect([amount.unit, amount.date, counter_amount.unit, counter_amount.date]).toEqual([
    'EUR',
    '2026-01-06',
    'CHF',
    '2026-01-06',
  ]);
});

test('a transaction has versions for the entity whose depository it moves', async () => {
  const [row] = (await listActivity()).filter(({ date }) => date === '2026-01-09');
  const path = `/v1/transactions/${row.transaction_id}/versions?reporting_entity_id=${entity}`;
  const { data } = (await service.admin.get(path)).body;
  expect(data.map(shown)).toEqual([buy]);
});

test('a transaction that moves no place of the entity has no versions for it', async () => {
  const { data } = (await service.admin.get(`/v1/transactions?account_id=${away}&from=2026-01-07&to=2026-01-07`)).body;
  const path = `/v1/transactions/${data[0].id}/versions?reporting_entity_id=${entity}`;
  expect((await service.admin.get(path)).status).toBe(404);
});

test('is searched by up to eight words in up to 200 characters', async () => {
  const search = (text: string): Promise<any> =>
    service.admin.get(`/v1/activity?reporting_entity_id=${entity}&q=${encodeURIComponent(text)}`);
  expect((await search('orbit  nowhere')).body.data).toHaveLength(0);
  expect((await search('orbit')).body.data).toHaveLength(2);
  expect((await search('o r b i t a g x')).status).toBe(200);
  const refused = await search('o r b i t a g x y');
  expect([refused.status, refused.body.detail]).toEqual([400, 'q must have at most 8 words.']);
  expect((await search('x'.repeat(200))).body.data).toEqual([]);
  expect((await search('x'.repeat(201))).status).toBe(400);
});
