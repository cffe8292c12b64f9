// Rounded reports of v1: amounts of money in the coin of their currency, each rounded once from its exact figure; everything else in
// full. CSV is rounded by default and says so.

import { beforeAll, describe, expect, test } from 'vitest';
import { errorCodeOf } from '../../setup/http/answer.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { book, bookedId, makeInstrument, makeStock } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { correct, makeCorrectedHousehold } from '../../setup/reports/corrections.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let francs: string;

/** A reporting entity with 984 in cash and one unit each of two stocks at 10.004; a third is sold again. */
async function makeEntity(currency: string): Promise<string> {
  const { client, legalEntity, reportingEntity } = await makeHousehold(admin, currency);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: currency });
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency, name: 'Main' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account] });
  const bookRow = async (fields: object): Promise<string> =>
    bookedId(await book(admin, 'v1', { account_id: account, date: '2026-01-05', ...fields }));
  await bookRow({ type: 'deposit', amount: '1000' });
  for (const name of ['One', 'Other']) {
    const instrument_id = await makeStock(admin, name, currency);
    await bookRow({ type: 'buy', instrument_id, quantity: '1', price: '8', amount: '-8' });
    await admin.post(`/v1/instruments/${instrument_id}/prices`, { date: '2026-01-06', value: '10.004' });
  }
  const sold = await makeStock(admin, 'Sold', currency);
  await bookRow({ type: 'buy', instrument_id: sold, quantity: '3', price: '10', amount: '-30' });
  await bookRow({ type: 'sell', instrument_id: sold, quantity: '3', price: '10', amount: '30', date: '2026-01-06' });
  return reportingEntity;
}

beforeAll(async () => {
  ({ admin } = service);
  francs = await makeEntity('CHF');
});

function report(path: string, query = '', entity = francs): Promise<Reply> {
  return admin.get(`/v1/${path}?reporting_entity_id=${entity}${query}`);
}

function amountsOf({ body }: Reply): string[] {
  return [...body.data.map((row: any) => row.market_value), body.totals.market_value, body.totals.unrealised_pnl];
}

describe('holdings', () => {
  test('have all digits by default, and those of the coin with round=minor: the total is rounded from the exact sum', async () => {
    const exact = await report('holdings');
    expect([amountsOf(exact).toSorted(), exact.headers.get('rounding')]).toEqual([
      ['10.004', '10.004', '1004.008', '4.008', '984'],
      'none',
    ]);
    const rounded = await report('holdings', '&round=minor');
    expect([amountsOf(rounded).toSorted(), rounded.headers.get('rounding')]).toEqual([
      ['10.00', '10.00', '1004.01', '4.01', '984.00'],
      'minor',
    ]);
    expect(rounded.body.data.map((row: any) => row.quantity)).toEqual(exact.body.data.map((row: any) => row.quantity));
    expect(rounded.body.data.map((row: any) => row.share)).toEqual(exact.body.data.map((row: any) => row.share));
  });

  test.each([
    ['0', ['10', '10', '1004', '4', '984']],
    ['1', ['10.0', '10.0', '1004.0', '4.0', '984.0']],
    ['18', ['10.004000000000000000', '10.004000000000000000', '1004.008000000000000000']],
    ['none', ['10.004', '10.004', '1004.008', '4.008', '984']],
  ])('are rounded to as many digits as asked for: %s', async (round, expected) => {
    const reply = await report('holdings', `&round=${round}`);
    expect(amountsOf(reply).toSorted().slice(0, expected.length)).toEqual(expected);
    expect(reply.headers.get('rounding')).toBe(round);
  });

  test.each([
    ['JPY', ['10', '10', '1004', '4', '984']],
    ['KWD', ['10.004', '10.004', '1004.008', '4.008', '984.000']],
    ['XAU', ['10.004', '10.004', '1004.008', '4.008', '984']],
  ])('of a client in %s have the digits of its coin, or all where there is none', async (currency, expected) => {
    expect(amountsOf(await report('holdings', '&round=minor', await makeEntity(currency))).toSorted()).toEqual(
      expected,
    );
  });

  test.each(['', 'coin', 'minor,2', '19', '-1', '1.5', '02', '1e1'])('refuse round=%s', async (round) => {
    const reply = await report('holdings', `&round=${round}`);
    expect([reply.status, errorCodeOf(reply), reply.body.errors[0].parameter]).toEqual([
      400,
      'invalid-parameter',
      'round',
    ]);
  });
});

