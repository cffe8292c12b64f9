// A partly sold lot, explained from outside: each figure of each report of v1 leads back to its rows, in sentences and as a page.

import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { RowExplainer } from '../../../src/actions/reports/explain/explain-rows.ts';
import { checkedFigureNames } from '../../setup/engine/explanation-check.ts';
import { checkExplanations } from '../../setup/engine/explained-rows.ts';
import { makeStock } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let entity: string;
let limit: string;

beforeAll(async () => {
  const { admin } = service;
  const { client, legalEntity, reportingEntity } = await makeHousehold(admin);
  entity = reportingEntity;
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'USD' });
  const account_id = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR', name: 'Depot' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account_id], name: 'Liquid' });
  const instrument_id = await makeStock(admin, 'Orbit AG', 'EUR');
  await admin.post('/v1/fx-rates/bulk', {
    data: [
      { base: 'EUR', quote: 'USD', date: '2024-01-03', rate: '1.0723', source: 'manual' },
      { base: 'EUR', quote: 'USD', date: '2024-05-06', rate: '1.1', source: 'manual' },
    ],
  });
  const row = (fields: object): Promise<string> => makeRecord(admin, 'transactions', { account_id, ...fields });
  await row({ type: 'deposit', date: '2024-01-03', amount: '5000' });
  const trade = { instrument_id, price: '10' };
  await row({ ...trade, type: 'buy', date: '2024-01-03', quantity: '100', fees: '5' });
  await row({ ...trade, type: 'sell', date: '2024-05-06', quantity: '40', price: '12', fees: '2' });
  await row({ type: 'dividend', date: '2024-06-03', instrument_id, amount: '30' });
  limit = await makeRecord(admin, 'limits', {
    client_id: client,
    name: 'Cash',
    kind: 'proportional',
    max_pct: '0.5',
    filter: { kind: 'condition', field: 'instrument.type', operator: 'equals', value: 'stock-instrument' },
  });
});

async function read(path: string, query: string): Promise<any> {
  const { status, body, text } = await service.admin.get(`${path}?reporting_entity_id=${entity}&${query}`);
  if (status !== 200) throw new Error(`${path}?${query}: ${status} ${text}`);
  return body ?? text;
}

describe('a partly sold lot', () => {
  test('says how many units are left of how many that were bought, at which price, fee and rate', async () => {
    const { explanation } = await read('/v1/explain', 'figure=cost_basis&as_of=2024-06-30&held_currency=EUR');
    checkedFigureNames(explanation);
    const sentences = collectSentences(explanation);
    expect(sentences).toContain('60 of 100 units bought on 3 Jan 2024 at 10.00 EUR, fee 5.00, at 1.0723 USD');
    expect(sentences).toContain(
      '40 of 100 units left with 431.06 USD of the cost, by: Sold 40 Orbit AG on 6 May 2024 at 12.00 EUR, fee 2.00',
    );
    expect(explanation.of.find(({ source }: any) => source.instrument_name === 'Orbit AG').source).toMatchObject({
      kind: 'holding',
      account_name: 'Depot',
      portfolio_names: ['Liquid'],
    });
  });

  test('has a realised gain that leads to its purchase and its sale', async () => {
    const { explanation } = await read('/v1/explain', 'figure=realised_gain&start=2024-01-01&end=2024-12-31');
    checkedFigureNames(explanation);
    // (480 − 2) × 1.1 − 1005 × 1.0723 × 40 ÷ 100
    expect(explanation.value).toBe('94.7354');
    const sentences = collectSentences(explanation);
    expect(sentences).toContain('100 units bought on 3 Jan 2024 at 10.00 EUR, fee 5.00, at 1.0723 USD');
    expect(sentences).toContain('Sold 40 Orbit AG on 6 May 2024 at 12.00 EUR, fee 2.00');
  });

  test('earns income that leads to its transaction', async () => {
    const { explanation } = await read('/v1/explain', 'figure=income&start=2024-01-01&end=2024-12-31');
    checkedFigureNames(explanation);
    expect(collectSentences(explanation)).toContain('Dividend of Orbit AG on 3 Jun 2024: 30.00 EUR');
  });

  test('is a page of text, indented by what each figure consists of', async () => {
    const query = `figure=cost_basis&as_of=2024-06-30&held_currency=EUR&format=text`;
    const reply = await service.admin.get(`/v1/explain?reporting_entity_id=${entity}&${query}`);
    expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(reply.text).toContain('\n    60 of 100 units bought on 3 Jan 2024 at 10.00 EUR, fee 5.00, at 1.0723 USD\n');
    expect(reply.text).toContain('\n      = 1077.6615 − 431.0646 = 646.5969 USD\n');
  });
});

