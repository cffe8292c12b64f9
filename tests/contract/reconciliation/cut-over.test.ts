// The switch from uploads to a feed: one continuous series of values and returns, whether the time before the feed was uploaded, booked or both.

import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { book, makeStock } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let stock: string;

/** The first day of the feed is 6 March 2026. */
const prices: readonly (readonly [date: string, price: string])[] = [
  ['2026-03-02', '10'],
  ['2026-03-03', '11'],
  ['2026-03-04', '12'],
  ['2026-03-05', '12.5'],
  ['2026-03-06', '13'],
  ['2026-03-07', '12'],
  ['2026-03-08', '14'],
];
/** What the custodian held at the end of each day before the feed: units, and cash. */
const uploads: readonly (readonly [date: string, units: string, value: string, cash: string])[] = [
  ['2026-03-02', '100', '1000', '500'],
  ['2026-03-03', '100', '1100', '500'],
  ['2026-03-04', '100', '1200', '700'],
  ['2026-03-05', '120', '1500', '450'],
];
const before = [
  { type: 'deposit', date: '2026-03-02', amount: '1500' },
  { type: 'buy', date: '2026-03-02', quantity: '100', price: '10' },
  { type: 'deposit', date: '2026-03-04', amount: '200' },
  { type: 'buy', date: '2026-03-05', quantity: '20', price: '12.5' },
];
const feed = [
  { type: 'sell', date: '2026-03-06', quantity: '40', price: '13' },
  { type: 'dividend', date: '2026-03-07', amount: '24' },
  { type: 'withdrawal', date: '2026-03-07', amount: '-100' },
];

interface Household {
  readonly entity: string;
  readonly account: string;
  readonly depository: string;
}

async function makeFamily(accountCount: number): Promise<Household> {
  const { client, legalEntity, reportingEntity: entity } = await makeHousehold(admin);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const open = (): Promise<string> => makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  const accounts = await Promise.all(Array.from({ length: accountCount }, open));
  const depository = await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity, account_ids: accounts });
  const places = { account_ids: accounts, depository_ids: [depository] };
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, ...places });
  return { entity, account: accounts[0]!, depository };
}

async function bookAll({ account, depository }: Household, rows: readonly object[]): Promise<void> {
  for (const [index, row] of rows.entries()) {
    const isCash = 'amount' in row && !('type' in row && row.type === 'dividend');
    const what = isCash ? {} : { instrument_id: stock, depository_id: depository };
    const reference = { external_reference: `${account} ${index}` };
    expect(await book(admin, 'v1', { account_id: account, ...what, ...reference, ...row })).toMatchObject({
      status: 201,
    });
  }
}

async function upload({ account, depository }: Household): Promise<void> {
  for (const [date, units, market_value, cash] of uploads) {
    const held = { kind: 'instrument', depository_id: depository, instrument_id: stock, date, units, market_value };
    expect((await admin.post('/v1/historical-holdings', held)).status).toBe(201);
    const balance = { kind: 'account', account_id: account, date, market_value: cash };
    expect((await admin.post('/v1/historical-holdings', balance)).status).toBe(201);
  }
}

interface Day {
  readonly date: string;
  readonly market_value: string;
  readonly net_cash_flow: string;
  readonly daily_twr: string;
}

async function series({ entity }: Household): Promise<Day[]> {
  const query = `reporting_entity_id=${entity}&start=2026-03-02&end=2026-03-08`;
  const { body } = await admin.get(`/v1/performance?${query}`);
  return body.data[0].series;
}

async function shorts({ entity }: Household): Promise<string[]> {
  const { body } = await admin.get(`/v1/data-quality?reporting_entity_id=${entity}`);
  return body.data.map(({ code }: { code: string }) => code).filter((code: string) => code.startsWith('short'));
}

beforeAll(async () => {
  ({ admin } = service);
  stock = await makeStock(admin, 'Novartis AG');
  for (const [date, value] of prices) await admin.post(`/v1/instruments/${stock}/prices`, { date, value });
});

test('uploads before the first day of a feed and its transactions after give the same daily series as the ledger all along', async () => {
  const booked = await makeFamily(1);
  await bookAll(booked, [...before, ...feed]);
  const expected = await series(booked);
  expect(
    expected.map((day) => [day.date, day.market_value, day.net_cash_flow, Number(day.daily_twr).toFixed(6)]),
  ).toEqual([
    ['2026-03-02', '1500', '1500', '0.000000'],
    ['2026-03-03', '1600', '0', '0.066667'],
    ['2026-03-04', '1900', '200', '0.055556'],
    ['2026-03-05', '1950', '0', '0.026316'],
    // The first day of the feed: 120 units rise by 0.5.
    ['2026-03-06', '2010', '0', '0.030769'],
    // 80 units fall by 1, and pay 24.
    ['2026-03-07', '1854', '-100', '-0.027861'],
    ['2026-03-08', '2014', '0', '0.086300'],
  ]);

  for (const accounts of [1, 2]) {
    const uploaded = await makeFamily(accounts);
    await upload(uploaded);
    await bookAll(uploaded, feed);
    expect(await series(uploaded)).toEqual(expected);
    expect(await shorts(uploaded)).toEqual([]);
    // A feed that also brings what was uploaded counts nothing twice.
    await bookAll(
      uploaded,
      before.map((row, index) => ({ ...row, external_reference: `late ${accounts} ${index}` })),
    );
    expect(await series(uploaded)).toEqual(expected);
  }
});
