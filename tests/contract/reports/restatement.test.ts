// Restatements of an earlier answer: positions and totals as known at two moments, and everything that was added, corrected or
// deleted in between.

import { beforeAll, describe, expect, test } from 'vitest';
import { checkedFigureNames, explanationLines } from '../../setup/engine/explanation-check.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { book, bookedId, makeInstrument, makeStock } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord, makeHousehold, unknownId } from '../../setup/structure/structure-document.ts';
import { cashId } from '../../setup/instruments/built-in-ids.ts';

const service = serviceForThisFile();
let admin: Caller;
let household: RestatedHousehold;

interface RestatedHousehold {
  readonly account: string;
  readonly entity: string;
  readonly portfolio: string;
  readonly stock: string;
}

/** 10 shares that cost 700 and are worth 750, and 300 in cash. */
async function makeRestatedHousehold(): Promise<RestatedHousehold> {
  const { client, legalEntity } = await makeHousehold(admin);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  const entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'All' });
  const portfolio = await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account] });
  const stock = await makeStock(admin, 'Novartis AG');
  await bookInAccount(account, { type: 'deposit', amount: '1000' });
  await bookInAccount(account, { type: 'buy', instrument_id: stock, quantity: '10', price: '70' });
  await putPrice(stock, '75');
  return { account, entity, portfolio, stock };
}

async function bookInAccount(account: string, fields: object): Promise<string> {
  return bookedId(await book(admin, 'v1', { account_id: account, date: '2026-01-05', ...fields }));
}

async function putPrice(stock: string, value: string, date = '2026-03-30'): Promise<string> {
  return (await admin.post(`/v1/instruments/${stock}/prices`, { date, value })).body.id;
}

beforeAll(async () => {
  ({ admin } = service);
  household = await makeRestatedHousehold();
});

/** A moment after everything so far and before everything that follows. */
function nextMoment(): string {
  service.clock.advance(1_000);
  const text = new Date(service.clock.now()).toISOString();
  service.clock.advance(1_000);
  return text;
}

function requestRestatement(entity: string, query: string): Promise<Reply> {
  return admin.get(`/v1/restatements?reporting_entity_id=${entity}&${query}`);
}

async function getRestatement(from: string, to?: string, query = '&as_of=2026-03-31'): Promise<any> {
  const second = to === undefined ? '' : `&to_known_at=${to}`;
  const { status, body, text } = await requestRestatement(household.entity, `from_known_at=${from}${second}${query}`);
  if (status !== 200) throw new Error(text);
  return body;
}

const figures = (quantity: string, market_value: string, cost_basis: string, unrealised_pnl: string): object => ({
  quantity,
  market_value,
  cost_basis,
  unrealised_pnl,
});

const valueFigures = (market_value: string, cost_basis: string, unrealised_pnl: string): object => ({
  market_value,
  cost_basis,
  unrealised_pnl,
});

test('explain=true explains both sides of every restated figure, and the difference', async () => {
  const { client, legalEntity, reportingEntity } = await makeHousehold(admin);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF', name: 'Depot' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account] });
  const stock = await makeStock(admin, 'Orbit AG');
  await bookInAccount(account, { type: 'buy', instrument_id: stock, quantity: '10', price: '70', fees: '3' });
  await putPrice(stock, '75');
  const from = nextMoment();
  await bookInAccount(account, { type: 'deposit', amount: '5000' });
  await bookInAccount(account, { type: 'sell', instrument_id: stock, date: '2026-02-02', quantity: '4', price: '72' });
  const query = `from_known_at=${from}&as_of=2026-03-31`;
  const { body } = await requestRestatement(reportingEntity, `${query}&explain=true`);
  const rows = [...body.holdings, body.totals];
  expect(rows).toHaveLength(3);
  for (const row of rows) {
    for (const side of ['before', 'after', 'difference'] as const) {
      if (row[side] === null) continue;
      const { explanations, ...shown } = row[side];
      const values = Object.entries(explanations).map(([name, { value }]: [string, any]) => [name, value]);
      expect(Object.fromEntries(values)).toEqual(shown);
      for (const explanation of Object.values(explanations)) checkedFigureNames(explanation as never);
    }
  }
  // 703 × 4 ÷ 10 left with the sale; 6 of 10 units are still there.
  const ofStock = body.holdings.find((one: any) => one.instrument_id === stock);
  expect(ofStock.difference.explanations.cost_basis).toMatchObject({
    formula: '421.8 − 703',
    sentence: 'Change of the answer of Orbit AG in Depot on 31 Mar 2026: −281.20 CHF',
  });
  expect(ofStock.after.explanations.cost_basis.of[0].sentence).toBe(
    '6 of 10 units bought on 5 Jan 2026 at 70.00 CHF, fee 3.00',
  );
  const plain = (await requestRestatement(reportingEntity, query)).body;
  expect(plain.totals.after).toEqual({ market_value: '5035', cost_basis: '5006.8', unrealised_pnl: '28.2' });
});