describe('CSV', () => {
  const column = ({ text }: Reply, name: string): string[] => {
    const [head, ...rows] = text.trim().split('\r\n');
    const at = head!.split(',').indexOf(name);
    return rows.map((row) => row.split(',')[at]!).toSorted();
  };

  test.each([
    ['holdings', 'market_value', ['10.00', '10.00', '984.00'], ['10.004', '10.004', '984']],
    ['lots', 'market_value', ['10.00', '10.00'], ['10.004', '10.004']],
    ['lots', 'unit_cost', ['8', '8'], ['8', '8']],
    ['realised-gains', 'proceeds', ['30.00'], ['30']],
    ['performance', 'market_value', ['1000.00', '1004.01'], ['1000', '1004.008']],
  ])('of %s is rounded by default and says so: %s', async (path, name, rounded, exact) => {
    const window = path === 'performance' ? '&start=2026-01-05&end=2026-01-06' : '';
    const defaultReply = await report(path, `&format=csv${window}`);
    expect([column(defaultReply, name), defaultReply.headers.get('rounding')]).toEqual([rounded, 'minor']);
    const fullReply = await report(path, `&format=csv&round=none${window}`);
    expect([column(fullReply, name), fullReply.headers.get('rounding')]).toEqual([exact, 'none']);
    expect(fullReply.text.split('\r\n')[0]).toBe(defaultReply.text.split('\r\n')[0]);
  });

  test('of a summary of performance is rounded too, and JSON lines are not', async () => {
    const query = '&start=2026-01-05&end=2026-01-06&detail=summary';
    expect(column(await report('performance', `&format=csv${query}`), 'gain')).toEqual(['4.01']);
    const lines = await report('performance', `&format=ndjson${query}`);
    expect([JSON.parse(lines.text).gain, lines.headers.get('rounding')]).toEqual(['4.008', 'none']);
    const rounded = await report('performance', `&format=ndjson&round=minor&start=2026-01-06&end=2026-01-06`);
    expect(JSON.parse(rounded.text).market_value).toBe('1004.01');
  });
});

test('amounts of a private fund are in the coin of the fund, and its value in that of the client', async () => {
  const { client, legalEntity, reportingEntity } = await makeHousehold(admin, 'Yen');
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'JPY', name: 'Yen' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account] });
  const terms = { type: 'private-market-fund', name: 'Fuji', currency: 'JPY', commitment: '10000' };
  const instrument_id = await makeInstrument(admin, terms);
  await admin.post('/v1/fx-rates', { base: 'JPY', quote: 'CHF', date: '2026-01-01', rate: '0.0055' });
  await book(admin, 'v1', { type: 'deposit', account_id: account, date: '2026-01-05', amount: '10000' });
  await book(admin, 'v1', {
    type: 'drawing',
    account_id: account,
    instrument_id,
    date: '2026-01-05',
    amount: '-1000.5',
  });
  await admin.post(`/v1/instruments/${instrument_id}/net-asset-values`, { date: '2026-01-06', value: '1234.5' });
  const { body } = await report('performance/private-markets', '&round=minor', reportingEntity);
  expect(body.data.map((one: any) => [one.currency, one.nav, one.market_value, one.cashflow.drawdowns])).toEqual([
    ['CHF', '6.79', '6.79', '5.50'],
    ['JPY', '1234', '6.79', '1000'],
  ]);
  expect(body.data[1].commitment).toMatchObject({ total: '10000', called: '1000' });
  expect(body.data[1].multiplier.tvpi).toMatch(/^1\.2338/);
});

const money = new Set(
  `market_value cost_basis unrealised_pnl gain income fees proceeds cost price_part currency_part begin_market_value
   end_market_value net_cash_flow daily_return nav total called recallable transferred uncalled drawdowns distributions amount accrued_interest
   unrealised_price_part unrealised_currency_part gain_price_part gain_income_part gain_currency_part
   ln_pme_value effect`.split(/\s+/),
);

/** Rounds a decimal to two digits, half to even, by its text alone. */
function toCents(text: string): string {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
  const padded = fraction.padEnd(2, '0');
  const [kept, rest] = [BigInt(whole! + padded.slice(0, 2)), padded.slice(2).replace(/0+$/, '')];
  const isUp = rest > '5' || (rest === '5' && kept % 2n === 1n);
  const digits = String(kept + (isUp ? 1n : 0n)).padStart(3, '0');
  return `${/^0+$/.test(digits) ? '' : sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The same answer with every amount of money rounded. */
function withCents(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withCents(one, name));
  if (typeof value === 'string') return money.has(name) && value !== 'net' ? toCents(value) : value;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withCents(one, key)]));
}

test('every report gives the same answer with round=minor, except that each of its amounts is rounded', async () => {
  const household = await makeCorrectedHousehold(admin, 'Everything');
  for (const [name, pick] of [
    ['upload', 3],
    ['book', 6],
    ['book', 8],
    ['net asset value', 7],
  ] as const)
    await correct(household, name, pick);
  service.clock.advance(1_000);
  const before = new Date(service.clock.now()).toISOString();
  service.clock.advance(1_000);
  await correct(household, 'price', 4);
  await correct(household, 'book', 2);
  const paths = [
    'holdings?explain=true',
    'holdings?by=class',
    'lots?limit=100',
    'realised-gains?by=class',
    'allocation?by=class,currency',
    `performance?by=class,instrument&start=2026-10-01&benchmark=${household.stock}`,
    'performance?detail=summary&by=account',
    `performance/private-markets?index=${household.stock}`,
    'data-quality?limit=100',
    `restatements?from_known_at=${before}&as_of=2026-11-10`,
  ];
  for (const path of paths) {
    const query = `&reporting_entity_id=${household.reportingEntity}`;
    const [exact, rounded] = [
      await admin.get(`/v1/${path}${query}`),
      await admin.get(`/v1/${path}${query}&round=minor`),
    ];
    expect([path, exact.status, rounded.status]).toEqual([path, 200, 200]);
    expect([path, rounded.body]).toEqual([path, withCents(exact.body)]);
  }
});

test('explanations are exact: they take no rounding', async () => {
  const reply = await report('explain', '&figure=market_value&round=minor');
  expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'unknown-parameter']);
});
