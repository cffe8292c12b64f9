// Points of many instruments in one request: a whole day's prices by ISIN, id or any other code.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { digestStoredRows } from '../../setup/access/client-hierarchy.ts';
import { runSql } from '../../setup/database/sql.ts';
import { allSeriesKinds, makeSeriesInstrument } from '../../setup/instruments/series-document.ts';
import { makeStock } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord, unknownId, type Household } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let household: Household;
let roche: string;
let apple: string;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeHousehold(admin, 'Amsel');
  roche = await makeStock(admin, 'Roche', 'CHF', { isin: 'CH0012032048', ticker: 'ROG', exchange: 'XSWX' });
  apple = await makeStock(admin, 'Apple', 'USD', { isin: 'US0378331005' });
});

const date = '2026-11-13';

function send(rows: readonly object[], mode = 'all-or-nothing', caller = admin): Promise<Reply> {
  return caller.post(`/v1/prices/bulk?mode=${mode}`, { data: rows });
}

async function pricesOf(instrument: string, on = date): Promise<readonly string[]> {
  const { body } = await admin.get(`/v1/instruments/${instrument}/prices?start=${on}&end=${on}`);
  return body.data.map(({ value }: { value: string }) => value);
}

describe('prices of many instruments', () => {
  test('are written for the instruments that the rows name, each once, and change the versions of these only', async () => {
    const rows = [
      { isin: 'CH0012032048', date, value: '255.1' },
      { cusip: '037833100', date, value: '271.5', source: 'reference' },
      { instrument_id: apple, date: '2026-11-12', value: '270' },
      { ticker: 'ROG', mic: 'XSWX', date, value: '255.2' },
    ];
    expect((await send(rows)).body).toEqual({ accepted: 4, refused: 0, written: 3, errors: [] });
    expect([await pricesOf(roche), await pricesOf(apple), await pricesOf(apple, '2026-11-12')]).toEqual([
      ['255.2'],
      ['271.5'],
      ['270'],
    ]);
    const before = await digestStoredRows(service.database);
    expect((await send(rows.slice(1))).body).toEqual({ accepted: 3, refused: 0, written: 0, errors: [] });
    expect(await digestStoredRows(service.database)).toEqual(before);
    const versions = await runSql<{ instrument_id: string; version: number }>(
      service.database,
      'SELECT instrument_id, version::int FROM series_ledger WHERE instrument_id = ANY ($1) ORDER BY instrument_id',
      [[roche, apple]],
    );
    expect(versions.map(({ version }) => version)).toEqual([1, 1]);
    const { body } = await admin.get('/v1/audit-log?subject_type=price&limit=1');
    expect(body.data[0]).toMatchObject({
      client_id: null,
      after: { prices: { accepted: 4, written: 3, instruments: 2 } },
    });
  });

  test('come as CSV and JSON lines too', async () => {
    const csv = 'isin,date,value\r\nCH0012032048,2026-10-01,250\r\nUS0378331005,2026-10-01,260\r\n';
    const reply = await admin.send('/v1/prices/bulk', {
      method: 'POST',
      raw: csv,
      headers: { 'content-type': 'text/csv' },
    });
    expect(reply.body).toMatchObject({ accepted: 2, written: 2 });
    expect([await pricesOf(roche, '2026-10-01'), await pricesOf(apple, '2026-10-01')]).toEqual([['250'], ['260']]);
  });

  test('are refused row by row where a row names nothing, or an instrument without such a series', async () => {
    const fund = await makeRecord(admin, 'instruments', {
      type: 'private-market-fund',
      name: 'Alpine',
      currency: 'CHF',
      commitment: '9',
    });
    const rows = [
      { isin: 'CH0012221716', date, value: '1' },
      { instrument_id: unknownId, date, value: '1' },
      { instrument_id: fund, date, value: '1' },
      { date, value: '1' },
      { isin: 'CH0012032048', instrument_id: apple, date, value: '1' },
      { isin: 'CH0012032048', date: '2026-09-01', value: '249' },
    ];
    const { body } = await send(rows, 'per-row');
    expect(body).toMatchObject({ accepted: 1, refused: 5, written: 1 });
    expect(body.errors.map(({ index, code, pointer }: any) => [index, code, pointer])).toEqual([
      [0, 'instrument-not-found', '/data/0/isin'],
      [1, 'instrument-not-found', '/data/1/instrument_id'],
      [2, 'series-not-of-type', '/data/2'],
      [3, 'missing-attribute', '/data/3/instrument_id'],
      [4, 'invalid-attribute', '/data/4/isin'],
    ]);
    const before = await digestStoredRows(service.database);
    expect((await send([...rows.slice(0, 1), { isin: 'CH0012032048', date: '2026-09-02', value: '2' }])).status).toBe(
      404,
    );
    expect(
      (
        await send(
          rows.slice(5).map((row) => ({ ...row, value: '3' })),
          'dry-run',
        )
      ).body.written,
    ).toBe(1);
    expect(await digestStoredRows(service.database)).toEqual(before);
  });

  test('of a client’s private instruments are written by its own token, those of shared ones only with access to all', async () => {
    const reporting_entity_id = await makeRecord(admin, 'reporting-entities', {
      client_id: household.client,
      name: 'Private',
    });
    const own = await makeStock(admin, 'Club', 'CHF', { isin: 'CH0038389992', reporting_entity_id });
    const scoped = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: household.client });
    const rows = [
      { isin: 'CH0038389992', date, value: '12' },
      { isin: 'CH0012032048', date, value: '1' },
    ];
    const { body } = await send(rows, 'per-row', scoped);
    expect(body).toMatchObject({ accepted: 1, written: 1, errors: [{ index: 1, code: 'outside-reach' }] });
    expect([await pricesOf(own), await pricesOf(roche)]).toEqual([['12'], ['255.2']]);
  });

  test('name the shared instrument where a private one has the same code', async () => {
    const reporting_entity_id = await makeRecord(admin, 'reporting-entities', {
      client_id: household.client,
      name: 'Copy',
    });
    const copy = await makeStock(admin, 'Own Roche', 'CHF', { isin: 'CH0012032048', reporting_entity_id });
    await send([{ isin: 'CH0012032048', date: '2026-08-03', value: '240' }]);
    expect([await pricesOf(roche, '2026-08-03'), await pricesOf(copy, '2026-08-03')]).toEqual([['240'], []]);
  });
});