test('a position that is new or gone is explained against nothing that was held', async () => {
  const { account, entity, stock } = await makeRestatedHousehold();
  const { data } = (await admin.get(`/v1/transactions?account_id=${account}&type=buy`)).body;
  const from = nextMoment();
  await admin.delete(`/v1/transactions/${data[0].id}`);
  const other = await makeStock(admin, 'Orbit AG');
  await bookInAccount(account, { type: 'buy', instrument_id: other, quantity: '4', price: '25' });
  const query = `from_known_at=${from}&as_of=2026-03-30&explain=true`;
  const { body } = await requestRestatement(entity, query);
  const linesOf = (instrument: string, figure: string): readonly string[] => {
    const { difference } = body.holdings.find((one: any) => one.instrument_id === instrument);
    return explanationLines(difference.explanations[figure]);
  };
  const sidesOf = (instrument: string): readonly unknown[] => {
    const { before, after } = body.holdings.find((one: any) => one.instrument_id === instrument);
    return [before?.explanations.market_value.value ?? null, after?.explanations.market_value.value ?? null];
  };
  expect([sidesOf(stock), sidesOf(other)]).toEqual([
    ['750', null],
    [null, '100'],
  ]);
  expect([linesOf(stock, 'quantity'), linesOf(other, 'cost_basis')]).toEqual([
    ['restatement -10 = 0 − 10', '  known-later 0 [nothing-held]', '  known-earlier 10'],
    ['restatement 100 = 100 − 0', '  known-later 100', '  known-earlier 0 [nothing-held]'],
  ]);
  expect(explanationLines(body.totals.difference.explanations.market_value)).toEqual([
    'restatement -50 = 1000 − 1050',
    '  known-later 1000',
    '  known-earlier 1050',
  ]);
});

test('against a moment at which nobody knew the reporting entity, only the later side is explained', async () => {
  const { entity } = await makeRestatedHousehold();
  const { body } = await requestRestatement(entity, 'from_known_at=2026-01-06T12:00:00Z&explain=true');
  const { before, after, difference } = body.totals;
  expect(before).toEqual(valueFigures('0', '0', '0'));
  expect(after.explanations.market_value.value).toBe('1000');
  expect(difference.explanations.market_value.formula).toBe('1000 − 0');
});

test('a corrected price and a late booking restate the position, its cash and the totals', async () => {
  const from = nextMoment();
  const price = await putPrice(household.stock, '80');
  const at = new Date(service.clock.now()).toISOString();
  const late = { type: 'buy', instrument_id: household.stock, date: '2026-02-02', quantity: '2', price: '72' };
  const booked = await bookInAccount(household.account, late);
  const to = nextMoment();
  const nothing = { depository_id: null, account_id: household.account };
  const listed = [
    {
      kind: 'price',
      id: price,
      other_id: null,
      change: 'changed',
      at,
      date: '2026-03-30',
      instrument_id: household.stock,
    },
    { kind: 'transaction', id: booked, other_id: null, change: 'added', at, date: '2026-02-02' },
  ];
  const body = await getRestatement(from, to);
  expect(body).toEqual({
    data: [
      { ...listed[0], account_id: null },
      { ...listed[1], instrument_id: household.stock, account_id: household.account },
    ],
    has_more: false,
    counts: [
      { kind: 'price', change: 'changed', count: 1 },
      { kind: 'transaction', change: 'added', count: 1 },
    ],
    holdings: [
      {
        ...nothing,
        instrument_id: household.stock,
        before: figures('10', '750', '700', '50'),
        after: figures('12', '960', '844', '116'),
        difference: figures('2', '210', '144', '66'),
      },
      {
        ...nothing,
        instrument_id: cashId('CHF'),
        before: figures('300', '300', '300', '0'),
        after: figures('156', '156', '156', '0'),
        difference: figures('-144', '-144', '-144', '0'),
      },
    ],
    totals: {
      before: valueFigures('1050', '1000', '50'),
      after: valueFigures('1116', '1000', '116'),
      difference: valueFigures('66', '0', '66'),
    },
    currency: 'CHF',
    before_currency: 'CHF',
    from_known_at: from,
    to_known_at: to,
    as_of: '2026-03-31T23:59:59.999Z',
    ledger_version: expect.stringMatching(/^[\w-]{22}$/),
  });
});

