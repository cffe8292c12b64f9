// An FX forward that is valued by its legs is long in one currency and short in the other, wherever wealth is grouped by currency.

import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { checkedFigureNames } from '../../setup/engine/explanation-check.ts';
import { book } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let client: string;
let entity: string;
let forward: string;

/** 1,000 francs of cash, and a contract that pays 800 francs and receives 1,000 dollars at 0.9: worth 100. */
beforeAll(async () => {
  ({ admin } = service);
  const household = await makeHousehold(admin, 'Habicht');
  client = household.client;
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const account = await makeRecord(admin, 'accounts', { entity_id: household.legalEntity, currency: 'CHF' });
  entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'All' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account] });
  await admin.post('/v1/fx-rates', { base: 'USD', quote: 'CHF', date: '2026-11-02', rate: '0.9' });
  forward = await makeRecord(admin, 'instruments', {
    type: 'fx-forward-cash-settlement-contract',
    name: 'CHF/USD',
    near_leg: { currency: 'CHF', amount: '-800', date: '2026-12-15' },
    far_leg: { currency: 'USD', amount: '1000', date: '2026-12-15' },
  });
  const buy = { type: 'buy', instrument_id: forward, quantity: '1', price: '0', amount: '0' };
  await book(admin, 'v1', { account_id: account, date: '2026-11-02', type: 'deposit', amount: '1000' });
  await book(admin, 'v1', { account_id: account, date: '2026-11-02', ...buy });
});

const day = 'as_of=2026-11-02';

async function get(path: string): Promise<any> {
  const { status, body } = await admin.get(path);
  expect(status).toBe(200);
  return body;
}

const byCurrency = ({ segment_id, market_value }: any): unknown => [segment_id, market_value];
const exposure = [
  ['CHF', '200'],
  ['USD', '900'],
];

test('the allocation has each leg in its currency, and adds up to the value of the whole', async () => {
  const { margins, market_value } = await get(`/v1/allocation?reporting_entity_id=${entity}&${day}&by=currency,class`);
  expect(margins[0].segments.map(byCurrency)).toEqual(exposure);
  expect(market_value).toBe('1100');
});

test('so have holdings by currency, each with its explanation', async () => {
  const { data } = await get(`/v1/holdings?reporting_entity_id=${entity}&${day}&by=currency&explain=true`);
  expect(data.map(byCurrency)).toEqual(exposure);
  for (const { segment_id, market_value, explanations } of data) {
    checkedFigureNames(explanations.market_value);
    expect(explanations.market_value.value).toBe(market_value);
    const path = `/v1/explain?reporting_entity_id=${entity}&${day}&figure=market_value&held_currency=${segment_id}`;
    const { explanation } = await get(path);
    checkedFigureNames(explanation);
    expect(explanation.value).toBe(market_value);
  }
});

test('a limit on a currency counts the leg in it, and one on the contract its value', async () => {
  const valueOf = async (field: string, value: string): Promise<unknown> => {
    const filter = { kind: 'condition', field, operator: 'equals', value };
    const sent = { client_id: client, reporting_entity_id: entity, kind: 'absolute', max_amount: '500', filter };
    const id = await makeRecord(admin, 'limits', sent);
    const [status] = (await get(`/v1/limits/${id}/status?explain=true`)).reporting_entities;
    checkedFigureNames(status.explanations.current_value);
    return [status.current_value, status.matches, status.state];
  };
  expect(await valueOf('currency', 'USD')).toEqual(['900', 1, 'breached']);
  expect(await valueOf('currency', 'CHF')).toEqual(['200', 2, 'compliant']);
  expect(await valueOf('instrument.id', forward)).toEqual(['100', 1, 'compliant']);
});
