// Performance on every wire: the published figures of the reference portfolio, sums, windows, and refusals.

import { hash } from 'node:crypto';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { toFixed } from '../../../src/kit/fixed.ts';
import { parseDecimal } from '../../../src/kit/decimal.ts';
import { errorCodeOf, contentTypeOf } from '../../setup/http/answer.ts';
import { Caller, type Reply } from '../../setup/http/caller.ts';
import { relativeError, makeIndex } from '../../setup/reports/published-figure.ts';
import { ReferenceClient } from '../../setup/reference-portfolio/reference-client.ts';
import {
  readReferencePortfolio,
  type TreeMembers,
  type WindowReports,
} from '../../setup/reference-portfolio/reference-portfolio.ts';
import { classIdByPath } from '../../setup/instruments/instrument-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord, makeHousehold, unknownId } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
const { facts, expected, tolerance } = readReferencePortfolio();
let client: ReferenceClient;
let index: string;

beforeAll(async () => {
  const { admin } = service;
  client = await ReferenceClient.book(admin, facts);
  index = await makeIndex(admin, facts);
});

type Body = any;

async function get(path: string): Promise<Body> {
  const reply = await service.admin.get(path);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply.body;
}

const jsonApi = (query: string): Promise<Body> =>
  get(`/api/v2/performance/reporting-entities/${client.id('all')}?${query}`);
const summarized = (query: string): Promise<Body> =>
  get(`/api/v2/summarized-performance/reporting-entities/${client.id('all')}?${query}`);
const plain = (query: string): Promise<Body> => get(`/v2/performance/reporting-entities/${client.id('all')}?${query}`);
const v1Path = (query: string): string => `/v1/performance?reporting_entity_id=${client.id('all')}&${query}`;
const v1 = (query: string): Promise<Body> => get(v1Path(query));

/** Expects a ratio to equal the published one except for rounding. */
function expectNear(answered: unknown, published: unknown, within = tolerance.ratio): void {
  expect(relativeError(published, answered)).toBeLessThanOrEqual(within);
}

function exact(text: string): bigint {
  return toFixed(parseDecimal(text));
}

function sum(texts: readonly string[]): bigint {
  return texts.reduce((total, text) => total + exact(text), 0n);
}

/** The published name of a segment. */
function nameOf(axis: string, id: string | null): string {
  if (id === null) return 'none';
  const name = client.withNames(id);
  return axis === 'class' ? name.replace(/^class /, '') : name;
}

const windows = expected.byWindow.map((window) => [`${window.from} to ${window.to}`, window] as const);
const methods = [
  ['daily', 'json-api'],
  ['modified-dietz', 'plain'],
] as const;

describe.each(windows)('the reference portfolio from %s', (_name, window) => {
  const { from, to } = window;

  test.each(methods)(
    'v1 returns the published figures by %s, net and gross, along every axis',
    async (method, convention) => {
      const { net, gross, segments } = window[convention];
      for (const [fees, figures] of [
        ['net', net],
        ['gross', gross],
      ] as const) {
        const query = `start=${from}&end=${to}&method=${method}&fees=${fees}&detail=summary`;
        const body = await v1(`${query}&by=instrument&by=class,depository&by=portfolio`);
        expect([body.start, body.end, body.method, body.fees, body.currency]).toEqual([from, to, method, fees, 'EUR']);
        expectReturns(body.data[0], figures);
        if (fees === 'net') {
          expectTotals(body.data[0], window);
          for (const one of body.data.slice(1)) expectSegment(one, segments);
          for (const one of body.data) expectParts(one);
          expectNoneMissing(body.data, segments);
        }
      }
    },
  );

  test('JSON:API and Plain return the same figures', async () => {
    const { attributes } = (await summarized(`fromDate=${from}&toDate=${to}`)).data;
    const figures = window['json-api'].net as any;
    expectNear(attributes.totalReturn, figures.cumulative);
    expectNear(attributes.cumulativeTwr, figures.cumulative);
    expectNear(attributes.annualisedTwr, figures.annualised);
    expectNear(attributes.volatility, figures.volatility);
    expectNear(attributes.maxDrawdown, figures.maximumDrawdown.value);
    expect(attributes).toMatchObject({
      fromDate: from,
      toDate: to,
      beginMarketValue: Number(window.value['begin']),
      endMarketValue: Number(window.value['end']),
      netCashFlow: Number(window.value['netFlow']),
      contributionAmount: Number(window.value['gain']),
      income: Number(window.income.total),
      fees: Number(window.fees.total),
    });
    for (const { name, contribution, contributionAmount, marketValue } of attributes.contributions) {
      const { gain, end, contribution: published } = window['json-api'].segments.class[name] as any;
      expectNear(contribution, published);
      expect([name, contributionAmount, marketValue]).toEqual([name, Number(gain), Number(end)]);
    }
    const { summary } = await plain(`start=${from}&end=${to}`);
    const dietz = window.plain.net as any;
    expectNear(summary.total_return, dietz.cumulative);
    expectNear(summary.annualised_return, dietz.annualised);
    expectNear(summary.volatility, dietz.volatility);
    expectNear(summary.max_drawdown, dietz.maximumDrawdown.value);
  });
});

function expectReturns(one: Body, figures: any): void {
  expectNear(one.twr, figures.cumulative);
  expectNear(one.annualised_twr, figures.annualised);
  expectNear(one.volatility, figures.volatility);
  expectNear(one.max_drawdown, figures.maximumDrawdown.value);
  expect([one.max_drawdown_from, one.max_drawdown_to]).toEqual([
    figures.maximumDrawdown.peak,
    figures.maximumDrawdown.trough,
  ]);
}

/** Price, income and currency add up to the gain, to the last digit. */
function expectParts(one: Body): void {
  const parts = [one.gain_price_part, one.gain_income_part, one.gain_currency_part];
  expect(sum(parts)).toBe(exact(one.gain));
}

