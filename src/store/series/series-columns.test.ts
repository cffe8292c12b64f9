// Series and exchange rates as columns, on a real database: values by day, as known now or at a moment, within the tenant filter.

import { beforeAll, expect, test } from 'vitest';
import { Caller } from '../../../tests/setup/http/caller.ts';
import { makeSeriesInstrument } from '../../../tests/setup/instruments/series-document.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import { poolOf } from '../../../tests/setup/database/pools.ts';
import { makeHousehold, type Household } from '../../../tests/setup/structure/structure-document.ts';
import { ExchangeRates } from '../../engine/currencies/exchange-rates.ts';
import { Series } from '../../engine/amounts/series.ts';
import { fromFixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { allClients, type Scope, type VisibleClients } from '../../model/access/scope.ts';
import { price } from '../../model/instrument/series-point.ts';
import { sql } from '../postgres/statement.ts';
import type { DatedColumns, SeriesColumns } from './series-columns.ts';

const service = serviceForThisFile();
let admin: Caller;
let family: Household;
let shared: Id;
let own: Id;
let early: number;

function scopeFor(visibleClients: VisibleClients): Scope {
  const { workspaceId, environment } = service.first;
  return { workspaceId: workspaceId as Id, environment, visibleClients, credentialId: null };
}

function columnsFor(visibleClients: VisibleClients = allClients): SeriesColumns {
  return service.context.stores.forReading({ scope: scopeFor(visibleClients) }).seriesColumns;
}

const shown = (columns: DatedColumns): [number, string][] => {
  const series = Series.fromColumns(columns);
  return Array.from(series.days, (day, index) => [day, fromFixed(series.at(index).value)]);
};

async function put(instrument: string, kind: string, points: object[]): Promise<void> {
  const { status, text } = await admin.post(`/v1/instruments/${instrument}/${kind}s/bulk`, { data: points });
  if (status !== 200) throw new Error(text);
}

beforeAll(async () => {
  ({ admin } = service);
  family = await makeHousehold(admin);
  shared = (await makeSeriesInstrument(admin)) as Id;
  own = (await makeSeriesInstrument(admin, family.reportingEntity)) as Id;
  await put(shared, 'price', [
    { date: '1970-01-03', value: '3.5', source: 'reference' },
    { date: '1970-01-02', value: '2', source: 'reference' },
    { date: '1970-01-02', value: '-2.000000000000000001', source: 'custodian' },
    { date: '1969-12-31', value: '12345678901234567890.5', source: 'manual' },
  ]);
  await put(shared, 'interest-rate', [{ date: '1970-01-01', value: '0.01' }]);
  await put(own, 'net-asset-value', [{ date: '1970-01-01', value: '9' }]);
  await admin.post('/v1/fx-rates/bulk', {
    data: [
      { base: 'EUR', quote: 'USD', date: '1970-01-02', rate: '1.1', source: 'reference' },
      { base: 'EUR', quote: 'CHF', date: '1970-01-01', rate: '0.9' },
      { base: 'EUR', quote: 'USD', date: '1970-01-01', rate: '1.2' },
    ],
  });
  early = service.clock.now();
  service.clock.advance(60_000);
  await put(shared, 'price', [{ date: '1970-01-03', value: '4', source: 'reference' }]);
  await put(shared, 'price', [{ date: '1970-01-05', value: '5', source: 'reference' }]);
  await admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date: '1970-01-01', rate: '0.95' });
});

test('lists the point of the preferred source for each day, with all digits', async () => {
  const series = await columnsFor().listSeries([own, shared]);
  expect(series.map((one) => [one.instrumentId, one.kind, shown(one)])).toEqual([
    [shared, 'interest-rate', [[0, '0.01']]],
    [
      shared,
      'price',
      [
        [-1, '12345678901234567890.5'],
        [1, '-2.000000000000000001'],
        [2, '4'],
        [4, '5'],
      ],
    ],
    [own, 'net-asset-value', [[0, '9']]],
  ]);
  expect(Series.fromColumns(series[1]!).find(3)).toEqual({ day: 2, value: 4n * 10n ** 18n });
  expect(await columnsFor().listSeries([])).toEqual([]);
});

