// Which of several missing exchange rates a refusal names: the first by day and pair, whatever the order in which things were booked.

import { beforeAll, expect, test } from 'vitest';
import { makeStock } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const currencies = ['NOK', 'JPY', 'SEK'] as const;
let stocks: Record<string, string>;

/** A deposit and a purchase in each currency. */
async function makeRatelessHousehold(order: readonly string[]): Promise<{ entity: string; limit: string }> {
  const { admin } = service;
  const { client, legalEntity, reportingEntity } = await makeHousehold(admin);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  for (const currency of order) {
    const account_id = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency });
    await makeRecord(admin, 'portfolios', {
      reporting_entity_id: reportingEntity,
      name: currency,
      account_ids: [account_id],
    });
    const buy = { type: 'buy', instrument_id: stocks[currency], quantity: '1', price: '7' };
    const date = { NOK: '2026-02-02', JPY: '2026-02-03', SEK: '2026-02-02' }[currency];
    for (const fields of [{ type: 'deposit', amount: '100' }, buy]) {
      await makeRecord(admin, 'transactions', { account_id, date, ...fields });
    }
  }
  const filter = { kind: 'condition', field: 'currency', operator: 'not_in', value: ['USD'] };
  const terms = { client_id: client, kind: 'proportional', max_pct: '0.5', filter };
  return { entity: reportingEntity, limit: await makeRecord(admin, 'limits', terms) };
}

beforeAll(async () => {
  stocks = {};
  for (const currency of currencies) {
    stocks[currency] = await makeStock(service.admin, currency, currency);
    await service.admin.post(`/v1/instruments/${stocks[currency]}/prices`, { date: '2026-02-02', value: '8' });
  }
});

const none = (from: string, day: string): string =>
  `There is no exchange rate from ${from} to CHF on or before ${day}.`;

test.each([[['NOK', 'JPY', 'SEK']], [['SEK', 'NOK', 'JPY']], [['JPY', 'SEK', 'NOK']]])(
  'a refusal names the first missing rate by day and pair if accounts are made in the order %j',
  async (order) => {
    const { entity, limit } = await makeRatelessHousehold(order);
    const detailOf = async (path: string): Promise<string> => {
      const { status, body } = await service.admin.get(path);
      expect([path, status, body.code]).toEqual([path, 422, 'fx-rate-missing']);
      return body.detail;
    };
    const report = (path: string, query: string): string => `/v1/${path}?reporting_entity_id=${entity}&${query}`;
    for (const path of [
      report('holdings', 'as_of=2026-02-03'),
      report('performance', 'start=2026-02-01&end=2026-02-05&by=instrument'),
      report('explain', 'figure=unrealised_pnl&as_of=2026-02-03'),
    ]) {
      expect([path, await detailOf(path)]).toEqual([path, none('NOK', '2026-02-02')]);
    }
    expect(await detailOf(report('allocation', 'by=class&as_of=2026-02-02'))).toBe(none('NOK', '2026-02-02'));
    const { body } = await service.admin.get(`/v1/limits/${limit}/status`);
    expect(body.reporting_entities[0].detail).toBe(none('JPY', '2026-02-03'));
  },
);
