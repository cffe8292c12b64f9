// Rules between the fields of a transaction: amounts match, dates are in order, corporate actions and transfers in kind are
// complete. Every refusal has a pointer and names the figures.

import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { countPieces } from '../../setup/kit/count-pieces.ts';
import { LedgerColumns } from '../../../src/store/ledger/ledger-columns.ts';
import type { Caller } from '../../setup/http/caller.ts';
import {
  book,
  bookedId,
  makeInstrument,
  makeLedgerHousehold,
  makeStock,
  pointerFor,
  type LedgerHousehold,
  type LedgerWire,
} from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { faultsOf, makeRecord, unknownId } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let ledgerHousehold: LedgerHousehold;
let linker: string;

beforeAll(async () => {
  ({ admin } = service);
  ledgerHousehold = await makeLedgerHousehold(admin);
  linker = await makeInstrument(admin, {
    type: 'index-linked-bond-instrument',
    name: 'Linker 2034',
    currency: 'CHF',
    coupon: '0.01',
    maturity: '2034-06-15',
    base_factor: '100',
  });
  await makeRecord(admin, `instruments/${linker}/index-factors`, { date: '2026-03-01', value: '110' });
});

type Fields = Readonly<Record<string, unknown>>;
type IdLookup = (name: keyof LedgerHousehold) => string;

const date = '2026-03-12';
const idOf: IdLookup = (name) => ledgerHousehold[name];

const buy = { type: 'buy', date, quantity: '100', price: '12.5' };
const sell = { ...buy, type: 'sell' };

/** Books on v1, on the account in francs. */
function send(fields: Fields): ReturnType<typeof book> {
  return book(admin, 'v1', { account_id: ledgerHousehold.account, ...fields });
}

describe('the amount of a trade', () => {
  const stock = (): Fields => ({ instrument_id: idOf('stock') });
  const bond = (): Fields => ({ instrument_id: idOf('bond'), quantity: '100000', price: '98' });
  const fitting: [what: string, fields: () => Fields, amount: string][] = [
    ['is units × price', () => ({ ...buy, ...stock() }), '-1250'],
    [
      'is the sent one, within the smallest unit',
      () => ({ ...buy, ...stock(), fees: '0', amount: '-1250.01' }),
      '-1250.01',
    ],
    ['includes the fees and taxes of a buy', () => ({ ...buy, ...stock(), fees: '9', taxes: '1' }), '-1260'],
    ['excludes the fees and taxes of a sale', () => ({ ...sell, ...stock(), fees: '9', taxes: '1' }), '1240'],
    [
      'of a bond is per hundred, with accrued interest',
      () => ({ ...buy, ...bond(), accrued_interest: '1500' }),
      '-99500',
    ],
    [
      'of an index-linked bond is multiplied by its index',
      () => ({ ...buy, ...bond(), instrument_id: linker }),
      '-107800',
    ],
    [
      'in another currency is exchanged',
      () => ({ ...buy, instrument_id: idOf('dollarStock'), exchange_rate: '0.89', price: '55' }),
      '-4895',
    ],
    [
      'in another currency is accepted without a rate',
      () => ({ ...buy, instrument_id: idOf('dollarStock'), price: '55', amount: '-4890', fees: '0' }),
      '-4890',
    ],
    ['is accepted without a price', () => ({ ...buy, ...stock(), price: null, amount: '-77' }), '-77'],
    ['may differ by an unexplained amount', () => ({ ...buy, ...stock(), amount: '-1275' }), '-1275'],
    ['is accepted without an instrument', () => buy, '-1250'],
  ];

  test.each(fitting)('%s', async (_what, fields, amount) => {
    const reply = await send(fields());
    expect([reply.status, reply.body.amount]).toEqual([201, amount]);
  });

  const misfits: [what: string, fields: () => Fields, detail: string][] = [
    [
      'has the wrong sign',
      () => ({ ...buy, ...stock(), amount: '1250' }),
      'The sign is wrong: expected -1250, got 1250.',
    ],
    [
      'of a sale without a price has the wrong sign',
      () => ({ ...sell, ...stock(), price: null, amount: '-5' }),
      'The sign is wrong: expected 5, got -5.',
    ],
    [
      'does not match the other figures, including fees',
      () => ({ ...buy, ...stock(), fees: '9', amount: '-1300' }),
      'This does not match the other figures of the transaction: expected -1259, got -1300.',
    ],
  ];

  test.each(misfits)('that %s is refused with both figures', async (_what, fields, detail) => {
    const expected = { status: 422, code: 'amount-mismatch', detail, pointer: '/amount' };
    expect(faultsOf(await send(fields()))).toEqual([expected]);
  });

  test('is stored with its costs and the unexplained difference', async () => {
    const id = bookedId(await send({ ...buy, ...stock(), amount: '-1275' }));
    const [row] = await runSql<{ value: string; unexplained: string }>(
      service.database,
      `SELECT value, unexplained FROM transaction WHERE id = '${id}'`,
    );
    expect([Number(row!.value), Number(row!.unexplained)]).toEqual([1275, -25]);
  });

  test('on Plain is computed from the fields of the type', async () => {
    const sent = {
      type: 'BondTrade',
      trade_date: date,
      side: 'sell',
      quantity: 100000,
      clean_price: 98,
      dirty_price: 99.5,
    };
    const { body } = await book(admin, 'Plain', {
      ...sent,
      account_id: ledgerHousehold.account,
      instrument_id: ledgerHousehold.bond,
    });
    expect([body.amount, body.accrued_interest]).toEqual([99500, 1500]);
  });

  test.each([
    ['price', { price: 98 }],
    ['both names', { price: '98.0', clean_price: 98 }],
  ])('of a bond on Plain may be stated as %s', async (_name, prices) => {
    const bond = { account_id: ledgerHousehold.account, instrument_id: ledgerHousehold.bond };
    const traded = { type: 'BondTrade', trade_date: date, side: 'sell', quantity: 100000, accrued_interest: 1500 };
    const { body } = await book(admin, 'Plain', { ...traded, ...prices, ...bond });
    expect([body.amount, body.price, body.clean_price, body.dirty_price]).toEqual([99500, 98, 98, 99.5]);
  });
});

