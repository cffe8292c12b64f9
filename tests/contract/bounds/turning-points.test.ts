// Cases in which a figure turns on one detail: which trade came first, a moment at midnight, a difference of exactly what is tolerated,
// the last fee that is owed, the order of the classes.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { book, bookedId, makeStock } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';
import { cashId, feesOwedId } from '../../setup/instruments/built-in-ids.ts';

const service = workspaceForThisFile();
let admin: Caller;

beforeAll(async () => {
  ({ admin } = service);
  for (const [base, rate] of [
    ['EUR', '0.5'],
    ['USD', '0.25'],
  ]) {
    await admin.post('/v1/fx-rates', { base, quote: 'CHF', date: '2026-01-01', rate });
  }
});

interface Wealth {
  readonly entity: string;
  readonly francs: string;
  readonly euros: string;
  readonly dollars: string;
}

/** A client that reports in francs and has an account in each of three currencies. */
async function makeWealth(caller = admin): Promise<Wealth> {
  const { client, legalEntity, reportingEntity: entity } = await makeHousehold(caller);
  await caller.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const account = (currency: string): Promise<string> =>
    makeRecord(caller, 'accounts', { entity_id: legalEntity, currency });
  const [francs, euros, dollars] = [await account('CHF'), await account('EUR'), await account('USD')];
  await makeRecord(caller, 'portfolios', { reporting_entity_id: entity, account_ids: [francs, euros, dollars] });
  return { entity, francs, euros, dollars };
}

async function bookOn(date: string, fields: object, caller = admin): Promise<string> {
  return bookedId(await book(caller, 'v1', { date, ...fields }));
}

async function holding(entity: string, id: string, date: string): Promise<any> {
  const { body } = await admin.get(`/v1/holdings?reporting_entity_id=${entity}&as_of=${date}`);
  return body.data.find((row: { segment_id: string }) => row.segment_id === id);
}

describe('an instrument that states no currency', () => {
  test('is in the currency of its first trade, whatever is traded later and elsewhere', async () => {
    const { entity, francs, euros, dollars } = await makeWealth();
    const make = (name: string): Promise<string> =>
      makeRecord(admin, 'instruments', { type: 'stock-instrument', name });
    const [one, two] = [await make('First in euros'), await make('First in dollars')];
    const buy = { type: 'buy', quantity: '10', price: '8', amount: '-80' };
    await bookOn('2026-01-05', { ...buy, account_id: euros, instrument_id: one });
    expect(await holding(entity, one, '2026-01-05')).toMatchObject({ market_value: '40' });
    await bookOn('2026-01-05', { ...buy, account_id: dollars, instrument_id: two });
    expect(await holding(entity, one, '2026-01-05')).toMatchObject({ market_value: '40' });
    expect(await holding(entity, two, '2026-01-05')).toMatchObject({ market_value: '20' });
    for (const instrument_id of [one, two]) {
      await bookOn('2026-01-06', { ...buy, account_id: francs, instrument_id });
      await bookOn('2026-01-07', { ...buy, account_id: dollars, instrument_id });
    }
    // The price of 8 remains one in the first currency: 30 units are worth 240 of it.
    expect(await holding(entity, one, '2026-01-08')).toMatchObject({ quantity: '30', market_value: '120' });
    expect(await holding(entity, two, '2026-01-08')).toMatchObject({ quantity: '30', market_value: '60' });
  });

  test('is in the reference currency as long as nothing of it was traded', async () => {
    const { entity, francs } = await makeWealth();
    const gift = await makeRecord(admin, 'instruments', { type: 'stock-instrument', name: 'Given' });
    await admin.post(`/v1/instruments/${gift}/prices`, { date: '2026-01-05', value: '8' });
    const { account_id, ...units } = { account_id: francs, instrument_id: gift, quantity: '10' };
    await bookOn('2026-01-05', { type: 'deposit', account_id, ...units });
    expect(await holding(entity, gift, '2026-01-05')).toMatchObject({ market_value: '80' });
  });
});

