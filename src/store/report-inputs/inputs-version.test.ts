// The version of a client's report inputs changes with every write to them, only in the part written to; it stays the same
// without a write, and is undefined for a scope that cannot see the client.

import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../../tests/setup/http/caller.ts';
import {
  book,
  bookedId,
  makeLedgerHousehold,
  makeStock,
  type LedgerHousehold,
} from '../../../tests/setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import { makeRecord } from '../../../tests/setup/structure/structure-document.ts';
import type { Id } from '../../kit/id.ts';
import { allClients, type Scope, type VisibleClients } from '../../model/access/scope.ts';
import {
  inputsVersionQuery,
  findInputsVersion,
  isSameInputsVersion,
  type InputsVersionQuery,
  type InputsVersion,
} from './inputs-version.ts';

const service = serviceForThisFile();
let admin: Caller;
let home: LedgerHousehold;
let neighbour: LedgerHousehold;
let query: InputsVersionQuery;
let portfolio: string;
let booked: string;

beforeAll(async () => {
  ({ admin } = service);
  home = await makeLedgerHousehold(admin);
  neighbour = await makeLedgerHousehold(admin, 'Drossel');
  portfolio = await makeRecord(admin, 'portfolios', {
    reporting_entity_id: home.reportingEntity,
    account_ids: [home.account],
  });
  booked = await buy(home);
  const accounts = [home.account, home.savings, home.euros].toSorted() as Id[];
  query = inputsVersionQuery(home.client as Id, {
    accounts,
    instruments: [home.stock, home.target].toSorted() as Id[],
  });
});

function buy({ account, stock }: LedgerHousehold): Promise<string> {
  const trade = { quantity: '1', price: '90', amount: '-90', date: '2026-01-05' };
  return book(admin, 'v1', { type: 'buy', account_id: account, instrument_id: stock, ...trade }).then(bookedId);
}

function scopeOf(visibleClients: VisibleClients, more: Partial<Scope> = {}): Scope {
  const workspaceId = service.first.workspaceId as Id;
  return { workspaceId, environment: 'production', visibleClients, credentialId: null, ...more };
}

function findVersionIn(scope: Scope): Promise<InputsVersion | undefined> {
  return findInputsVersion(service.context.stores.forReading({ scope }), query);
}

const currentVersion = async (): Promise<InputsVersion> => (await findVersionIn(scopeOf(allClients)))!;

/** Lists the parts that a write changes. */
async function partsChangedBy(write: () => Promise<unknown>): Promise<string[]> {
  const before = await currentVersion();
  await write();
  service.clock.advance(1_000);
  const after = await currentVersion();
  const changedParts = (Object.keys(before) as (keyof InputsVersion)[]).filter((part) => before[part] !== after[part]);
  expect(isSameInputsVersion(before, after)).toBe(changedParts.length === 0);
  return changedParts;
}

const price = (instrument: string, value: string) => () =>
  admin.post(`/v1/instruments/${instrument}/prices`, { date: '2026-01-06', value });

