// Explanations of figures: every reported figure of the reference portfolio is explained, each formula yields its value, and each
// number names its source.

import { beforeAll, describe, expect, test } from 'vitest';
import { errorCodeOf } from '../../setup/http/answer.ts';
import type { Reply } from '../../setup/http/caller.ts';
import { checkedFigureNames, explanationLines } from '../../setup/engine/explanation-check.ts';
import { makeStock } from '../../setup/ledger/ledger-household.ts';
import { makeIndex } from '../../setup/reports/published-figure.ts';
import { ReferenceClient } from '../../setup/reference-portfolio/reference-client.ts';
import { readReferencePortfolio } from '../../setup/reference-portfolio/reference-portfolio.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord, makeHousehold, unknownId } from '../../setup/structure/structure-document.ts';
import { cashId } from '../../setup/instruments/built-in-ids.ts';

const service = serviceForThisFile();
const { facts } = readReferencePortfolio();
let client: ReferenceClient;
let index: string;

beforeAll(async () => {
  client = await ReferenceClient.book(service.admin, facts);
  index = await makeIndex(service.admin, facts);
});

type Row = Record<string, any>;

/** Contains names in braces instead of ids. */
function address(path: string, query: string): string {
  const fitted = query.replaceAll(/\{(.*?)\}/g, (_, name: string) => (name === 'index' ? index : client.id(name)));
  return `${path}?reporting_entity_id=${client.id('all')}&${fitted}`;
}

function requestExplanation(query: string): Promise<Reply> {
  return service.admin.get(address('/v1/explain', query));
}

async function report(path: string, query: string): Promise<Row> {
  const { status, body, text } = await service.admin.get(address(path, query));
  if (status !== 200) throw new Error(`${path} ${query}: ${status} ${text}`);
  return body;
}

/** Also checks the formulas. */
async function explained(query: string): Promise<any> {
  const { status, body, text } = await requestExplanation(query);
  if (status !== 200) throw new Error(`${query}: ${status} ${text}`);
  expect(body.truncated).toBe(false);
  checkedFigureNames(body.explanation);
  return client.withNames(withoutWords(body.explanation));
}

/** Without sentences and names, which tests of their own are about. */
function withoutWords(value: any): any {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (value === null || typeof value !== 'object') return value;
  const { date: _date, ...source } = value;
  const isTransaction = value.kind === 'transaction';
  return Object.fromEntries(
    Object.entries(isTransaction ? source : value).flatMap(([name, member]) =>
      name === 'sentence' || name.endsWith('_name') || name === 'portfolio_names' ? [] : [[name, withoutWords(member)]],
    ),
  );
}

/** The explained values by their names in reports. */
async function explainedFigures(names: readonly string[], query: string): Promise<Row> {
  const figures: Row = { query };
  for (const name of names) {
    const figure = await explained(`figure=${name}&${query}`);
    if (figure.name === name.replaceAll('_', '-')) figures[name] = figure.value;
  }
  return figures;
}

function pick(row: Row, names: readonly string[], query: string): Row {
  return { query, ...Object.fromEntries(names.map((name) => [name, row[name]])) };
}

function collectSources({ source, of = [] }: any): any[] {
  return [...(source === undefined ? [] : [source]), ...of.flatMap(collectSources)];
}

test('the value of a share is units × price before the split, halved, at the exchange rate of the day', async () => {
  const point = { kind: 'point', series: 'price', date: '2025-03-31', instrument_id: 'share' };
  const rate = { kind: 'fx-rate', base: 'USD', quote: 'EUR', date: '2025-06-30' };
  const quoted = {
    name: 'quoted-value',
    value: '13200',
    unit: 'USD',
    formula: '240 × 110 × 1 ÷ 2',
    rounding: 'half-even at 18 places',
    of: [
      { name: 'units', value: '240', unit: 'units' },
      { name: 'price', value: '110', unit: 'USD', date: '2025-03-31', source: point, notes: ['stale'] },
      { name: 'units-before', value: '1', unit: 'units', date: '2025-06-02' },
      { name: 'units-after', value: '2', unit: 'units', date: '2025-06-02' },
    ],
  };
  const { body } = await requestExplanation('figure=market_value&as_of=2025-06-30&instrument_id={share}');
  expect(client.withNames(withoutWords(body))).toEqual({
    figure: 'market_value',
    reporting_entity_id: 'all',
    as_of: '2025-06-30T23:59:59.999Z',
    explanation: {
      name: 'market-value',
      value: '11616',
      unit: 'EUR',
      date: '2025-06-30',
      formula: '13200 × 0.88',
      rounding: 'half-even at 18 places',
      source: { kind: 'holding', account_id: 'dollar', depository_id: 'hudson', instrument_id: 'share' },
      of: [
        { name: 'value', value: '13200', unit: 'USD', formula: '13200', notes: ['stale'], of: [quoted] },
        { name: 'exchange-rate', value: '0.88', unit: 'EUR/USD', date: '2025-06-30', source: rate },
      ],
    },
    truncated: false,
    ledger_version: expect.stringMatching(/^[\w-]{22}$/),
  });
});

