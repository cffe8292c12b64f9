// Bulk rows that name accounts by number and instruments by codes, and dry runs that say what would happen and keep nothing.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { digestStoredRows } from '../../setup/access/client-hierarchy.ts';
import { toCsv, toJsonLines } from '../../setup/instruments/series-document.ts';
import { makeStock } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord, type Household } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let household: Household;
let other: Household;
let account: string;
let stock: string;
let mapped: string;

const iban = 'CH93 0076 2011 6238 5295 7';
const isin = 'CH0012005267';

function makeAccount(owner: Household, number: string, currency = 'CHF', more: object = {}): Promise<string> {
  const fields = { entity_id: owner.legalEntity, currency, external_identifier: number };
  return makeRecord(admin, 'accounts', { ...fields, ...more });
}

beforeAll(async () => {
  ({ admin } = service);
  household = await makeHousehold(admin, 'Amsel');
  other = await makeHousehold(admin, 'Bussard');
  account = await makeAccount(household, iban, 'CHF', { institution: 'Bank of codes' });
  await makeAccount(other, '0815');
  stock = await makeStock(admin, 'Novartis', 'CHF', { isin, ticker: 'NOVN', exchange: 'XSWX', sedol: '7103065' });
  mapped = await makeStock(admin, 'ABB', 'CHF');
  const { custodian_id } = (await admin.get(`/v1/accounts/${account}`)).body;
  const fields = { kind: 'instrument', scheme: 'custodian-code', value: '1222171', client_id: household.client };
  await makeRecord(admin, 'identifier-mappings', { ...fields, custodian_id, instrument_id: mapped });
});

const buy = { type: 'buy', date: '2026-03-12', quantity: '10', price: '100' };
const path = '/v1/transactions/bulk';

function send(rows: readonly object[], mode = 'all-or-nothing', headers: Record<string, string> = {}): Promise<Reply> {
  return admin.post(`${path}?mode=${mode}`, { data: rows }, headers);
}

async function listBooked(): Promise<readonly any[]> {
  return (await admin.get(`/v1/transactions?account_id=${account}&limit=100`)).body.data;
}