test('an upload restates the cash, and the same request has the same bytes whatever is written later', async () => {
  const from = nextMoment();
  const stated = { kind: 'account', account_id: household.account, date: '2026-03-30', market_value: '200' };
  const { id } = (await admin.post('/v1/historical-holdings', stated)).body;
  const to = nextMoment();
  const query = `from_known_at=${from}&to_known_at=${to}&as_of=2026-03-31`;
  const { body, text } = await requestRestatement(household.entity, query);
  expect(body.data).toMatchObject([{ kind: 'historical-holding', id, change: 'added', date: '2026-03-30' }]);
  expect(body.holdings).toMatchObject([{ instrument_id: cashId('CHF'), difference: figures('44', '44', '44', '0') }]);
  await admin.delete(`/v1/historical-holdings/${id}`);
  expect((await requestRestatement(household.entity, query)).text).toBe(text);
  expect((await getRestatement(from)).data).toEqual([]);
  const { data, holdings, to_known_at } = await getRestatement(to);
  expect([data[0].change, holdings[0].difference.quantity, to_known_at]).toEqual(['removed', '-44', null]);
});

describe('changes are listed', () => {
  test.each<[string, () => Promise<unknown>, object[]]>([
    [
      'an excluded account',
      () => admin.patch(`/v1/accounts/${household.account}`, { exclude_from_reporting: true }),
      [{ kind: 'account', change: 'changed' }],
    ],
    [
      'an account that is included again',
      () => admin.patch(`/v1/accounts/${household.account}`, { exclude_from_reporting: false }),
      [{ kind: 'account', change: 'changed' }],
    ],
    [
      'a portfolio without its account',
      () => admin.patch(`/v1/portfolios/${household.portfolio}`, { account_ids: [] }),
      [{ kind: 'portfolio-account', change: 'removed' }],
    ],
    [
      'a portfolio with its account',
      () => admin.patch(`/v1/portfolios/${household.portfolio}`, { account_ids: [household.account] }),
      [{ kind: 'portfolio-account', change: 'added' }],
    ],
    [
      'terms of an instrument',
      () => admin.patch(`/v1/instruments/${household.stock}`, { tags: ['core'] }),
      [{ kind: 'instrument', change: 'changed' }],
    ],
    [
      'a rate of a currency that is held',
      () => admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date: '2026-02-01', rate: '0.9' }),
      [{ kind: 'fx-rate', change: 'added', date: '2026-02-01' }],
    ],
    [
      'no rate of other currencies',
      () => admin.post('/v1/fx-rates', { base: 'EUR', quote: 'USD', date: '2026-02-01', rate: '1.1' }),
      [],
    ],
    ['nothing for a later day', () => putPrice(household.stock, '99', '2026-04-01'), []],
    [
      'nothing that was created and deleted again',
      async () => admin.delete(`/v1/prices/${await putPrice(household.stock, '1', '2026-02-02')}`),
      [],
    ],
    ['nothing of another client', () => makeRestatedHousehold(), []],
  ])('%s', async (_, write, expected) => {
    const from = nextMoment();
    await write();
    const { data, counts } = await getRestatement(from, nextMoment());
    expect(data.filter(({ kind }: { kind: string }) => kind !== 'portfolio')).toEqual(
      expected.map((one) => expect.objectContaining(one)),
    );
    expect(counts).toHaveLength(data.length);
  });
});

