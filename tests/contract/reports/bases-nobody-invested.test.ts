// What nobody invested has no return: forwards on every wire, with the reason, and in every format.

import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { book } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { cashId } from '../../setup/instruments/built-in-ids.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let forward: string;
/** One reporting entity with nothing but a forward, and one with cash beside it. */
let bare: string;
let funded: string;

type Body = any;

const window = { from: '2026-01-07', to: '2026-01-09' };

beforeAll(async () => {
  ({ admin } = service);
  const { client, legalEntity } = await makeHousehold(admin, 'Habicht');
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const makeEntity = async (name: string): Promise<{ entity: string; account: string }> => {
    const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, name, currency: 'CHF' });
    const entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name });
    await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, name, account_ids: [account] });
    return { entity, account };
  };
  const rates = [
    ['2026-01-05', '0.8'],
    ['2026-01-08', '0.81'],
    ['2026-01-09', '0.9'],
  ].map(([date, rate]) => ({ base: 'USD', quote: 'CHF', date, rate, source: 'manual' }));
  await admin.post('/v1/fx-rates/bulk', { data: rates });
  forward = await makeRecord(admin, 'instruments', {
    type: 'fx-forward-cash-settlement-contract',
    name: 'CHF/USD',
    near_leg: { currency: 'CHF', amount: '-800', date: '2026-12-15' },
    far_leg: { currency: 'USD', amount: '1000', date: '2026-12-15' },
  });
  const [one, other] = [await makeEntity('Bare'), await makeEntity('Funded')];
  for (const { account } of [one, other]) {
    const buy = { type: 'buy', date: '2026-01-06', instrument_id: forward, quantity: '1', price: '0', amount: '0' };
    await book(admin, 'v1', { account_id: account, ...buy });
  }
  await book(admin, 'v1', { account_id: other.account, type: 'deposit', date: '2026-01-06', amount: '1000' });
  [bare, funded] = [one.entity, other.entity];
});

async function get(path: string): Promise<Body> {
  const reply = await admin.get(path);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply.body;
}

function v1(entity: string, more = ''): Promise<Body> {
  return get(`/v1/performance?reporting_entity_id=${entity}&start=${window.from}&end=${window.to}${more}`);
}

const codes = (warnings: Body): string[] => warnings.map(({ code }: Body) => code);
const noReturn = { twr: null, twr_reason: 'nothing-invested', volatility: null, max_drawdown: null };

test('v1 answers null with the reason, for the window and for each day', async () => {
  const [whole] = (await v1(bare)).data;
  expect(whole).toMatchObject({
    ...noReturn,
    gain: '100',
    contribution: null,
    annualised_twr: null,
    money_weighted_return: null,
    money_weighted_reason: 'nothing-invested',
  });
  expect(
    whole.series.map(({ daily_return, daily_twr, cumulative_twr }: Body) => [daily_return, daily_twr, cumulative_twr]),
  ).toEqual([
    ['0', null, null],
    ['10', null, null],
    ['90', null, null],
  ]);
  expect(codes(whole.warnings)).toContain('nothing-invested');
  expect(codes(whole.warnings)).not.toContain('nothing-covered');
});

test('a forward beside cash contributes to the return of the whole without having one', async () => {
  const { data } = await v1(funded, '&by=instrument');
  const [whole, ...segments] = data;
  expect(whole.twr_reason).toBeNull();
  expect(Number(whole.twr)).toBeCloseTo(0.1, 12);
  const held = segments.find(({ segment_id }: Body) => segment_id === forward);
  expect(held).toMatchObject({ ...noReturn, gain: '100' });
  expect(Number(held.contribution)).toBeCloseTo(0.1, 12);
});

test('the frozen wires answer null and warn', async () => {
  const path = `/reporting-entities/${bare}?fromDate=${window.from}&toDate=${window.to}`;
  const summarized = (await get(`/api/v2/summarized-performance${path}`)).data.attributes;
  const nulls = { totalReturn: null, cumulativeTwr: null, volatility: null, maxDrawdown: null, annualisedTwr: null };
  expect(summarized).toMatchObject({ ...nulls, contributionAmount: 100 });
  expect(summarized.contributions.map(({ contribution }: Body) => contribution)).toEqual([null, null]);
  expect(codes(summarized.warnings)).toContain('nothing-invested');
  const [daily] = (await get(`/api/v2/performance${path}`)).data;
  expect(daily.attributes.series[2]).toMatchObject({ dailyReturn: 90, dailyTwr: null, cumulativeTwr: null });
  const plain = await get(`/v2/performance/reporting-entities/${bare}?start=${window.from}&end=${window.to}`);
  expect(plain.summary).toEqual({ total_return: null, annualised_return: null, max_drawdown: null, volatility: null });
  expect(plain.series[2]).toEqual({ date: window.to, daily_twr: null, cumulative_twr: null });
  expect(codes(plain.warnings)).toContain('nothing-invested');
});

test('CSV has empty fields, and JSON lines have nulls', async () => {
  const path = `/v1/performance?reporting_entity_id=${bare}&start=${window.to}&end=${window.to}`;
  const csv = await admin.get(`${path}&format=csv`);
  expect(csv.text.trim().split('\r\n').at(-1)).toBe(`total,,${window.to},100.00,0.00,90.00,,`);
  const lines = await admin.get(`${path}&format=ndjson`);
  expect(JSON.parse(lines.text.trim())).toMatchObject({ daily_return: '90', daily_twr: null, cumulative_twr: null });
});

test('the explanation says why', async () => {
  const path = `/v1/explain?reporting_entity_id=${bare}&start=${window.from}&end=${window.to}`;
  for (const figure of ['cumulative_twr', 'volatility', 'max_drawdown', 'money_weighted_return', 'contribution']) {
    const { explanation } = await get(`${path}&figure=${figure}`);
    expect([figure, explanation.value, explanation.notes]).toEqual([figure, null, ['nothing-invested']]);
  }
  const compared = await get(`${path}&figure=excess_return&benchmark=${cashId('CHF')}`);
  expect(compared.explanation).toEqual({
    name: 'excess-return',
    sentence: 'Excess return: no value (nothing invested)',
    value: null,
    notes: ['nothing-invested'],
  });
  const day = await get(`/v1/explain?reporting_entity_id=${bare}&as_of=${window.to}&figure=daily_twr`);
  expect(day.explanation).toMatchObject({ value: null, notes: ['nothing-invested'] });
});