function collectSentences({ sentence, of = [] }: any): string[] {
  return [sentence, ...of.flatMap(collectSentences)];
}

describe('explain=true', () => {
  test.each([
    ['/v1/holdings', 'as_of=2024-06-30', ['market_value', 'cost_basis', 'unrealised_pnl', 'quantity', 'share']],
    ['/v1/holdings', 'as_of=2024-06-30&by=account', ['market_value', 'cost_basis', 'unrealised_pnl', 'share']],
    [
      '/v1/lots',
      'as_of=2024-06-30',
      [
        'quantity',
        'unit_cost',
        'cost_basis',
        'market_value',
        'unrealised_pnl',
        'unrealised_price_part',
        'unrealised_currency_part',
      ],
    ],
    [
      '/v1/realised-gains',
      'from=2024-01-01&to=2024-12-31',
      ['proceeds', 'cost', 'gain', 'price_part', 'currency_part'],
    ],
    [
      '/v1/performance',
      'start=2024-01-04&end=2024-06-30&by=instrument',
      ['begin_market_value', 'end_market_value', 'net_cash_flow', 'gain', 'income', 'fees', 'twr', 'contribution'],
    ],
    ['/v1/performance', 'start=2024-01-04&end=2024-06-30&detail=summary', ['max_drawdown', 'money_weighted_return']],
  ])('%s?%s explains %j of each row, with the same values', async (path, query, figures) => {
    const { data } = await read(path, `${query}&explain=true`);
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) {
      const explained = figures.map((name) => row.explanations[name]);
      for (const explanation of explained) checkedFigureNames(explanation);
      expect(explained.map(({ value }) => value)).toEqual(figures.map((name) => row[name]));
      expect(explained.every(({ sentence }) => typeof sentence === 'string')).toBe(true);
    }
  });

  test('days and calendar periods of performance are explained one at a time, with the same values', async () => {
    const query = 'start=2024-05-05&end=2024-06-04&every=month&by=account';
    const { data } = await read('/v1/performance', query);
    const questions = data.flatMap(({ axis, segment_id, series, periods }: any) => {
      const place = axis === 'account' ? `&account_id=${segment_id}` : '';
      const figuresOf = (row: any, names: Record<string, string>, span: string) =>
        Object.entries(names).map(([name, figure]) => [row[name], `figure=${figure}&${span}${place}`]);
      const day = {
        market_value: 'market_value',
        net_cash_flow: 'net_cash_flow',
        daily_return: 'daily_return',
        daily_twr: 'daily_twr',
      };
      const period = {
        net_cash_flow: 'net_cash_flow',
        gain: 'gain',
        income: 'income',
        fees: 'fees',
        twr: 'cumulative_twr',
      };
      return [
        ...[series[1], series[29]].flatMap((row) => figuresOf(row, day, `as_of=${row.date}`)),
        ...periods.flatMap((row: any) => figuresOf(row, period, `start=${row.start}&end=${row.end}`)),
      ];
    });
    expect(questions.length).toBe(2 * (2 * 4 + 2 * 5));
    for (const [value, question] of questions) {
      const { explanation } = await read('/v1/explain', question);
      checkedFigureNames(explanation);
      expect([question, explanation.value]).toEqual([question, value]);
    }
  });

  test.each([
    '/v1/holdings',
    '/v1/realised-gains?by=account&from=2024-01-01&to=2024-12-31',
    '/v1/activity',
    '/v1/allocation?by=class',
  ])('%s explains every number of its rows and totals', async (address) => {
    const [path = '', query = ''] = address.split('?');
    const names = checkExplanations(await read(path, `${query}&explain=true`));
    expect(names.length).toBeGreaterThan(2);
  });

  test('the cash of a trade follows from units, price and fee', async () => {
    const { data } = await read('/v1/activity', 'type=buy&explain=true');
    const { amount } = data[0].explanations;
    expect([amount.value, amount.formula]).toEqual(['-1005', '0 − 1005']);
    expect(amount.sentence).toBe('Bought 100 Orbit AG on 3 Jan 2024 at 10.00 EUR, fee 5.00');
    expect(amount.of[0].formula).toBe('100 × 10 + 5');
  });

  test('an allocation explains its cells and margins', async () => {
    const { cells, margins } = await read('/v1/allocation', 'as_of=2024-06-30&by=account,currency&explain=true');
    for (const { market_value, share, explanations } of [
      ...cells,
      ...margins.flatMap(({ segments }: any) => segments),
    ]) {
      checkedFigureNames(explanations.market_value);
      expect([explanations.market_value.value, explanations.share.value]).toEqual([market_value, share]);
    }
  });

  test('the status of a limit leads to its holdings', async () => {
    const { body } = await service.admin.get(`/v1/limits/${limit}/status?explain=true`);
    const [{ current_value, headroom, explanations }] = body.reporting_entities;
    checkedFigureNames(explanations.headroom);
    expect([explanations.current_value.value, explanations.headroom.value]).toEqual([current_value, headroom]);
    expect(collectSentences(explanations.current_value).some((one) => one.includes('Orbit AG in Depot'))).toBe(true);
  });

  test('a report of no funds explains zeros', async () => {
    const { data } = await read('/v1/performance/private-markets', 'explain=true');
    expect(data[0].explanations.nav.value).toBe('0');
  });

  test.each([
    ['/v1/holdings', 'as_of=2024-06-30'],
    ['/v1/holdings', 'as_of=2024-06-30&by=account'],
    ['/v1/allocation', 'as_of=2024-06-30&by=account,currency'],
    ['/v1/lots', 'as_of=2024-06-30'],
    ['/v1/realised-gains', 'from=2024-01-01&to=2024-12-31'],
    ['/v1/realised-gains', 'from=2024-01-01&to=2024-12-31&by=account'],
    ['/v1/performance', 'start=2024-01-04&end=2024-06-30&by=instrument'],
    ['/v1/performance/private-markets', 'as_of=2024-06-30'],
    ['/v1/activity', 'type=buy'],
    ['/v1/data-quality', 'as_of=2024-06-30'],
  ])('%s?%s shares its limit of figures among as many explanations as it has', async (path, query) => {
    const opened = vi.spyOn(RowExplainer, 'open');
    const explained = vi.spyOn(RowExplainer.prototype, 'explain');
    onTestFinished(() => [opened, explained].forEach((spy) => spy.mockRestore()));
    await read(path, `${query}&explain=true`);
    const given = explained.mock.calls.reduce((sum, [drafts]) => sum + Object.keys(drafts).length, 0);
    expect(opened.mock.calls.map(([, , count]) => count)).toEqual([given]);
  });

  test.each(['/v1/holdings', '/v1/lots', '/v1/realised-gains', '/v1/performance'])(
    '%s refuses it with a CSV file',
    async (path) => {
      const reply = await service.admin.get(`${path}?reporting_entity_id=${entity}&explain=true&format=csv`);
      expect([reply.status, reply.body.errors[0].parameter]).toEqual([400, 'explain']);
    },
  );
});