function expectTotals(one: Body, { value, income, fees, moneyWeighted }: WindowReports): void {
  expect(one).toMatchObject({
    begin_market_value: value['begin'],
    end_market_value: value['end'],
    net_cash_flow: value['netFlow'],
    gain: value['gain'],
    income: income.total,
    fees: fees.total,
  });
  expectNear(one.money_weighted_return, moneyWeighted['windowRate'], tolerance.rateOfReturn);
  const yearly = one.annualised_twr === null ? null : moneyWeighted['rate'];
  expectNear(one.annualised_money_weighted_return, yearly, tolerance.rateOfReturn);
}

function expectSegment(one: Body, segments: WindowReports['plain']['segments']): void {
  const { axis, segment_id: id } = one;
  const published = segments[axis as 'class'][nameOf(axis, id)] as any;
  const actual = [one.begin_market_value, one.net_cash_flow, one.gain, one.end_market_value];
  expect([nameOf(axis, id), ...actual]).toEqual([
    nameOf(axis, id),
    published.begin,
    published.flow,
    published.gain,
    published.end,
  ]);
  expectNear(one.contribution, published.contribution);
  expectNear(one.twr, published.ownReturn);
}

/** Published segments whose figures are all zero in the window need not be listed. */
function expectNoneMissing(data: Body, segments: WindowReports['plain']['segments']): void {
  for (const [axis, published] of Object.entries(segments)) {
    const expectedSegments = Object.entries(published).filter(([, { begin, flow, end }]: [string, TreeMembers]) =>
      [begin, flow, end].some((amount) => amount !== '0'),
    );
    const actual = data.filter((one: Body) => one.axis === axis).map((one: Body) => nameOf(axis, one.segment_id));
    expect(actual).toEqual(expect.arrayContaining(expectedSegments.map(([name]) => name)));
  }
}

describe('day by day', () => {
  test('values, flows, gains and returns are as published, and the same on all wires', async () => {
    const window = ['2025-01-01', '2026-09-30'];
    const { data } = await jsonApi(`fromDate=${window[0]}&toDate=${window[1]}`);
    const { series: dietz } = await plain(`start=${window[0]}&end=${window[1]}`);
    const [whole] = (await v1(`start=${window[0]}&end=${window[1]}`)).data;
    const [second] = (await v1(`start=${window[0]}&end=${window[1]}&method=modified-dietz`)).data;
    expect([data[0].attributes.series, dietz, whole.series, second.series].map(({ length }) => length)).toEqual([
      638, 638, 638, 638,
    ]);
    const published = new Map(expected.daily.days.map((one) => [one.day, one]));
    for (const [place, point] of data[0].attributes.series.entries()) {
      const actual = whole.series[place];
      expect(Number(actual.daily_twr)).toBe(point.dailyTwr);
      expect(Number(actual.cumulative_twr)).toBe(point.cumulativeTwr);
      expect([Number(actual.net_cash_flow), Number(actual.daily_return)]).toEqual([
        point.netCashFlow,
        point.dailyReturn,
      ]);
      expect(Number(second.series[place].daily_twr)).toBe(dietz[place].daily_twr);
      expect([actual.date, dietz[place].date]).toEqual([point.date, point.date]);
      const day = published.get(point.date);
      if (day === undefined) continue;
      expect([actual.market_value, actual.net_cash_flow, actual.daily_return]).toEqual([day.after, day.flow, day.gain]);
      expectNear(point.dailyTwr, day['json-api']);
      expectNear(dietz[place].daily_twr, day.plain);
    }
  });

  test('along an axis without overlaps, values, flows and gains of each day add up to the total, and contributions to its return', async () => {
    const { data } = await v1(
      'start=2025-01-15&end=2025-07-31&by=account,depository,instrument,class,detailed-class,currency',
    );
    const [whole, ...segments] = data;
    const axes = Map.groupBy(segments, ({ axis }: Body) => axis as string);
    expect([...axes.keys()]).toEqual(['account', 'depository', 'instrument', 'class', 'detailed-class', 'currency']);
    for (const some of axes.values()) {
      for (const figure of ['market_value', 'net_cash_flow', 'daily_return']) {
        const sums = whole.series.map((_: Body, day: number) =>
          sum(some.map(({ series }: Body) => series[day][figure])),
        );
        expect(sums).toEqual(whole.series.map((point: Body) => exact(point[figure])));
      }
      const contributed = some.reduce((total: number, { contribution }: Body) => total + Number(contribution), 0);
      expectNear(contributed, whole.twr);
    }
  });

  test('another currency converts each day at its rate', async () => {
    const [whole] = (await v1('start=2025-12-30&end=2025-12-31&currency=USD')).data;
    // 214,648.65 ÷ 0.85, each position rounded separately
    expect(whole.end_market_value).toBe('252527.823529411764705882');
    const euros = (await v1('start=2025-12-30&end=2025-12-30')).data[0].end_market_value;
    expectNear(whole.series[0].market_value, Number(euros) / 0.88);
    expect((await plain('start=2025-12-30&end=2025-12-31&currency=USD')).currency).toBe('USD');
  });
});

