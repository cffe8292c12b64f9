// Which clients a write flags for a new calculation, and why: exactly those whose figures it can affect.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Id } from '../../../src/kit/id.ts';
import { spreadSharedFlags } from '../../../src/store/queues/dirty-flags.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { withStore, listDirtyFlags, clearDirtyFlags } from '../../setup/limits/dirty-flags.ts';
import { book, bookedId, makeInstrument, makeStock } from '../../setup/ledger/ledger-household.ts';
import { runInLockOrder } from '../../setup/database/race.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeRecord, makeHousehold, type Household } from '../../setup/structure/structure-document.ts';
import { LockHolder } from '../../setup/database/database-parts.ts';

const service = serviceForThisFile();
let admin: Caller;

interface Holder extends Household {
  readonly account: string;
  readonly depository: string;
  readonly portfolio: string;
}

/** A holder by a transaction, one by an upload, one by the target of a corporate action, and one who holds nothing. */
let trader: Holder;
let uploader: Holder;
let merged: Holder;
let bystander: Holder;
let shared: string;
let own: string;
let priceId: string;
let ownPriceId: string;
let rateId: string;
let classId: string;

async function makeHolder(name: string): Promise<Holder> {
  const household = await makeHousehold(admin, name);
  const account = await makeRecord(admin, 'accounts', { entity_id: household.legalEntity, currency: 'CHF' });
  const depository = await makeRecord(admin, 'depositories', { legal_entity_id: household.legalEntity });
  const portfolio = await makeRecord(admin, 'portfolios', { reporting_entity_id: household.reportingEntity });
  return { ...household, account, depository, portfolio };
}

beforeAll(async () => {
  ({ admin } = service);
  [trader, uploader, merged, bystander] = [
    await makeHolder('Amsel'),
    await makeHolder('Bussard'),
    await makeHolder('Creutz'),
    await makeHolder('Drossel'),
  ];
  shared = await makeStock(admin, 'Novartis AG');
  const before = await makeStock(admin, 'Alcon AG');
  own = await makeInstrument(admin, {
    type: 'other-instrument',
    name: 'Boat',
    reporting_entity_id: bystander.reportingEntity,
  });
  const date = '2026-03-02';
  const buy = { type: 'buy', date, quantity: '10', price: '5', account_id: trader.account, instrument_id: shared };
  for (const more of [{}, { date: '2026-03-03' }]) bookedId(await book(admin, 'v1', { ...buy, ...more }));
  const upload = { kind: 'instrument', date, units: '1', market_value: '5', depository_id: uploader.depository };
  await makeRecord(admin, 'historical-holdings', { ...upload, instrument_id: shared });
  const merger = { type: 'corporate-action', action: 'merger', date, ratio: '1:1', account_id: merged.account };
  bookedId(await book(admin, 'v1', { ...merger, instrument_id: before, target_instrument_id: shared }));
  const point = { date: '2026-01-05', value: '1' };
  priceId = (await admin.post(`/v1/instruments/${shared}/prices`, point)).body.id;
  ownPriceId = (await admin.post(`/v1/instruments/${own}/prices`, point)).body.id;
  rateId = (await admin.post('/v1/fx-rates', { base: 'EUR', quote: 'USD', date: '2026-01-05', rate: '1.1' })).body.id;
  classId = await makeRecord(admin, 'instrument-classes', { name: 'Boats' });
});

beforeEach(() => clearDirtyFlags(service));

const holders = () => [trader, uploader, merged];
const allHolders = () => [...holders(), bystander];
const noHolders = (): Holder[] => [];
const others = () => [bystander];
const bulk = (value: string) => ({ data: [1, 2, 3].map((day) => ({ date: `2026-02-0${day}`, value })) });
const pricesOfBoth = (value: string) => ({
  data: [shared, own].map((instrument_id) => ({ instrument_id, date: '2026-02-04', value })),
});
const rates = (rate: string) => ({
  data: ['USD', 'CHF'].map((quote) => ({ base: 'EUR', quote, date: '2026-02-01', rate })),
});

type FlaggingWrite = [what: string, write: () => Promise<{ status: number }>, cause: string, whom: () => Holder[]];