describe('the class of an instrument', () => {
  const allowed = ['buy', 'sell', 'corporate-action'];
  let shared: string;
  let own: string;

  beforeAll(async () => {
    const instrument_class_id = await makeRecord(admin, 'instrument-classes', {
      name: 'Bearer shares',
      allowed_transaction_types: allowed,
    });
    shared = await makeStock(admin, 'Shared', 'CHF', { instrument_class_id });
    own = await makeStock(admin, 'Own', 'CHF', {
      instrument_class_id,
      reporting_entity_id: ledgerHousehold.reportingEntity,
    });
  });

  const detail = (type: string): string =>
    `An instrument of the class Bearer shares has no transactions of type ${type}, only buy, sell, corporate-action.`;

  const others: [wire: LedgerWire, type: string, fields: (of: string) => Fields][] = [
    [
      'v1',
      'dividend',
      (of) => ({ type: 'dividend', date, amount: '5', account_id: idOf('account'), instrument_id: of }),
    ],
    ['v1', 'fee', (of) => ({ type: 'fee', date, amount: '-5', account_id: idOf('account'), instrument_id: of })],
    [
      'v1',
      'deposit',
      (of) => ({ type: 'deposit', date, quantity: '5', account_id: idOf('account'), instrument_id: of }),
    ],
    [
      'v1',
      'withdrawal',
      (of) => ({ type: 'withdrawal', date, quantity: '5', account_id: idOf('account'), instrument_id: of }),
    ],
    ['JSON:API', 'dividend', (of) => ({ type: 'dividend', date, amount: 5, account: idOf('account'), instrument: of })],
    [
      'Plain',
      'dividend',
      (of) => ({ type: 'Dividend', trade_date: date, net: 5, account_id: idOf('account'), instrument_id: of }),
    ],
  ];

  test.each(others)('on %s allows no %s, except for private instruments', async (wire, type, fields) => {
    const fault = { status: 422, code: 'invalid-attribute', detail: detail(type), pointer: pointerFor(wire, 'type') };
    expect(faultsOf(await book(admin, wire, fields(shared)))).toEqual([fault]);
    expect((await book(admin, wire, fields(own))).status).toBe(201);
  });

  test('allows the types it names, for one account and for all holders, and also restricts amendments', async () => {
    const id = bookedId(await send({ ...buy, instrument_id: shared }));
    const split = { type: 'corporate-action', date, action: 'split', ratio: '2:1', instrument_id: shared };
    expect((await book(admin, 'v1', split)).status).toBe(201);
    const stock = bookedId(await send({ type: 'dividend', date, amount: '5', instrument_id: idOf('stock') }));
    const [fault] = faultsOf(await admin.patch(`/v1/transactions/${stock}`, { instrument_id: shared }));
    expect([fault!.pointer, fault!.detail]).toEqual(['/type', detail('dividend')]);
    expect((await admin.patch(`/v1/transactions/${id}`, { comment: 'still' })).status).toBe(200);
  });
});

