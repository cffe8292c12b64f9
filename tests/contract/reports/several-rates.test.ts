// Flows that 10 % and 20 % both solve: the return is null, and both rates are named on v1, in explanations and on pages.

import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { book, makeInstrument } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { plainText } from '../../setup/people/page-text.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../setup/people/person-caller.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let viewer: SignedInCaller;
let cash: string;
let funds: string;

type Body = any;

beforeAll(async () => {
  ({ admin } = service);
  const { client, legalEntity } = await makeHousehold(admin, 'Habicht');
  const makeEntity = async (name: string): Promise<{ entity: string; account: string }> => {
    const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, name, currency: 'EUR' });
    const entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name });
    await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, name, account_ids: [account] });
    return { entity, account };
  };
  const [one, other] = [await makeEntity('Cash'), await makeEntity('Funds')];
  [cash, funds] = [one.entity, other.entity];
  const fund = await makeInstrument(admin, {
    type: 'private-market-fund',
    name: 'Alpine',
    currency: 'EUR',
    commitment: '1000',
  });
  for (const [type, date, amount] of [
    ['deposit', '2022-01-01', '100'],
    ['interest', '2023-01-01', '130'],
    ['withdrawal', '2023-01-01', '-230'],
    ['deposit', '2024-01-01', '132'],
    ['interest', '2024-01-01', '-132'],
  ])
    await book(admin, 'v1', { account_id: one.account, type, date, amount });
  for (const [type, date, amount] of [
    ['drawing', '2022-01-01', '-100'],
    ['private-equity-cashflow', '2023-01-01', '230'],
    ['drawing', '2024-01-01', '-132'],
  ])
    await book(admin, 'v1', { account_id: other.account, type, date, amount, instrument_id: fund });
  await admin.post('/v1/net-asset-values/bulk', { data: [{ instrument_id: fund, date: '2024-01-01', value: '0' }] });
  const memberships = [{ client, role: 'viewer' as const, grants: [cash, funds] }];
  viewer = await signIn(service, await insertPerson(service, { memberships }));
});

async function get(path: string): Promise<Body> {
  const reply = await admin.get(path);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply.body;
}

const rounded = (rates: readonly string[], places: number): number[] =>
  rates.map((rate) => Number(Number(rate).toFixed(places)));

test('the money-weighted return names the rate of the window for each', async () => {
  const { data } = await get(`/v1/performance?reporting_entity_id=${cash}&start=2022-01-01&end=2024-01-01`);
  expect([data[0].money_weighted_return, data[0].money_weighted_reason]).toEqual([null, 'several-roots']);
  expect(rounded(data[0].money_weighted_roots, 9)).toEqual([0.21, 0.44]);
});

test('the IRR names each, for the fund and for the total', async () => {
  const { data } = await get(`/v1/performance/private-markets?reporting_entity_id=${funds}&as_of=2024-01-01`);
  for (const one of data) {
    expect([one.irr, one.irr_reason]).toEqual([null, 'several-roots']);
    expect(rounded(one.irr_roots, 9)).toEqual([0.1, 0.2]);
  }
});

test('the explanation has each rate with its present value of zero', async () => {
  const query = `reporting_entity_id=${funds}&figure=irr&as_of=2024-01-01&depth=6`;
  const { explanation } = await get(`/v1/explain?${query}`);
  const fitting = explanation.of.filter(({ name }: Body) => name === 'rate-that-fits');
  expect(
    rounded(
      fitting.map(({ value }: Body) => value),
      9,
    ),
  ).toEqual([0.1, 0.2]);
  for (const one of fitting)
    expect(JSON.stringify(one)).toMatch(/"name":"present-value","sentence":"[^"]*","value":"0"/);
});

test.each([
  ['en-GB', 'several rates fit: +10.00% and +20.00%', 'several rates fit: +21.00% and +44.00%'],
  ['de-DE', 'mehrere Zinssätze passen: +10,00 % und +20,00 %', 'mehrere Zinssätze passen: +21,00 % und +44,00 %'],
])('pages in %s name them', async (language, ofFund, ofWindow) => {
  const read = async (path: string): Promise<string> => {
    const { text } = await viewer.get(`/entities/${path}`, { 'accept-language': language });
    return plainText(text).replaceAll('\u00A0', ' ');
  };
  expect(await read(`${funds}/private-markets?as_of=2024-01-01`)).toContain(ofFund);
  expect(await read(`${cash}/performance?start=2022-01-01&end=2024-01-01`)).toContain(ofWindow);
});