describe('the whole answer', () => {
  const noFlow = (date: string, cumulativeTwr: number) => ({
    date,
    netCashFlow: 0,
    dailyReturn: 0,
    dailyTwr: 0,
    cumulativeTwr,
  });
  const implied = (instrumentId: string) => ({
    code: 'implied-flow',
    detail: 'An upload changed units or cash without a transaction that explains it. The change counts as a flow.',
    instrumentId,
    date: '2025-01-31',
    count: 1,
  });
  const oldRate = {
    code: 'stale-rate',
    detail: 'Values are converted at an exchange rate that is too old.',
    instrumentId: null,
    date: '2024-12-31',
    count: 1,
  };

  test('of JSON:API: the total, then each segment; a segment without a record has no relationship', async () => {
    const body = await jsonApi('fromDate=2025-01-30&toDate=2025-01-31&expand=depositories');
    const id = 'all';
    const segment = (axis: string, more: object) => ({
      axis,
      currency: 'EUR',
      fromDate: '2025-01-30',
      toDate: '2025-01-31',
      method: 'daily',
      ...more,
    });
    const reportingEntity = { data: { type: 'reporting-entity', id } };
    expect(client.withNames(body)).toEqual({
      data: [
        {
          type: 'performance',
          id: 'all.total',
          attributes: segment('total', {
            series: [
              noFlow('2025-01-30', 0),
              {
                date: '2025-01-31',
                netCashFlow: 63,
                dailyReturn: 495,
                dailyTwr: 0.0026464219840145417,
                cumulativeTwr: 0.0026464219840145417,
              },
            ],
            warnings: [implied('share'), implied('cash:USD'), oldRate],
          }),
          relationships: { reportingEntity },
        },
        {
          type: 'performance',
          id: 'all.depositories.hudson',
          attributes: segment('depositories', {
            series: [
              noFlow('2025-01-30', 0),
              {
                date: '2025-01-31',
                netCashFlow: 945,
                dailyReturn: 495,
                dailyTwr: 0.04564315352697095,
                cumulativeTwr: 0.04564315352697095,
              },
            ],
            warnings: [implied('share')],
          }),
          relationships: { reportingEntity, depository: { data: { type: 'depository', id: 'hudson' } } },
        },
        {
          type: 'performance',
          id: 'all.depositories.-',
          attributes: segment('depositories', {
            series: [
              noFlow('2025-01-30', 0),
              { date: '2025-01-31', netCashFlow: -882, dailyReturn: 0, dailyTwr: 0, cumulativeTwr: 0 },
            ],
            warnings: [implied('cash:USD'), oldRate],
          }),
          relationships: { reportingEntity, depository: { data: null } },
        },
      ],
      meta: { asOf: '2025-01-31T23:59:59.999Z', ledgerVersion: body.meta.ledgerVersion },
    });
  });

  test('of Plain', async () => {
    const body = await plain('start=2025-03-31&end=2025-03-31');
    expect(client.withNames(body)).toEqual({
      reporting_entity_id: 'all',
      currency: 'EUR',
      start: '2025-03-31',
      end: '2025-03-31',
      method: 'modified-dietz',
      // (209,250 − 187,700 − 20,000) ÷ (187,700 + 20,000 ÷ 2)
      series: [{ date: '2025-03-31', daily_twr: 0.007840161861406172, cumulative_twr: 0.007840161861406172 }],
      summary: { total_return: 0.007840161861406172, annualised_return: null, max_drawdown: 0, volatility: null },
      warnings: [
        {
          code: 'stale-value',
          detail: 'The value is based on a price that is too old.',
          instrument_id: 'fund',
          date: '2025-02-03',
          count: 1,
        },
        { code: 'stale-rate', detail: oldRate.detail, instrument_id: null, date: '2024-12-31', count: 3 },
        {
          code: 'estimated-value',
          detail: 'The value is estimated from a trade, from cost or from calls, since there is no price.',
          instrument_id: 'meridian',
          date: null,
          count: 1,
        },
      ],
      as_of: '2025-03-31T23:59:59.999Z',
      ledger_version: body.ledger_version,
    });
  });

  test('of v1, with a benchmark at the exchange rates of each day', async () => {
    const body = await v1(`start=2025-06-30&end=2025-06-30&by=portfolio&benchmark=${index}`);
    const { benchmark, data, ...heading } = client.withNames(body);
    expect(heading).toEqual({
      reporting_entity_id: 'all',
      currency: 'EUR',
      start: '2025-06-30',
      end: '2025-06-30',
      carried_from: null,
      method: 'daily',
      fees: 'net',
      as_of: '2025-06-30T23:59:59.999Z',
      ledger_version: body.ledger_version,
    });
    // 104 × 0.88 ÷ (100 × 0.90) − 1
    expect(Number(benchmark.twr)).toBeCloseTo(0.016888888888888887, 14);
    expect(benchmark).toEqual({
      instrument_id: index,
      series_kind: 'index-factor',
      twr: benchmark.twr,
      annualised_twr: null,
      volatility: null,
      max_drawdown: '0',
      // As decimals: 0.007634239702316502 − 0.016888888888888886
      excess_return: '-0.009254649186572384',
      warnings: [],
      series: [{ date: '2025-06-30', daily_twr: benchmark.twr, cumulative_twr: benchmark.twr }],
    });
    expect(data.map(({ axis, segment_id, segment_name }: Body) => [axis, segment_id, segment_name])).toEqual([
      ['total', null, null],
      ['portfolio', 'reserve', 'Portfolio reserve'],
      ['portfolio', 'growth', 'Portfolio growth'],
    ]);
    expect(data[0].series).toEqual([
      {
        date: '2025-06-30',
        market_value: '211435.52',
        net_cash_flow: '0',
        daily_return: '1601.92',
        daily_twr: '0.007634239702316502',
        cumulative_twr: '0.007634239702316502',
      },
    ]);
  });

  test('has the benchmark in the currency of the report', async () => {
    const body = await v1(`start=2025-07-01&end=2025-12-31&currency=USD&detail=summary&benchmark=${index}`);
    expectNear(body.benchmark.twr, 110 / 104 - 1);
    expect(body.benchmark.series).toEqual([]);
    const early = await v1(`start=2025-01-01&end=2025-02-28&detail=summary&benchmark=${index}`);
    expect(early.benchmark.warnings).toEqual([
      {
        code: 'no-point',
        detail: 'The benchmark has no value yet, so the return of the day counts as 0.',
        instrument_id: null,
        date: '2025-01-01',
        count: 59,
      },
    ]);
  });

  test('says that a benchmark has ended, so that what follows does not look like a return of 0', async () => {
    const body = await v1(`start=2026-01-01&end=2026-05-31&detail=summary&benchmark=${index}`);
    expect(body.benchmark.warnings).toMatchObject([{ code: 'stale-value', instrument_id: index, date: '2025-12-01' }]);
    const fresh = await v1(`start=2025-12-01&end=2026-01-15&detail=summary&benchmark=${index}`);
    expect(fresh.benchmark.warnings).toEqual([]);
  });

  test('adjusts the prices of a benchmark for a split', async () => {
    const body = await v1(`start=2025-10-01&end=2025-10-31&currency=USD&benchmark=${client.id('share')}`);
    // 60 against 110 before a split of 2 for 1
    expectNear(body.benchmark.twr, 60 / 55 - 1);
    expect([body.benchmark.series_kind, body.benchmark.max_drawdown]).toEqual(['price', '0']);
    const fund = await v1(`start=2025-06-30&end=2025-06-30&benchmark=${client.id('fund')}`);
    expect(fund.benchmark.series_kind).toBe('net-asset-value');
    expectNear(fund.benchmark.twr, 0.1);
  });

  test('is identical to the byte when requested again', async () => {
    for (const path of [
      `/api/v2/performance/reporting-entities/${client.id('all')}?fromDate=2025-01-01&toDate=2025-12-31&expand=instruments`,
      `/v2/performance/reporting-entities/${client.id('all')}?start=2025-01-01`,
      v1Path('start=2025-01-01&by=class'),
    ]) {
      const [one, other] = [await service.admin.get(path), await service.admin.get(path)];
      expect(one.status).toBe(200);
      expect(one.text).toBe(other.text);
    }
  });
});

