// Units that move between own accounts (one instrument has one price, and a short that a delivery closes has the gain), and
// exchange rates that no amount needs.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { book, bookedId, makeStock } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeAccounts, makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;

beforeAll(() => {
  ({ admin } = service);
});

interface Family {
  readonly stock: string;
  readonly accounts: readonly [string, string];
  /** Reporting entities that cover both accounts, and each alone. */
  readonly both: string;
  readonly each: readonly [string, string];
}

async function makeFamily(): Promise<Family> {
  const household = await makeHousehold(admin);
  const { client, reportingEntity: both } = household;
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const [first, second] = (await makeAccounts(admin, household, 2)) as [string, string];
  const covering = async (name: string, account: string): Promise<string> => {
    const entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name });
    await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account] });
    return entity;
  };
  await makeRecord(admin, 'portfolios', { reporting_entity_id: both, account_ids: [first, second] });
  const each = [await covering('First', first), await covering('Second', second)] as const;
  return { stock: await makeStock(admin, 'Unlisted AG'), accounts: [first, second], both, each };
}

async function bookId(fields: object): Promise<string> {
  return bookedId(await book(admin, 'v1', { ...fields }));
}

async function total(entity: string, query = ''): Promise<string> {
  const { body } = await admin.get(`/v1/holdings?reporting_entity_id=${entity}${query}`);
  return body.totals.market_value;
}

describe('units of an instrument without a price', () => {
  test('are worth its last trade in whichever own account, so a move changes no value and makes no return', async () => {
    const { accounts, stock, both, each } = await makeFamily();
    const [account_id, other] = accounts;
    const units = { account_id, instrument_id: stock };
    await bookId({ type: 'deposit', account_id, date: '2026-01-05', amount: '10000' });
    await bookId({ ...units, type: 'buy', date: '2026-01-05', quantity: '100', price: '10' });
    const last = await bookId({ ...units, type: 'buy', date: '2026-01-06', quantity: '1', price: '30' });
    expect(await total(both)).toBe('12000');
    const move = { ...units, type: 'withdrawal', date: '2026-01-07', quantity: '100', counter_account_id: other };
    await bookId(move);
    expect([await total(both), await total(each[0]), await total(each[1])]).toEqual(['12000', '9000', '3000']);
    const { body } = await admin.get(
      `/v1/performance?reporting_entity_id=${both}&start=2026-01-07&end=2026-01-07&method=daily&detail=summary`,
    );
    expect(Number(body.data[0].twr)).toBe(0);
    const { body: holding } = await admin.get(`/v1/holdings?reporting_entity_id=${each[1]}&explain=true`);
    expect(JSON.stringify(holding)).toContain(last);

    service.clock.advance(60_000);
    const knownAt = new Date(service.clock.now()).toISOString();
    const before = await admin.get(`/v1/holdings?reporting_entity_id=${each[1]}`);
    service.clock.advance(60_000);
    await bookId({ ...units, type: 'sell', date: '2026-01-07', quantity: '1', price: '20' });
    const after = await admin.get(`/v1/holdings?reporting_entity_id=${each[1]}`);
    expect([after.body.totals.market_value, before.body.totals.market_value]).toEqual(['2000', '3000']);
    expect(after.body.ledger_version).not.toBe(before.body.ledger_version);
    expect(await total(each[1], `&known_at=${knownAt}`)).toBe('3000');
  });
});

describe('a short that is closed by units of another own account', () => {
  test.each([
    ['sent', -1],
    ['received', 1],
  ])('has the gain, whether they are %s', async (_, direction) => {
    const { accounts, stock, both, each } = await makeFamily();
    const [seller, buyer] = accounts;
    await bookId({
      type: 'sell',
      account_id: seller,
      instrument_id: stock,
      date: '2026-01-05',
      quantity: '100',
      price: '11',
    });
    await bookId({
      type: 'buy',
      account_id: buyer,
      instrument_id: stock,
      date: '2026-01-06',
      quantity: '100',
      price: '8',
    });
    const [account_id, counter_account_id] = direction < 0 ? [buyer, seller] : [seller, buyer];
    const type = direction < 0 ? 'withdrawal' : 'deposit';
    const quantity = '100';
    await bookId({ type, account_id, counter_account_id, instrument_id: stock, date: '2026-01-07', quantity });
    const gainOf = async (entity: string): Promise<string> =>
      (await admin.get(`/v1/realised-gains?reporting_entity_id=${entity}&from=2026-01-01&to=2026-01-31`)).body.totals
        .total.gain;
    expect([await gainOf(both), await gainOf(each[0]), await gainOf(each[1])]).toEqual(['300', '300', '0']);
  });
});

