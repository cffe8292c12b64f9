// The settings of a client that its figures depend on: when a gain is long-term, when a point is stale, the days of a volatility. A report as known
// before a change has the settings of then.

import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { makeInstrument, makeStock } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let client: string;
let entity: string;

beforeAll(async () => {
  ({ admin } = service);
  const household = await makeHousehold(admin);
  ({ client, reportingEntity: entity } = household);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const account_id = await makeRecord(admin, 'accounts', { entity_id: household.legalEntity, currency: 'CHF' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account_id] });
  const stock = await makeStock(admin, 'Orbit AG', 'CHF');
  const fund = await makeInstrument(admin, { type: 'mutual-fund-instrument', name: 'Fund', currency: 'CHF' });
  const point = (path: string, date: string, value: string) => admin.post(`/v1/instruments/${path}`, { date, value });
  for (const [date, value] of [
    ['2026-01-05', '10'],
    ['2026-01-06', '11'],
    ['2026-03-02', '10.5'],
  ] as const) {
    await point(`${stock}/prices`, date, value);
  }
  await point(`${fund}/net-asset-values`, '2026-01-20', '20');
  const row = (fields: object) => makeRecord(admin, 'transactions', { account_id, date: '2026-01-05', ...fields });
  await row({ type: 'deposit', amount: '1000' });
  await row({ type: 'deposit', date: '2026-03-10', amount: '1' });
  await row({ type: 'buy', instrument_id: stock, quantity: '10', price: '10' });
  await row({ type: 'buy', instrument_id: fund, quantity: '1', price: '20' });
  await row({ type: 'sell', instrument_id: stock, date: '2026-03-02', quantity: '4', price: '10.5' });
});

async function read(path: string, query: string): Promise<any> {
  const { status, body, text } = await admin.get(`/v1/${path}?reporting_entity_id=${entity}&${query}`);
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return body;
}

/** The figures that depend on the settings, of 10 March 2026. */
async function dependentFigures(knownAt = ''): Promise<object> {
  const gains = await read('realised-gains', `from=2026-01-01&to=2026-03-10${knownAt}`);
  const lots = await read('lots', `as_of=2026-03-10${knownAt}`);
  const stale = await read('data-quality', `as_of=2026-03-10&code=stale-value${knownAt}`);
  const summary = await read('performance', `start=2026-01-05&end=2026-03-10&detail=summary${knownAt}`);
  const query = `figure=volatility&start=2026-01-05&end=2026-03-10${knownAt}`;
  const { explanation } = await read('explain', query);
  expect(explanation.value).toBe(summary.data[0].volatility);
  return {
    gain: gains.data[0].gain_classification,
    lot: lots.data[0].gain_classification,
    stale: stale.data.map((one: any) => one.date),
    volatility: Number(summary.data[0].volatility),
  };
}

test('figures follow the settings, and those of a report as known before a change are of before', async () => {
  const before = (await dependentFigures()) as { volatility: number };
  // The price is eight days old, the net asset value 49.
  expect(before).toMatchObject({ gain: 'short_term', lot: 'short_term', stale: ['2026-01-20'] });
  const at = new Date(service.clock.now()).toISOString();
  service.clock.advance(1_000);
  const settings = { long_term_months: 1, stale_days_listed: 7, stale_days_funds: 49, volatility_days: 63 };
  expect((await admin.patch(`/v1/clients/${client}`, settings)).body).toMatchObject(settings);
  const { volatility, ...others } = (await dependentFigures()) as { volatility: number };
  expect(others).toEqual({ gain: 'long_term', lot: 'long_term', stale: ['2026-03-02'] });
  // √63 is half of √252.
  expect(volatility / before.volatility).toBeCloseTo(0.5, 12);
  expect(await dependentFigures(`&known_at=${at}`)).toEqual(before);
});