describe('expand', () => {
  const range = 'fromDate=2025-06-01&toDate=2025-06-02';

  test('may be repeated or separated by commas, and every instrument has its own type', async () => {
    const one = await jsonApi(`${range}&expand=portfolios,instruments&expand=instrumentClassesDetailed`);
    const other = await jsonApi(`${range}&expand=instrumentClassesDetailed&expand=instruments&expand=portfolios`);
    expect(one).toEqual(other);
    const related = one.data.map(({ relationships: { reportingEntity: _entity, ...own } }: Body) =>
      client.withNames(own),
    );
    expect(related).toEqual([
      {},
      ...['reserve', 'growth'].map((id) => ({ portfolio: { data: { type: 'portfolio', id } } })),
      ...[
        ['bond-instrument', 'bond'],
        ['mutual-fund-instrument', 'fund'],
        ['stock-instrument', 'share'],
        ['private-market-fund', 'meridian'],
        ['cash-instrument', 'cash:EUR'],
        ['cash-instrument', 'cash:USD'],
      ].map(([type, id]) => ({ instrument: { data: { type, id } } })),
      ...related.slice(9),
    ]);
    expect(new Set(one.data.map(({ id }: Body) => id)).size).toBe(one.data.length);
  });

  test.each([
    ['instrumentClasses', ['class Cash', 'class Equities', 'class Fixed income', 'class Private markets']],
    [
      'instrumentClassesDetailed',
      ['class Cash', 'class Fixed income', 'class Funds', 'class Private markets', 'class Shares'],
    ],
  ])('%s are %j', async (expanded, classes) => {
    const { data } = await jsonApi(`${range}&expand=${expanded}`);
    const related = data
      .slice(1)
      .map(({ relationships }: Body) => client.withNames(relationships.instrumentClass.data));
    expect(related.map(({ id }: Body) => id).toSorted()).toEqual(classes);
    expect(new Set(related.map(({ type }: Body) => type))).toEqual(new Set(['instrument-class']));
    expect(new Set(data.slice(1).map(({ attributes }: Body) => attributes.axis))).toEqual(new Set([expanded]));
  });

  const words = 'portfolios, depositories, instruments, instrumentClasses, instrumentClassesDetailed';

  test.each([
    ['expand=comets', 'expand', `expand must be one of ${words}.`],
    ['expand=portfolios,', 'expand', `expand must be one of ${words}.`],
    ['expand=portfolios&expand=portfolios', 'expand', 'expand must not repeat a value.'],
    ['fromDate=2025-02-29', 'fromDate', 'fromDate must be a day that exists.'],
    ['fromDate=2025-01-01&fromDate=2025-01-02', 'fromDate', 'fromDate must be sent once.'],
    ['fromDate=2025-06-02&toDate=2025-06-01', 'toDate', 'toDate must not be before fromDate.'],
    ['currency=USD', 'currency', 'The parameter "currency" does not exist here.'],
  ])('%s is refused with the pointer %s', async (query, parameter, detail) => {
    const reply = await service.admin.get(`/api/v2/performance/reporting-entities/${client.id('all')}?${query}`);
    expect([reply.status, reply.body.errors]).toEqual([
      400,
      [expect.objectContaining({ detail, source: { parameter } })],
    ]);
  });
});