const writes: readonly [what: string, part: keyof InputsVersion, write: () => Promise<unknown>][] = [
  [
    'the exclusion of an account',
    'structure',
    () => admin.patch(`/v1/accounts/${home.euros}`, { exclude_from_reporting: true }),
  ],
  ['another depository', 'structure', () => makeRecord(admin, 'depositories', { legal_entity_id: home.legalEntity })],
  [
    'another reporting entity',
    'structure',
    () => makeRecord(admin, 'reporting-entities', { client_id: home.client, name: 'Two' }),
  ],
  [
    'another reference currency',
    'structure',
    () => admin.patch(`/v1/clients/${home.client}`, { reference_currency: 'USD' }),
  ],
  [
    'an account added to a portfolio',
    'structure',
    () => admin.patch(`/v1/portfolios/${portfolio}`, { account_ids: [home.account, home.savings] }),
  ],
  [
    'an account removed from a portfolio',
    'structure',
    () => admin.patch(`/v1/portfolios/${portfolio}`, { account_ids: [home.savings] }),
  ],
  [
    'another portfolio',
    'structure',
    () => makeRecord(admin, 'portfolios', { reporting_entity_id: home.reportingEntity }),
  ],
  ['a portfolio that is deleted', 'structure', () => admin.delete(`/v1/portfolios/${portfolio}`)],
  [
    'another class',
    'classes',
    async () => {
      const { body } = await admin.get('/v1/instrument-classes?limit=1');
      await makeRecord(admin, 'instrument-classes', { name: 'Timber', parent_id: body.data[0].id });
    },
  ],
  ['a booking', 'ledger', () => buy(home)],
  ['a changed booking', 'ledger', () => admin.patch(`/v1/transactions/${booked}`, { quantity: '2', amount: '-180' })],
  ['a booking that is deleted', 'ledger', () => admin.delete(`/v1/transactions/${booked}`)],
  [
    'a corporate action for all holders',
    'ledger',
    () =>
      book(admin, 'v1', {
        type: 'corporate-action',
        action: 'split',
        ratio: '2:1',
        instrument_id: home.stock,
        date: '2026-02-02',
      }),
  ],
  [
    'an upload',
    'uploads',
    () =>
      admin.post('/v1/historical-holdings', {
        kind: 'account',
        account_id: home.account,
        date: '2026-01-08',
        market_value: '1',
      }),
  ],
  [
    'a rate',
    'rates',
    () => admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date: '2026-01-01', rate: '0.94' }),
  ],
  [
    'the terms of an instrument',
    'instruments',
    () => admin.patch(`/v1/instruments/${home.stock}`, { name: 'Novartis' }),
  ],
  ['the first price of an instrument', 'instruments', () => price(home.target, '10')()],
  ['another price', 'instruments', () => price(home.target, '11')()],
];

describe('the version of a client’s report inputs changes with', () => {
  test.each(writes)('%s, in the part %s', async (_what, part, write) => {
    expect(await partsChangedBy(write)).toEqual([part]);
  });
});

test.each<[what: string, write: () => Promise<unknown>]>([
  ['no write', async () => {}],
  ['the name of an account', () => admin.patch(`/v1/accounts/${home.account}`, { name: 'Household' })],
  ['a value that is already known', () => price(home.target, '11')()],
  ['bookings of another client', () => buy(neighbour)],
  [
    'the structure of another client',
    () => makeRecord(admin, 'reporting-entities', { client_id: neighbour.client, name: 'Other' }),
  ],
  ['prices of an instrument not held', () => price(neighbour.stock, '4')()],
  ['an instrument that nobody holds', () => makeStock(admin, 'Roche Holding AG')],
])('it stays the same after %s', async (_what, write) => {
  expect(await partsChangedBy(write)).toEqual([]);
});

test('it changes with a write that began before another one and commits after it', async () => {
  await price(home.stock, '20')();
  const slow = new pg.Client({ connectionString: service.database.url });
  await slow.connect();
  onTestFinished(() => slow.end());
  const changedParts = await partsChangedBy(async () => {
    await slow.query('BEGIN');
    await slow.query('UPDATE series_ledger SET version = version + 1 WHERE instrument_id = $1', [home.stock]);
    expect(await partsChangedBy(price(home.target, '12'))).toEqual(['instruments']);
    expect(await partsChangedBy(() => slow.query('COMMIT'))).toEqual(['instruments']);
  });
  expect(changedParts).toEqual(['instruments']);
});

test('it is undefined for a scope that does not see the client', async () => {
  const [own, other] = [home.client as Id, neighbour.client as Id];
  expect(await findVersionIn(scopeOf({ kind: 'tree', clientId: own }))).toEqual(await currentVersion());
  expect(await findVersionIn(scopeOf({ kind: 'only', clientId: own }))).toEqual(await currentVersion());
  expect(await findVersionIn(scopeOf({ kind: 'tree', clientId: other }))).toBeUndefined();
  expect(await findVersionIn(scopeOf({ kind: 'only', clientId: other }))).toBeUndefined();
  expect(await findVersionIn(scopeOf(allClients, { environment: 'sandbox' }))).toBeUndefined();
});
