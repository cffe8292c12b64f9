// What there is to mend behind the figures of a reporting entity: each finding appears with what is wrong, where and in which
// transactions and uploads, and is gone once it is mended.

import { beforeAll, describe, expect, test } from 'vitest';
import { findingCodes, findingTerms, type FindingCode } from '../../../src/model/report/finding.ts';
import { codeOf } from '../../setup/http/answer.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { book, bookedId, makeInstrument, makeStock } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { make, makeHousehold } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;

beforeAll(async () => {
  ({ admin } = service);
  await admin.post('/v1/fx-rates', { base: 'USD', quote: 'CHF', date: '2026-03-31', rate: '0.9' });
});

interface Place {
  readonly client: string;
  readonly legalEntity: string;
  readonly account: string;
  readonly depository: string;
  readonly entity: string;
  readonly stock: string;
}

async function makePlace(method = 'FIFO'): Promise<Place> {
  const { client, legalEntity } = await makeHousehold(admin);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF', accounting_method: method });
  const account = await make(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  const depository = await make(admin, 'depositories', { legal_entity_id: legalEntity, account_ids: [account] });
  const entity = await make(admin, 'reporting-entities', { client_id: client, name: 'All' });
  await make(admin, 'portfolios', {
    reporting_entity_id: entity,
    account_ids: [account],
    depository_ids: [depository],
  });
  await bookIn(account, { type: 'deposit', date: '2026-01-02', amount: '100000' });
  return { client, legalEntity, account, depository, entity, stock: await makeStock(admin, 'Novartis AG') };
}

async function bookIn(account: string, fields: object): Promise<string> {
  return bookedId(await book(admin, 'v1', { account_id: account, date: '2026-01-05', ...fields }));
}

function trade({ account, stock }: Place, fields: object): Promise<string> {
  return bookIn(account, { instrument_id: stock, ...fields });
}

async function change(id: string, fields: object): Promise<void> {
  const { status, text } = await admin.patch(`/v1/transactions/${id}`, fields);
  if (status !== 200) throw new Error(text);
}

async function point(instrument: string, [series, date, value]: readonly [string, string, string]): Promise<void> {
  const { status, text } = await admin.post(`/v1/instruments/${instrument}/${series}`, { date, value });
  if (status !== 201) throw new Error(text);
}

async function upload({ depository, stock }: Place, [date, units, market_value]: readonly string[]): Promise<string> {
  const place = { kind: 'instrument', depository_id: depository, instrument_id: stock };
  return (await admin.post('/v1/historical-holdings', { ...place, date, units, market_value })).body.id;
}

function look(entity: string, query = ''): Promise<Reply> {
  return admin.get(`/v1/data-quality?reporting_entity_id=${entity}&as_of=2026-03-31${query}`);
}

async function found(entity: string, code: FindingCode): Promise<any[]> {
  const { status, body, text } = await look(entity, `&code=${code}`);
  if (status !== 200) throw new Error(text);
  return body.data;
}

interface Case {
  readonly method?: string;
  /** Brings about one finding of the code, and says what it tells. */
  wrong(place: Place): Promise<{ readonly tells: object; mend(): Promise<unknown> }>;
}

const bond = {
  type: 'bond-instrument',
  name: 'Bond',
  currency: 'CHF',
  coupon: '0.0365',
  day_count_convention: 'ACT/365',
};
const loan = { type: 'loan-instrument', name: 'Loan', currency: 'CHF', principal: '1000', start_date: '2026-01-01' };
const linked = {
  type: 'index-linked-bond-instrument',
  name: 'Linked',
  currency: 'CHF',
  coupon: '0',
  maturity: '2034-06-15',
};

const cases: Readonly<Record<Exclude<FindingCode, 'fx-rate-missing' | 'too-much-named'>, Case>> = {
  unidentified: {
    async wrong(place) {
      const id = await bookIn(place.account, { type: 'buy', quantity: '4', price: '25', amount: '-100' });
      const tells = { instrument_id: 'unidentified', quantity: '4', transaction_ids: [id] };
      return { tells, mend: () => change(id, { instrument_id: place.stock }) };
    },
  },
  short: {
    async wrong(place) {
      await trade(place, { type: 'sell', quantity: '2', price: '40' });
      const tells = { instrument_id: place.stock, account_id: place.account, quantity: '-2' };
      return { tells, mend: () => trade(place, { type: 'buy', date: '2026-01-02', quantity: '2', price: '30' }) };
    },
  },
  'short-opened': {
    async wrong(place) {
      await trade(place, { type: 'buy', quantity: '3', price: '40' });
      const id = await trade(place, { type: 'sell', date: '2026-01-06', quantity: '5', price: '40' });
      const tells = { instrument_id: place.stock, date: '2026-01-06', quantity: '2', transaction_ids: [id] };
      return { tells, mend: () => change(id, { quantity: '3' }) };
    },
  },
  overdrawn: {
    async wrong({ account }) {
      await bookIn(account, { type: 'withdrawal', amount: '-100010.5' });
      const tells = { instrument_id: 'cash:CHF', account_id: account, depository_id: null, quantity: '-10.5' };
      return { tells, mend: () => bookIn(account, { type: 'deposit', amount: '10.5' }) };
    },
  },
  'unexplained-difference': {
    async wrong(place) {
      const id = await trade(place, { type: 'buy', quantity: '10', price: '70', amount: '-705' });
      const tells = { amount: '-5', currency: 'CHF', date: '2026-01-05', transaction_ids: [id] };
      return { tells, mend: () => change(id, { fees: '5' }) };
    },
  },
  'settlement-not-booked': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, {
        type: 'fx-forward-cash-settlement-contract',
        name: 'CHF/USD',
        near_leg: { currency: 'CHF', amount: '-880', date: '2026-03-15' },
        far_leg: { currency: 'USD', amount: '1000', date: '2026-03-15' },
      });
      await bookIn(account, { type: 'buy', instrument_id, quantity: '1', price: '0', amount: '0' });
      const settled = { type: 'maturity', instrument_id, date: '2026-03-15', amount: '20' };
      return { tells: { instrument_id, date: '2026-03-15' }, mend: () => bookIn(account, settled) };
    },
  },
  'coupon-not-booked': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...bond, maturity: '2034-03-15' });
      await bookIn(account, { type: 'buy', instrument_id, quantity: '1000', price: '100', accrued_interest: '29.6' });
      const tells = { instrument_id, date: '2026-03-15', amount: '36.5', currency: 'CHF' };
      const coupon = { type: 'coupon', instrument_id, date: '2026-03-15', amount: '36.5' };
      return { tells, mend: () => bookIn(account, coupon) };
    },
  },
  matured: {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...bond, maturity: '2026-03-15' });
      await bookIn(account, { type: 'buy', instrument_id, quantity: '1000', price: '100', accrued_interest: '29.6' });
      const redeemed = { type: 'maturity', instrument_id, date: '2026-03-15', quantity: '1000', price: '100' };
      return { tells: { instrument_id, date: '2026-03-15' }, mend: () => bookIn(account, redeemed) };
    },
  },
  'paid-out-beyond-value': {
    async wrong({ account }) {
      const fund = { type: 'private-market-fund', name: 'Alpine IV', currency: 'CHF', commitment: '1000' };
      const instrument_id = await makeInstrument(admin, fund);
      await bookIn(account, { type: 'drawing', instrument_id, amount: '-100' });
      await point(instrument_id, ['net-asset-values', '2026-01-31', '100']);
      await bookIn(account, { type: 'private-equity-cashflow', instrument_id, date: '2026-02-15', amount: '150' });
      const tells = { instrument_id, amount: '50', currency: 'CHF', date: '2026-01-31' };
      return { tells, mend: () => point(instrument_id, ['net-asset-values', '2026-02-28', '10']) };
    },
  },
  'stale-value': {
    async wrong(place) {
      await trade(place, { type: 'buy', quantity: '10', price: '70' });
      await point(place.stock, ['prices', '2026-02-01', '72.5']);
      const tells = { instrument_id: place.stock, date: '2026-02-01', amount: '725', currency: 'CHF' };
      return { tells, mend: () => point(place.stock, ['prices', '2026-03-30', '72.5']) };
    },
  },
  'estimated-value': {
    async wrong(place) {
      await trade(place, { type: 'buy', quantity: '10', price: '70' });
      const tells = { instrument_id: place.stock, date: '2026-01-05', amount: '700', currency: 'CHF' };
      return { tells, mend: () => point(place.stock, ['prices', '2026-03-30', '72.5']) };
    },
  },
  'named-lot-missing': {
    method: 'SPECIFIC_ID',
    async wrong(place) {
      const [one] = [
        await trade(place, { type: 'buy', quantity: '5', price: '10' }),
        await trade(place, { type: 'buy', quantity: '5', price: '20' }),
      ];
      const lots = [{ id: one, quantity: '4' }];
      const id = await trade(place, { type: 'sell', date: '2026-01-06', quantity: '4', price: '15', lots });
      await change(one, { quantity: '3' });
      const tells = { instrument_id: place.stock, quantity: '1', date: '2026-01-06', transaction_ids: [id] };
      return { tells, mend: () => change(one, { quantity: '4' }) };
    },
  },
  'lots-not-named': {
    method: 'SPECIFIC_ID',
    async wrong(place) {
      const one = await trade(place, { type: 'buy', quantity: '5', price: '10' });
      const fed = { source: 'custodian', external_reference: '7' };
      const id = await trade(place, { type: 'sell', date: '2026-01-06', quantity: '4', price: '15', ...fed });
      const tells = { instrument_id: place.stock, quantity: '4', date: '2026-01-06', transaction_ids: [id] };
      return { tells, mend: () => change(id, { lots: [{ id: one, quantity: '4' }] }) };
    },
  },
  'implied-flow': {
    async wrong(place) {
      await upload(place, ['2026-01-31', '10', '700']);
      const id = await upload(place, ['2026-02-28', '12', '840']);
      const tells = { instrument_id: place.stock, date: '2026-02-28', quantity: '2', historical_holding_ids: [id] };
      return { tells, mend: () => upload(place, ['2026-02-28', '10', '700']) };
    },
  },
  'settles-after-upload': {
    async wrong(place) {
      await upload(place, ['2026-01-15', '3', '210']);
      const fields = { type: 'buy', date: '2026-01-30', settlement_date: '2026-02-02', quantity: '10', price: '70' };
      const id = await trade(place, fields);
      const stated = await upload(place, ['2026-01-31', '13', '910']);
      const tells = { date: '2026-01-30', transaction_ids: [id], historical_holding_ids: [stated] };
      return { tells, mend: () => change(id, { settlement_date: '2026-01-31' }) };
    },
  },
  'estimated-cost': {
    async wrong(place) {
      const id = await upload(place, ['2026-01-31', '10', '700']);
      const tells = { date: '2026-01-31', quantity: '10', amount: '700', historical_holding_ids: [id] };
      return { tells, mend: () => trade(place, { type: 'buy', quantity: '10', price: '60' }) };
    },
  },
  'rate-missing': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...loan, reference_rate: 'SARON', spread: '0' });
      await bookIn(account, { type: 'buy', instrument_id, quantity: '1', price: '1000' });
      return { tells: { instrument_id }, mend: () => point(instrument_id, ['interest-rates', '2025-12-31', '0.01']) };
    },
  },
  'rate-assumed': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...loan, reference_rate: 'SARON', spread: '0' });
      await bookIn(account, { type: 'buy', instrument_id, quantity: '1', price: '1000' });
      await point(instrument_id, ['interest-rates', '2026-02-01', '0.01']);
      return { tells: { instrument_id }, mend: () => point(instrument_id, ['interest-rates', '2025-12-31', '0.01']) };
    },
  },
  'index-factor-missing': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, linked);
      await bookIn(account, { type: 'buy', instrument_id, quantity: '1000', price: '100', amount: '-1000' });
      return { tells: { instrument_id }, mend: () => point(instrument_id, ['index-factors', '2025-06-15', '100']) };
    },
  },
  'index-base-assumed': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...linked, dated_date: '2025-06-15' });
      await bookIn(account, { type: 'buy', instrument_id, quantity: '1000', price: '100', amount: '-1000' });
      await point(instrument_id, ['index-factors', '2025-07-15', '100']);
      return { tells: { instrument_id }, mend: () => point(instrument_id, ['index-factors', '2025-06-15', '99']) };
    },
  },
};