describe('windows', () => {
  const warned = (one: Body): [string, string | null, number][] =>
    one.warnings.map(({ code, date, count }: Body) => [code, date, count]);

  test('begin with the current year and end today, on every wire', async () => {
    const { data } = await jsonApi('');
    expect([data[0].attributes.fromDate, data[0].attributes.toDate]).toEqual(['2026-01-01', '2026-11-15']);
    const { attributes } = (await summarized('')).data;
    expect([attributes.fromDate, attributes.toDate]).toEqual(['2026-01-01', '2026-11-15']);
    const [asPlain, asV1] = [await plain(''), await v1('')];
    for (const { start, end, as_of } of [asPlain, asV1])
      expect([start, end, as_of]).toEqual(['2026-01-01', '2026-11-15', '2026-11-15T23:59:59.999Z']);
    expect([asPlain.series.at(-1).date, asV1.data[0].series.at(-1).date]).toEqual(['2026-11-15', '2026-11-15']);
    const past = await plain('end=2025-06-30');
    expect([past.start, past.end]).toEqual(['2025-01-01', '2025-06-30']);
  });

  test('end on the day that is requested: days after the latest data carry values on, and say so', async () => {
    const body = await v1('start=2026-09-01&end=2027-01-10');
    expect([body.start, body.end, body.as_of]).toEqual(['2026-09-01', '2027-01-10', '2027-01-10T23:59:59.999Z']);
    const [whole] = body.data;
    expect([body.carried_from, whole.series.length]).toEqual(['2026-10-01', 132]);
    expect(warned(whole)).toContainEqual(['carried', '2026-10-01', 1]);
    const carried = whole.series.slice(30);
    expect(carried[0].date).toBe('2026-10-01');
    for (const { net_cash_flow, daily_twr } of carried) expect([net_cash_flow, daily_twr]).toEqual(['0', '0']);
    const sooner = await v1('start=2026-09-01&end=2026-09-30');
    expect([sooner.carried_from, sooner.data[0].series]).toEqual([null, whole.series.slice(0, 30)]);
    for (const { warnings } of [
      await plain(''),
      (await jsonApi('')).data[0].attributes,
      (await summarized('')).data.attributes,
    ])
      expect(warned({ warnings })).toContainEqual(['carried', '2026-10-01', 1]);
  });

  test('that lie after the latest data have the days that were requested', async () => {
    const body = await v1('start=2026-11-01&end=2026-11-03');
    expect([body.start, body.end, body.carried_from]).toEqual(['2026-11-01', '2026-11-03', '2026-11-01']);
    expect(body.data[0].series.map(({ date }: Body) => date)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
  });

  test('are not moved by points and rates that nothing needs', async () => {
    const { admin } = service;
    const paths = [
      '/v1/performance?reporting_entity_id=ALL',
      '/v1/holdings?reporting_entity_id=ALL',
      '/v1/lots?reporting_entity_id=ALL',
      '/v1/allocation?reporting_entity_id=ALL&by=class',
      '/v1/performance/private-markets?reporting_entity_id=ALL',
      '/v2/performance/reporting-entities/ALL',
      '/v2/holdings/reporting-entities/ALL',
      '/api/v2/performance/reporting-entities/ALL',
    ].map((path) => path.replace('ALL', client.id('all')));
    const withoutVersion = ({ text }: Reply): string =>
      text.replaceAll(/"(ledger_version|ledgerVersion)":"[^"]*"/g, '');
    const answers = (): Promise<string[]> =>
      Promise.all(paths.map(async (path) => `${path} ${hash('sha256', withoutVersion(await admin.get(path)))}`));
    const before = await answers();
    await admin.post('/v1/fx-rates', { base: 'THB', quote: 'PHP', date: '2026-11-16', rate: '1.6' });
    await admin.post(`/v1/instruments/${index}/index-factors`, { date: '2026-11-16', value: '200' });
    expect(await answers()).toEqual(before);
  });

  test('may begin before the first value: there is no return until then, and the yearly return counts from there', async () => {
    const body = await v1('start=1900-01-01&end=2025-12-31&detail=summary');
    const [whole] = body.data;
    expect(body.start).toBe('1900-01-01');
    expect(warned(whole)).toContainEqual(['begins-before-data', '2024-12-31', 1]);
    const year = await v1('start=2025-01-01&end=2025-12-31&detail=summary');
    expectNear(whole.twr, year.data[0].twr);
    expectNear(1 + Number(whole.annualised_twr), (1 + Number(whole.twr)) ** (365 / 366));
  });

  test('that begin before the data have the figures and days of the window that begins with them', async () => {
    const axes = 'by=account,instrument,class,currency';
    const [wide, narrow] = [
      await v1(`start=1900-01-01&end=2026-09-30&${axes}`),
      await v1(`start=2024-12-31&end=2026-09-30&${axes}`),
    ];
    const figuresOf = ({ data }: Body): Body => data.map(({ warnings: _warnings, ...figures }: Body) => figures);
    expect(figuresOf(wide)).toEqual(figuresOf(narrow));
    expect([wide.start, wide.end, wide.data[0].series[0].date]).toEqual(['1900-01-01', '2026-09-30', '2024-12-31']);
    const [wideJsonApi, narrowJsonApi] = [
      await jsonApi('fromDate=1900-01-01&toDate=2026-09-30&expand=instruments'),
      await jsonApi('fromDate=2024-12-31&toDate=2026-09-30&expand=instruments'),
    ];
    const seriesOf = ({ data }: Body): Body => data.map(({ attributes }: Body) => attributes.series);
    expect(seriesOf(wideJsonApi)).toEqual(seriesOf(narrowJsonApi));
    expect((await plain('start=1900-01-01&end=2026-09-30')).summary).toEqual(
      (await plain('start=2024-12-31&end=2026-09-30')).summary,
    );
  });

  test('in which nothing was held have no days, and null figures with the reason', async () => {
    const { admin } = service;
    const { reportingEntity } = await makeHousehold(admin, 'Zilpzalp');
    const none = { twr: null, volatility: null, max_drawdown: null, money_weighted_return: null, contribution: null };
    const reasons = { twr_reason: 'nothing-covered', money_weighted_reason: 'nothing-covered' };
    for (const [entity, from, to] of [
      [reportingEntity, '2026-01-01', '2026-01-02'],
      [client.id('all'), '2024-01-01', '2024-06-30'],
    ] as const) {
      const query = `start=${from}&end=${to}`;
      const body = await get(`/v1/performance?reporting_entity_id=${entity}&${query}&every=month&benchmark=${index}`);
      expect([body.start, body.end, body.carried_from, body.data.length]).toEqual([from, to, null, 1]);
      expect(body.data[0]).toMatchObject({ ...none, ...reasons, end_market_value: '0', series: [], periods: [] });
      expect(warned(body.data[0])).toEqual([['nothing-covered', null, 1]]);
      expect(body.benchmark).toMatchObject({ twr: null, excess_return: null, series: [], warnings: [] });
      const asPlain = await get(`/v2/performance/reporting-entities/${entity}?${query}`);
      expect([asPlain.start, asPlain.end, asPlain.series]).toEqual([from, to, []]);
      expect(asPlain.summary).toEqual({
        total_return: null,
        annualised_return: null,
        max_drawdown: null,
        volatility: null,
      });
      expect(warned(asPlain)).toEqual([['nothing-covered', null, 1]]);
      const days = `fromDate=${from}&toDate=${to}`;
      const daily = await get(`/api/v2/performance/reporting-entities/${entity}?${days}`);
      expect([daily.data[0].attributes.series, warned(daily.data[0].attributes)]).toEqual([
        [],
        [['nothing-covered', null, 1]],
      ]);
      const summary = (await get(`/api/v2/summarized-performance/reporting-entities/${entity}?${days}`)).data
        .attributes;
      expect(summary).toMatchObject({ totalReturn: null, cumulativeTwr: null, volatility: null, maxDrawdown: null });
      const csv = await admin.get(`/v1/performance?reporting_entity_id=${entity}&${query}&format=csv`);
      expect(csv.text.trimEnd().split('\r\n')).toHaveLength(1);
      const explained = await get(`/v1/explain?reporting_entity_id=${entity}&${query}&figure=cumulative_twr`);
      expect([explained.explanation.value, explained.explanation.notes]).toEqual([null, ['nothing-covered']]);
    }
  });

  /** A caller whose token is of the next day. */
  async function nextDay(): Promise<Caller> {
    const dayMs = 24 * 60 * 60 * 1_000;
    service.clock.advance(dayMs);
    onTestFinished(() => service.clock.advance(-dayMs));
    return Caller.withCredentials(service.admin.address, service.first);
  }

  test('end today, which is the next day after midnight, with the same data', async () => {
    const path = `/v2/performance/reporting-entities/${client.id('all')}`;
    const before = (await service.admin.get(path)).body;
    const tag = (await service.admin.get(v1Path('detail=summary'))).headers.get('etag')!;
    const tomorrow = await nextDay();
    const after = (await tomorrow.get(path)).body;
    expect([after.end, after.series.length, after.ledger_version]).toEqual([
      '2026-11-16',
      before.series.length + 1,
      before.ledger_version,
    ]);
    const next = await tomorrow.get(v1Path('detail=summary'), { 'if-none-match': tag });
    expect([next.status, next.body.end]).toEqual([200, '2026-11-16']);
    const again = await tomorrow.get(v1Path('detail=summary'), { 'if-none-match': next.headers.get('etag')! });
    expect(again.status).toBe(304);
  });

  test('end on the day of the moment at which they are known', async () => {
    const known = new Date(service.clock.now()).toISOString();
    const { text, body } = await service.admin.get(v1Path(`detail=summary&known_at=${known}`));
    expect(body.end).toBe('2026-11-15');
    const tomorrow = await nextDay();
    expect((await tomorrow.get(v1Path(`detail=summary&known_at=${known}`))).text).toBe(text);
  });
});

describe('long answers', () => {
  const range = 'start=1990-01-01&end=2026-09-30';
  const axes = 'by=account,depository,portfolio,instrument,class,detailed-class,currency';

  test('are sent in chunks with the same content as in one piece', async () => {
    const reply = await service.admin.get(v1Path(`${range}&${axes}&benchmark=${index}`));
    expect([reply.status, reply.headers.get('content-length'), reply.headers.get('etag')]).toEqual([200, null, null]);
    expect(JSON.stringify(reply.body)).toBe(reply.text);
    const { data, benchmark, ...heading } = reply.body;
    const withoutDays = (one: Body): Body => ({ ...one, series: [] });
    expect({ ...heading, benchmark: withoutDays(benchmark), data: data.map(withoutDays) }).toEqual(
      await v1(`${range}&${axes}&benchmark=${index}&detail=summary`),
    );
    expect([benchmark, ...data].map(({ series }: Body) => series.length)).toEqual([benchmark, ...data].map(() => 639));
    expect(data[0].series.at(-1)).toMatchObject({
      date: '2026-09-30',
      market_value: '199733.1',
      cumulative_twr: data[0].twr,
    });
  });

  test('of the frozen tracks have the same series too', async () => {
    const [whole] = (await jsonApi('fromDate=1990-01-01&toDate=2026-09-30&expand=instruments')).data;
    const short = (await jsonApi('fromDate=2025-01-01&toDate=2026-09-30')).data[0];
    const actual = whole.attributes.series.slice(-638);
    expect(actual.map(({ cumulativeTwr: _twr, ...point }: Body) => point)).toEqual(
      short.attributes.series.map(({ cumulativeTwr: _twr, ...point }: Body) => point),
    );
    const body = await plain('start=1990-01-01&end=2026-09-30');
    expect(body.series).toHaveLength(639);
    expectNear(body.summary.total_return, body.series.at(-1).cumulative_twr);
  });
});

describe('lines', () => {
  const query = 'start=2025-01-30&end=2025-01-31&by=depository';
  const csv = [
    'axis,segment_id,date,market_value,net_cash_flow,daily_return,daily_twr,cumulative_twr',
    'total,,2025-01-30,186982,0,0,0,0',
    'total,,2025-01-31,187540,63,495,0.0026464219840145417,0.0026464219840145417',
    'depository,hudson,2025-01-30,9900,0,0,0,0',
    'depository,hudson,2025-01-31,11340,945,495,0.04564315352697095,0.04564315352697095',
    'depository,,2025-01-30,177082,0,0,0,0',
    'depository,,2025-01-31,176200,-882,0,0,0',
    '',
  ].join('\r\n');

  test.each([
    ['asked for', '&format=csv', {}],
    ['accepted', '', { accept: 'text/csv' }],
    ['asked for, whatever is accepted', '&format=csv', { accept: 'application/json, text/csv;q=0.5' }],
  ])('of CSV, one for each segment and day, if they are %s', async (_case, format, headers) => {
    const reply = await service.admin.get(v1Path(`${query}${format}&round=none`), headers);
    expect(contentTypeOf(reply)).toBe('text/csv; charset=utf-8; header=present');
    expect(reply.text.replaceAll(client.id('hudson'), 'hudson')).toBe(csv);
  });

  test.each([
    ['asked for', '&format=ndjson', {}],
    ['accepted', '', { accept: 'application/x-ndjson' }],
  ])('of JSON are the points of the series with their segment, if they are %s', async (_case, format, headers) => {
    const reply = await service.admin.get(v1Path(query + format), headers);
    expect(contentTypeOf(reply)).toBe('application/x-ndjson');
    const { data } = await v1(query);
    const lines = data.flatMap(({ axis, segment_id, series }: Body) =>
      series.map((point: Body) => `${JSON.stringify({ axis, segment_id, ...point })}\n`),
    );
    expect(reply.text).toBe(lines.join(''));
  });

  test('of a summary have the figures of one segment each', async () => {
    const [csvReply, linesReply] = await Promise.all(
      ['csv', 'ndjson'].map((format) =>
        service.admin.get(v1Path(`${query}&detail=summary&format=${format}&round=none`)),
      ),
    );
    const { data } = await v1(`${query}&detail=summary`);
    const rows = data.map(({ warnings: _warnings, series: _series, ...row }: Body) => row);
    expect(linesReply!.text).toBe(rows.map((row: Body) => `${JSON.stringify(row)}\n`).join(''));
    const lines = [Object.keys(rows[0]), ...rows.map((row: Body) => Object.values(row).map((value) => value ?? ''))];
    expect(csvReply!.text).toBe(lines.map((line) => `${line.join(',')}\r\n`).join(''));
  });
});

describe('refusals', () => {
  const paths = (id: string): string[] => [
    `/api/v2/performance/reporting-entities/${id}`,
    `/api/v2/summarized-performance/reporting-entities/${id}`,
    `/v2/performance/reporting-entities/${id}`,
    `/v1/performance?reporting_entity_id=${id}`,
  ];

  test('unknown records and those of another tenant do not exist', async () => {
    const stranger = await service.openWorkspace();
    for (const path of paths(unknownId))
      expect(errorCodeOf(await service.admin.get(path))).toBe('reporting-entity-not-found');
    for (const path of paths(client.id('all'))) expect((await stranger.get(path)).status).toBe(404);
  });

  test('a missing rate is reported with its pair and its day', async () => {
    for (const path of [
      `/v2/performance/reporting-entities/${client.id('all')}?start=2025-01-01&currency=JPY`,
      v1Path('start=2025-01-01&currency=JPY'),
    ]) {
      const reply = await service.admin.get(path);
      expect([reply.status, errorCodeOf(reply), (reply.body.errors?.[0] ?? reply.body).detail]).toEqual([
        422,
        'fx-rate-missing',
        'There is no exchange rate from EUR to JPY on or before 2024-12-31.',
      ]);
    }
  });

  test.each([
    [
      'by=comet',
      'by',
      'by must be one of account, depository, portfolio, instrument, class, detailed-class, currency.',
    ],
    ['method=simple', 'method', 'method must be one of daily, modified-dietz.'],
    ['fees=none', 'fees', 'fees must be one of net, gross.'],
    ['currency=euro', 'currency', 'currency must be an ISO 4217 currency code, such as EUR.'],
    ['format=xml', 'format', 'format must be one of json, csv, ndjson.'],
    ['detail=much', 'detail', 'detail must be one of series, summary.'],
    ['start=2025-02-01&end=2025-01-01', 'end', 'end must not be before start.'],
    ['start=yesterday', 'start', 'start must be a date in the form YYYY-MM-DD.'],
    ['known_at=2027-01-01T00:00:00Z', 'known_at', 'known_at must not be in the future.'],
  ])('v1 refuses %s', async (query, parameter, detail) => {
    const { status, body } = await service.admin.get(v1Path(query));
    expect([status, body.errors]).toEqual([400, [{ code: 'invalid-parameter', parameter, detail }]]);
  });

  test('a missing benchmark is reported with its parameter', async () => {
    const { status, body } = await service.admin.get(v1Path(`benchmark=${unknownId}`));
    const fault = { code: 'instrument-not-found', detail: 'There is no such instrument.', parameter: 'benchmark' };
    expect([status, body.errors]).toEqual([404, [fault]]);
  });
});

describe('coverage', () => {
  /** Two accounts in francs, each with a deposit on 5 January and a stock that rises from 10 to 11 on the 6th. */
  async function makeFamily() {
    const { admin } = service;
    const household = await makeHousehold(admin, 'Stieglitz');
    await admin.patch(`/v1/clients/${household.client}`, { reference_currency: 'CHF' });
    const account = (): Promise<string> =>
      makeRecord(admin, 'accounts', { entity_id: household.legalEntity, currency: 'CHF' });
    const [one, other] = [await account(), await account()];
    const stock = await makeRecord(admin, 'instruments', { type: 'stock-instrument', name: 'Sika', currency: 'CHF' });
    for (const [date, value] of [
      ['2026-01-05', '10'],
      ['2026-01-06', '11'],
    ])
      await makeRecord(admin, `instruments/${stock}/prices`, { date, value });
    for (const account_id of [one, other]) {
      await makeRecord(admin, 'transactions', { type: 'deposit', date: '2026-01-05', amount: '1000', account_id });
      const trade = { type: 'buy', date: '2026-01-05', quantity: '50', price: '10', amount: '-500' };
      await makeRecord(admin, 'transactions', { ...trade, account_id, instrument_id: stock });
    }
    const portfolio = (account_ids: string[]): Promise<string> =>
      makeRecord(admin, 'portfolios', { reporting_entity_id: household.reportingEntity, account_ids });
    return { ...household, one, other, stock, small: await portfolio([one]), large: await portfolio([one, other]) };
  }

  const actual = ({ axis, segment_id, end_market_value, net_cash_flow, gain, twr }: Body): unknown[] => [
    axis,
    segment_id,
    end_market_value,
    net_cash_flow,
    gain,
    twr,
  ];

  test('positions in two portfolios count once in the total and in each of them; an excluded account counts nowhere', async () => {
    const { admin } = service;
    const { reportingEntity, small, large, other } = await makeFamily();
    const path = `/v1/performance?reporting_entity_id=${reportingEntity}&start=2026-01-05&end=2026-01-06&by=portfolio&detail=summary`;
    const whole = await get(path);
    expect(whole.data.map(actual)).toEqual([
      ['total', null, '2100', '2000', '100', '0.05'],
      ['portfolio', small, '1050', '1000', '50', '0.05'],
      ['portfolio', large, '2100', '2000', '100', '0.05'],
    ]);
    await admin.patch(`/v1/accounts/${other}`, { exclude_from_reporting: true });
    const without = await get(path);
    expect(without.data.map(actual)).toEqual([
      ['total', null, '1050', '1000', '50', '0.05'],
      ['portfolio', small, '1050', '1000', '50', '0.05'],
      ['portfolio', large, '1050', '1000', '50', '0.05'],
    ]);
    expect(without.ledger_version).not.toBe(whole.ledger_version);
  });

  test('instruments without a class are the last segment of their axis, without a name', async () => {
    const { reportingEntity } = await makeFamily();
    const equities = `/v1/instrument-classes/${await classIdByPath(service.admin, 'Equities')}`;
    await service.admin.patch(equities, { default_for: [] });
    onTestFinished(async () => void (await service.admin.patch(equities, { default_for: ['stock-instrument'] })));
    const query = 'fromDate=2026-01-05&toDate=2026-01-06&expand=instrumentClasses';
    const { data } = await get(`/api/v2/performance/reporting-entities/${reportingEntity}?${query}`);
    const last = data.at(-1);
    expect([last.id, last.relationships.instrumentClass]).toEqual([
      `${reportingEntity}.instrumentClasses.-`,
      { data: null },
    ]);
    expect(last.attributes.series.map(({ netCashFlow, dailyReturn }: Body) => [netCashFlow, dailyReturn])).toEqual([
      [1000, 0],
      [0, 100],
    ]);
    const { attributes } = (
      await get(
        `/api/v2/summarized-performance/reporting-entities/${reportingEntity}?fromDate=2026-01-05&toDate=2026-01-06`,
      )
    ).data;
    expect(attributes.contributions.map(({ name, contribution }: Body) => [name, contribution])).toEqual([
      ['Cash', 0],
      [null, 0.05],
    ]);
  });

  test('a report as of a moment stays the same to the byte, whatever is corrected later', async () => {
    const { admin, clock } = service;
    const { reportingEntity, stock } = await makeFamily();
    clock.advance(1_000);
    const then = new Date(clock.now()).toISOString();
    clock.advance(1_000);
    const path = `/v1/performance?reporting_entity_id=${reportingEntity}&start=2026-01-05&end=2026-01-06`;
    const before = await admin.get(`${path}&known_at=${then}`);
    expect(before.body.data[0].twr).toBe('0.05');
    await admin.post(`/v1/instruments/${stock}/prices`, { date: '2026-01-06', value: '12' });
    expect((await get(path)).data[0].twr).toBe('0.1');
    const after = await admin.get(`${path}&known_at=${then}`);
    expect(after.text).toBe(before.text);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  test('a private instrument of another reporting entity is not covered', async () => {
    const { admin } = service;
    const { client: id, reportingEntity, one } = await makeFamily();
    const otherEntity = await makeRecord(admin, 'reporting-entities', { client_id: id, name: 'Elsewhere' });
    const fund = await makeRecord(admin, 'instruments', {
      type: 'private-market-fund',
      name: 'Club deal',
      currency: 'CHF',
      commitment: '1000',
      reporting_entity_id: otherEntity,
    });
    const call = { type: 'drawing', date: '2026-01-05', amount: '-300', account_id: one, instrument_id: fund };
    await makeRecord(admin, 'transactions', call);
    const path = `/v1/performance?reporting_entity_id=${reportingEntity}&start=2026-01-05&end=2026-01-06&detail=summary`;
    // Money paid into it has left the whole portfolio.
    expect((await get(path)).data.map(actual)).toEqual([['total', null, '1800', '1700', '100', String(100 / 1700)]]);
  });
});

test('sums larger than can be stored are shown with all their digits', async () => {
  const { admin } = service;
  const { client: id, legalEntity, reportingEntity } = await makeHousehold(admin, 'Dagobert');
  await admin.patch(`/v1/clients/${id}`, { reference_currency: 'CHF' });
  const account_id = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account_id] });
  const deposit = {
    type: 'deposit',
    date: '2026-01-05',
    amount: '99999999999999999999.000000000000000001',
    account_id,
  };
  for (const _time of [1, 2]) await makeRecord(admin, 'transactions', deposit);
  const sum = '199999999999999999998.000000000000000002';
  const days = 'start=2026-01-05&end=2026-01-05';
  const { data } = await get(`/v1/performance?reporting_entity_id=${reportingEntity}&${days}`);
  expect([data[0].end_market_value, data[0].series[0].net_cash_flow]).toEqual([sum, sum]);
  const path = `/api/v2/performance/reporting-entities/${reportingEntity}`;
  expect((await admin.get(`${path}?fromDate=2026-01-05&toDate=2026-01-05`)).text).toContain(`"netCashFlow":${sum},`);
});

test('an unchanged report gets 304', async () => {
  const path = v1Path('start=2025-01-01&end=2025-01-31');
  const first: Reply = await service.admin.get(path);
  const again = await service.admin.get(path, { 'if-none-match': first.headers.get('etag')! });
  expect([first.status, again.status, again.text]).toEqual([200, 304, '']);
});