test('on the day of its dividend the return of a share is the dividend in euros divided by its value', async () => {
  const tree = await explained('figure=daily_twr&as_of=2025-05-15&instrument_id={share}');
  const value = [
    '    value 11880 = 11880',
    '      position-value 11880 = 13200 × 0.9',
    '        value 13200 = 13200 [stale]',
    '          quoted-value 13200 = 120 × 110',
    '            units 120',
    '            price 110 [stale]',
    '        exchange-rate 0.9 [stale]',
  ];
  expect(explanationLines(tree)).toEqual([
    'daily-twr 0.015454545454545455 = 183.6 ÷ 11880',
    '  gain 183.6 = 11880 − 11880 − (-183.6)',
    ...value,
    ...value,
    '    flow -183.6 = (-183.6)',
    '      position-flow -183.6 = (-183.6)',
    '        flow -183.6 = (0 − 204) × 0.9',
    '          amount 204',
    '          exchange-rate 0.9 [stale]',
    '  base 11880 = 11880',
    '    value 11880',
  ]);
  expect(collectSources(tree)).toContainEqual({ kind: 'transaction', transaction_id: 'row 7' });
});

test.each([
  [
    'the last trade',
    'figure=market_value&as_of=2025-02-28&instrument_id={bond}',
    { kind: 'transaction', transaction_id: 'row 3' },
  ],
  [
    'the terms',
    'figure=accrued_interest&as_of=2025-02-28&instrument_id={bond}',
    { kind: 'terms', instrument_id: 'bond' },
  ],
  [
    'a movement of cash',
    `figure=quantity&as_of=2025-06-30&instrument_id=${cashId('EUR')}`,
    { kind: 'transaction', transaction_id: 'row 9' },
  ],
  [
    'a lot',
    'figure=cost_basis&as_of=2025-06-30&instrument_id={bond}',
    { kind: 'transaction', transaction_id: 'row 3' },
  ],
  ['a call', 'figure=drawdowns&as_of=2026-09-30', { kind: 'transaction', transaction_id: 'row 5' }],
  [
    'a benchmark',
    'figure=daily_twr&as_of=2025-06-30&benchmark={index}',
    { kind: 'point', series: 'index-factor', date: '2025-06-30' },
  ],
  [
    'the net asset value',
    'figure=nav&as_of=2025-12-31&instrument_id={meridian}',
    { kind: 'point', series: 'net-asset-value', date: '2025-09-30', instrument_id: 'meridian' },
  ],
  [
    'a price shared by several positions',
    'figure=market_value&as_of=2025-06-30',
    { kind: 'point', series: 'price', date: '2025-03-31', instrument_id: 'share' },
  ],
  ['a flow of the day', 'figure=net_cash_flow&as_of=2025-03-31', { kind: 'transaction', transaction_id: 'row 6' }],
])('an explanation names %s as a source: %s', async (_, query, source) => {
  const found = collectSources(await explained(query));
  expect(found).toContainEqual(expect.objectContaining(source));
});

test('an uploaded figure names its upload', async () => {
  const uploads = (await service.admin.get(`/v1/historical-holdings?instrument_id=${client.id('share')}`)).body.data;
  const { id } = uploads.find(({ date }: Row) => date === '2025-01-31');
  const found = collectSources(await explained('figure=market_value&as_of=2025-02-28&instrument_id={share}'));
  expect(found).toContainEqual({ kind: 'upload', date: '2025-01-31', historical_holding_id: id });
});

