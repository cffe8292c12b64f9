// Returns that others have published, on an account of money alone: deposits and withdrawals are its flows, interest is its gain.

import type { Check, World } from '../../check.ts';
import { bookAll, expectWithin, makeOwner, type Owner } from './place.ts';

interface ReturnCase {
  readonly id: string;
  readonly source: string;
  /** The first day; others by how many days they are after it. */
  readonly from: string;
  readonly days: readonly (readonly [day: number, flow: number, gain: number])[];
  /** The first and the last day of the window. */
  readonly window: readonly [number, number];
  readonly method?: 'modified-dietz';
  readonly daily?: readonly number[];
  readonly cumulative?: readonly number[];
  /** Figures of the whole window. */
  readonly whole?: Readonly<Record<string, number>>;
  readonly tolerance: number;
}

const portfolioPerformance = 'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests';
const aleta = 'the formula of https://docs.aleta.io/definitions';

/** An index as an account: 100 times its first value is paid in, what it moves by is gained. */
function indexDays(index: readonly number[]): ReturnCase['days'] {
  return index.map((value, day) => [day, day === 0 ? value * 100 : 0, (value - (index[day - 1] ?? value)) * 100]);
}

const excelSample: ReturnCase['days'] = [
  [0, 10_000, 0],
  [1, 0, 230],
  [2, 200, 200],
  [3, -400, -234.41],
  [4, 0, 293.99],
  [5, 0, 293.99],
  [6, 5_400, 195.99],
  [7, -3_697.04, -882.52],
  [8, 0, -1_003.85],
];

