// What findings could move where nothing is held that says it: by the price of what a custodian states, and by place.

import { beforeAll, expect, test } from 'vitest';
import { checkExplanations } from '../../setup/engine/explained-rows.ts';
import { explanationLines } from '../../setup/engine/explanation-check.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { makeStock } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import {
  bookFor,
  makeStatedHousehold,
  state,
  trade,
  type StatedHousehold,
} from '../../setup/reconciliation/stated-household.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
const date = '2026-03-31';

beforeAll(async () => {
  ({ admin } = service);
  await admin.post('/v1/fx-rates', { base: 'USD', quote: 'CHF', date: '2026-03-01', rate: '0.9' });
});

async function findings({ entity }: StatedHousehold, query: string): Promise<any[]> {
  const path = `/v1/data-quality?reporting_entity_id=${entity}&as_of=${date}&explain=true&${query}`;
  const { status, body, text } = await admin.get(path);
  expect([status, text]).toEqual([200, text]);
  checkExplanations(body.data);
  return body.data;
}

async function price(instrument: string, day: string, value: string): Promise<void> {
  expect(await admin.post(`/v1/instruments/${instrument}/prices`, { date: day, value })).toMatchObject({ status: 201 });
}

test('units of what nobody holds any more count at the price of the day; without a price, nobody knows', async () => {
  const household = await makeStatedHousehold(admin);
  const [sold, dollars, unpriced] = [
    await makeStock(admin, 'Sulzer'),
    await makeStock(admin, 'Apple', 'USD'),
    await makeStock(admin, 'Georg Fischer'),
  ];
  await price(sold, '2026-03-11', '30');
  await price(dollars, '2026-03-11', '7');
  for (const instrument_id of [sold, dollars, unpriced]) {
    const moved = { instrument_id, quantity: '5' };
    await bookFor(admin, household, { ...moved, type: 'deposit', date: '2026-03-05' });
    await bookFor(admin, household, { ...moved, type: 'withdrawal', date: '2026-03-10' });
  }
  const split = { type: 'corporate-action', date: '2026-03-20', instrument_id: sold, action: 'split', ratio: '2:1' };
  await bookFor(admin, household, split);
  await state(
    admin,
    household,
    { date, instrument: household.stock, quantity: '100' },
    { date, instrument: sold, quantity: '4' },
    { date, instrument: dollars, quantity: '3', currency: 'USD' },
    { date, instrument: unpriced, quantity: '6' },
  );
  const found = await findings(household, 'code=break-missing-trade');
  const linesOf = (instrument: string): readonly string[] => {
    const { effect, explanations } = found.find((one) => one.instrument_id === instrument);
    return effect === null ? [] : explanationLines(explanations.effect);
  };
  expect(linesOf(sold)).toEqual([
    'effect 60 = 60',
    '  quoted-value 60 = 4 × 30 × 1 ÷ 2',
    '    difference-from-statement 4 = 4 − 0',
    '      stated-by-custodian 4',
    '      in-the-ledger 0',
    '    price 30',
    '    units-before 1',
    '    units-after 2',
  ]);
  expect(linesOf(dollars)[0]).toBe('effect 18.9 = 18.9');
  expect(linesOf(unpriced)).toEqual([]);
});

test('a depository outside all portfolios counts with what lies in it alone', async () => {
  const household = await makeStatedHousehold(admin);
  const { stock, legalEntity } = household;
  const depository = (name: string): Promise<string> =>
    makeRecord(admin, 'depositories', { legal_entity_id: legalEntity, name });
  const [vault, locker] = [await depository('Vault'), await depository('Locker')];
  for (const [depository_id, units] of [
    [vault, '4'],
    [locker, '9'],
  ]) {
    const uploaded = { kind: 'instrument', depository_id, instrument_id: stock, date, units, market_value: '60' };
    expect(await admin.post('/v1/historical-holdings', uploaded)).toMatchObject({ status: 201 });
  }
  await trade(admin, household, { type: 'buy', date: '2026-03-03', quantity: '3', price: '10', depository_id: vault });
  const found = await findings(household, 'code=outside-portfolios');
  expect(found.map((one) => [one.account_id, one.depository_id, one.effect])).toEqual([
    [null, vault, '15'],
    [null, locker, '60'],
  ]);
});

test('what was booked counts only in a currency to which there is a rate', async () => {
  const household = await makeStatedHousehold(admin);
  await trade(admin, household, { type: 'sell', date: '2026-03-10', quantity: '103', price: '12' });
  const effectIn = async (currency: string): Promise<unknown> =>
    (await findings(household, `code=short-opened&currency=${currency}`)).map(({ effect }) => effect);
  expect([await effectIn('CHF'), await effectIn('USD'), await effectIn('SEK')]).toEqual([
    ['1236'],
    ['1373.333333333333333333'],
    [null],
  ]);
});
