// The effect of planned trades on limits: the answer equals that after really booking them, and nothing is stored.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { digestStoredRows } from '../../setup/access/client-hierarchy.ts';
import { makeStock } from '../../setup/ledger/ledger-household.ts';
import { makeLimitHousehold, bookTrade, type LimitHousehold } from '../../setup/limits/limit-household.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { faultsOf, makeRecord, unknownId } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let household: LimitHousehold;
let equities: string;
let cash: string;
let dollars: string;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeLimitHousehold(admin);
  const condition = (field: string, operator: string, value: unknown) => ({
    kind: 'condition',
    field,
    operator,
    value,
  });
  const limit = (fields: object): Promise<string> =>
    makeRecord(admin, 'limits', { client_id: household.client, ...fields });
  equities = await limit({
    kind: 'proportional',
    max_pct: '0.5',
    filter: condition('instrument_class.path', 'starts_with', ['Equities']),
  });
  cash = await limit({
    kind: 'absolute',
    min_amount: '100',
    filter: condition('instrument_class.path', 'starts_with', ['Cash']),
  });
  dollars = await makeStock(admin, 'Apple', 'USD', { instrument_class_id: household.listed });
  await admin.post('/v1/fx-rates', { base: 'USD', quote: 'CHF', date: '2026-11-01', rate: '0.8' });
  await admin.post(`/v1/instruments/${dollars}/prices`, { date: '2026-11-09', value: '25' });
});

const today = '2026-11-15';

interface ProposedTrade {
  readonly instrument_id: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly [field: string]: unknown;
}

function propose(fields: object): Promise<Reply> {
  return admin.post('/v1/limits/check', { reporting_entity_id: household.reportingEntity, ...fields });
}

const buy = (instrument_id: string, quantity: string, more: object = {}): ProposedTrade & { account_id: string } => ({
  account_id: household.account,
  instrument_id,
  side: 'buy',
  quantity,
  ...more,
});

/** The state and value of both limits, before and after. */
function limitSummary({ body }: Reply): unknown {
  return body.limits.map(({ limit_id, reporting_entities: [{ present, resulting }] }: any) => [
    limit_id === equities ? 'equities' : 'cash',
    `${present.current_value} ${present.state}`,
    `${resulting.current_value} ${resulting.state}`,
  ]);
}

