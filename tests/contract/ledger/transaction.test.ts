// Transactions of every type, booked on any wire and read on the others: one row, three vocabularies.

import { transactionTypes } from '../../../src/model/ledger/transaction-kind.ts';
import { OpenApiReference } from '../../setup/http/openapi-reference.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import {
  book,
  bookedId,
  makeLedgerHousehold,
  type LedgerHousehold,
  type LedgerWire,
} from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { testNow } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let household: LedgerHousehold;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeLedgerHousehold(admin);
});

type Fields = Readonly<Record<string, unknown>>;

/** One transaction as sent on each wire; ids are given by their names in the household. */
interface Event {
  readonly what: string;
  readonly jsonApi?: Fields;
  readonly plain?: Fields;
  readonly v1: Fields;
  /** Additional fields of answers, where a wire computes something. */
  readonly answered?: { readonly jsonApi?: Fields; readonly plain?: Fields; readonly v1?: Fields };
}

const date = '2026-03-12';
const settled = '2026-03-16';

const events: readonly Event[] = [
  {
    what: 'a buy of shares with fees',
    jsonApi: {
      type: 'buy',
      date,
      settlementDate: settled,
      quantity: 150,
      price: 98.4,
      amount: -14790,
      fees: 30,
      instrument: 'stock',
      depository: 'depository',
    },
    plain: {
      type: 'EquityTrade',
      trade_date: date,
      settlement_date: settled,
      side: 'buy',
      quantity: 150,
      price: 98.4,
      fees: 30,
      instrument_id: 'stock',
      depository_id: 'depository',
    },
    v1: {
      type: 'buy',
      date,
      settlement_date: settled,
      quantity: '150',
      price: '98.4',
      amount: '-14790',
      fees: '30',
      instrument_id: 'stock',
      depository_id: 'depository',
    },
    answered: { plain: { amount: -14790 } },
  },
  {
    what: 'a sale of shares in another currency than the account',
    jsonApi: {
      type: 'sell',
      date,
      quantity: 10,
      price: 200,
      amount: 1760,
      exchangeRate: 0.88,
      instrument: 'dollarStock',
    },
    plain: {
      type: 'EquityTrade',
      trade_date: date,
      side: 'sell',
      quantity: 10,
      price: 200,
      exchange_rate: 0.88,
      instrument_id: 'dollarStock',
    },
    v1: { type: 'sell', date, quantity: '10', price: '200', exchange_rate: '0.88', instrument_id: 'dollarStock' },
    answered: { plain: { amount: 1760 }, v1: { amount: '1760' } },
  },
  {
    what: 'a bond bought with accrued interest',
    jsonApi: {
      type: 'buy',
      date,
      quantity: 100000,
      price: 98,
      accruedInterest: 1500,
      fees: 100,
      amount: -99600,
      instrument: 'bond',
    },
    plain: {
      type: 'BondTrade',
      trade_date: date,
      side: 'buy',
      quantity: 100000,
      clean_price: 98,
      dirty_price: 99.5,
      fees: 100,
      instrument_id: 'bond',
    },
    v1: {
      type: 'buy',
      date,
      quantity: '100000',
      price: '98',
      accrued_interest: '1500',
      fees: '100',
      instrument_id: 'bond',
    },
    answered: { plain: { amount: -99600, price: 98, accrued_interest: 1500 }, v1: { amount: '-99600' } },
  },
  {
    what: 'a bond redeemed',
    jsonApi: { type: 'maturity', date, quantity: 50000, price: 100, amount: 50000, instrument: 'bond' },
    plain: { type: 'BondRedemption', trade_date: date, quantity: 50000, clean_price: 100, instrument_id: 'bond' },
    v1: { type: 'maturity', date, quantity: '50000', price: '100', instrument_id: 'bond' },
    answered: { plain: { amount: 50000, price: 100, dirty_price: 100 }, v1: { amount: '50000' } },
  },
  {
    what: 'a dividend with withholding',
    jsonApi: { type: 'dividend', date, settlementDate: settled, amount: 65, taxes: 35, instrument: 'stock' },
    plain: {
      type: 'Dividend',
      trade_date: date,
      settlement_date: settled,
      gross: 100,
      withholding: 35,
      instrument_id: 'stock',
    },
    v1: { type: 'dividend', date, settlement_date: settled, amount: '65', taxes: '35', instrument_id: 'stock' },
    answered: { plain: { net: 65 } },
  },
  {
    what: 'a coupon',
    jsonApi: { type: 'coupon', date, amount: 1250, instrument: 'bond' },
    plain: { type: 'BondCoupon', trade_date: date, net: 1250, instrument_id: 'bond' },
    v1: { type: 'coupon', date, amount: '1250', instrument_id: 'bond' },
    answered: { plain: { gross: 1250 } },
  },
  {
    what: 'interest that an account pays',
    jsonApi: { type: 'interest', date, amount: -12.35 },
    plain: { type: 'AccountInterest', trade_date: date, net: -12.35 },
    v1: { type: 'interest', date, amount: '-12.35' },
    answered: { plain: { gross: -12.35 } },
  },
  {
    what: 'a fee charged to an instrument',
    jsonApi: { type: 'fee', date, amount: -25, category: 'custody', instrument: 'stock' },
    plain: { type: 'Fee', trade_date: date, amount: -25, category: 'custody', instrument_id: 'stock' },
    v1: { type: 'fee', date, amount: '-25', category: 'custody', instrument_id: 'stock' },
  },
  {
    what: 'a deposit',
    jsonApi: { type: 'deposit', date, amount: 100000 },
    plain: { type: 'Transfer', trade_date: date, amount: 100000 },
    v1: { type: 'deposit', date, amount: '100000' },
  },
  {
    what: 'a withdrawal to another own account',
    jsonApi: { type: 'withdrawal', date, amount: -500, counterAccount: 'savings' },
    plain: { type: 'Transfer', trade_date: date, amount: -500, counter_account_id: 'savings' },
    v1: { type: 'withdrawal', date, amount: '-500', counter_account_id: 'savings' },
    answered: { jsonApi: { counterAmount: 500 }, plain: { counter_amount: 500 }, v1: { counter_amount: '500' } },
  },
  {
    what: 'units in kind that go out',
    jsonApi: { type: 'withdrawal', date, quantity: 5, instrument: 'stock' },
    plain: { type: 'Transfer', trade_date: date, quantity: -5, instrument_id: 'stock' },
    v1: { type: 'withdrawal', date, quantity: '5', instrument_id: 'stock' },
  },
  {
    what: 'an exchange of currencies into another account',
    jsonApi: {
      type: 'fx-trade',
      date,
      amount: -950,
      counterAmount: 1000,
      counterCcyCode: 'EUR',
      rate: 0.95,
      counterAccount: 'euros',
    },
    plain: {
      type: 'FxTrade',
      trade_date: date,
      amount: -950,
      counter_amount: 1000,
      rate: 0.95,
      counter_account_id: 'euros',
    },
    v1: { type: 'fx-trade', date, amount: '-950', counter_amount: '1000', rate: '0.95', counter_account_id: 'euros' },
    answered: {
      plain: { counter_currency: 'EUR', implied_cross: 1.0526315789473684 },
      v1: { counter_currency: 'EUR' },
    },
  },
  {
    what: 'a split',
    jsonApi: { type: 'corporate-action', date, action: 'split', ratio: '2:1', instrument: 'stock' },
    plain: { type: 'CorporateAction', trade_date: date, action: 'split', ratio: '2:1', instrument_id: 'stock' },
    v1: { type: 'corporate-action', date, action: 'split', ratio: '2:1', instrument_id: 'stock' },
  },
  {
    what: 'a spin-off',
    jsonApi: {
      type: 'corporate-action',
      date,
      action: 'spin-off',
      ratio: '1:5',
      costShare: 0.045,
      instrument: 'stock',
      targetInstrument: 'target',
    },
    plain: {
      type: 'CorporateAction',
      trade_date: date,
      action: 'spin-off',
      ratio: '1:5',
      cost_share: 0.045,
      instrument_id: 'stock',
      target_instrument_id: 'target',
    },
    v1: {
      type: 'corporate-action',
      date,
      action: 'spin-off',
      ratio: '1:5',
      cost_share: '0.045',
      instrument_id: 'stock',
      target_instrument_id: 'target',
    },
  },
  {
    what: 'a capital call',
    jsonApi: { type: 'drawing', date, amount: -750000, effectOnUnfunded: 700000, instrument: 'fund' },
    plain: {
      type: 'CapitalCall',
      trade_date: date,
      amount: -750000,
      effect_on_unfunded: 700000,
      instrument_id: 'fund',
    },
    v1: { type: 'drawing', date, amount: '-750000', effect_on_unfunded: '700000', instrument_id: 'fund' },
  },
  {
    what: 'a distribution',
    jsonApi: { type: 'private-equity-cashflow', date, amount: 120000, recallableAmount: 20000, instrument: 'fund' },
    plain: { type: 'Distribution', trade_date: date, amount: 120000, recallable_amount: 20000, instrument_id: 'fund' },
    v1: { type: 'private-equity-cashflow', date, amount: '120000', recallable_amount: '20000', instrument_id: 'fund' },
  },
  {
    what: 'a forward settled in cash',
    jsonApi: { type: 'maturity', date, amount: -12.5, instrument: 'forward' },
    plain: { type: 'ForwardSettlement', trade_date: date, amount: -12.5, instrument_id: 'forward' },
    v1: { type: 'maturity', date, amount: '-12.5', instrument_id: 'forward' },
  },
  {
    what: 'a forward that is delivered',
    jsonApi: {
      type: 'fx-trade',
      date,
      amount: -880,
      counterAmount: 1000,
      counterCcyCode: 'USD',
      instrument: 'delivery',
    },
    plain: {
      type: 'ForwardSettlement',
      trade_date: date,
      amount: -880,
      counter_amount: 1000,
      counter_currency: 'USD',
      instrument_id: 'delivery',
    },
    v1: {
      type: 'fx-trade',
      date,
      amount: '-880',
      counter_amount: '1000',
      counter_currency: 'USD',
      instrument_id: 'delivery',
    },
    answered: {
      jsonApi: { rate: 1.1363636363636365 },
      plain: { rate: 1.1363636363636365, implied_cross: 1.1363636363636365 },
      v1: { rate: '1.136363636363636364' },
    },
  },
];