describe('a trade at exactly midnight', () => {
  const shortsOf = async (sale: string, purchase: string): Promise<string[]> => {
    const { entity, francs } = await makeWealth();
    const instrument_id = await makeStock(admin, 'Novartis AG');
    const own = { account_id: francs, instrument_id, quantity: '10', price: '10' };
    const findings = async (): Promise<string[]> => {
      const { body } = await admin.get(`/v1/data-quality?reporting_entity_id=${entity}&as_of=2026-01-05`);
      return body.data.map(({ code }: { code: string }) => code).filter((code: string) => code.includes('short'));
    };
    await bookOn('2026-01-05', { ...own, type: 'buy', amount: '-100', executed_at: purchase });
    // The ledger is in memory from here on, and the next row is added to it.
    expect(await findings()).toEqual([]);
    await bookOn('2026-01-05', { ...own, type: 'sell', amount: '100', executed_at: sale });
    return findings();
  };

  test('is the first of its day, and not one without a time', async () => {
    expect(await shortsOf('2026-01-05T00:00:00Z', '2026-01-05T00:00:00.001Z')).toEqual(['short-opened']);
    expect(await shortsOf('2026-01-05T00:00:00.001Z', '2026-01-05T00:00:00Z')).toEqual([]);
  });

  test('comes before a sale without a time, although it is a withdrawal and the only one with a time', async () => {
    const { entity, francs } = await makeWealth();
    const instrument_id = await makeStock(admin, 'Novartis AG');
    const own = { account_id: francs, instrument_id, quantity: '10' };
    await bookOn('2026-01-02', { ...own, type: 'buy', price: '10', amount: '-100' });
    await bookOn('2026-01-03', { ...own, type: 'buy', price: '20', amount: '-200' });
    await bookOn('2026-01-05', { ...own, type: 'sell', price: '25', amount: '250' });
    await bookOn('2026-01-05', { ...own, type: 'withdrawal', executed_at: '2026-01-05T00:00:00Z' });
    const range = 'from=2026-01-05&to=2026-01-05';
    const { body } = await admin.get(`/v1/realised-gains?reporting_entity_id=${entity}&${range}`);
    expect(body.data).toMatchObject([{ proceeds: '250', cost: '200', gain: '50' }]);
  });

  test.each([
    ['Sydney, the evening before in UTC', '2026-01-04T23:05:00Z', '2026-01-04T23:40:00Z'],
    ['New York, the night after in UTC', '2026-01-06T00:10:00Z', '2026-01-06T00:50:00Z'],
  ])('counts by its time also in %s', async (_where, early, late) => {
    expect(await shortsOf(early, late)).toEqual(['short-opened']);
    expect(await shortsOf(late, early)).toEqual([]);
  });

  test('of the next day is the last of its own', async () => {
    expect(await shortsOf('2026-01-06T00:00:00Z', '2026-01-05T23:59:59.998Z')).toEqual([]);
    expect(await shortsOf('2026-01-05T23:59:59.998Z', '2026-01-06T00:00:00Z')).toEqual(['short-opened']);
  });
});

test('what a merger pays for units is in the currency of the target, whatever that of the merged instrument', async () => {
  const { entity, francs } = await makeWealth();
  const [merged, target] = [await makeStock(admin, 'Merged', 'USD'), await makeStock(admin, 'Target', 'CHF')];
  const own = { account_id: francs, instrument_id: merged };
  await bookOn('2026-01-05', { ...own, type: 'buy', quantity: '10', price: '40', exchange_rate: '0.25' });
  const action = { ...own, type: 'corporate-action', action: 'merger', target_instrument_id: target, ratio: '1:4' };
  await bookOn('2026-01-06', { ...action, cash_in_lieu_quantity: '0.5', amount: '24' });
  const { body } = await admin.get(`/v1/realised-gains?reporting_entity_id=${entity}&from=2026-01-06&to=2026-01-06`);
  expect(body.data).toMatchObject([{ quantity: '0.5', proceeds: '24', cost: '20', gain: '4' }]);
  expect(await holding(entity, target, '2026-01-06')).toMatchObject({ quantity: '2', cost_basis: '80' });
});

