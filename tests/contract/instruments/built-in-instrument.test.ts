// The instruments that the service provides: the cash of each currency, fees owed, and unidentified units. They can be read wherever
// instruments are, cash can be given interest rates, and nobody can change them.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { cashId, feesOwedId, unidentifiedId } from '../../setup/instruments/built-in-ids.ts';
import { classIdByPath } from '../../setup/instruments/instrument-document.ts';
import { book } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { makeHousehold, makeRecord, toOne } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let entity: string;
let account: string;
let cashClass: string;

beforeAll(async () => {
  admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin);
  account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'All' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account] });
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  cashClass = await classIdByPath(admin, 'Cash');
  const day = { account_id: account, date: '2026-01-05' };
  await book(admin, 'v1', { ...day, type: 'deposit', amount: '1000' });
  await book(admin, 'v1', { ...day, type: 'buy', quantity: '4', price: '25' });
  await admin.post('/v1/historical-holdings', { ...day, kind: 'fee', date: '2026-01-06', market_value: '12.5' });
});

const francs = (): object => ({
  id: 'ffffffffffffffff01434846',
  type: 'cash-instrument',
  name: 'Cash CHF',
  external_identifier: null,
  currency: 'CHF',
  price_unit: '1',
  issuer_country: null,
  tags: [],
  created_at: '1970-01-01T00:00:00.000Z',
  instrument_class_id: cashClass,
  reporting_entity_id: null,
  client_id: null,
});