const idFields = [
  'account',
  'savings',
  'euros',
  'depository',
  'stock',
  'target',
  'dollarStock',
  'bond',
  'fund',
  'forward',
  'delivery',
];

/** Replaces names with the ids of the household. */
function withIds(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' && idFields.includes(value) ? household[value as keyof LedgerHousehold] : value,
    ]),
  );
}

function sentOn(wire: LedgerWire, event: Event, reference: string): Fields {
  if (wire === 'JSON:API') return withIds({ ...event.jsonApi, account: 'account', externalReference: reference });
  return withIds({
    ...(wire === 'Plain' ? event.plain : event.v1),
    account_id: 'account',
    external_reference: reference,
  });
}

/** The fields of a resource object, with relations as ids. */
function shownFields({ attributes, relationships }: any): Record<string, unknown> {
  const linked = Object.entries<any>(relationships).map(([name, { data }]) => [name, data?.id ?? null]);
  return { ...attributes, ...Object.fromEntries(linked) };
}

function expectedOn(wire: LedgerWire, event: Event, reference: string): Fields {
  const more = { 'JSON:API': event.answered?.jsonApi, Plain: event.answered?.plain, v1: event.answered?.v1 }[wire];
  return { ...sentOn(wire, event, reference), ...more };
}

/** The fields that are not empty. */
function presentFields(shown: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
}