describe('rows that name their records', () => {
  const rows = [
    { ...buy, account_number: 'ch9300762011623852957', isin, external_reference: 'n-1' },
    { ...buy, account_number: iban, ticker: 'NOVN', mic: 'XSWX', external_reference: 'n-2' },
    { ...buy, account_number: iban, sedol: '7103065', external_reference: 'n-3' },
    { ...buy, account_number: iban, custodian_code: '1222171', external_reference: 'n-4' },
  ];

  test.each([
    ['JSON', 'application/json', (all: readonly object[]) => JSON.stringify({ data: all })],
    ['JSON lines', 'application/x-ndjson', toJsonLines],
    [
      'CSV',
      'text/csv',
      (all: readonly object[]) => {
        const columns = [...new Set(all.flatMap(Object.keys))];
        return toCsv(all.map((row: any) => Object.fromEntries(columns.map((name) => [name, row[name] ?? '']))));
      },
    ],
  ])('are booked for the same records as rows with ids, as %s', async (format, type, write) => {
    const own = rows.map((row) => ({ ...row, external_reference: `${format} ${row.external_reference}` }));
    const reply = await admin.send(path, { method: 'POST', raw: write(own), headers: { 'content-type': type } });
    expect(reply.body).toMatchObject({ accepted: 4, booked: 4, errors: [] });
    const booked = (await listBooked()).filter((one) => one.external_reference.startsWith(`${format} `));
    expect(booked.map((one) => one.instrument_id)).toEqual([stock, stock, stock, mapped]);
  });

  test('may also send ids, which must agree', async () => {
    const both = { ...buy, account_number: iban, account_id: account, isin, instrument_id: stock };
    expect((await send([both], 'dry-run')).body).toMatchObject({ booked: 1, refused: 0 });
    const wrong = await send([{ ...both, instrument_id: mapped }], 'per-row');
    expect(wrong.body.errors).toEqual([
      {
        index: 0,
        code: 'invalid-attribute',
        pointer: '/data/0/isin',
        detail: `The isin ${isin} means the instrument ${stock}, and instrument_id names another one. Send only one of them, or make them agree.`,
      },
    ]);
  });

  test('find the other account and the depository of their client by number', async () => {
    const savings = await makeAccount(household, 'S-1');
    await makeAccount(other, 'S-1');
    const place = { legal_entity_id: household.legalEntity, external_identifier: 'D-1' };
    const depository = await makeRecord(admin, 'depositories', place);
    await makeRecord(admin, 'depositories', { ...place, legal_entity_id: other.legalEntity });
    const moved = {
      type: 'withdrawal',
      date: buy.date,
      account_number: iban,
      amount: '-5',
      counter_account_number: 's-1',
      external_reference: 'moved',
    };
    const kept = { ...buy, account_number: iban, isin, depository_number: 'd-1', external_reference: 'kept' };
    expect((await send([moved, kept])).body).toMatchObject({ booked: 2, errors: [] });
    const booked = new Map((await listBooked()).map((one) => [one.external_reference, one]));
    expect(booked.get('moved')).toMatchObject({ counter_account_id: savings });
    expect(booked.get('kept')).toMatchObject({ depository_id: depository });
    const wrong = [
      { ...moved, counter_account_number: 'S-2' },
      { ...kept, depository_number: 'D-2' },
    ];
    expect((await send(wrong, 'per-row')).body.errors).toEqual([
      {
        index: 0,
        code: 'account-not-found',
        pointer: '/data/0/counter_account_number',
        detail: 'There is no account with the number S-2.',
      },
      {
        index: 1,
        code: 'depository-not-found',
        pointer: '/data/1/depository_number',
        detail: 'There is no depository with the number D-2.',
      },
    ]);
  });

  test('without an account may use the words of any client that is seen', async () => {
    const split = { type: 'corporate-action', action: 'split', date: '2026-03-13', ratio: '2:1' };
    const rows = [
      { ...split, isin, instrument_id: stock },
      { ...split, custodian_code: '1222171', instrument_id: mapped },
    ];
    expect((await send(rows, 'dry-run')).body).toMatchObject({ booked: 2, errors: [] });
  });

  test('are refused where a word names nothing, several records, or is malformed', async () => {
    const twins = [await makeAccount(household, 'TWIN-1'), await makeAccount(household, 'TWIN-1')].toSorted();
    for (const exchange of ['XSWX', 'XETR']) await makeStock(admin, 'Twin', 'CHF', { ticker: 'TWIN', exchange });
    const { body } = await send(
      [
        { ...buy, account_number: 'CH00 NOBODY', isin },
        { ...buy, account_number: 'TWIN-1', isin },
        { ...buy, account_number: iban, isin: 'CH0012032048' },
        { ...buy, account_number: iban, isin: 'CH0012032049' },
        { ...buy, isin },
        { type: 'fx-trade', date: buy.date, account_number: iban, amount: '1', isin: 'x', counter_amount: '-1' },
        { ...buy, account_number: iban, ticker: 'TWIN' },
      ],
      'per-row',
    );
    const found = body.errors.map(({ index, code, pointer }: any) => [index, code, pointer]);
    expect(body).toMatchObject({ accepted: 0, refused: 7 });
    expect(found).toEqual(
      expect.arrayContaining([
        [0, 'account-not-found', '/data/0/account_number'],
        [1, 'ambiguous-name', '/data/1/account_number'],
        [2, 'instrument-not-found', '/data/2/isin'],
        [3, 'invalid-attribute', '/data/3/isin'],
        [4, 'missing-attribute', '/data/4/account_id'],
        [6, 'ambiguous-name', '/data/6/ticker'],
      ]),
    );
    expect(body.errors[1].detail).toContain(twins.join(', '));
  });

  test('choose among the accounts of one number by the currency of the row, within one client', async () => {
    const [francs, dollars] = [await makeAccount(household, 'U-1'), await makeAccount(household, 'U-1', 'USD')];
    const deposit = { type: 'deposit', date: buy.date, account_number: 'U-1', amount: '5' };
    const exchange = { ...deposit, type: 'fx-trade', counter_account_number: 'U-1', counter_amount: '-4' };
    const rows = [
      { ...deposit, currency: 'USD', external_reference: 'chosen' },
      { ...exchange, currency: 'CHF', counter_currency: 'USD', external_reference: 'exchanged' },
    ];
    expect((await send(rows)).body).toMatchObject({ booked: 2, errors: [] });
    const inDollars = (await admin.get(`/v1/transactions?account_id=${dollars}&limit=100`)).body.data;
    expect(inDollars.map((one: any) => one.external_reference)).toContain('chosen');
    const inFrancs = (await admin.get(`/v1/transactions?account_id=${francs}&limit=100`)).body.data;
    expect(inFrancs).toMatchObject([{ external_reference: 'exchanged', counter_account_id: dollars }]);
    await makeAccount(other, 'U-2', 'USD');
    await makeAccount(household, 'U-2');
    const { body } = await send([{ ...deposit, account_number: 'U-2', currency: 'USD' }], 'per-row');
    expect(body.errors).toMatchObject([{ code: 'ambiguous-name', pointer: '/data/0/account_number' }]);
  });

  test('find no account of a client that the token does not see', async () => {
    const scoped = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: household.client });
    const reply = await scoped.post(path, { data: [{ ...buy, account_number: '0815', isin }] });
    expect([reply.status, reply.body.code]).toEqual([404, 'account-not-found']);
    const seen = await send([{ ...buy, account_number: '0815', isin }], 'dry-run');
    expect(seen.body).toMatchObject({ booked: 1 });
  });
});

