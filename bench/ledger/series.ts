// Measures bulk prices and rates over HTTP compared with COPY of the same rows. The contenders take turns on emptied tables.

import { post, rateOf, withMeasuredService, type MeasuredService, type Seeding } from '../measured-service.ts';
import { bulkBodies, type BulkFormatName, type Row } from './bulk-bodies.ts';
import { CopiedTable } from './copied-table.ts';

/** Rows per second, one figure per round. */
export interface SeriesFigures {
  readonly rows: number;
  readonly series: Readonly<Partial<Record<SeriesName, SeriesRates>>>;
}

export type SeriesName = 'prices' | 'rates';

export interface SeriesRates {
  readonly bulk: Readonly<Record<BulkFormatName, number[]>>;
  readonly bareCopy: number[];
  readonly copy: number[];
}

interface SeriesFixture {
  readonly token: string;
  readonly stocks: readonly string[];
}

const stockCount = 200;
const quotes = [
  'CHF',
  'USD',
  'GBP',
  'JPY',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CZK',
  'HUF',
  'AUD',
  'CAD',
  'NZD',
  'SGD',
  'HKD',
];

async function seedStocks({ token, make }: Seeding): Promise<SeriesFixture> {
  const stocks: string[] = [];
  for (let index = 0; index < stockCount; index++)
    stocks.push(await make('instruments', { type: 'stock-instrument', name: `Share ${index}`, currency: 'CHF' }));
  return { token, stocks };
}

function dayNumbered(number: number): string {
  return new Date(Date.UTC(1990, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);
}

interface MeasuredSeries {
  readonly path: string;
  readonly table: string;
  readonly order: string;
  rowNumbered(fixture: SeriesFixture, index: number): Row;
}

/** Files of a vendor, day by day: all stocks of a day, all pairs of a day. */
const measuredSeries: Readonly<Record<SeriesName, MeasuredSeries>> = {
  prices: {
    path: '/v1/prices/bulk',
    table: 'series_point',
    order: 'id',
    rowNumbered: ({ stocks }, index) => ({
      instrument_id: stocks[index % stockCount]!,
      date: dayNumbered(Math.floor(index / stockCount)),
      value: `${50 + (index % 100)}.${10 + (index % 89)}`,
      source: 'custodian',
    }),
  },
  rates: {
    path: '/v1/fx-rates/bulk',
    table: 'fx_rate',
    order: 'id',
    rowNumbered: (_fixture, index) => ({
      base: 'EUR',
      quote: quotes[index % quotes.length]!,
      date: dayNumbered(Math.floor(index / quotes.length)),
      rate: `1.${1_000 + (index % 8_999)}`,
      source: 'reference',
    }),
  },
};

interface SeriesOptions {
  readonly rows?: number;
  readonly rounds?: number;
  readonly names?: readonly SeriesName[];
}

export async function benchSeries(options: SeriesOptions = {}): Promise<SeriesFigures> {
  const { rows = 100_000, rounds = 3, names = ['prices', 'rates'] } = options;
  return withMeasuredService({ connections: 4, seed: seedStocks }, async (service) => {
    const series: Partial<Record<SeriesName, SeriesRates>> = {};
    for (const name of names) series[name] = await measure(service, measuredSeries[name], { rows, rounds });
    return { rows, series };
  });
}

async function measure(
  service: MeasuredService<SeriesFixture>,
  { path, table, order, rowNumbered }: MeasuredSeries,
  { rows, rounds }: { readonly rows: number; readonly rounds: number },
): Promise<SeriesRates> {
  const copied = new CopiedTable(service, { table, order });
  const rates: SeriesRates = { bulk: { 'JSON lines': [], CSV: [] }, bareCopy: [], copy: [] };
  const send = (format: BulkFormatName, count: number): Promise<number> => {
    const { type, write } = bulkBodies[format];
    const body = write(Array.from({ length: count }, (_, index) => rowNumbered(service.fixture, index)));
    return rateOf({ database: service.database, count, tables: [table] }, async () => {
      const { written } = await post(`${service.address}${path}`, body, { token: service.fixture.token, type });
      if (written !== count) throw new Error(`Expected ${count} written rows, got ${written}.`);
    });
  };
  await send('CSV', Math.min(rows, 10_000));
  for (let round = 0; round < rounds; round++) {
    for (const format of ['JSON lines', 'CSV'] as const) rates.bulk[format].push(await send(format, rows));
    await copied.export();
    rates.bareCopy.push(await copied.copy(rows, 'bare'));
    rates.copy.push(await copied.copy(rows, 'itself'));
  }
  return rates;
}