const bookingPaths: Readonly<Record<LedgerWire, string>> = {
  'JSON:API': '/api/v2/transactions',
  Plain: '/v2/transactions',
  v1: '/v1/transactions',
};

describe.each(['JSON:API', 'Plain', 'v1'] as const)('one event in three vocabularies, booked on %s:', (wire) => {
  const ids = new Map<Event, string>();
  let onJsonApi: ReadonlyMap<string, unknown>;
  let reference: OpenApiReference;
  const violations: string[] = [];

  const referenceOf = ({ what }: Event): string => `${what} on ${wire}`;

  beforeAll(async () => {
    reference = await OpenApiReference.create(admin);
    for (const event of events) {
      const booked = await book(admin, wire, sentOn(wire, event, referenceOf(event)));
      ids.set(event, bookedId(booked));
      violations.push(...reference.findViolations('POST', bookingPaths[wire], booked));
    }
    const address = `/api/v2/transactions?accountId=${household.account}`;
    const list = await admin.get(address);
    violations.push(...reference.findViolations('GET', address, list));
    onJsonApi = new Map(list.body.data.map((one: { id: string }) => [one.id, one]));
  });

  test('every answer matches the schema of the reference', async () => {
    expect(new Set(events.map(({ v1 }) => v1['type']))).toEqual(new Set(transactionTypes));
    for (const address of [...ids.values()].map((id) => `/v1/transactions/${id}`))
      violations.push(...reference.findViolations('GET', address, await admin.get(address)));
    for (const event of events) {
      for (const again of ['JSON:API', 'Plain', 'v1'] as const) {
        const reply = await book(admin, again, sentOn(again, event, referenceOf(event)));
        violations.push(...reference.findViolations('POST', bookingPaths[again], reply));
      }
    }
    expect(violations).toEqual([]);
  });

  const cases = events.map((event) => [event.what, event] as const);

  test.each(cases)('%s is the same on all', async (_what, event) => {
    const id = ids.get(event)!;
    const reference = referenceOf(event);

    const { body } = await admin.get(`/v1/transactions/${id}`);
    const { id: _id, source, created_at, client_id, currency, ...shown } = body;
    const common = { source: 'manual', created_at: testNow, client_id: household.client, currency: 'CHF' };
    expect({ source, created_at, client_id, currency }).toEqual(common);
    expect(presentFields(shown)).toEqual(expectedOn('v1', event, reference));

    const { currency: inFrancs, ...onLegacy } = presentFields(shownFields(onJsonApi.get(id)));
    expect([inFrancs, onLegacy]).toEqual(['CHF', expectedOn('JSON:API', event, reference)]);

    const again = await book(admin, 'Plain', sentOn('Plain', event, reference));
    const { id: same, currency: inPlain, source: plainSource, ...plain } = again.body;
    expect([again.status, same, inPlain, plainSource]).toEqual([200, id, 'CHF', 'manual']);
    expect(presentFields(plain)).toEqual(expectedOn('Plain', event, reference));
  });
});