describe('every figure of', () => {
  const worth = ['market_value', 'cost_basis', 'unrealised_pnl'];
  const parts = ['accrued_interest', 'unrealised_price_part', 'unrealised_currency_part'];
  const parameters: Record<string, string> = {
    account: 'account_id',
    depository: 'depository_id',
    portfolio: 'portfolio_id',
    instrument: 'instrument_id',
    class: 'class_id',
    'detailed-class': 'detailed_class_id',
    currency: 'held_currency',
  };

  test.each(Object.keys(parameters))('holdings by %s is explained', async (by) => {
    const day = 'as_of=2025-12-31';
    const { data } = await report('/v1/holdings', `${day}&by=${by}`);
    expect(data.length).toBeGreaterThan(1);
    for (const row of data) {
      const names = [...worth, ...parts, 'share', ...(row.quantity === null ? [] : ['quantity'])];
      expect(await explainedFigures(names, `${day}&${parameters[by]}=${row.segment_id ?? 'none'}`)).toEqual(
        pick(row, names, `${day}&${parameters[by]}=${row.segment_id ?? 'none'}`),
      );
    }
  });

  test('a cell of two axes is explained', async () => {
    const { cells } = await report('/v1/allocation', 'as_of=2025-12-31&by=account,currency');
    for (const { segments, market_value } of cells) {
      const [account, currency] = segments.map(({ segment_id }: Row) => segment_id);
      const places = `account_id=${account}&held_currency=${currency}`;
      expect(await explainedFigures(['market_value'], `as_of=2025-12-31&${places}`)).toEqual(
        pick({ market_value }, ['market_value'], `as_of=2025-12-31&${places}`),
      );
    }
  });

  test('open lots are explained', async () => {
    const { data } = await report('/v1/lots', 'as_of=2025-12-31');
    expect(data).toHaveLength(7);
    for (const lot of data) {
      const place = `instrument_id=${lot.instrument_id}&lot_id=${lot.id}`;
      expect(await explainedFigures([...worth, 'quantity', 'unit_cost'], `as_of=2025-12-31&${place}`)).toEqual(
        pick(lot, [...worth, 'quantity', 'unit_cost'], `as_of=2025-12-31&${place}`),
      );
    }
  });

  const flows = [
    'net_cash_flow',
    'income',
    'fees',
    'gain',
    'gain_price_part',
    'gain_income_part',
    'gain_currency_part',
    'contribution',
    'money_weighted_return',
    'annualised_money_weighted_return',
  ];
  const summary = [...flows, 'cumulative_twr', 'volatility', 'max_drawdown', 'annualised_twr'];

  test.each(['', '&method=modified-dietz', '&fees=gross', '&currency=USD'])(
    'performance%s is explained',
    async (how) => {
      const window = `start=2025-06-15&end=2025-07-15${how}`;
      const { data } = await report('/v1/performance', `${window}&by=class&detail=summary`);
      expect(data).toHaveLength(5);
      for (const { segment_id, axis, twr, end_market_value, ...row } of data) {
        const place = axis === 'total' ? '' : `&class_id=${segment_id ?? 'none'}`;
        expect(await explainedFigures(summary, `${window}${place}`)).toEqual(
          pick({ ...row, cumulative_twr: twr }, summary, `${window}${place}`),
        );
        const last = `as_of=2025-07-15${how === '&currency=USD' ? how : ''}${place}`;
        expect(await explainedFigures(['market_value'], last)).toEqual(
          pick({ market_value: end_market_value }, ['market_value'], last),
        );
      }
    },
  );

  test('a return over more than a year is explained as a yearly return', async () => {
    const window = 'start=2025-09-20&end=2026-09-30';
    const { data } = await report('/v1/performance', `${window}&detail=summary`);
    expect(data[0].annualised_twr).not.toBeNull();
    expect(await explainedFigures(['annualised_twr'], window)).toEqual(pick(data[0], ['annualised_twr'], window));
  });

  test.each(['2025-03-31', '2025-06-20', '2026-03-31'])('the day %s is explained', async (date) => {
    const { data } = await report('/v1/performance', `start=${date}&end=${date}`);
    const names = ['market_value', 'net_cash_flow', 'daily_return', 'daily_twr'];
    expect(await explainedFigures(names, `as_of=${date}`)).toEqual(pick(data[0].series[0], names, `as_of=${date}`));
    expect(await explainedFigures(['income', 'fees'], `as_of=${date}`)).toEqual(
      pick(data[0], ['income', 'fees'], `as_of=${date}`),
    );
  });

  test('a benchmark is explained', async () => {
    const window = 'start=2025-06-15&end=2025-07-15&benchmark={index}';
    const { benchmark } = await report('/v1/performance', `${window}&detail=summary`);
    const names = ['cumulative_twr', 'annualised_twr', 'volatility', 'max_drawdown', 'excess_return'];
    expect(await explainedFigures(names, window)).toEqual(
      pick({ ...benchmark, cumulative_twr: benchmark.twr }, names, window),
    );
  });

  test('private markets are explained, for a fund and for the total', async () => {
    const day = 'as_of=2026-09-30';
    const { data } = await report('/v1/performance/private-markets', `${day}&index={index}`);
    for (const { instrument_id, nav, commitment, cashflow, multiplier, irr, public_market_equivalent } of data) {
      const place = instrument_id === null ? '' : `&instrument_id=${instrument_id}`;
      const { total, ...parts } = commitment;
      const row = { nav, irr, commitment: total, ...parts, ...cashflow, ...multiplier };
      expect(await explainedFigures(Object.keys(row), day + place)).toEqual(pick(row, Object.keys(row), day + place));
      const { ks_pme, ln_pme_irr, ln_pme_value, direct_alpha } = public_market_equivalent;
      const beside = { ks_pme, ln_pme_irr, ln_pme_value, direct_alpha };
      expect(await explainedFigures(Object.keys(beside), `${day}&index={index}${place}`)).toEqual(
        pick(beside, Object.keys(beside), `${day}&index={index}${place}`),
      );
    }
  });

  test('realised gains are explained, lot by lot and in total', async () => {
    const span = { report: 'from=2025-01-01&to=2026-09-30', here: 'start=2025-01-01&end=2026-09-30' };
    const { data, totals } = await report('/v1/realised-gains', span.report);
    const asHere = ({ proceeds, cost, gain, price_part, currency_part }: Row): Row => ({
      realised_proceeds: proceeds,
      realised_cost: cost,
      realised_gain: gain,
      price_part,
      currency_part,
    });
    const names = ['realised_proceeds', 'realised_cost', 'realised_gain', 'price_part', 'currency_part'];
    for (const row of data) {
      const which = `transaction_id=${row.transaction_id}&lot_id=${row.lot_id}`;
      expect(await explainedFigures(names, which)).toEqual(pick(asHere(row), names, which));
      const term = await explained(`figure=gain_classification&${which}`);
      expect(term.notes).toEqual([row.gain_classification]);
    }
    expect(await explainedFigures(names, span.here)).toEqual(pick(asHere(totals.total), names, span.here));
    expect(await explainedFigures(names, `${span.here}&term=long_term`)).toEqual(
      pick(asHere(totals.long_term), names, `${span.here}&term=long_term`),
    );
  });

  test('a limit is explained', async () => {
    const limit = await makeRecord(service.admin, 'limits', {
      client_id: client.id('client'),
      name: 'Cash',
      kind: 'proportional',
      max_pct: '0.5',
      filter: { kind: 'condition', field: 'instrument.type', operator: 'equals', value: 'cash' },
    });
    const { reporting_entities } = (await service.admin.get(`/v1/limits/${limit}/status`)).body;
    const { current_value: limit_value, headroom: limit_headroom } = reporting_entities[0];
    expect(await explainedFigures(['limit_value', 'limit_headroom'], `limit_id=${limit}`)).toEqual(
      pick({ limit_value, limit_headroom }, ['limit_value', 'limit_headroom'], `limit_id=${limit}`),
    );
    const other = await makeHousehold(service.admin, 'Bussard');
    const reply = await service.admin.get(
      `/v1/explain?reporting_entity_id=${other.reportingEntity}&figure=limit_value&limit_id=${limit}`,
    );
    expect([reply.status, errorCodeOf(reply)]).toEqual([404, 'limit-not-found']);
  });
});