test('lists points and rates as known at a moment', async () => {
  const [, prices] = await columnsFor().listSeries([shared], { knownAt: early });
  expect(shown(prices!)).toEqual([
    [-1, '12345678901234567890.5'],
    [1, '-2.000000000000000001'],
    [2, '3.5'],
  ]);
  expect(await columnsFor().listSeries([shared], { knownAt: early - 1 })).toEqual([]);
  const rateThen = (await columnsFor().listRates({ knownAt: early })).map(shown);
  expect(rateThen).toEqual([
    [[0, '0.9']],
    [
      [0, '1.2'],
      [1, '1.1'],
    ],
  ]);
});

test('lists all rates, ready for conversions', async () => {
  const pairs = await columnsFor().listRates();
  expect(pairs.map((pair) => [pair.base, pair.quote, shown(pair)])).toEqual([
    ['EUR', 'CHF', [[0, '0.95']]],
    [
      'EUR',
      'USD',
      [
        [0, '1.2'],
        [1, '1.1'],
      ],
    ],
  ]);
  const rates = new ExchangeRates(
    pairs.map(({ base, quote, ...columns }) => ({ base, quote, points: Series.fromColumns(columns) })),
  );
  expect(rates.get({ from: 'EUR', to: 'USD', day: 7 }).numerator).toBe(11n * 10n ** 17n);
});

test('reads a series from one index only', async () => {
  const client = await poolOf(service.database.url).connect();
  try {
    await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
    const { rows } =
      await client.query(`EXPLAIN SELECT t.instrument_id, t.kind, t.date, t.source, t.value FROM series_point t
      WHERE t.workspace_id = 'w' AND t.environment = 'e' AND t.known_until IS NULL AND t.instrument_id = ANY ('{one}')
      AND (t.client_id IS NULL OR t.client_id = 'c') ORDER BY 1, 2, 3`);
    expect(JSON.stringify(rows)).toContain('Index Only Scan using series_point_current');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('only its client sees the series of a private instrument', async () => {
  const visibleTree = (clientId: string): VisibleClients => ({ kind: 'tree', clientId: clientId as Id });
  const stranger = await makeHousehold(admin, 'Stranger');
  const idsFor = async (visibleClients: VisibleClients) =>
    (await columnsFor(visibleClients).listSeries([own, shared])).map(({ kind }) => kind);
  expect(await idsFor(visibleTree(family.client))).toEqual(['interest-rate', 'price', 'net-asset-value']);
  expect(await idsFor(visibleTree(stranger.client))).toEqual(['interest-rate', 'price']);
});

test('writing points reads only those that it corrects, whatever the planner knows of the table', async () => {
  const perBatch = 200;
  const rowsRead = sql<{ count: number }>(
    'rows-read',
    `SELECT (seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables WHERE relname = 'series_point'`,
  );
  const version = sql<{ number: number }>(
    'server-version',
    `SELECT current_setting('server_version_num')::int AS number`,
  );
  const counts = await service.context.stores.forWriting({ scope: scopeFor(allClients) }, async (store) => {
    const countRead = async (): Promise<number> => (await store.run(rowsRead, [])).rows[0]?.count ?? 0;
    const put = (batch: number, value: string): Promise<number> => {
      const days = Array.from({ length: perBatch }, (_, day) => new Date((batch * perBatch + day) * 86_400_000));
      const columns = {
        date: days.map((day) => day.toISOString().slice(0, 10)),
        source: days.map(() => 'custodian'),
        value: days.map(() => value),
      };
      const ids = days.map(() => service.context.ids.next());
      const common = { instrument: own, client: family.client };
      return store.versionedTable(price).put({ ids, common, columns }, service.clock.now());
    };
    const [written, before]: [number[], number] = [[], await countRead()];
    for (let batch = 0; batch < 8; batch++) written.push(await put(batch, '1'));
    const between = await countRead();
    written.push(await put(3, '2'));
    const corrected = (await countRead()) - between;
    return { written, new: between - before, corrected, server: (await store.run(version, [])).rows[0]?.number ?? 0 };
  });
  expect(counts.written).toEqual(Array.from({ length: 9 }, () => perBatch));
  expect(counts.new).toBe(0);
  expect(counts.corrected).toBeGreaterThan(0);
  // PostgreSQL 15 reads all current points of the tenant once, where it knows nothing of the table yet.
  expect(counts.corrected).toBeLessThanOrEqual(counts.server < 160_000 ? 10 * perBatch : 3 * perBatch);
});