describe('an answer', () => {
  test('of JSON:API has every attribute and relationship of its type, with null for missing values', async () => {
    const fields = { type: 'fee', date, amount: -25, account: household.account };
    const { status, body, headers } = await book(admin, 'JSON:API', fields);
    expect([status, headers.get('location')]).toEqual([
      201,
      expect.stringMatching(new RegExp(`/api/v2/transactions/${body.data.id}$`)),
    ]);
    expect(body).toEqual({
      data: {
        type: 'transaction',
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        attributes: {
          type: 'fee',
          date,
          settlementDate: null,
          executedAt: null,
          amount: -25,
          currency: 'CHF',
          category: null,
          comment: null,
          externalReference: null,
        },
        relationships: {
          account: { data: { type: 'account', id: household.account } },
          depository: { data: null },
          instrument: { data: null },
        },
      },
    });
  });

  test('of JSON:API names an instrument with its own type, however it was sent', async () => {
    const fields = { type: 'coupon', date, amount: 5, account: household.account, instrument: household.bond };
    const { body } = await book(admin, 'JSON:API', fields);
    expect(body.data.relationships.instrument).toEqual({ data: { type: 'bond-instrument', id: household.bond } });
  });

  test('of v1 has every field of its type', async () => {
    const { body } = await book(admin, 'v1', { type: 'fee', date, amount: '-25.50', account_id: household.account });
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      type: 'fee',
      date,
      settlement_date: null,
      executed_at: null,
      amount: '-25.5',
      currency: 'CHF',
      category: null,
      comment: null,
      source: 'manual',
      external_reference: null,
      created_at: testNow,
      account_id: household.account,
      depository_id: null,
      instrument_id: null,
      reverses_transaction_id: null,
      client_id: household.client,
    });
  });

  test('of Plain has every field of its type', async () => {
    const sent = { type: 'Fee', trade_date: date, amount: -25.5, account_id: household.account, source: 'custodian' };
    const { body, headers } = await book(admin, 'Plain', sent);
    expect(headers.get('location')).toMatch(new RegExp(`/v2/transactions/${body.id}$`));
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      type: 'Fee',
      trade_date: date,
      settlement_date: null,
      executed_at: null,
      amount: -25.5,
      category: null,
      currency: 'CHF',
      comment: null,
      source: 'custodian',
      external_reference: null,
      account_id: household.account,
      depository_id: null,
      instrument_id: null,
    });
  });

  test('contains every digit, on every wire', async () => {
    const digits = '-12345678901234567890.123456789012345678';
    const raw = `{"type":"Fee","trade_date":"${date}","amount":${digits},"account_id":"${household.account}"}`;
    const { text, body } = await admin.send('/v2/transactions', {
      method: 'POST',
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(text).toContain(`"amount":${digits},`);
    expect((await admin.get(`/v1/transactions/${body.id}`)).body.amount).toBe(digits);
    expect((await admin.get(`/api/v2/transactions?accountId=${household.account}`)).text).toContain(
      `"amount":${digits},`,
    );
  });

  test('shows lots, histories and times as they were sent', async () => {
    const executed = '2026-03-12T09:30:00.000Z';
    const acquired = [{ date: '2020-01-05', quantity: '7.5', cost: '80.25' }];
    const arrived = {
      type: 'deposit',
      date,
      executed_at: executed,
      quantity: '7.5',
      instrument_id: household.stock,
      acquired,
    };
    const { body } = await book(admin, 'v1', { ...arrived, account_id: household.account });
    expect([body.executed_at, body.acquired]).toEqual([executed, acquired]);
    const lots = [{ id: body.id, quantity: '2.5' }];
    const sale = { type: 'sell', date, quantity: '2.5', price: '12', instrument_id: household.stock, lots };
    expect((await book(admin, 'v1', { ...sale, account_id: household.account })).body.lots).toEqual(lots);
    const listed = await admin.get(`/api/v2/transactions?accountId=${household.account}`);
    const sold = listed.body.data.filter(({ attributes }: any) => attributes.lots);
    expect(sold.map(({ attributes }: any) => attributes.lots)).toEqual([[{ id: body.id, quantity: 2.5 }]]);
  });
});