const writes: FlaggingWrite[] = [
  [
    'a price of a shared instrument',
    () => admin.post(`/v1/instruments/${shared}/prices`, { date: '2026-01-06', value: '2' }),
    'series',
    holders,
  ],
  [
    'the same price again',
    () => admin.post(`/v1/instruments/${shared}/prices`, { date: '2026-01-05', value: '1' }),
    'series',
    noHolders,
  ],
  ['many prices of it', () => admin.post(`/v1/instruments/${shared}/prices/bulk`, bulk('3')), 'series', holders],
  ['the same many again', () => admin.post(`/v1/instruments/${shared}/prices/bulk`, bulk('3')), 'series', noHolders],
  ['a deleted price of it', () => admin.delete(`/v1/prices/${priceId}`), 'series', holders],
  [
    'a price of a private instrument',
    () => admin.post(`/v1/instruments/${own}/prices`, { date: '2026-01-06', value: '2' }),
    'series',
    others,
  ],
  ['many prices of a private one', () => admin.post(`/v1/instruments/${own}/prices/bulk`, bulk('3')), 'series', others],
  ['prices of both', () => admin.post('/v1/prices/bulk', pricesOfBoth('4')), 'series', allHolders],
  ['the same prices of both again', () => admin.post('/v1/prices/bulk', pricesOfBoth('4')), 'series', noHolders],
  ['a deleted price of a private one', () => admin.delete(`/v1/prices/${ownPriceId}`), 'series', others],
  [
    'a rate',
    () => admin.post('/v1/fx-rates', { base: 'EUR', quote: 'USD', date: '2026-01-06', rate: '1.2' }),
    'rate',
    allHolders,
  ],
  [
    'the same rate again',
    () => admin.post('/v1/fx-rates', { base: 'EUR', quote: 'USD', date: '2026-01-05', rate: '1.1' }),
    'rate',
    noHolders,
  ],
  ['many rates', () => admin.post('/v1/fx-rates/bulk', rates('1.3')), 'rate', allHolders],
  ['the same many rates again', () => admin.post('/v1/fx-rates/bulk', rates('1.3')), 'rate', noHolders],
  ['a deleted rate', () => admin.delete(`/v1/fx-rates/${rateId}`), 'rate', allHolders],
  [
    'the terms of a shared instrument',
    () => admin.patch(`/v1/instruments/${shared}`, { price_unit: 'per 100' }),
    'instrument',
    holders,
  ],
  ['the tags of it', () => admin.patch(`/v1/instruments/${shared}`, { tags: ['core'] }), 'instrument', holders],
  [
    'the terms of a private instrument',
    () => admin.patch(`/v1/instruments/${own}`, { issuer_country: 'CH' }),
    'instrument',
    others,
  ],
  ['a new instrument', () => admin.post('/v1/instruments', { type: 'other-instrument', name: 'X' }), '', noHolders],
  ['a class', () => admin.patch(`/v1/instrument-classes/${classId}`, { staleness_days: 5 }), 'class', allHolders],
  [
    'the name of a class',
    () => admin.patch(`/v1/instrument-classes/${classId}`, { name: 'Ships' }),
    'class',
    allHolders,
  ],
  ['a new class', () => admin.post('/v1/instrument-classes', { name: 'Trains' }), '', noHolders],
  [
    'an account that is left out of reports',
    () => admin.patch(`/v1/accounts/${trader.account}`, { exclude_from_reporting: true }),
    'structure',
    () => [trader],
  ],
  ['the name of an account', () => admin.patch(`/v1/accounts/${trader.account}`, { name: 'X' }), '', noHolders],
  [
    'the depositories of an account',
    () => admin.patch(`/v1/accounts/${trader.account}`, { depository_ids: [trader.depository] }),
    'structure',
    () => [trader],
  ],
  [
    'the accounts of a depository',
    () => admin.patch(`/v1/depositories/${trader.depository}`, { account_ids: [] }),
    'structure',
    () => [trader],
  ],
  [
    'the accounts of a portfolio',
    () => admin.patch(`/v1/portfolios/${uploader.portfolio}`, { account_ids: [uploader.account] }),
    'structure',
    () => [uploader],
  ],
  ['the name of a portfolio', () => admin.patch(`/v1/portfolios/${uploader.portfolio}`, { name: 'X' }), '', noHolders],
  [
    'a new account',
    () => admin.post('/v1/accounts', { entity_id: trader.legalEntity, currency: 'CHF' }),
    '',
    noHolders,
  ],
  [
    'a new account that is split over a depository',
    () =>
      admin.post('/v1/accounts', {
        entity_id: merged.legalEntity,
        currency: 'CHF',
        depository_ids: [merged.depository],
      }),
    'structure',
    () => [merged],
  ],
  ['a deleted portfolio', () => admin.delete(`/v1/portfolios/${uploader.portfolio}`), 'structure', () => [uploader]],
  [
    'a reference currency',
    () => admin.patch(`/v1/clients/${bystander.client}`, { reference_currency: 'USD' }),
    'setting',
    others,
  ],
  ['the name of a client', () => admin.patch(`/v1/clients/${bystander.client}`, { name: 'Drossel B.' }), '', noHolders],
  [
    'a place in the hierarchy',
    () => admin.patch(`/v1/clients/${bystander.client}`, { parent_id: trader.client }),
    '',
    noHolders,
  ],
];