describe('a dry run', () => {
  test('says what per-row would do, and keeps nothing: no rows, events, audit lines or answers', async () => {
    const known = { ...buy, account_number: iban, isin, external_reference: 'dry' };
    await send([known]);
    const rows = [
      known,
      { ...known, price: '101' },
      { ...known, external_reference: 'dry 2' },
      { ...known, quantity: '0' },
      { ...buy, account_number: iban, isin },
    ];
    const before = await digestStoredRows(service.database);
    const headers = { 'idempotency-key': 'first dry, then real' };
    const dry = await send(rows, 'dry-run', headers);
    expect(dry.body).toMatchObject({ accepted: 4, refused: 1, booked: 2, amended: 1, unchanged: 1 });
    expect(dry.body.errors).toMatchObject([{ index: 3 }]);
    expect(await digestStoredRows(service.database)).toEqual(before);
    const real = await send(rows, 'per-row', headers);
    expect([real.status, real.body]).toEqual([200, dry.body]);
    const again = await send(rows, 'per-row', headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await send(rows, 'dry-run', headers);
    expect(other.body).toMatchObject({ booked: 1, amended: 2, unchanged: 1 });
  });

  test('of exchange rates and of one instrument’s prices keeps nothing either', async () => {
    const before = await digestStoredRows(service.database);
    const rates = { data: [{ base: 'EUR', quote: 'CHF', date: '2026-03-12', rate: '0.94' }] };
    const prices = { data: [{ date: '2026-03-12', value: '101.5' }] };
    for (const [address, body] of [
      ['/v1/fx-rates/bulk', rates],
      [`/v1/instruments/${stock}/prices/bulk`, prices],
    ] as const) {
      expect((await admin.post(`${address}?mode=dry-run`, body)).body).toMatchObject({ accepted: 1, written: 1 });
    }
    expect(await digestStoredRows(service.database)).toEqual(before);
  });
});