describe('inconsistent fields', () => {
  const inKind = (): Fields => ({ type: 'deposit', date, quantity: '10', instrument_id: idOf('stock') });
  const action = (word: string, more: Fields = {}): Fields => ({
    type: 'corporate-action',
    date,
    action: word,
    instrument_id: idOf('stock'),
    ...more,
  });
  const fx = { type: 'fx-trade', date, amount: '-950', counter_currency: 'EUR', counter_amount: '1000' };
  const faults: [what: string, fields: () => Fields, pointer: string, detail: string, code?: string][] = [
    [
      'a settlement before the trade',
      () => ({ ...buy, settlement_date: '2026-03-11' }),
      '/settlement_date',
      'This must not be before 2026-03-12.',
    ],
    [
      'a period that ends before it begins',
      () => ({ type: 'interest', date, amount: '1', period_start: '2026-02-01', period_end: '2026-01-31' }),
      '/period_end',
      'This must not be before 2026-02-01.',
    ],
    [
      'a move to the account itself',
      () => ({ type: 'deposit', date, amount: '1', counter_account_id: idOf('account') }),
      '/counter_account_id',
      'This must be another account.',
    ],
    [
      'a trade without price and amount',
      () => ({ ...buy, price: null }),
      '/amount',
      'An amount or a price is required.',
      'missing-attribute',
    ],
    [
      'a price in dollars without a rate',
      () => ({ ...buy, instrument_id: idOf('dollarStock') }),
      '/exchange_rate',
      'An exchange rate is required: the instrument is in USD, the amount in CHF.',
      'missing-attribute',
    ],
    [
      'a rate between francs and francs',
      () => ({ ...buy, instrument_id: idOf('stock'), exchange_rate: '1.1' }),
      '/exchange_rate',
      'The instrument and the amount are both in CHF: the exchange rate can only be 1.',
    ],
    [
      'a redemption without units',
      () => ({ type: 'maturity', date, amount: '5', instrument_id: idOf('bond') }),
      '/quantity',
      'The number of redeemed units is required.',
      'missing-attribute',
    ],
    [
      'a deposit without amount and units',
      () => ({ type: 'deposit', date }),
      '/amount',
      'An amount, or a quantity of an instrument, is required.',
      'missing-attribute',
    ],
    [
      'units in kind for cash',
      () => ({ ...inKind(), amount: '5' }),
      '/amount',
      'A transfer of units cannot have a cash amount.',
    ],
    [
      'units without an instrument',
      () => ({ type: 'deposit', date, quantity: '5' }),
      '/instrument_id',
      'The instrument of the units is required.',
      'missing-attribute',
    ],
    [
      'an instrument without units',
      () => ({ type: 'deposit', date, instrument_id: idOf('stock') }),
      '/quantity',
      'The number of units is required.',
      'missing-attribute',
    ],
    [
      'a history with another quantity',
      () => ({ ...inKind(), acquired: [{ date: '2020-01-05', quantity: '9', cost: '80' }] }),
      '/acquired',
      'The quantities must add up to 10.',
    ],
    [
      'a history in the future',
      () => ({ ...inKind(), acquired: [{ date: '2026-03-13', quantity: '10', cost: '80' }] }),
      '/acquired/0',
      'Units cannot have been acquired after 2026-03-12.',
    ],
    [
      'a history of units from an own account',
      () => ({ ...inKind(), counter_account_id: idOf('savings'), acquired: [{ date, quantity: '10', cost: '80' }] }),
      '/acquired',
      'This can be sent only for units that come in from outside the accounts kept here.',
    ],
    [
      'a move to another currency without its amount',
      () => ({ type: 'withdrawal', date, amount: '-95', counter_account_id: idOf('euros') }),
      '/counter_amount',
      'The amount in EUR is required: the other account is in another currency.',
      'missing-attribute',
    ],
    [
      'a second leg without a second account',
      () => ({ type: 'withdrawal', date, amount: '-95', counter_amount: '95' }),
      '/counter_amount',
      'The amount of the other leg can be sent only with another account.',
    ],
    [
      'an exchange without the other currency',
      () => ({ ...fx, counter_currency: null }),
      '/counter_currency',
      'The currency of the other leg is required.',
      'missing-attribute',
    ],
    [
      'an exchange into the same currency',
      () => ({ ...fx, counter_currency: 'CHF' }),
      '/counter_currency',
      'Both legs are in CHF: an exchange is between two currencies.',
    ],
    [
      'an exchange without a second leg',
      () => ({ ...fx, counter_amount: null }),
      '/counter_amount',
      'The amount of the other leg or an exchange rate is required.',
      'missing-attribute',
    ],
    [
      'an exchange with two incoming legs',
      () => ({ ...fx, amount: '950' }),
      '/counter_amount',
      'The sign is wrong: expected -1000, got 1000.',
      'amount-mismatch',
    ],
    [
      'an exchange at another rate',
      () => ({ ...fx, rate: '0.5' }),
      '/counter_amount',
      'This does not match the other figures of the transaction: expected 475, got 1000.',
      'amount-mismatch',
    ],
    [
      'an exchange with a share as its contract',
      () => ({ ...fx, instrument_id: idOf('stock') }),
      '/instrument_id',
      'An exchange can only name an FX forward contract.',
    ],
    [
      'units of a forward',
      () => ({ type: 'maturity', date, amount: '5', quantity: '1', instrument_id: idOf('forward') }),
      '/quantity',
      'This cannot be sent for the settlement of a forward contract.',
    ],
    ['a split without a ratio', () => action('split'), '/ratio', 'This is required for a split.', 'missing-attribute'],
    [
      'a split with swapped units',
      () => action('split', { ratio: '1:2' }),
      '/ratio',
      'A split leaves more units than before: send the units after before those before.',
    ],
    [
      'a reverse split with swapped units',
      () => action('reverse-split', { ratio: '10:1' }),
      '/ratio',
      'A reverse-split leaves fewer units than before: send the units after before those before.',
    ],
    [
      'a split with a target',
      () => action('split', { ratio: '2:1', target_instrument_id: idOf('target') }),
      '/target_instrument_id',
      'This cannot be sent for a split.',
    ],
    [
      'a spin-off without its share of the cost',
      () => action('spin-off', { ratio: '1:5', target_instrument_id: idOf('target') }),
      '/cost_share',
      'This is required for a spin-off.',
      'missing-attribute',
    ],
    [
      'a merger with itself',
      () => action('merger', { ratio: '1:5', target_instrument_id: idOf('stock') }),
      '/target_instrument_id',
      'This must be another instrument.',
    ],
    [
      'units paid out without an amount',
      () => action('merger', { ratio: '1:5', target_instrument_id: idOf('target'), cash_in_lieu_quantity: '0.5' }),
      '/amount',
      'The amount that was paid for the units that were not delivered is required.',
      'missing-attribute',
    ],
    [
      'an amount for units of a target in another currency, without a rate',
      () => ({
        ...action('merger', { ratio: '1:5', target_instrument_id: idOf('dollarStock'), cash_in_lieu_quantity: '0.5' }),
        amount: '30',
        account_id: idOf('account'),
      }),
      '/exchange_rate',
      'An exchange rate is required: the instrument is in USD, the amount in CHF.',
      'missing-attribute',
    ],
    [
      'a return of capital without an amount',
      () => action('return-of-capital'),
      '/amount',
      'This is required for a return-of-capital.',
      'missing-attribute',
    ],
    [
      'a call of a fund in another currency',
      () => ({ type: 'drawing', date, amount: '-5', currency: 'EUR', instrument_id: idOf('fund') }),
      '/exchange_rate',
      'An exchange rate is required: the instrument is in CHF, the amount in EUR.',
      'missing-attribute',
    ],
    [
      'lots of an unknown purchase',
      () => ({ ...sell, lots: [{ id: unknownId, quantity: '100' }] }),
      '/lots/0',
      'No transaction of this account opened this lot.',
    ],
    [
      'figures that are too large',
      () => ({ ...buy, quantity: '99999999999999999999', price: '99999999999999999999' }),
      '/amount',
      'The resulting amount has more than 20 digits before the decimal point.',
    ],
  ];

  test.each(faults)('%s is refused', async (_what, fields, pointer, detail, code = 'invalid-attribute') => {
    expect(faultsOf(await send(fields()))).toEqual([{ status: 422, code, detail, pointer }]);
  });

  const refusalCases: [
    wire: LedgerWire,
    what: string,
    fields: () => Fields,
    name: string,
    detail: string,
    code?: string,
  ][] = [
    [
      'Plain',
      'shares booked as a bond',
      () => ({
        type: 'BondTrade',
        trade_date: date,
        side: 'buy',
        quantity: 1,
        clean_price: 1,
        instrument_id: idOf('stock'),
      }),
      'instrument_id',
      'This instrument is not a bond: book it as an EquityTrade.',
    ],
    [
      'Plain',
      'a bond booked as shares',
      () => ({
        type: 'EquityTrade',
        trade_date: date,
        side: 'buy',
        quantity: 1,
        price: 1,
        instrument_id: idOf('bond'),
      }),
      'instrument_id',
      'This instrument is a bond: book it as a BondTrade.',
    ],
    [
      'Plain',
      'shares booked as a forward',
      () => ({ type: 'ForwardSettlement', trade_date: date, amount: 1, instrument_id: idOf('stock') }),
      'instrument_id',
      'This instrument is not an FX forward contract.',
    ],
    [
      'Plain',
      'income that does not add up',
      () => ({
        type: 'Dividend',
        trade_date: date,
        gross: 100,
        withholding: 35,
        net: 60,
        instrument_id: idOf('stock'),
      }),
      'net',
      'This does not match the other figures of the transaction: expected 65, got 60.',
      'amount-mismatch',
    ],
    [
      'Plain',
      'income without an amount',
      () => ({ type: 'Dividend', trade_date: date, withholding: 35, instrument_id: idOf('stock') }),
      'net',
      'The amount that was received is required, net or gross.',
      'missing-attribute',
    ],
    [
      'Plain',
      'a dirty price that does not match the accrued interest',
      () => ({
        type: 'BondTrade',
        trade_date: date,
        side: 'buy',
        quantity: 100000,
        clean_price: 98,
        dirty_price: 99.5,
        accrued_interest: 900,
        instrument_id: idOf('bond'),
      }),
      'accrued_interest',
      'This does not match the other figures of the transaction: expected 1500, got 900.',
      'amount-mismatch',
    ],
    [
      'Plain',
      'two clean prices',
      () => ({
        type: 'BondTrade',
        trade_date: date,
        side: 'buy',
        quantity: 100000,
        price: 98.5,
        clean_price: 98,
        instrument_id: idOf('bond'),
      }),
      'price',
      '`price` is the clean price of a bond, and `clean_price` is another: expected 98, got 98.5. Send one of them.',
    ],
    [
      'Plain',
      'a dirty price alone',
      () => ({
        type: 'BondTrade',
        trade_date: date,
        side: 'buy',
        quantity: 1,
        dirty_price: 99.5,
        instrument_id: idOf('bond'),
      }),
      'clean_price',
      'The clean price is required when the dirty price is sent.',
      'missing-attribute',
    ],
    [
      'Plain',
      'a settlement before the trade',
      () => ({ type: 'Fee', trade_date: date, settlement_date: '2026-03-11', amount: -5 }),
      'settlement_date',
      'This must not be before 2026-03-12.',
    ],
    [
      'JSON:API',
      'a settlement before the trade',
      () => ({ type: 'fee', date, settlementDate: '2026-03-11', amount: -5 }),
      'settlementDate',
      'This must not be before 2026-03-12.',
    ],
    [
      'JSON:API',
      'unknown lots',
      () => ({ type: 'sell', date, quantity: 1, price: 5, amount: 5, lots: [{ id: unknownId, quantity: 1 }] }),
      'lots/0',
      'No transaction of this account opened this lot.',
    ],
  ];

  test.each(refusalCases)(
    'on %s, %s is refused with the field names of the wire',
    async (wire, _what, fields, name, detail, code = 'invalid-attribute') => {
      const account = wire === 'Plain' ? { account_id: ledgerHousehold.account } : { account: ledgerHousehold.account };
      const reply = await book(admin, wire, { ...account, ...fields() });
      expect(faultsOf(reply)).toEqual([{ status: 422, code, detail, pointer: pointerFor(wire, name) }]);
    },
  );

  test('several faults are reported together', async () => {
    const reply = await send({ type: 'deposit', date, settlement_date: '2026-03-11', quantity: '5', amount: '5' });
    expect(faultsOf(reply).map(({ pointer }) => pointer)).toEqual(['/settlement_date', '/instrument_id', '/amount']);
  });
});