describe('every id that a report answers', () => {
  test('can be read on every surface that reads instruments', async () => {
    const ids = new Set<string>();
    for (const path of ['holdings?', 'holdings?by=instrument&', 'allocation?by=instrument&']) {
      const { text } = await admin.get(`/v1/${path}reporting_entity_id=${entity}`);
      expect(text).not.toMatch(/"(cash|fees):|"unidentified"/);
      for (const [id] of text.matchAll(/f{16}[0-9a-f]{8}/g)) ids.add(id);
    }
    expect([...ids].toSorted()).toEqual([cashId('CHF'), feesOwedId('CHF'), unidentifiedId]);
    for (const id of ids) {
      expect((await admin.get(`/v1/instruments/${id}`)).body).toMatchObject({ id });
      expect((await admin.get(`/api/v3/instruments/${id}`)).body.data).toMatchObject({ id });
    }
  });

  test('names cash like any other instrument', async () => {
    expect((await admin.get(`/v1/instruments/${cashId('CHF')}`)).body).toEqual(francs());
    const { data } = (await admin.get(`/api/v3/instruments/${cashId('CHF')}`)).body;
    expect(data).toMatchObject({ type: 'cash-instrument', attributes: { name: 'Cash CHF', ccyCode: 'CHF' } });
    expect(data.relationships.instrumentClass).toEqual(toOne('instrument-class', cashClass));
    const fees = (await admin.get(`/v1/instruments/${feesOwedId('CHF')}`)).body;
    expect(fees).toMatchObject({ type: 'fees-owed-instrument', name: 'Fees owed CHF', instrument_class_id: cashClass });
    const other = (await admin.get(`/v1/instruments/${unidentifiedId}`)).body;
    expect(other).toMatchObject({ type: 'unidentified-instrument', currency: null, instrument_class_id: null });
  });

  test('of no currency is not there', async () => {
    for (const id of [cashId('ABC'), cashId('chf'), 'ffffffffffffffff04000000', 'f'.repeat(24)]) {
      expect((await admin.get(`/v1/instruments/${id}`)).status).toBe(404);
      expect((await admin.patch(`/v1/instruments/${id}`, { name: 'x' })).status).toBe(404);
      expect(
        (await admin.post(`/v1/instruments/${id}/interest-rates`, { date: '2026-01-05', value: '0' })).status,
      ).toBe(404);
    }
  });
});

describe('lists', () => {
  async function walk(query: string): Promise<any[]> {
    const found: unknown[] = [];
    for (let cursor = ''; ;) {
      const { body } = await admin.get(`/v1/instruments?limit=100&${query}${cursor}`);
      found.push(...body.data);
      if (!body.has_more) return found;
      cursor = `&cursor=${body.next_cursor}`;
    }
  }

  test('have them after all others, in the order of their ids', async () => {
    const own = await makeRecord(admin, 'instruments', { type: 'other-instrument', name: 'Boat' });
    const ids = (await walk('')).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect([ids.includes(own), ids.includes(cashId('CHF')), ids.at(-1)]).toEqual([true, true, unidentifiedId]);
    expect(new Set(ids).size).toBe(ids.length);
    const { data } = (await admin.get('/api/v3/instruments')).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(ids);
    const named = (await admin.get('/api/v3/instruments?name=Fees%20owed%20EUR')).body.data;
    expect(named.map(({ id }: { id: string }) => id)).toEqual([feesOwedId('EUR')]);
  });

  test('end with a page that is just full', async () => {
    const pages = [];
    for (const limit of [1, 2, 3]) pages.push((await admin.get(`/v1/instruments?currency=CHF&limit=${limit}`)).body);
    expect(pages.map(({ data, has_more }) => [data.length, has_more])).toEqual([
      [1, true],
      [2, false],
      [2, false],
    ]);
  });

  test.each([
    ['type=cash-instrument&currency=CHF', () => [cashId('CHF')]],
    ['currency=CHF', () => [cashId('CHF'), feesOwedId('CHF')]],
    ['q=cash%20chf', () => [cashId('CHF')]],
    ['q=owed%20eur', () => [feesOwedId('EUR')]],
    ['type=unidentified-instrument', () => [unidentifiedId]],
    ['q=cash&tag=core', () => []],
    ['type=cash-instrument&isin=CH0012005267', () => []],
    ['currency=CHF&reporting_entity_id=ENTITY', () => []],
    ['currency=CHF&instrument_class_id=CLASS', () => [cashId('CHF'), feesOwedId('CHF')]],
  ])('?%s', async (query, expected) => {
    const found = await walk(query.replace('ENTITY', entity).replace('CLASS', cashClass));
    expect(found.map(({ id }) => id)).toEqual(expected());
  });
});

describe('cash', () => {
  test('is given interest rates and loses them on every surface, and stays as it was', async () => {
    const path = `/v1/instruments/${cashId('CHF')}/interest-rates`;
    const created = await admin.post(path, { date: '2026-01-05', value: '0.0125' });
    expect([created.status, created.body.instrument_id]).toEqual([201, cashId('CHF')]);
    expect((await admin.post(path, { date: '2026-01-05', value: '0.015' })).status).toBe(200);
    const bulk = await admin.post(`${path}/bulk`, { data: [{ date: '2026-02-05', value: '0.01' }] });
    expect(bulk.body).toMatchObject({ accepted: 1, written: 1 });
    const values = (await admin.get(path)).body.data.map(({ value }: { value: string }) => value);
    expect(values).toEqual(['0.015', '0.01']);
    const onJsonApi = (await admin.get(`/api/v3/instruments/${cashId('CHF')}/interest-rates`)).body.data;
    expect(onJsonApi.map((one: any) => one.attributes.value)).toEqual([0.015, 0.01]);
    const onPlain = (await admin.get(`/v3/instruments/${cashId('CHF')}/interest-rates`)).body.data;
    expect(onPlain.map((one: any) => [one.instrument_id, one.value])).toEqual([
      [cashId('CHF'), 0.015],
      [cashId('CHF'), 0.01],
    ]);
    expect((await admin.delete(`/v1/interest-rates/${created.body.id}`)).status).toBe(204);
    expect((await admin.get(path)).body.data).toHaveLength(1);
    expect((await admin.get(`/v1/instruments/${cashId('CHF')}`)).body).toEqual(francs());
    const found = (await admin.get('/v1/instruments?type=cash-instrument&currency=CHF')).body.data;
    expect(found).toEqual([francs()]);
    // In another currency there are none, and another workspace has none.
    expect((await admin.get(`/v1/instruments/${cashId('EUR')}/interest-rates`)).body.data).toEqual([]);
    const stranger = await service.openWorkspace();
    expect((await stranger.get(path)).body.data).toEqual([]);
  });

  test('has no other series, and fees owed have none', async () => {
    const point = { date: '2026-01-05', value: '1' };
    const price = await admin.post(`/v1/instruments/${cashId('CHF')}/prices`, point);
    expect(reportedRefusal(price)).toMatchObject({ code: 'series-not-of-type' });
    const fees = await admin.post(`/v1/instruments/${feesOwedId('CHF')}/interest-rates`, point);
    expect(reportedRefusal(fees)).toMatchObject({ code: 'series-not-of-type' });
  });

  test('cannot be created, changed or deleted, or named by a transaction', async () => {
    const path = `/v1/instruments/${cashId('CHF')}`;
    const readOnly = { status: 409, code: 'instrument-read-only' };
    expect(reportedRefusal(await admin.patch(path, { name: 'Francs' }))).toMatchObject(readOnly);
    expect(reportedRefusal(await admin.delete(path))).toMatchObject(readOnly);
    expect(reportedRefusal(await admin.delete(`/api/v3/instruments/${cashId('CHF')}`))).toMatchObject(readOnly);
    const unchanged = await admin.patch(path, { name: 'Cash CHF' });
    expect([unchanged.status, unchanged.body]).toEqual([200, francs()]);
    const create = await admin.post('/v1/instruments', { type: 'cash-instrument', name: 'Francs' });
    expect(reportedRefusal(create)).toMatchObject({ status: 422, pointer: '/type' });
    const document = { data: { type: 'cash-instrument', attributes: { name: 'Francs' } } };
    expect(reportedRefusal(await admin.post('/api/v3/instruments', document))).toMatchObject({ code: 'type-mismatch' });
    const trade = { type: 'buy', account_id: account, date: '2026-01-05', quantity: '1', price: '1' };
    const booked = await admin.post('/v1/transactions', { ...trade, instrument_id: cashId('CHF') });
    expect(reportedRefusal(booked)).toMatchObject({ status: 422, pointer: '/instrument_id' });
  });
});