test.each(writes)('%s', async (_what, write, cause, affected) => {
  const { status } = await write();
  expect(status).toBeLessThan(300);
  expect(await listDirtyFlags(service)).toEqual(Object.fromEntries(affected().map(({ client }) => [client, [cause]])));
});

test('a refused write flags no client', async () => {
  expect((await admin.post(`/v1/instruments/${shared}/prices`, { date: 'x', value: '2' })).status).toBe(422);
  expect((await admin.post(`/v1/instruments/${own}/interest-rates`, { date: '2026-01-05', value: '9' })).status).toBe(
    422,
  );
  expect(await listDirtyFlags(service)).toEqual({});
});

test('several causes are stored once each, with the time of the first', async () => {
  const since = new Date(service.clock.now());
  await admin.patch(`/v1/accounts/${trader.account}`, { exclude_from_reporting: false });
  service.clock.advance(1_000);
  for (const value of ['7', '8']) await admin.post(`/v1/instruments/${shared}/prices`, { date: '2026-01-09', value });
  await admin.post('/v1/fx-rates', { base: 'EUR', quote: 'USD', date: '2026-01-09', rate: '1.4' });
  expect((await listDirtyFlags(service))[trader.client]).toEqual(['structure', 'rate', 'series']);
  const [row] = await runSql(service.database, 'SELECT since FROM round_mark WHERE client_id = $1', [trader.client]);
  expect(row).toEqual({ since });
});

describe('changes that affect several clients', () => {
  test('locks no client: bookings succeed while it is being written', async () => {
    const lockHolder = await LockHolder.open(service.database);
    await lockHolder.query('SELECT FROM series_ledger WHERE instrument_id = $1 FOR UPDATE', [shared]);
    await lockHolder.query(`UPDATE shared_round_mark SET since = since`);
    const price = admin.post(`/v1/instruments/${shared}/prices`, { date: '2026-01-10', value: '9' });
    const fee = { type: 'fee', date: '2026-03-05', amount: '-1', account_id: trader.account };
    expect((await book(admin, 'v1', fee)).status).toBe(201);
    await lockHolder.release();
    expect((await price).status).toBe(201);
  });

  test('is not lost if it is written while flags are distributed: the distribution waits for it', async () => {
    const path = `/v1/instruments/${shared}/prices`;
    const versionIn = async (store: Store): Promise<number> =>
      (await store.seriesVersions.list([shared as Id])).get(shared as Id)!;
    await admin.post(path, { date: '2026-01-11', value: '1' });
    const before = await withStore(service, versionIn);
    const [put, seen] = await runInLockOrder(
      service.database,
      () => admin.post(path, { date: '2026-01-12', value: '1' }),
      () => withStore(service, (store) => spreadSharedFlags(store).then(() => versionIn(store))),
    );
    expect([put.status, seen]).toEqual([201, before + 1]);
    expect(Object.keys(await listDirtyFlags(service)).toSorted()).toEqual(
      holders()
        .map(({ client }) => client)
        .toSorted(),
    );
  });
});