test('as known before a correction, the figure is explained with its former value', async () => {
  const knownAt = new Date(service.clock.now()).toISOString();
  service.clock.advance(60_000);
  const query = 'figure=market_value&as_of=2026-09-30&instrument_id={fund}';
  const before = await requestExplanation(`${query}&known_at=${knownAt}`);
  await service.admin.post(`/v1/instruments/${client.id('fund')}/net-asset-values`, {
    date: '2026-08-31',
    value: '121',
  });
  expect((await explained(query)).value).toBe('48400');
  expect((await requestExplanation(`${query}&known_at=${knownAt}`)).text).toBe(before.text);
  expect(before.body.explanation.value).toBe('48000');
});

test('fewer levels are returned on request, and truncated figures say so', async () => {
  const { body } = await requestExplanation('figure=unrealised_pnl&as_of=2025-06-30&instrument_id={bond}&depth=1');
  expect(body.truncated).toBe(true);
  expect(body.explanation.truncated).toBeUndefined();
  expect(body.explanation.of.map(({ truncated, of }: Row) => [truncated, of])).toEqual([
    [true, undefined],
    [true, undefined],
  ]);
  const bare = (await requestExplanation('figure=market_value&depth=0')).body;
  expect([bare.truncated, bare.explanation.truncated, bare.explanation.of]).toEqual([true, true, undefined]);
});

