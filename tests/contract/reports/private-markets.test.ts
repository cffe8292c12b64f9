// Private-market funds on every wire: the published figures of the reference portfolio, as of any day, compared with an index.

import { beforeAll, describe, expect, test } from 'vitest';
import { errorCodeOf } from '../../setup/http/answer.ts';
import { relativeError, makeIndex } from '../../setup/reports/published-figure.ts';
import { ReferenceClient } from '../../setup/reference-portfolio/reference-client.ts';
import { readReferencePortfolio } from '../../setup/reference-portfolio/reference-portfolio.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, unknownId } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const { facts, expected, tolerance } = readReferencePortfolio();
let client: ReferenceClient;
let index: string;

beforeAll(async () => {
  const { admin } = service;
  client = await ReferenceClient.book(admin, facts);
  index = await makeIndex(admin, facts);
});

type Body = any;

const v1Path = (query: string): string =>
  `/v1/performance/private-markets?reporting_entity_id=${client.id('all')}&${query}`;

async function get(path: string): Promise<Body> {
  const reply = await service.admin.get(path);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return client.withNames(reply.body);
}

/** Expects a ratio to equal the published one except for rounding. */
function expectNear(answered: unknown, published: unknown, within = tolerance.ratio): void {
  expect(relativeError(published, answered)).toBeLessThanOrEqual(within);
}

function expectFund(one: Body, published: any): void {
  expect([one.currency, one.nav, one.commitment, one.cashflow]).toEqual([
    published.currency,
    published.residual,
    {
      total: published.commitment,
      called: published.called,
      recallable: published.recallable,
      transferred: '0',
      uncalled: published.unfunded,
    },
    { drawdowns: published.paidIn, distributions: published.distributed },
  ]);
  for (const name of ['tvpi', 'dpi', 'rvpi']) expectNear(one.multiplier[name], published[name]);
  expectNear(one.irr, published.irr, tolerance.rateOfReturn);
}

test.each(Object.entries(expected.byDate))(
  'on %s the funds and the total are as published, also compared with the index',
  async (day, reports) => {
    const { fund, reference } = reports.privateMarkets as any;
    const body = await get(v1Path(`as_of=${day}&index=${index}`));
    const [whole, ...funds] = body.data;
    expect(body.as_of).toBe(`${day}T23:59:59.999Z`);
    expect(funds.map(({ instrument_id }: Body) => instrument_id)).toEqual(['meridian']);
    expect([whole.instrument_id, whole.is_total, funds[0].is_total]).toEqual([null, true, false]);
    expectFund(whole, reference);
    expectFund(funds[0], fund);
    expect([whole.market_value, funds[0].market_value]).toEqual([reference.residual, reference.residual]);
    const { public_market_equivalent: equivalent } = funds[0];
    const isEarly = day === '2025-02-28';
    expect([equivalent.reason, equivalent.missing_on]).toEqual(isEarly ? ['index-missing', day] : [null, null]);
    expectNear(equivalent.ks_pme, fund.ksPme);
    expectNear(equivalent.direct_alpha, fund.directAlpha, tolerance.rateOfReturn);
  },
);

