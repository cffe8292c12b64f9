// Figures in another currency that others have published. Rates belong to the whole workspace: these are between currencies that it has no
// rates of, so that they change nobody's figures, and are deleted in the end.

import type { Check, World } from '../../check.ts';
import { expectEqual, Skipped } from '../../outcome.ts';
import type { Json } from '../../contract/json-schema.ts';
import { bookAll, expectWithin, makeInstrument, makeOwner, makePlace, type Owner } from './place.ts';

/** Seldom used: they stand for those of the sources. */
const candidates = ['KMF', 'STN', 'BTN', 'ERN', 'TOP', 'WST', 'VUV', 'SBD', 'DJF', 'LSL', 'SZL', 'MRU'];

interface Currencies {
  /** In which figures are reported. */
  readonly home: string;
  readonly foreign: string;
  /** Has rates to the others. */
  readonly middle: string;
  readonly third: string;
}

interface Prepared extends Currencies {
  readonly owner: Owner;
}

async function chooseCurrencies({ api }: World): Promise<Currencies> {
  const unused: string[] = [];
  for (const one of candidates) {
    const pages = await Promise.all(['base', 'quote'].map((side) => api.get(`/v1/fx-rates?${side}=${one}&limit=1`)));
    if (pages.every(({ body }) => body.data.length === 0)) unused.push(one);
    const [home, foreign, middle, third] = unused;
    if (home && foreign && middle && third) return { home, foreign, middle, third };
  }
  throw new Skipped('The workspace has rates of nearly every currency.');
}

type Rate = readonly [base: string, quote: string, date: string, rate: string];

async function prepare(world: World): Promise<Prepared> {
  const { api, records } = world;
  const currencies = await chooseCurrencies(world);
  const { home, foreign, middle, third } = currencies;
  const rates: readonly Rate[] = [
    [home, foreign, '2024-01-02', '76.2'],
    [home, foreign, '2024-01-03', '73.88'],
    [middle, third, '2013-05-22', '1.2923'],
    [middle, home, '2013-05-22', '7.4535'],
    [middle, home, '2014-12-31', '1.2141'],
    [middle, home, '2015-01-02', '1.2043'],
    [middle, home, '2015-01-05', '1.1915'],
    [middle, home, '2020-01-01', '0.9'],
    [middle, home, '2020-02-01', '0.85'],
    [middle, home, '2020-03-01', '0.88'],
  ];
  for (const [base, quote, date, rate] of rates)
    records.made.push(`/v1/fx-rates/${await api.create('fx-rates', { base, quote, date, rate })}`);
  return { ...currencies, owner: await makeOwner(world, 'FIFO', home) };
}

/** Money of a currency, paid in on a day. Returns the reporting entity that covers it. */
async function payIn(
  world: World,
  owner: Owner,
  { name, currency, rows }: { readonly name: string; readonly currency: string; readonly rows: readonly object[] },
): Promise<string> {
  const { account, reportingEntity } = await makePlace(world, owner, name, currency);
  await bookAll(
    world,
    rows.map((row) => ({ ...row, account_id: account })),
  );
  return reportingEntity;
}

const deposit = (date: string, amount: string): object => ({ type: 'deposit', date, amount });

async function valueOn({ api }: World, reportingEntity: string, day: string): Promise<unknown> {
  const query = `reporting_entity_id=${reportingEntity}&as_of=${day}&by=account`;
  return (await api.get(`/v1/holdings?${query}`)).body.data[0]?.market_value;
}

/** What was gained at average cost by a sale in another currency, and how much of it by the currency. */
async function gainOfSale(world: World, { home, middle }: Currencies): Promise<Json> {
  const place = await makePlace(world, await makeOwner(world, 'AVERAGE', home), 'Shares', middle);
  const fields = { type: 'stock-instrument', name: 'Share', currency: middle };
  const instrument = await makeInstrument(world, place, fields);
  const where = { account_id: place.account, depository_id: place.depository, instrument_id: instrument };
  await bookAll(world, [
    { ...where, type: 'buy', date: '2020-01-01', quantity: '100', amount: '-5000' },
    { ...where, type: 'buy', date: '2020-02-01', quantity: '50', amount: '-3000' },
    { ...where, type: 'sell', date: '2020-03-01', quantity: '50', amount: '3500' },
  ]);
  const query = `reporting_entity_id=${place.reportingEntity}&by=instrument&from=2020-01-01`;
  const { body } = await world.api.get(`/v1/realised-gains?${query}`);
  expectEqual('currency of the gain', body.currency, home);
  return body.subtotals[0].total;
}

const portfolioPerformance = 'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests';

interface RateCase {
  readonly id: string;
  readonly source: string;
  run(world: World, prepared: Prepared): Promise<Readonly<Record<string, string>>>;
}

const cases: readonly RateCase[] = [
  {
    id: 'fx-hledger-then',
    source: 'github.com/simonmichael/hledger, the test of roi (the rate of each day)',
    async run(world, { owner, foreign }) {
      const rows = [deposit('2024-01-02', '10000'), { type: 'interest', date: '2024-01-03', amount: '1000' }];
      const entity = await payIn(world, owner, { name: 'Return', currency: foreign, rows });
      const window = `reporting_entity_id=${entity}&start=2024-01-02&end=2024-01-03`;
      const [whole] = (await world.api.get(`/v1/performance?${window}`)).body.data;
      expectWithin('return', whole.twr, 0.1345, 0.00005);
      expectWithin('value', whole.end_market_value, 148.89009204, 1e-8);
      return { twr: String(whole.twr) };
    },
  },
  {
    id: 'fx-triangulation-ecb',
    source: 'the European Central Bank, reference rates of 2013-05-22 (7.4535 / 1.2923)',
    async run(world, { owner, third }) {
      const rows = [deposit('2013-05-22', '10000')];
      const entity = await payIn(world, owner, { name: 'Cross rate', currency: third, rows });
      const value = await valueOn(world, entity, '2013-05-24');
      expectWithin('value', value, 57_676.2361680724, 1e-8);
      return { market_value: String(value) };
    },
  },
  {
    id: 'fx-pp-carry-forward',
    source: `${portfolioPerformance} TestCurrencyConverter`,
    async run(world, { owner, middle }) {
      const rows = [deposit('2014-12-31', '10000')];
      const entity = await payIn(world, owner, { name: 'Weekend', currency: middle, rows });
      const published = { '2015-01-01': 12_141, '2015-01-02': 12_043, '2015-01-04': 12_043, '2015-01-05': 11_915 };
      for (const [day, value] of Object.entries(published))
        expectWithin(`value on ${day}`, await valueOn(world, entity, day), value, 0);
      return {};
    },
  },
  {
    id: 'lots-pp-fx-decomposition',
    source: `${portfolioPerformance} CapitalGainsCalculationTest.java (at average cost)`,
    async run(world, prepared) {
      const { gain, currency_part: currencyPart } = await gainOfSale(world, prepared);
      expectWithin('gain', gain, 730, 0.005);
      expectWithin('part of the currency', currencyPart, -3.33, 0.005);
      return { gain, currency_part: currencyPart };
    },
  },
];

const prepared = new WeakMap<World['records'], Promise<Prepared>>();

export const rateChecks: readonly Check[] = cases.map(({ id, source, run }) => ({
  area: 'figures',
  title: `${id}, published in ${source}`,
  async run(world) {
    const ready = prepared.get(world.records) ?? prepare(world);
    prepared.set(world.records, ready);
    return run(world, await ready);
  },
}));