test('the value of an empty selection is zero', async () => {
  expect((await explained(`figure=market_value&instrument_id=${cashId('SEK')}`)).value).toBe('0');
});

test('the units that were sold of one instrument are added up', async () => {
  const span = 'start=2025-01-01&end=2026-09-30';
  const [shares, bonds] = [
    await explained(`figure=realised_quantity&${span}&instrument_id={share}`),
    await explained(`figure=realised_quantity&${span}&instrument_id={bond}`),
  ];
  expect([shares.name, shares.value, shares.formula]).toEqual(['realised-quantity', '210', '150 + 50 + 10']);
  expect([bonds.name, bonds.value, bonds.formula]).toEqual(['realised-quantity', '100000', undefined]);
});

test.each([
  ['share&as_of=2020-01-01&instrument_id={share}', 'share', 'nothing-held'],
  ['ln_pme_irr&as_of=2026-09-30&index={share}', 'ln-pme-irr', 'index-missing'],
  ['ks_pme&as_of=2026-09-30&index={share}', 'ks-pme', 'index-missing'],
])('%s has no value, and says why', async (query, name, reason) => {
  const { body } = await requestExplanation(`figure=${query}`);
  expect(withoutWords(body.explanation)).toEqual({ name, value: null, notes: [reason] });
});

test('the cash of a currency is a benchmark that has no levels and so no return', async () => {
  const window = `start=2025-06-15&end=2025-07-15&benchmark=${cashId('CHF')}`;
  const tree = await explained(`figure=excess_return&${window}`);
  expect(tree.of.map(({ name, value }: Row) => [name, value])).toEqual([
    ['cumulative-return', tree.value],
    ['benchmark-return', '0'],
  ]);
});

test.each([
  [`figure=market_value&instrument_id=${unknownId}`, 'instrument-not-found'],
  [`figure=market_value&account_id=${unknownId}`, 'account-not-found'],
  [`figure=market_value&portfolio_id=${unknownId}`, 'portfolio-not-found'],
  [`figure=gain&class_id=${unknownId}`, 'instrument-class-not-found'],
  [`figure=daily_twr&depository_id=${unknownId}`, 'depository-not-found'],
])('%s: %s', async (query, code) => {
  const reply = await requestExplanation(query);
  expect([reply.status, reply.body.code]).toEqual([404, code]);
});

test.each([
  ['figure=price', 'figure'],
  ['figure=irr&account_id={euro}', 'account_id'],
  ['figure=market_value&start=2025-01-01', 'start'],
  ['figure=net_cash_flow&as_of=2025-06-30&start=2025-01-01', 'as_of'],
  ['figure=gain&start=2025-02-01&end=2025-01-01', 'end'],
  ['figure=unit_cost', 'lot_id'],
  ['figure=unit_cost&lot_id=upload:2020-01-01', 'lot_id'],
  ['figure=market_value&lot_id={row 3}&currency=USD', 'currency'],
  ['figure=quantity', 'instrument_id'],
  ['figure=valuation', 'instrument_id'],
  [`figure=valuation&instrument_id=${cashId('SEK')}`, 'instrument_id'],
  ['figure=nav&instrument_id={share}', 'instrument_id'],
  ['figure=ks_pme', 'index'],
  ['figure=excess_return', 'benchmark'],
  ['figure=realised_gain&transaction_id={row 2}', 'transaction_id'],
  ['figure=realised_quantity&start=2025-09-01&end=2025-12-31', 'instrument_id'],
  ['figure=gain_classification&transaction_id={row 15}&lot_id=', 'lot_id'],
  ['figure=gain_classification&transaction_id={row 18}', 'lot_id'],
  ['figure=limit_value', 'limit_id'],
  ['figure=market_value&instrument_id=cash', 'instrument_id'],
  ['figure=market_value&depth=51', 'depth'],
])('%s is refused for its %s', async (query, parameter) => {
  const reply = await requestExplanation(query);
  expect([reply.status, reply.body.errors?.[0]?.parameter]).toEqual([400, parameter]);
});