describe('a sale under SPECIFIC_ID', () => {
  let household: LedgerHousehold;

  beforeAll(async () => {
    household = await makeLedgerHousehold(admin, 'Bussard');
    await admin.patch(`/v1/clients/${household.client}`, { accounting_method: 'SPECIFIC_ID' });
  });

  const sale = (more: Fields = {}): Promise<ReturnType<typeof faultsOf>> =>
    book(admin, 'v1', { ...sell, account_id: household.account, instrument_id: household.stock, ...more }).then(
      (reply) => (reply.status === 201 ? [] : faultsOf(reply)),
    );

  test('must name its lots when it is booked manually, on every wire', async () => {
    const detail = "The client's accounting method is SPECIFIC_ID: the lots that are sold are required.";
    const fault = { status: 422, code: 'missing-attribute', detail };
    expect(await sale()).toEqual([{ ...fault, pointer: '/lots' }]);
    const plain = {
      type: 'EquityTrade',
      trade_date: date,
      side: 'sell',
      quantity: 1,
      price: 5,
      account_id: household.account,
    };
    expect(faultsOf(await book(admin, 'Plain', plain))).toEqual([{ ...fault, pointer: '/lots' }]);
    const document = { type: 'sell', date, quantity: 1, price: 5, amount: 5, account: household.account };
    expect(faultsOf(await book(admin, 'JSON:API', document))).toEqual([{ ...fault, pointer: '/data/attributes/lots' }]);
  });

  test('from a feed needs no lots, and neither does a buy', async () => {
    expect(await sale({ source: 'custodian' })).toEqual([]);
  });

  /** Buys 100 of a new stock, so that nothing else has been sold of it. */
  async function buyLot(more: Fields = {}): Promise<{ readonly lot: string; readonly instrument_id: string }> {
    const instrument_id = await makeStock(admin, 'Lot AG');
    const fields = { ...buy, account_id: household.account, instrument_id, ...more };
    return { lot: bookedId(await book(admin, 'v1', fields)), instrument_id };
  }

  test('must name lots of its own account that add up to its quantity', async () => {
    const { lot, instrument_id } = await buyLot();
    const lots = [
      { id: `${lot}.0`, quantity: '30' },
      { id: lot, quantity: '20' },
    ];
    expect(await sale({ instrument_id, quantity: '50', lots })).toEqual([]);
    expect(await sale({ instrument_id, quantity: '50', lots: [{ id: lot, quantity: '50' }] })).toEqual([]);
    const [short] = await sale({ instrument_id, lots: [{ id: lot, quantity: '99' }] });
    expect(short).toMatchObject({ pointer: '/lots', detail: 'The quantities must add up to 100.' });
    const { lot: otherLot } = await buyLot({ account_id: household.savings });
    const [foreign] = await sale({ lots: [{ id: otherLot, quantity: '100' }] });
    expect(foreign).toMatchObject({ pointer: '/lots/0', detail: 'No transaction of this account opened this lot.' });
  });

  const missing = (detail: string, pointer = '/lots/0') => [
    { status: 422, code: 'invalid-attribute', detail, pointer },
  ];

  test('is refused when a named lot is of another instrument, of a later day or has fewer units left', async () => {
    const { lot, instrument_id } = await buyLot();
    const named = (quantity: string) => ({ instrument_id, quantity, lots: [{ id: lot, quantity }] });
    expect(await sale({ lots: [{ id: lot, quantity: '100' }] })).toEqual(missing('This lot is of another instrument.'));
    expect(await sale({ ...named('100'), date: '2026-03-09' })).toEqual(
      missing(`This lot was opened on ${date}, after 2026-03-09.`),
    );
    expect(await sale(named('101'))).toEqual(missing(`The position has only 100 units of this lot left on ${date}.`));
    expect(await sale(named('60'))).toEqual([]);
    expect(await sale(named('41'))).toEqual(missing(`The position has only 40 units of this lot left on ${date}.`));
    const twice = { id: lot, quantity: '21' };
    const [one, two] = await sale({ instrument_id, quantity: '42', lots: [twice, { ...twice, id: `${lot}.0` }] });
    expect([one!.pointer, two!.pointer]).toEqual(['/lots/0', '/lots/1']);
    expect(await sale({ ...named('40'), depository_id: household.vault })).toEqual(
      missing(`The position has no units of this lot left on ${date}.`),
    );
    expect(await sale(named('40'))).toEqual([]);
    expect(await sale(named('1'))).toEqual(missing(`The position has no units of this lot left on ${date}.`));
  });

  test.each(['unknown', 'missing'])('of very many %s lots lists a hundred of them', async (kind) => {
    const { lot, instrument_id } = await buyLot();
    const lots = Array.from({ length: 1_000 }, (_, index) => ({
      id: kind === 'unknown' ? unknownId : `${lot}.${index + 1}`,
      quantity: '1',
    }));
    const fields = { ...sell, account_id: household.account, instrument_id, quantity: '1000', lots };
    const { status, body } = await book(admin, 'v1', fields);
    const detail = 'The request has more than 100 faults; the first 100 are listed.';
    expect([status, body.detail, body.errors.length]).toEqual([422, detail, 100]);
    expect(body.errors.at(-1).pointer).toBe('/lots/99');
  });

  test('is refused so on every wire, and so is a transfer of named lots', async () => {
    const { lot, instrument_id } = await buyLot();
    const lots = [{ id: lot, quantity: 101 }];
    const detail = `The position has only 100 units of this lot left on ${date}.`;
    const { account } = household;
    const document = {
      type: 'sell',
      date,
      quantity: 101,
      price: 5,
      amount: 505,
      account,
      instrument: instrument_id,
      lots,
    };
    expect(faultsOf(await book(admin, 'JSON:API', document))).toEqual(missing(detail, '/data/attributes/lots/0'));
    const plain = { type: 'EquityTrade', trade_date: date, side: 'sell', quantity: 101, price: 5, account_id: account };
    expect(faultsOf(await book(admin, 'Plain', { ...plain, instrument_id, lots }))).toEqual(missing(detail));
    const move = { type: 'withdrawal', date, quantity: '101', counter_account_id: household.savings };
    const units = { account_id: account, instrument_id, lots: [{ id: lot, quantity: '101' }] };
    expect(faultsOf(await book(admin, 'v1', { ...move, ...units }))).toEqual(missing(detail));
    const moved = { ...move, ...units, quantity: '70', lots: [{ id: lot, quantity: '70' }] };
    const arrived = bookedId(await book(admin, 'v1', moved));
    const there = { account_id: household.savings, instrument_id, quantity: '70' };
    expect(await sale({ ...there, account_id: account, lots: [{ id: lot, quantity: '70' }] })).toEqual(
      missing(`The position has only 30 units of this lot left on ${date}.`),
    );
    expect(await sale({ ...there, lots: [{ id: arrived, quantity: '70' }] })).toEqual([]);
  });

  test('can name units that came through several accounts, as far as they are left', async () => {
    const { lot, instrument_id } = await buyLot();
    const last = await makeRecord(admin, 'accounts', { entity_id: household.legalEntity, currency: 'CHF' });
    const move = async (from: string, to: string, id: string, quantity: string): Promise<string> => {
      const place = { account_id: from, counter_account_id: to, instrument_id };
      return bookedId(
        await book(admin, 'v1', { type: 'withdrawal', date, ...place, quantity, lots: [{ id, quantity }] }),
      );
    };
    const first = await move(household.account, household.savings, lot, '70');
    const second = await move(household.savings, last, first, '50');
    const there = (quantity: string) => ({
      account_id: last,
      instrument_id,
      quantity,
      lots: [{ id: second, quantity }],
    });
    expect(await sale(there('51'))).toEqual(missing(`The position has only 50 units of this lot left on ${date}.`));
    expect(await sale(there('50'))).toEqual([]);
    expect(await sale(there('1'))).toEqual(missing(`The position has no units of this lot left on ${date}.`));
  });

  test('reads the rows of accounts that its units moved between, and no others', async () => {
    const { client, account, savings, euros, stock } = await makeLedgerHousehold(admin, 'Sperber');
    await admin.patch(`/v1/clients/${client}`, { accounting_method: 'SPECIFIC_ID' });
    const units = { date, instrument_id: stock, quantity: '100' };
    const lot = bookedId(await book(admin, 'v1', { ...buy, ...units, account_id: account }));
    const move = { type: 'withdrawal', ...units, account_id: account, counter_account_id: savings };
    const moved = bookedId(await book(admin, 'v1', { ...move, lots: [{ id: lot, quantity: '100' }] }));
    const deposits = Array.from({ length: 30 }, () => ({ type: 'deposit', date, amount: '1', account_id: euros }));
    const { body } = await admin.post('/v1/transactions/bulk', { data: deposits });
    expect(body.booked).toBe(30);
    const read = vi.spyOn(LedgerColumns.prototype, 'readKnownAt');
    onTestFinished(() => read.mockRestore());
    expect(await sale({ ...units, account_id: savings, lots: [{ id: moved, quantity: '100' }] })).toEqual([]);
    const views = await Promise.all(read.mock.results.map(({ value }) => value as ReturnType<typeof read>));
    const loaded = views.map(({ blocks }) => blocks.reduce((sum, { rows }) => sum + rows.length, 0));
    expect(Math.min(...loaded)).toBeGreaterThan(0);
    expect(Math.max(...loaded)).toBeLessThan(deposits.length);
    expect(new Set(read.mock.calls.flatMap(([accounts]) => accounts))).toEqual(new Set([account, savings]));
  });

  test('lets others in between the rows that its check computes', async () => {
    const { lot, instrument_id } = await buyLot();
    const row = { ...sell, account_id: household.account, instrument_id, quantity: '1', amount: undefined };
    const data = Array.from({ length: 50 }, () => ({ ...row, lots: [{ id: lot, quantity: '1' }] }));
    expect((await admin.post('/v1/transactions/bulk', { data })).body.booked).toBe(data.length);
    const { pieceCount } = countPieces();
    expect(await sale({ instrument_id, quantity: '1', lots: [{ id: lot, quantity: '1' }] })).toEqual([]);
    expect(pieceCount()).toBeGreaterThan(data.length);
  });

  test('in a bulk body counts what the other rows take, and one that is refused takes nothing', async () => {
    const { lot, instrument_id } = await buyLot();
    const { lot: other } = await buyLot({ instrument_id });
    const row = (id: string, quantity: string) => ({
      ...sell,
      account_id: household.account,
      instrument_id,
      quantity,
      amount: undefined,
      lots: [{ id, quantity }],
    });
    const data = [row(lot, '60'), row(lot, '150'), row(lot, '41'), row(other, '100'), row(lot, '40')];
    const whole = await admin.post('/v1/transactions/bulk', { data });
    expect([whole.status, whole.body.errors.map(({ pointer }: Fields) => pointer)]).toEqual([
      422,
      ['/data/1/lots/0', '/data/2/lots/0'],
    ]);
    const each = await admin.post('/v1/transactions/bulk?mode=per-row', { data });
    expect(each.body).toMatchObject({ booked: 3, refused: 2 });
    expect(await sale({ instrument_id, quantity: '1', lots: [{ id: lot, quantity: '1' }] })).toEqual(
      missing(`The position has no units of this lot left on ${date}.`),
    );
  });

  test('is amended by the same rule, unless the amendment does not concern its lots', async () => {
    const { lot, instrument_id } = await buyLot();
    const fields = { ...sell, amount: undefined, account_id: household.account, instrument_id, quantity: '60' };
    const sent = { ...fields, lots: [{ id: lot, quantity: '60' }], external_reference: 'S-1' };
    const id = bookedId(await book(admin, 'v1', sent));
    const amend = (changes: Fields) => admin.patch(`/v1/transactions/${id}`, { amount: null, ...changes });
    const lots = (quantity: string) => ({ quantity, lots: [{ id: lot, quantity }] });
    expect(faultsOf(await amend(lots('101')))).toEqual(
      missing(`The position has only 100 units of this lot left on ${date}.`),
    );
    expect(faultsOf(await amend({ date: '2026-03-09', settlement_date: null }))).toEqual(
      missing(`This lot was opened on ${date}, after 2026-03-09.`),
    );
    expect((await amend(lots('100'))).status).toBe(200);
    expect((await book(admin, 'v1', { ...sent, ...lots('100') })).status).toBe(200);
    expect(faultsOf(await book(admin, 'v1', { ...sent, ...lots('102') }))).toHaveLength(1);
    expect((await admin.patch(`/v1/transactions/${lot}`, { amount: null, quantity: '50' })).status).toBe(200);
    expect((await amend({ comment: 'Confirmed.' })).status).toBe(200);
    expect(faultsOf(await amend(lots('99')))).toEqual(
      missing(`The position has only 50 units of this lot left on ${date}.`),
    );
  });

  test('can name units that were uploaded, and that a corporate action for all holders brought', async () => {
    const instrument_id = await makeStock(admin, 'Uploaded AG');
    const target = await makeStock(admin, 'Target AG');
    const place = { account_id: household.account, depository_id: household.vault };
    await admin.patch(`/v1/accounts/${household.account}`, { depository_ids: [household.vault] });
    const stated = { kind: 'instrument', depository_id: household.vault, instrument_id, date: '2026-03-01' };
    expect((await admin.post('/v1/historical-holdings', { ...stated, units: '10', market_value: '500' })).status).toBe(
      201,
    );
    const uploaded = { ...place, instrument_id, quantity: '4' };
    expect(await sale({ ...uploaded, lots: [{ id: 'upload:2026-03-01', quantity: '4' }] })).toEqual([]);
    const merger = {
      type: 'corporate-action',
      date,
      action: 'symbol-change',
      instrument_id,
      target_instrument_id: target,
    };
    const opened = bookedId(await book(admin, 'v1', merger));
    const left = { ...place, instrument_id: target, quantity: '6', date: '2026-03-20', settlement_date: null };
    expect(await sale({ ...left, lots: [{ id: opened, quantity: '6' }] })).toEqual([]);
    expect(await sale({ ...uploaded, lots: [{ id: 'upload:2026-02-30', quantity: '4' }] })).toMatchObject([
      { pointer: '/lots/0/id' },
    ]);
  });

  test('from a feed may name lots that are not there', async () => {
    const { lot, instrument_id } = await buyLot();
    const { lot: elsewhere } = await buyLot();
    const named = (id: string) => ({
      instrument_id,
      quantity: '1',
      source: 'custodian',
      lots: [{ id, quantity: '1' }],
    });
    for (const id of [unknownId, elsewhere, `${lot}.7`]) expect(await sale(named(id))).toEqual([]);
  });
});