test.each(allSeriesKinds)('points of the kind %s have a bulk path of their own', async (kind) => {
  const instrument_id = await makeSeriesInstrument(admin);
  const rows = [{ instrument_id, date, value: '0.5' }];
  expect((await admin.post(`/v1/${kind}s/bulk`, { data: rows })).body).toMatchObject({ accepted: 1, written: 1 });
});

test('interest rates of cash, which the service provides, are written with others', async () => {
  const { body } = await admin.get('/v1/instruments?type=cash-instrument&limit=1');
  const rows = [{ instrument_id: body.data[0].id, date, value: '0.01' }];
  expect((await admin.post('/v1/interest-rates/bulk', { data: rows })).body).toMatchObject({ written: 1 });
});

/** The days from this one on, counted from zero. */
function daysFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, day) => new Date((first + day) * 86_400_000).toISOString().slice(0, 10));
}

test('of very many points, those that are new, changed and the same are told apart, for each instrument', async () => {
  const points = (instrument: string, dates: readonly string[], value: string): object[] =>
    dates.map((day) => ({ instrument_id: instrument, date: day, value }));
  const counts = async (): Promise<unknown> =>
    (await admin.get('/v1/audit-log?subject_type=price&limit=1')).body.data[0].after.prices;
  // Two batches: a day twice in the first, of which nothing is known yet, and a day of the first again in the second.
  const first = [...points(apple, daysFrom(0, 150), '2'), ...points(apple, daysFrom(149, 1), '4')];
  const both = [...first, ...points(roche, daysFrom(0, 2_100), '1'), ...points(roche, daysFrom(10, 1), '3')];
  expect((await send(both)).body).toMatchObject({ accepted: 2_252, written: 2_251 });
  expect(await counts()).toEqual({ accepted: 2_252, written: 2_251, instruments: 2 });
  expect([await pricesOf(apple, '1970-05-30'), await pricesOf(roche, '1970-01-11')]).toEqual([['4'], ['3']]);
  // 100 that are the same, 100 that differ, 50 that are new.
  const changed = [
    ...points(roche, daysFrom(11, 100), '1'),
    ...points(roche, daysFrom(111, 100), '5'),
    ...points(apple, daysFrom(150, 50), '2'),
  ];
  expect((await send(changed, 'per-row')).body).toMatchObject({ accepted: 250, written: 150 });
  expect(await counts()).toEqual({ accepted: 250, written: 150, instruments: 2 });
  expect([await pricesOf(roche, '1970-01-12'), await pricesOf(roche, '1970-04-22')]).toEqual([['1'], ['5']]);
  expect((await send(changed)).body).toMatchObject({ accepted: 250, written: 0 });
});