test('the rates of the legs of a forward are among the changes', async () => {
  const { account, entity } = await makeRestatedHousehold();
  const legs = {
    near_leg: { currency: 'CHF', amount: '-90', date: '2026-06-30' },
    far_leg: { currency: 'GBP', amount: '100', date: '2026-06-30' },
  };
  const forward = await makeInstrument(admin, {
    type: 'fx-forward-cash-settlement-contract',
    name: 'CHF/GBP',
    currency: 'CHF',
    ...legs,
  });
  await admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date: '2026-01-01', rate: '0.9' });
  await admin.post('/v1/fx-rates', { base: 'EUR', quote: 'GBP', date: '2026-01-01', rate: '1' });
  await bookInAccount(account, { type: 'buy', instrument_id: forward, quantity: '1', amount: '0' });
  const from = nextMoment();
  await admin.post('/v1/fx-rates', { base: 'EUR', quote: 'GBP', date: '2026-02-02', rate: '0.9' });
  const { body } = await requestRestatement(entity, `from_known_at=${from}&as_of=2026-03-31`);
  expect(body.totals.difference.market_value).toBe('10');
  expect(body.data).toMatchObject([{ kind: 'fx-rate', change: 'added', date: '2026-02-02' }]);
});

test('without changes the list is empty', async () => {
  const from = nextMoment();
  await putPrice(household.stock, '81', '2026-02-01');
  const { holdings, totals, data } = await getRestatement(from, nextMoment());
  expect([holdings, totals.difference, data.length]).toEqual([[], valueFigures('0', '0', '0'), 1]);
});

test('changes come in pages that contain each position once', async () => {
  const from = nextMoment();
  for (const date of ['2026-02-10', '2026-02-11', '2026-02-12']) {
    await putPrice(household.stock, '80', date);
    service.clock.advance(1_000);
  }
  await putPrice(household.stock, '81', '2026-02-10');
  const to = nextMoment();
  const whole = (await getRestatement(from, to)).data;
  expect(whole.map(({ date }: { date: string }) => date)).toEqual(['2026-02-11', '2026-02-12', '2026-02-10']);
  const first = await getRestatement(from, to, '&as_of=2026-03-31&limit=2');
  const cursor = `&cursor=${first.next_cursor}`;
  const second = await getRestatement(from, to, `&as_of=2026-03-31&limit=2${cursor}`);
  expect([...first.data, ...second.data]).toEqual(whole);
  expect([first.has_more, second.has_more, second.counts]).toEqual([true, false, first.counts]);
  const other = await requestRestatement(household.entity, `from_known_at=${from}&as_of=2026-03-31${cursor}`);
  expect(errorCodeOf(other)).toBe('cursor-invalid');
});

test('before its creation a reporting entity had no holdings; the default day is the latest with data up to the first moment', async () => {
  const { entity, stock } = await makeRestatedHousehold();
  const { body } = await requestRestatement(entity, 'from_known_at=2026-01-06T12:00:00Z');
  expect(body.as_of).toBe('2026-01-05T23:59:59.999Z');
  expect(body.holdings[0]).toMatchObject({
    instrument_id: stock,
    before: null,
    after: figures('10', '700', '700', '0'),
  });
  expect(body.totals.before).toEqual(valueFigures('0', '0', '0'));
});

test('figures in different reference currencies cannot be compared', async () => {
  const { entity } = await makeRestatedHousehold();
  const { client_id } = (await admin.get(`/v1/reporting-entities/${entity}`)).body;
  await admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date: '2026-01-01', rate: '0.9' });
  const from = nextMoment();
  await admin.patch(`/v1/clients/${client_id}`, { reference_currency: 'EUR' });
  const { body } = await requestRestatement(entity, `from_known_at=${from}&as_of=2026-03-31`);
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
  const reply = await requestRestatement(household.entity, query);
  expect([reply.status, reply.body.errors[0].parameter]).toEqual([status, parameter]);
});

test('a caller bound to the client gets the same answer, and another tenant gets none', async () => {
  const { client_id } = (await admin.get(`/v1/reporting-entities/${household.entity}`)).body;
  const query = 'from_known_at=2026-01-01T00:00:00Z&as_of=2026-03-31';
  const { body } = await requestRestatement(household.entity, query);
  expect(body.counts.length).toBeGreaterThan(8);
  const path = `/v1/restatements?reporting_entity_id=${household.entity}&${query}`;
  const own = await (await admin.becomeApplication({ scoped_to: client_id })).get(path);
  expect({ ...own.body, next_cursor: null }).toEqual({ ...body, next_cursor: null });
  const { client } = await makeHousehold(admin, 'Bussard');
  expect((await (await admin.becomeApplication({ scoped_to: client })).get(path)).status).toBe(404);
});

test('an unknown reporting entity has none', async () => {
  const reply = await requestRestatement(unknownId, 'from_known_at=2026-02-01T00:00:00Z');
  expect([reply.status, errorCodeOf(reply)]).toEqual([404, 'reporting-entity-not-found']);
});
