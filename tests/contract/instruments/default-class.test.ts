// The default class of a type of instruments: it counts what states no class, in limits and by class, and what has neither is counted
// apart and listed as a finding.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { classIdByPath } from '../../setup/instruments/instrument-document.ts';
import { book } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let entity: string;
let limit: string;
let privateMarkets: string;
let equities: string;
const funds: string[] = [];

beforeAll(async () => {
  admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'EUR' });
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR' });
  entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'All' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account] });
  privateMarkets = await classIdByPath(admin, 'Private markets');
  equities = await classIdByPath(admin, 'Equities');
  const day = { account_id: account, date: '2026-01-05' };
  await book(admin, 'v1', { ...day, type: 'deposit', amount: '500000' });
  for (const [name, amount] of [
    ['North Buyout', '-300000'],
    ['South Venture', '-144000'],
  ]) {
    const fund = await makeRecord(admin, 'instruments', {
      type: 'private-market-fund',
      name,
      currency: 'EUR',
      commitment: '400000',
    });
    await book(admin, 'v1', { ...day, type: 'drawing', instrument_id: fund, amount });
    funds.push(fund);
  }
  const filter = {
    kind: 'condition',
    field: 'instrument_class.path',
    operator: 'starts_with',
    value: ['Private markets'],
  };
  const bounds = { kind: 'absolute', max_amount: '1', reporting_entity_id: entity };
  limit = await makeRecord(admin, 'limits', { client_id: client, ...bounds, filter });
});

async function limitState(query = ''): Promise<unknown[]> {
  const { body } = await admin.get(`/v1/limits/${limit}/status${query}`);
  const { current_value, unclassified_value, state } = body.reporting_entities[0];
  return [current_value, unclassified_value, state];
}

async function byClass(): Promise<unknown[]> {
  const { body } = await admin.get(`/v1/holdings?by=class&reporting_entity_id=${entity}`);
  return body.data.map((one: any) => [one.segment_name, one.market_value]);
}

async function unclassified(): Promise<unknown[]> {
  const { body } = await admin.get(`/v1/data-quality?code=unclassified&reporting_entity_id=${entity}`);
  return body.data.map((one: any) => [one.instrument_id, one.amount]);
}

async function classOf(id: string | undefined): Promise<unknown> {
  const { body } = await admin.get(`/v1/instruments/${id}`);
  const onJsonApi = (await admin.get(`/api/v3/instruments/${id}`)).body.data.relationships.instrumentClass.data;
  expect(onJsonApi?.id ?? null).toBe(body.instrument_class_id);
  return body.instrument_class_id;
}

describe('a fund that states no class', () => {
  test('is of the default class of its type: a limit of 1 on private markets is breached by 444,000', async () => {
    expect(await limitState()).toEqual(['444000', '0', 'breached']);
    expect(await byClass()).toEqual([
      ['Cash', '56000'],
      ['Private markets', '444000'],
    ]);
    expect(await unclassified()).toEqual([]);
    expect(await classOf(funds[0])).toBe(privateMarkets);
    const { body } = await admin.get(`/v1/instruments?instrument_class_id=${privateMarkets}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(funds);
  });

  test('is unclassified without a default class, and counted beside the limit, by class and as a finding', async () => {
    const before = new Date(service.clock.now()).toISOString();
    service.clock.advance(1_000);
    const path = `/v1/instrument-classes/${privateMarkets}`;
    const changed = await admin.patch(path, { default_for: [] });
    expect([changed.status, changed.body.default_for]).toEqual([200, []]);
    expect(await limitState()).toEqual(['0', '444000', 'compliant']);
    expect(await byClass()).toEqual([
      ['Cash', '56000'],
      [null, '444000'],
    ]);
    expect(await unclassified()).toEqual([
      [funds[0], '300000'],
      [funds[1], '144000'],
    ]);
    expect(await classOf(funds[0])).toBe(null);
    // The setting has versions.
    expect(await limitState(`?known_at=${before}`)).toEqual(['444000', '0', 'breached']);
    await admin.patch(path, { default_for: ['private-market-fund'] });
    expect(await limitState()).toEqual(['444000', '0', 'breached']);
  });

  test('is of another class once that is its default, which one class has at a time', async () => {
    const path = `/v1/instrument-classes/${equities}`;
    await admin.patch(path, { default_for: ['stock-instrument', 'private-market-fund'] });
    expect((await admin.get(`/v1/instrument-classes/${privateMarkets}`)).body.default_for).toEqual([]);
    expect(await limitState()).toEqual(['0', '0', 'compliant']);
    expect(await classOf(funds[1])).toBe(equities);
    // Its own class counts before the default.
    const fund = `/v1/instruments/${funds[0]}`;
    const tag = (await admin.get(fund)).headers.get('etag')!;
    expect((await admin.patch(fund, { instrument_class_id: privateMarkets }, { 'if-match': tag })).status).toBe(200);
    expect(await limitState()).toEqual(['300000', '0', 'breached']);
    await admin.patch(fund, { instrument_class_id: null });
    expect(await classOf(funds[0])).toBe(equities);
    await admin.patch(`/v1/instrument-classes/${privateMarkets}`, { default_for: ['private-market-fund'] });
    expect((await admin.get(path)).body.default_for).toEqual(['stock-instrument']);
  });

  test('keeps a class of its own that was the default too', async () => {
    const fund = `/v1/instruments/${funds[0]}`;
    await admin.patch(fund, { instrument_class_id: equities });
    await admin.patch(fund, { instrument_class_id: privateMarkets });
    await admin.patch(`/v1/instrument-classes/${privateMarkets}`, { default_for: [] });
    expect(await limitState()).toEqual(['300000', '144000', 'breached']);
    await admin.patch(fund, { instrument_class_id: null });
    await admin.patch(`/v1/instrument-classes/${privateMarkets}`, { default_for: ['private-market-fund'] });
  });
});