const cases: readonly ReturnCase[] = [
  {
    id: 'twr-pp-excel-sample',
    source: `${portfolioPerformance} ClientIndexTest.java#testExcelSample`,
    from: '2011-12-31',
    days: excelSample,
    window: [1, 8],
    daily: [0.023, 0.019175455, -0.0220517, 0.0294117647, 0.0285714286, 0.012261967, -0.0545454545, -0.0865384615],
    cumulative: [0.023, 0.042616491, 0.019624983, 0.049614163, 0.079603343, 0.092841403, 0.03323197, -0.056182678],
    tolerance: 0.00001,
  },
  {
    id: 'twr-weekly-aggregation',
    source: `${portfolioPerformance} ClientIndexTest.java#testExcelSampleAggregatedWeekly`,
    from: '2011-12-31',
    days: excelSample,
    window: [2, 8],
    whole: { twr: -0.077402422 },
    tolerance: 0.00001,
  },
  {
    id: 'twr-derived-large-inflow-tiny-base',
    source: `${aleta}; wealthfolio performance_service.rs`,
    from: '2024-01-01',
    days: [
      [0, 1, 0],
      [1, 10_000, 100],
    ],
    window: [1, 1],
    daily: [0.009999000099990002],
    tolerance: 1e-12,
  },
  {
    id: 'twr-derived-netting-vs-gross',
    source: `${aleta} (deposits minus withdrawals)`,
    from: '2024-01-01',
    days: [
      [0, 1_000, 0],
      [1, 500, 10],
      [1, -500, 0],
    ],
    window: [1, 1],
    daily: [0.01],
    tolerance: 1e-12,
  },
  {
    id: 'mdietz-daily-midday',
    source: 'https://service.asora.com/knowledge-base/how-does-asora-calculate-twr (a flow counts one half)',
    from: '2024-01-01',
    days: [
      [0, 1_000, 0],
      [1, 100, 10],
    ],
    window: [1, 1],
    method: 'modified-dietz',
    daily: [0.009523809523809525],
    tolerance: 1e-12,
  },
  {
    id: 'twr-wealthfolio-tiny-seed',
    source:
      'github.com/afadil/wealthfolio@b66a7151 performance_service.rs#perf_does_not_explode_when_start_value_tiny_vs_cash_flow',
    from: '2024-01-01',
    days: [
      [0, 100, 0],
      [1, 2_000, -10.84],
    ],
    window: [1, 1],
    whole: { gain: -10.84 },
    tolerance: 1e-9,
  },
  {
    id: 'twr-cfa-two-year',
    source: 'CFA level 1, https://online.flipbuilder.com/bmcx/wpna/files/basic-html/page34.html',
    from: '2021-01-01',
    days: [
      [0, 100, 0],
      [364, 0, 22],
      [365, 118, 0],
      [730, 0, 24],
    ],
    window: [1, 730],
    whole: { twr: 0.342, annualised_twr: 0.1584 },
    tolerance: 0.00005,
  },
  {
    id: 'annualise-gf-3',
    source: 'github.com/ghostfolio/ghostfolio@c542997d calculation-helper.spec.ts',
    from: '2021-01-01',
    days: [
      [0, 10_000, 0],
      [575, 0, 2_374],
    ],
    window: [1, 575],
    whole: { twr: 0.2374, annualised_twr: 0.145 },
    tolerance: 0.005,
  },
  {
    id: 'mdd-multi-peak',
    source: `${portfolioPerformance} RiskTest.java#testDrawdownMultiplePeaks`,
    from: '2015-01-01',
    days: indexDays([2, 2, 0.5, 2, 2, 3, 4, 5, 6, 7]),
    window: [1, 9],
    whole: { max_drawdown: 0.75 },
    tolerance: 1e-12,
  },
  {
    id: 'mdd-recovery',
    source: `${portfolioPerformance} RiskTest.java#testDrawdownRecoveryTimeCalculation`,
    from: '2015-01-01',
    days: indexDays([100, 120, 110, 80, 85, 90, 95, 100, 105, 110, 115, 120]),
    window: [1, 11],
    whole: { max_drawdown: 0.3333333333333333 },
    tolerance: 1e-9,
  },
  {
    id: 'mdd-none',
    source: `${portfolioPerformance} RiskTest.java#testDrawdownNoDrawdown`,
    from: '2015-01-01',
    days: indexDays([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    window: [1, 9],
    whole: { max_drawdown: 0 },
    tolerance: 0,
  },
];

function dayOf({ from }: ReturnCase, day: number): string {
  return new Date(Date.parse(from) + day * 86_400_000).toISOString().slice(0, 10);
}

/** Days without anything of a kind have no row of it. */
function rowsOf(one: ReturnCase, account: string): readonly object[] {
  return one.days.flatMap(([day, flow, gain]) => {
    const where = { account_id: account, date: dayOf(one, day) };
    const flowRow = { ...where, type: flow > 0 ? 'deposit' : 'withdrawal', amount: String(flow) };
    const gainRow = { ...where, type: 'interest', amount: String(Number(gain.toFixed(8))) };
    return [...(flow === 0 ? [] : [flowRow]), ...(gain === 0 ? [] : [gainRow])];
  });
}

/** Makes the account, and says where its report is. */
async function makeAccount(
  { api }: World,
  one: ReturnCase,
  { client, legalEntity }: Owner,
): Promise<{ readonly account: string; readonly path: string }> {
  const account = await api.create('accounts', { entity_id: legalEntity, name: one.id, currency: 'CHF' });
  const reportingEntity = await api.create('reporting-entities', { client_id: client, name: one.id });
  const holder = { reporting_entity_id: reportingEntity, name: one.id, account_ids: [account] };
  await api.create('portfolios', holder);
  const [first, last] = one.window;
  const query = new URLSearchParams({
    reporting_entity_id: reportingEntity,
    start: dayOf(one, first),
    end: dayOf(one, last),
    ...(one.method === undefined ? {} : { method: one.method }),
  });
  return { account, path: `/v1/performance?${query}` };
}

const owners = new WeakMap<World['records'], Promise<Owner>>();

async function run(world: World, one: ReturnCase): Promise<Readonly<Record<string, string>>> {
  const owner = owners.get(world.records) ?? makeOwner(world, 'FIFO');
  owners.set(world.records, owner);
  const { account, path } = await makeAccount(world, one, await owner);
  await bookAll(world, rowsOf(one, account));
  const [whole] = (await world.api.get(path)).body.data;
  const compare = (name: string, published: readonly number[] = []): void =>
    published.forEach((figure, day) =>
      expectWithin(`${name} of day ${day + 1}`, whole.series[day]?.[name], figure, one.tolerance),
    );
  compare('daily_twr', one.daily);
  compare('cumulative_twr', one.cumulative);
  for (const [name, figure] of Object.entries(one.whole ?? {})) expectWithin(name, whole[name], figure, one.tolerance);
  return { twr: String(whole.twr), max_drawdown: String(whole.max_drawdown) };
}

export const returnChecks: readonly Check[] = cases.map((one) => ({
  area: 'figures',
  title: `${one.id}, published in ${one.source}`,
  run: (world) => run(world, one),
}));