test('holdings contain the explanations of their values on request, the same as the single ones', async () => {
  const day = 'as_of=2025-12-31&by=account';
  const { data } = await report('/v1/holdings', `${day}&explain=true`);
  const plain = await report('/v1/holdings', day);
  expect(data).toEqual(
    plain['data'].map((row: Row) => ({ ...row, explanation: expect.any(Object), explanations: expect.any(Object) })),
  );
  for (const { segment_id, explanation } of data) {
    const { body } = await requestExplanation(`figure=market_value&as_of=2025-12-31&account_id=${segment_id}`);
    expect(explanation).toEqual(body.explanation);
  }
  const reply = await service.admin.get(address('/v1/holdings', `${day}&explain=true&format=csv`));
  expect([reply.status, reply.body.errors[0].parameter]).toEqual([400, 'explain']);
});

test('a position valued by what another account stated of its instrument names that upload, whatever else was stated there', async () => {
  const { admin } = service;
  const { legalEntity, reportingEntity } = await makeHousehold(admin, 'Amsel');
  const [stated, bought] = [
    await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR' }),
    await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR' }),
  ];
  const depository_id = await makeRecord(admin, 'depositories', {
    legal_entity_id: legalEntity,
    account_ids: [stated],
  });
  const places = { account_ids: [stated, bought], depository_ids: [depository_id] };
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, ...places });
  const stocks = [];
  for (const name of ['First', 'Second', 'Third']) stocks.push(await makeStock(admin, name, 'EUR'));
  const upload = { kind: 'instrument', depository_id, date: '2026-01-31', units: '10', market_value: '1000' };
  const ids = [];
  for (const instrument_id of stocks)
    ids.push(await makeRecord(admin, 'historical-holdings', { ...upload, instrument_id }));
  const [, instrument_id] = stocks;
  const buy = { type: 'buy', date: '2026-01-05', account_id: bought, instrument_id, quantity: '4', price: '90' };
  await makeRecord(admin, 'transactions', buy);
  const query = `figure=market_value&account_id=${bought}&instrument_id=${instrument_id}&as_of=2026-01-31`;
  const { body } = await admin.get(`/v1/explain?reporting_entity_id=${reportingEntity}&${query}`);
  const uploads = collectSources(body.explanation).filter(({ kind }) => kind === 'upload');
  const stating = [...new Set(uploads.map((source) => source['historical_holding_id']))];
  expect([body.explanation.value, stating]).toEqual(['400', [ids[1]]]);
});

test('a position shared by accounts in a depository is explained by its upload; a lot id of several positions is ambiguous', async () => {
  const { admin } = service;
  const { legalEntity, reportingEntity } = await makeHousehold(admin, 'Creutz');
  const [account_id, other] = [
    await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR' }),
    await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR' }),
  ];
  const depository_id = await makeRecord(admin, 'depositories', {
    legal_entity_id: legalEntity,
    account_ids: [account_id, other],
  });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, depository_ids: [depository_id] });
  const [one, two] = [await makeStock(admin, 'One', 'EUR'), await makeStock(admin, 'Two', 'EUR')];
  const bought = { type: 'buy', date: '2026-01-05', instrument_id: one, quantity: '4', price: '90' };
  await makeRecord(admin, 'transactions', { ...bought, account_id, depository_id });
  const stated = { kind: 'instrument', depository_id, date: '2026-01-31', units: '10', market_value: '1000' };
  const id = await makeRecord(admin, 'historical-holdings', { ...stated, instrument_id: one });
  await makeRecord(admin, 'historical-holdings', { ...stated, instrument_id: two });
  const about = (query: string): Promise<Reply> =>
    admin.get(`/v1/explain?reporting_entity_id=${reportingEntity}&as_of=2026-01-31&${query}`);
  const { explanation } = (await about(`figure=market_value&account_id=${account_id}`)).body;
  checkedFigureNames(explanation);
  expect(explanation.value).toBe('400');
  expect(collectSources(explanation)).toContainEqual({ kind: 'upload', date: '2026-01-31', historical_holding_id: id });
  const ambiguous = (await about('figure=unit_cost&lot_id=upload:2026-01-31')).body;
  expect([ambiguous.status, ambiguous.errors[0].parameter]).toEqual([400, 'lot_id']);
  const placed = await about(`figure=unit_cost&lot_id=upload:2026-01-31&instrument_id=${two}`);
  expect(placed.body.explanation.value).toBe('100');
});