describe('a check', () => {
  test('reports every limit before and after the trades', async () => {
    const reply = await propose({ trades: [buy(household.food, '5', { price: '30' })] });
    const amounts = (value: string, headroom: string) => ({
      current_value: value,
      headroom_to_min: headroom,
      headroom_to_max: null,
      headroom,
      state: 'compliant',
      unclassified_value: '0',
      matches: 1,
      reason: null,
      detail: null,
    });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        as_of: `${today}T23:59:59.999Z`,
        limits: [
          {
            limit_id: equities,
            kind: 'proportional',
            reporting_entities: [
              {
                reporting_entity_id: household.reportingEntity,
                min: null,
                max: '0.5',
                resulting_min: null,
                resulting_max: '0.5',
                present: expect.objectContaining({ state: 'compliant', headroom: expect.stringMatching(/^0\.00001/) }),
                resulting: expect.objectContaining({ state: 'breached', headroom: expect.stringMatching(/^-0\.1499/) }),
              },
            ],
          },
          {
            limit_id: cash,
            kind: 'absolute',
            reporting_entities: [
              {
                reporting_entity_id: household.reportingEntity,
                min: '100',
                max: null,
                resulting_min: '100',
                resulting_max: null,
                present: amounts('300', '200'),
                resulting: amounts('150', '50'),
              },
            ],
          },
        ],
      },
    ]);
  });

  test('takes the price, the rate and the interest of the day where none are sent', async () => {
    const [, before] = limitSummary(await propose({})) as string[][];
    expect(before).toEqual(['cash', '300 compliant', '300 compliant']);
    // 2 × 25 dollars at 0.8; 10 × 30 at the last price; 100 nominal at 100 with five days of 1 %, actual over 365.
    const of = async (row: object): Promise<unknown> =>
      (limitSummary(await propose({ trades: [row] })) as string[][])[1]![2];
    expect(await of(buy(dollars, '2'))).toBe('260 compliant');
    expect(await of(buy(dollars, '2', { exchange_rate: '1' }))).toBe('250 compliant');
    expect(await of(buy(dollars, '2', { price: '50', fees: '1' }))).toBe('219.2 compliant');
    expect(await of(buy(household.food, '10'))).toBe('0 breached');
    expect(await of(buy(household.bond, '100'))).toBe('199.986301369863013699 compliant');
    expect(await of({ ...buy(household.bond, '100', { accrued_interest: 0 }), side: 'sell' })).toBe('400 compliant');
  });

  test('handles cash and many positions at once', async () => {
    const reply = await propose({
      trades: [{ ...buy(household.food, '10', { price: '30' }), side: 'sell' }, buy(dollars, '5', { price: '20' })],
      cash_moves: [
        { account_id: household.account, amount: '-450' },
        { account_id: household.account, amount: '100', currency: 'USD' },
      ],
    });
    // 300 + 300 − 80 − 450 and 100 dollars.
    expect((limitSummary(reply) as string[][])[1]).toEqual(['cash', '300 compliant', '150 compliant']);
  });

  test('takes an amount of money in place of units: as many as it buys, fractions included', async () => {
    const of = async (row: object): Promise<unknown> =>
      (limitSummary(await propose({ trades: [row] })) as string[][])[1]![2];
    const trade = (instrument: string, amount: string, more: object = {}): object => ({
      ...buy(instrument, '1', more),
      quantity: undefined,
      amount,
    });
    // 100 francs at the last price of 30 are 3⅓ units: what they cost is the amount, to the last digit but one.
    expect(await of(trade(household.food, '100'))).toMatch(/^200(?:\.0{15}\d*)? compliant$/);
    expect(await of({ ...trade(household.food, '90', { fees: '5' }), side: 'sell' })).toBe('385 compliant');
    // 50 dollars at 0.8.
    expect(await of(trade(dollars, '50'))).toBe('260 compliant');
    // A nominal of 50 at a price of 100, with its interest of five days.
    expect(await of(trade(household.bond, '50', { accrued_interest: 0 }))).toBe('250 compliant');
    const faults = async (row: object): Promise<unknown> => faultsOf(await propose({ trades: [row] }));
    expect(await faults({ ...buy(household.food, '1'), amount: '5' })).toMatchObject([
      { status: 422, code: 'invalid-attribute', pointer: '/trades/0/amount' },
    ]);
    expect(await faults({ ...buy(household.food, '1'), quantity: undefined })).toMatchObject([
      { status: 422, code: 'missing-attribute', pointer: '/trades/0/quantity' },
    ]);
    expect(await faults(trade(household.food, '5', { price: 0 }))).toMatchObject([
      { status: 422, code: 'invalid-attribute', pointer: '/trades/0/amount' },
    ]);
    expect(await faults(trade(household.food, '99999999999999999999', { price: '0.1' }))).toMatchObject([
      { status: 422, code: 'invalid-attribute', pointer: '/trades/0/amount' },
    ]);
  });

  test('tries other bounds, and the limit keeps its own', async () => {
    const { body } = await propose({ bounds: [{ limit_id: cash, min_amount: '301', max_amount: '400' }] });
    const [entity] = body.limits[1].reporting_entities;
    expect(entity).toMatchObject({
      min: '100',
      max: null,
      resulting_min: '301',
      resulting_max: '400',
      present: { state: 'compliant', headroom: '200' },
      resulting: {
        state: 'breached',
        current_value: '300',
        headroom_to_min: '-1',
        headroom_to_max: '100',
        headroom: '-1',
      },
    });
    expect((await admin.get(`/v1/limits/${cash}`)).body).toMatchObject({ min_amount: '100', max_amount: null });
    const both = await propose({
      trades: [buy(household.food, '5')],
      bounds: [{ limit_id: cash, min_amount: '150' }],
    });
    expect((limitSummary(both) as string[][])[1]).toEqual(['cash', '300 compliant', '150 compliant']);
  });

  test('refuses bounds that the limit could not have', async () => {
    const other = await makeLimitHousehold(admin, 'Elster');
    const filter = { kind: 'condition', field: 'currency', operator: 'in', value: ['CHF'] };
    const theirs = await makeRecord(admin, 'limits', {
      client_id: other.client,
      kind: 'absolute',
      max_amount: '1',
      filter,
    });
    const cases: [object[], number, string, string][] = [
      [[{ max_amount: '1' }], 422, 'missing-attribute', '/bounds/0/limit_id'],
      [[{ limit_id: unknownId }], 404, 'limit-not-found', '/bounds/0/limit_id'],
      [[{ limit_id: theirs }], 404, 'limit-not-found', '/bounds/0/limit_id'],
      [[{ limit_id: cash }, { limit_id: cash }], 422, 'invalid-attribute', '/bounds/1/limit_id'],
      [[{ limit_id: cash, max_pct: '0.5' }], 422, 'invalid-attribute', '/bounds/0/max_pct'],
      [[{ limit_id: cash, max_amount: '99' }], 422, 'invalid-attribute', '/bounds/0'],
      [[{ limit_id: cash, min_amount: null }], 422, 'missing-attribute', '/bounds/0/max_amount'],
      [[{ limit_id: equities, max_pct: '2' }], 422, 'invalid-attribute', '/bounds/0/max_pct'],
    ];
    for (const [bounds, status, code, pointer] of cases) {
      expect(faultsOf(await propose({ bounds }))).toMatchObject([{ status, code, pointer }]);
    }
  });

  test('is for one reporting entity or for all of a client', async () => {
    const bare = await makeRecord(admin, 'reporting-entities', { name: 'Bare', client_id: household.client });
    const reply = await admin.post('/v1/limits/check', {
      client_id: household.client,
      trades: [buy(household.food, '5')],
    });
    const entities = reply.body.limits[1].reporting_entities;
    expect(
      entities.map((one: any) => [one.reporting_entity_id, one.present.current_value, one.resulting.current_value]),
    ).toEqual([
      [household.reportingEntity, '300', '150'],
      [bare, '0', '0'],
    ]);
    await admin.delete(`/v1/reporting-entities/${bare}`);
  });

  test('stores nothing', async () => {
    const before = await digestStoredRows(service.database);
    await propose({ trades: [buy(household.food, '5')], cash_moves: [{ account_id: household.account, amount: '7' }] });
    expect(await digestStoredRows(service.database)).toEqual(before);
  });

  test('gives the same result as booking the trades and reading the status', async () => {
    const own = await makeLimitHousehold(admin, 'Bussard');
    const filter = { kind: 'condition', field: 'currency', operator: 'in', value: ['CHF', 'USD'] };
    const shares = ['CHF', 'USD'].map((value) => ({ ...filter, value: [value] }));
    for (const one of shares) {
      await makeRecord(admin, 'limits', { client_id: own.client, kind: 'proportional', max_pct: '0.9', filter: one });
    }
    const trades = [
      { instrument_id: own.food, side: 'sell', quantity: '3', price: '31.7', fees: '2.5' },
      { instrument_id: own.bond, side: 'buy', quantity: '150', price: '98.25', accrued_interest: '0.02' },
      { instrument_id: dollars, side: 'buy', quantity: '7', price: '26.1', exchange_rate: '0.81' },
    ].map((one) => ({ account_id: own.account, ...one }));
    const { body } = await admin.post('/v1/limits/check', {
      reporting_entity_id: own.reportingEntity,
      trades,
      cash_moves: [{ account_id: own.account, amount: '-12.34' }],
    });
    const resulting = body.limits.map((one: any) => one.reporting_entities[0].resulting);
    for (const { side, ...fields } of trades)
      await bookTrade(admin, own, { type: side, date: today, ...fields, amount: undefined });
    await bookTrade(admin, own, { type: 'withdrawal', date: today, amount: '-12.34' });
    const statuses: any[] = [];
    for (const { limit_id } of body.limits) {
      const status = (await admin.get(`/v1/limits/${limit_id}/status`)).body;
      expect(status.as_of).toBe(body.as_of);
      statuses.push(status.reporting_entities[0]);
    }
    expect(statuses).toEqual(resulting.map((one: object) => expect.objectContaining(one)));
  });

  test('gives the same result in a separate thread, to the last digit', async () => {
    const threaded = await serviceForThisTest({ database: service.database, settings: { WORK_THREADS: '1' } });
    const body = `{"reporting_entity_id":"${household.reportingEntity}","cash_moves":[{"account_id":"${household.account}","amount":0.000000000000000001}]}`;
    const sending = { method: 'POST', raw: body, headers: { 'content-type': 'application/json' } };
    const [ownReply, otherReply] = [
      await admin.send('/v1/limits/check', sending),
      await threaded.admin.send('/v1/limits/check', sending),
    ];
    expect((limitSummary(otherReply) as string[][])[1]).toEqual([
      'cash',
      '300 compliant',
      '300.000000000000000001 compliant',
    ]);
    expect(otherReply.text).toBe(ownReply.text);
  });
});