describe('an exchange rate that nothing needs', () => {
  test('is not asked for before the first deposit and after a currency was emptied, on any report', async () => {
    const household = await makeHousehold(admin);
    const { client, legalEntity, reportingEntity } = household;
    await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
    const [francs] = await makeAccounts(admin, household, 1);
    const yen = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'JPY' });
    await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [francs, yen] });
    const stock = await makeStock(admin, 'Sony', 'JPY');
    await bookId({ type: 'deposit', account_id: francs, date: '2026-01-05', amount: '500' });
    await bookId({ type: 'deposit', account_id: yen, date: '2026-02-02', amount: '9000' });
    const units = { account_id: yen, instrument_id: stock, quantity: '3' };
    await bookId({ ...units, type: 'buy', date: '2026-02-03', price: '3000' });
    await bookId({ ...units, type: 'sell', date: '2026-02-04', price: '3100' });
    await bookId({ type: 'withdrawal', account_id: yen, date: '2026-02-05', amount: '-9300' });
    await bookId({ type: 'deposit', account_id: francs, date: '2026-02-10', amount: '1' });
    const limit = await admin.post('/v1/limits', {
      client_id: client,
      name: 'Yen',
      kind: 'absolute',
      bounds: { max_amount: '1000' },
      filter: { kind: 'condition', field: 'currency', operator: 'equals', value: 'JPY' },
    });
    for (const day of ['2026-02-01', '2026-02-06']) {
      const replies = await Promise.all([
        admin.get(`/v1/holdings?reporting_entity_id=${reportingEntity}&as_of=${day}&explain=true`),
        admin.get(`/v1/lots?reporting_entity_id=${reportingEntity}&as_of=${day}`),
        admin.get(`/v1/allocation?reporting_entity_id=${reportingEntity}&as_of=${day}`),
        admin.get(`/v1/performance/private-markets?reporting_entity_id=${reportingEntity}&as_of=${day}`),
        admin.get(`/v2/holdings/reporting-entities/${reportingEntity}?as_of=${day}`),
        admin.get(`/api/v3/instrument-holdings/reporting-entities/${reportingEntity}?asOf=${day}`),
        admin.get(`/v1/performance?reporting_entity_id=${reportingEntity}&start=${day}&end=${day}`),
        admin.get(`/v1/realised-gains?reporting_entity_id=${reportingEntity}&from=${day}&to=${day}`),
      ]);
      const refused = replies.filter(({ status, text }) => status !== 200 && text.includes('fx-rate-missing'));
      expect([day, refused.map(({ text }) => text)]).toEqual([day, []]);
      expect(replies[0]!.body.totals).toMatchObject({ market_value: '500', cost_basis: '500' });
    }
    expect(limit.status).toBe(201);
    const { body: status } = await admin.get(`/v1/limits/${limit.body.id}/status`);
    expect(status.reporting_entities).toMatchObject([{ current_value: '0', state: 'compliant' }]);
    const held = await admin.get(`/v1/holdings?reporting_entity_id=${reportingEntity}&as_of=2026-02-03`);
    expect([held.status, held.body.code]).toEqual([422, 'fx-rate-missing']);
    const gains = await admin.get(
      `/v1/realised-gains?reporting_entity_id=${reportingEntity}&from=2026-02-04&to=2026-02-04`,
    );
    expect([gains.status, gains.body.code]).toEqual([422, 'fx-rate-missing']);
  });
});