test.each(Object.entries(cases) as [FindingCode, Case][])(
  '%s is found, and gone once it is mended',
  async (code, one) => {
    const place = await makePlace(one.method);
    expect(await found(place.entity, code)).toEqual([]);
    const { tells, mend } = await one.wrong(place);
    const { severity, detail, remedy } = findingTerms[code];
    expect(await found(place.entity, code)).toEqual([
      expect.objectContaining({ code, severity, detail, remedy, ...tells }),
    ]);
    await mend();
    expect(await found(place.entity, code)).toEqual([]);
  },
);

describe('a rate that is missing', () => {
  test('is found with the first day it is needed for, beside all else, which has no amounts then', async () => {
    const place = await makePlace();
    const { legalEntity, account } = place;
    const yen = await make(admin, 'accounts', { entity_id: legalEntity, currency: 'JPY' });
    await make(admin, 'portfolios', { reporting_entity_id: place.entity, name: 'Yen', account_ids: [yen] });
    await bookIn(yen, { type: 'deposit', date: '2026-02-02', amount: '9000' });
    await trade(place, { type: 'buy', date: '2026-03-30', quantity: '10', price: '70' });
    expect(codeOf(await admin.get(`/v1/holdings?reporting_entity_id=${place.entity}`))).toBe('fx-rate-missing');
    const { body } = await look(place.entity);
    const nothing = {
      depository_id: null,
      quantity: null,
      amount: null,
      transaction_ids: [],
      historical_holding_ids: [],
    };
    expect(body.data).toEqual([
      {
        code: 'fx-rate-missing',
        ...findingTerms['fx-rate-missing'],
        ...nothing,
        account_id: null,
        instrument_id: null,
        date: '2026-02-02',
        currency: 'JPY',
        to_currency: 'CHF',
      },
      {
        code: 'estimated-value',
        ...findingTerms['estimated-value'],
        ...nothing,
        account_id: account,
        depository_id: place.depository,
        instrument_id: place.stock,
        date: '2026-03-30',
        currency: null,
        to_currency: null,
      },
    ]);
    expect((await look(place.entity)).text).toBe((await look(place.entity)).text);
    await admin.post('/v1/fx-rates', { base: 'JPY', quote: 'CHF', date: '2026-03-01', rate: '0.006' });
    expect(await found(place.entity, 'fx-rate-missing')).toMatchObject([{ date: '2026-02-02', currency: 'JPY' }]);
    await admin.post('/v1/fx-rates', { base: 'JPY', quote: 'CHF', date: '2026-02-02', rate: '0.006' });
    expect(await found(place.entity, 'fx-rate-missing')).toEqual([]);
    expect(await found(place.entity, 'estimated-value')).toMatchObject([{ amount: '700', currency: 'CHF' }]);
  });

  test('for the cost of units that came from outside keeps nothing else from being found', async () => {
    const place = await makePlace();
    const instrument_id = await makeStock(admin, 'Sony', 'NOK');
    const acquired = [{ date: '2020-05-04', quantity: '1', cost: '7' }];
    await bookIn(place.account, { type: 'deposit', instrument_id, quantity: '1', acquired });
    await bookIn(place.account, { type: 'withdrawal', amount: '-100001' });
    const { body } = await look(place.entity);
    expect(body.counts).toEqual([
      { code: 'fx-rate-missing', severity: 'error', count: 1 },
      { code: 'overdrawn', severity: 'warning', count: 1 },
      { code: 'estimated-value', severity: 'warning', count: 1 },
    ]);
    expect(body.data[0]).toMatchObject({ date: '2020-05-04', currency: 'NOK', to_currency: 'CHF' });
  });
});