describe('refused with its pointer', () => {
  const fault = (status: number, code: string, pointer: string): object => ({ status, code, pointer });

  test.each([
    ['nobody', { reporting_entity_id: undefined }, fault(422, 'missing-attribute', '/reporting_entity_id')],
    ['two', { client_id: unknownId }, fault(422, 'invalid-attribute', '/client_id')],
    ['no id', { reporting_entity_id: 'x' }, fault(422, 'invalid-attribute', '/reporting_entity_id')],
    [
      'a stranger',
      { reporting_entity_id: unknownId },
      fault(404, 'reporting-entity-not-found', '/reporting_entity_id'),
    ],
    ['no list', { trades: {} }, fault(422, 'invalid-attribute', '/trades')],
    ['no rows', { cash_moves: [7] }, fault(422, 'invalid-attribute', '/cash_moves/0')],
    ['no amount', { cash_moves: [{ account_id: unknownId }] }, fault(422, 'missing-attribute', '/cash_moves/0/amount')],
    [
      'no account',
      { cash_moves: [{ account_id: unknownId, amount: 1 }] },
      fault(404, 'account-not-found', '/cash_moves/0/account_id'),
    ],
  ])('%s', async (_what, fields, expected) => {
    expect(faultsOf(await propose(fields))).toMatchObject([expected]);
  });

  test('amounts larger than can be booked', async () => {
    const detail = 'The resulting amount has more than 20 digits before the decimal point.';
    const trades = [buy(household.food, '99999999999999999999', { price: 2 })];
    expect(faultsOf(await propose({ trades }))).toEqual([
      { status: 422, code: 'invalid-attribute', detail, pointer: '/trades/0' },
    ]);
  });

  test('a trade refers to existing records of the client with a known value', async () => {
    const other = await makeLimitHousehold(admin, 'Dohle');
    const unpriced = await makeStock(admin, 'Unknown', 'CHF');
    const yen = await makeStock(admin, 'Toyota', 'JPY');
    const good = buy(household.food, '1');
    const cases: [object, object][] = [
      [{ ...good, side: 'hold' }, fault(422, 'invalid-attribute', '/trades/1/side')],
      [{ ...good, quantity: -1 }, fault(422, 'invalid-attribute', '/trades/1/quantity')],
      [{ ...good, colour: 1 }, fault(422, 'unknown-attribute', '/trades/1/colour')],
      [{ ...good, instrument_id: unknownId }, fault(404, 'instrument-not-found', '/trades/1/instrument_id')],
      [{ ...good, depository_id: unknownId }, fault(404, 'depository-not-found', '/trades/1/depository_id')],
      [{ ...good, account_id: other.account }, fault(422, 'different-client', '/trades/1/account_id')],
      [{ ...good, exchange_rate: 2 }, fault(422, 'invalid-attribute', '/trades/1/exchange_rate')],
      [{ ...good, instrument_id: unpriced }, fault(422, 'missing-attribute', '/trades/1/price')],
      [{ ...good, instrument_id: yen, price: 1 }, fault(422, 'missing-attribute', '/trades/1/exchange_rate')],
    ];
    for (const [row, expected] of cases) {
      expect(faultsOf(await propose({ trades: [good, row] }))).toMatchObject([expected]);
    }
    const privately = { reporting_entity_id: other.reportingEntity };
    const secret = await makeStock(admin, 'Own', 'CHF', privately);
    expect(faultsOf(await propose({ trades: [buy(secret, '1', { price: 1 })] }))).toMatchObject([
      fault(422, 'different-client', '/trades/0/instrument_id'),
    ]);
  });
});