describe('the whole answer', () => {
  const stale = {
    code: 'stale-value',
    detail: 'The value is based on a price that is too old.',
    date: '2026-03-31',
    count: 1,
  };

  const whole = {
    date: '2026-09-30',
    nav: 4500,
    navDate: null,
    marketValue: 4500,
    ccyCode: 'EUR',
    reportingCcyCode: 'EUR',
    commitment: { total: 45000, called: 27000, recallable: 1800, uncalled: 19800 },
    cashflow: { drawdowns: 26800, distributions: 27380 },
    multiplier: { tvpi: 1.18955223880597, dpi: 1.0216417910447761, rvpi: 0.16791044776119404 },
    irrReason: null,
  };
  const fund = {
    date: '2026-09-30',
    nav: 5000,
    navDate: '2026-03-31',
    marketValue: 4500,
    ccyCode: 'USD',
    reportingCcyCode: 'EUR',
    commitment: { total: 50000, called: 30000, recallable: 2000, uncalled: 22000 },
    cashflow: { drawdowns: 30000, distributions: 32000 },
    multiplier: { tvpi: 1.2333333333333334, dpi: 1.0666666666666667, rvpi: 0.16666666666666666 },
    irrReason: null,
  };

  test('of JSON:API: the total first, then each fund', async () => {
    const body = await get(`/api/v2/performance/reporting-entities/${client.id('all')}/private-markets`);
    const reportingEntity = { data: { type: 'reporting-entity', id: 'all' } };
    const irrs = body.data.map(({ attributes }: Body) => attributes.irr);
    expectNear(irrs[0], 0.18721772709570483, tolerance.rateOfReturn);
    expectNear(irrs[1], 0.23100672714993786, tolerance.rateOfReturn);
    const warnings = [{ ...stale, instrumentId: 'meridian' }];
    expect(body).toEqual({
      data: [
        {
          type: 'private-market-performance',
          id: 'all.total',
          attributes: { ...whole, irr: irrs[0], warnings },
          relationships: { reportingEntity, instrument: { data: null } },
        },
        {
          type: 'private-market-performance',
          id: 'all.meridian',
          attributes: { ...fund, irr: irrs[1], warnings },
          relationships: { reportingEntity, instrument: { data: { type: 'private-market-fund', id: 'meridian' } } },
        },
      ],
      meta: { asOf: '2026-09-30T23:59:59.999Z', ledgerVersion: body.meta.ledgerVersion },
    });
  });

  test('of Plain: the same under its own names', async () => {
    const body = await get(`/v2/performance/reporting-entities/${client.id('all')}/private-markets`);
    const { data } = await get(`/api/v2/performance/reporting-entities/${client.id('all')}/private-markets`);
    const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const inSnake = (value: Body): Body => {
      if (Array.isArray(value)) return value.map(inSnake);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [snake(name), inSnake(one)]));
    };
    expect(body).toEqual({
      data: data.map(({ attributes, relationships }: Body) => ({
        instrument_id: relationships.instrument.data?.id ?? null,
        is_total: relationships.instrument.data === null,
        ...inSnake(attributes),
      })),
      as_of: '2026-09-30T23:59:59.999Z',
      ledger_version: body.ledger_version,
    });
  });

  test('of v1 has every digit, and no comparison unless requested', async () => {
    const body = await get(v1Path('as_of=2025-12-31T12:00:00Z'));
    expect(body.data[1].multiplier).toEqual({ tvpi: '1.1', dpi: '0.2', rvpi: '0.9', pic: '0.6' });
    expect(body.data[0].multiplier.dpi).toBe('0.197014925373134328');
    expect(body.data.map((one: Body) => one.public_market_equivalent)).toEqual([null, null]);
  });
});

describe('without', () => {
  test('distributions, the rate of return is null with a reason', async () => {
    const body = await get(v1Path('as_of=2025-02-28'));
    for (const one of body.data) expect([one.irr, one.irr_reason]).toEqual([null, 'no-sign-change']);
  });

  test('funds, the total is zero', async () => {
    const { reportingEntity } = await makeHousehold(service.admin, 'Zilpzalp');
    const { data } = await get(`/v1/performance/private-markets?reporting_entity_id=${reportingEntity}`);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      instrument_id: null,
      nav: '0',
      commitment: null,
      cashflow: { drawdowns: '0', distributions: '0' },
      multiplier: { tvpi: null, dpi: null, rvpi: null },
      irr: null,
      irr_reason: 'no-sign-change',
      warnings: [],
    });
  });
});

describe('refused', () => {
  const paths = (id: string): string[] => [
    `/api/v2/performance/reporting-entities/${id}/private-markets`,
    `/v2/performance/reporting-entities/${id}/private-markets`,
    `/v1/performance/private-markets?reporting_entity_id=${id}`,
  ];

  test('is an unknown reporting entity or one of another tenant', async () => {
    const stranger = await service.openWorkspace();
    for (const path of paths(unknownId))
      expect(errorCodeOf(await service.admin.get(path))).toBe('reporting-entity-not-found');
    for (const path of paths(client.id('all'))) expect((await stranger.get(path)).status).toBe(404);
  });

  test('are unknown parameters, a missing index and invalid days', async () => {
    const { admin } = service;
    const [frozen] = paths(client.id('all'));
    expect(errorCodeOf(await admin.get(`${frozen}?as_of=2025-12-31`))).toBe('unknown-parameter');
    const missing = await admin.get(v1Path(`index=${unknownId}`));
    expect([missing.status, missing.body.errors[0].parameter]).toEqual([404, 'index']);
    const { status, body } = await admin.get(v1Path('as_of=2025-13-01'));
    expect([status, body.errors[0].detail]).toEqual([400, 'as_of must be a day that exists.']);
  });
});