test('the gravest come first, in pages, with counts of all whatever is asked for; the past is as it was', async () => {
  const place = await makePlace();
  expect((await look(place.entity)).body).toMatchObject({ data: [], counts: [], as_of: '2026-03-31T23:59:59.999Z' });
  await upload(place, ['2026-01-31', '10', '700']);
  await bookIn(place.account, { type: 'buy', quantity: '4', price: '25', amount: '-105' });
  await bookIn(place.account, { type: 'withdrawal', amount: '-100001' });
  const { body } = await look(place.entity);
  const codes = body.data.map(({ code }: { code: FindingCode }) => code);
  expect(codes).toEqual([
    'unidentified',
    'overdrawn',
    'unexplained-difference',
    'stale-value',
    'stale-value',
    'estimated-value',
    'estimated-cost',
  ]);
  expect(codes).toEqual(
    codes.toSorted((a: FindingCode, b: FindingCode) => findingCodes.indexOf(a) - findingCodes.indexOf(b)),
  );
  const walked: unknown[] = [];
  for (let cursor = ''; ;) {
    const page = (await look(place.entity, `&limit=4${cursor}`)).body;
    expect(page.counts).toEqual(body.counts);
    walked.push(...page.data);
    if (!page.has_more) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(walked).toEqual(body.data);
  const some = (await look(place.entity, '&code=overdrawn,unidentified')).body;
  expect([some.data, some.counts]).toEqual([body.data.slice(0, 2), body.counts]);
  service.clock.advance(60_000);
  const knownAt = `&known_at=${new Date(service.clock.now()).toISOString()}`;
  service.clock.advance(60_000);
  await bookIn(place.account, { type: 'deposit', amount: '500' });
  expect(await found(place.entity, 'overdrawn')).toEqual([]);
  expect((await look(place.entity, knownAt)).body.data).toEqual(body.data);
});

test('who sees the client alone finds the same', async () => {
  const place = await makePlace();
  await bookIn(place.account, { type: 'buy', quantity: '4', price: '25', amount: '-105' });
  const scoped = await admin.become({ scoped_to: place.client });
  const { text } = await look(place.entity);
  const path = `/v1/data-quality?reporting_entity_id=${place.entity}&as_of=2026-03-31`;
  expect((await scoped.get(path)).text).toBe(text);
});

test('what is not covered is not looked at', async () => {
  const place = await makePlace();
  const { legalEntity } = place;
  const hidden = await make(admin, 'accounts', {
    entity_id: legalEntity,
    currency: 'CHF',
    exclude_from_reporting: true,
  });
  await bookIn(hidden, { type: 'buy', instrument_id: place.stock, quantity: '10', price: '70', amount: '-705' });
  expect((await look(place.entity)).body.data).toEqual([]);
});

test.each([
  ['&code=rotten', 'code'],
  ['&kind=short', 'kind'],
  ['&limit=101', 'limit'],
])('%s is refused for its %s', async (query, parameter) => {
  const { status, body } = await look((await makePlace()).entity, query);
  expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
});