describe('an exchange', () => {
  let wealth: Wealth;
  beforeAll(async () => {
    wealth = await makeWealth();
  });

  /** Changes 1,000 francs at a stated rate into a stated amount. */
  const exchange = (counter_amount: string, rate: string): Promise<Reply> =>
    book(admin, 'v1', {
      type: 'fx-trade',
      account_id: wealth.francs,
      date: '2026-01-05',
      amount: '-1000',
      counter_currency: 'EUR',
      counter_amount,
      rate,
    });

  test.each([
    ['a whole rate explains one cent', '2', ['1999.99', '2000', '2000.01'], ['1999.98', '2000.02']],
    ['a rate of one decimal place explains its rounding', '0.5', ['400', '600'], ['399.99', '600.01']],
  ])('%s and no more', async (_what, rate, accepted, refused) => {
    for (const amount of accepted) expect([amount, (await exchange(amount, rate)).status]).toEqual([amount, 201]);
    for (const amount of refused) {
      const { status, body } = await exchange(amount, rate);
      expect([amount, status, body.code]).toEqual([amount, 422, 'amount-mismatch']);
    }
  });
});

describe('fees owed', () => {
  const owedOn = async ({ entity }: Wealth, date: string): Promise<string | undefined> =>
    (await holding(entity, feesOwedId('CHF'), date))?.market_value;

  test('are lowered by a payment, up to what is owed', async () => {
    const wealth = await makeWealth();
    const account_id = wealth.francs;
    const pay = (date: string, amount: string): Promise<string> => bookOn(date, { type: 'fee', account_id, amount });
    await bookOn('2026-01-05', { type: 'deposit', account_id, amount: '1000' });
    await admin.post('/v1/historical-holdings', { kind: 'fee', account_id, date: '2026-01-06', market_value: '20' });
    await pay('2026-01-07', '-15');
    expect(await owedOn(wealth, '2026-01-07')).toBe('-5');
    await pay('2026-01-08', '-5');
    expect(await owedOn(wealth, '2026-01-08')).toBe(undefined);
    await pay('2026-01-09', '-3');
    expect(await owedOn(wealth, '2026-01-09')).toBe(undefined);
    expect(await holding(wealth.entity, cashId('CHF'), '2026-01-09')).toMatchObject({ market_value: '977' });
  });
});

describe('cash', () => {
  test('is in the root class for cash, also after classes for cash are added and moved', async () => {
    const caller = await service.openWorkspace();
    const { entity, francs } = await makeWealth(caller);
    await bookOn('2026-01-05', { type: 'deposit', account_id: francs, amount: '1000' }, caller);
    const classOfCash = async (): Promise<string[]> => {
      const { body } = await caller.get(`/v1/holdings?reporting_entity_id=${entity}&as_of=2026-01-05&by=class`);
      return body.data.map((row: { segment_name: string }) => row.segment_name);
    };
    const { data } = (await caller.get('/v1/instrument-classes?limit=100')).body;
    const cash = data.find(({ path }: { path: string[] }) => path.join() === 'Cash');
    const make = (name: string, more: object = {}): Promise<string> =>
      makeRecord(caller, 'instrument-classes', { name, asset_class: 'cash', ...more });
    await make('Call money', { parent_id: cash.id });
    const liquidity = await make('Liquidity');
    expect(await classOfCash()).toEqual(['Cash']);
    const moved = await caller.patch(`/v1/instrument-classes/${cash.id}`, { parent_id: liquidity });
    expect(moved.status).toBe(200);
    expect(await classOfCash()).toEqual(['Liquidity']);
    await caller.patch(`/v1/instrument-classes/${cash.id}`, { parent_id: null });
    expect(await classOfCash()).toEqual(['Cash']);
  });
});
