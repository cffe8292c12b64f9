// Uploads as reports read them: only of the requested accounts and depositories, as known now or at a moment, with a version that
// shows whether they are current. Tests the tenant filter in SQL without row-level security.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import {
  instrumentsOf,
  insertTenants,
  scopeOf,
  tenants,
  recordsOf,
  type TestTenant,
} from '../../../tests/setup/database/tenants.ts';
import type { Id } from '../../kit/id.ts';
import {
  historicalAccountHolding,
  historicalFeeHolding,
  historicalInstrumentHolding,
} from '../../model/ledger/historical-holding.ts';
import type { HistoricalHoldingResource } from '../../model/ledger/historical-holding.ts';
import type { Scope } from '../../model/access/scope.ts';
import { Database } from '../postgres/database.ts';
import { Store } from '../store.ts';
import type { UploadLocations } from './uploads.ts';

const [here, sandbox, there] = tenants as [TestTenant, TestTenant, TestTenant];
const { root, other } = here.clients;
const own = recordsOf(here, 'root');
const others = recordsOf(here, 'other');
const instrument = instrumentsOf(here).shared;

const first = Date.parse('2026-11-15T13:00:00Z');
const second = Date.parse('2026-11-15T14:00:00Z');
const third = Date.parse('2026-11-15T15:00:00Z');

let database: TestDatabase;
let open: Database;

beforeAll(async () => {
  database = await makeDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await insertTenants(admin);
  await admin.end();
  const connection = { connectionString: database.url };
  open = new Database({ connection, poolSize: 2, statements: 'named', tenantFilters: 'store-only' });
  await inStore(scopeOf(here), async (store) => {
    const cash = { client: root, account: own.account };
    const units = { client: root, depository: own.depository, instrument, accruedInterest: '0' };
    await put(store, historicalAccountHolding, { ...cash, date: '2020-02-02', marketValue: '10' }, first);
    await put(store, historicalFeeHolding, { ...cash, date: '2020-01-01', marketValue: '1' }, first);
    await put(
      store,
      historicalInstrumentHolding,
      { ...units, date: '2020-01-15', units: '5', marketValue: '50' },
      first,
    );
    await put(store, historicalAccountHolding, { ...cash, date: '2020-02-02', marketValue: '20' }, second);
    await store
      .versionedTable(historicalFeeHolding)
      .closeDays({ where: { account: own.account }, from: '2020-01-01', to: '2020-01-01' }, third);
  });
});

afterAll(async () => {
  await open.close();
  await database.drop();
});

function inStore<T>(scope: Scope, task: (store: Store) => Promise<T>): Promise<T> {
  return open.write(scope, (run) => task(new Store({ scope, run })));
}

let ids = 200;

function put(
  store: Store,
  resource: HistoricalHoldingResource,
  fields: Record<string, string>,
  now: number,
): Promise<number> {
  const columns = Object.entries(fields).map(([name, value]) => [name, [value]]);
  const batch = { ids: [here.id(ids++)], common: {}, columns: Object.fromEntries(columns) };
  return store.versionedTable(resource).put(batch, now);
}

const locations = { accounts: [own.account], depositories: [own.depository] };

/** A short text for each upload: day, kind and amount. */
function listed(scope: Scope, query: UploadLocations = locations): Promise<string[]> {
  return inStore(scope, async ({ uploads }) => {
    const rows = await uploads.listByLocation(query);
    return rows.map(({ date, kind, marketValue }) => `${date} ${kind} ${marketValue}`);
  });
}

/** The seeded upload, known from the beginning. */
const seeded = '2019-12-31 account 100';

describe('uploads by location', () => {
  test('now: the latest version of each, by day, without deleted ones', async () => {
    expect(await listed(scopeOf(here))).toEqual([seeded, '2020-01-15 instrument 50', '2020-02-02 account 20']);
  });

  test.each([
    [first - 1, [seeded]],
    [first, [seeded, '2020-01-01 fee 1', '2020-01-15 instrument 50', '2020-02-02 account 10']],
    [second - 1, [seeded, '2020-01-01 fee 1', '2020-01-15 instrument 50', '2020-02-02 account 10']],
    [second, [seeded, '2020-01-01 fee 1', '2020-01-15 instrument 50', '2020-02-02 account 20']],
    [third - 1, [seeded, '2020-01-01 fee 1', '2020-01-15 instrument 50', '2020-02-02 account 20']],
    [third, [seeded, '2020-01-15 instrument 50', '2020-02-02 account 20']],
  ])('as known at %s', async (knownAt, expected) => {
    expect(await listed(scopeOf(here), { ...locations, knownAt })).toEqual(expected);
  });

  test('are only those of the requested accounts and depositories', async () => {
    expect(await listed(scopeOf(here), { accounts: [], depositories: [own.depository] })).toEqual([
      '2020-01-15 instrument 50',
    ]);
    expect(await listed(scopeOf(here), { accounts: [own.account], depositories: [] })).toEqual([
      seeded,
      '2020-02-02 account 20',
    ]);
    expect(await listed(scopeOf(here), { accounts: [others.account], depositories: [others.depository] })).toEqual([
      seeded,
    ]);
    expect(await listed(scopeOf(here), { accounts: [], depositories: [] })).toEqual([]);
  });

  test.each([
    ['its client', scopeOf(here, { kind: 'tree', clientId: root }), 3],
    ['its client alone', scopeOf(here, { kind: 'only', clientId: root }), 3],
    ['another client', scopeOf(here, { kind: 'tree', clientId: other }), 0],
    ['the other environment', scopeOf(sandbox), 0],
    ['another workspace, which has an account with the same id', scopeOf(there), 1],
  ])('for a scope that sees %s', async (_who, scope, count) => {
    expect(await listed(scope)).toHaveLength(count);
    expect(await listed(scope, { ...locations, knownAt: first })).toHaveLength(count === 3 ? 4 : count);
  });
});

describe('the version of a client’s uploads', () => {
  const versionsOf = (scope: Scope, clients: readonly Id[]): Promise<number[]> =>
    inStore(scope, ({ uploads }) => Promise.all(clients.map((client) => uploads.version(client))));

  test('increases by one with each write, only for that client', async () => {
    const before = await versionsOf(scopeOf(here), [root, other]);
    await inStore(scopeOf(here), async ({ uploads }) => uploads.incrementVersion(root));
    await inStore(scopeOf(here), async ({ uploads }) => uploads.incrementVersion(root));
    expect(await versionsOf(scopeOf(here), [root, other])).toEqual([before[0]! + 2, before[1]]);
    expect(await versionsOf(scopeOf(there), [root])).toEqual([before[0]]);
  });

  test('is 0 before the first write', async () => {
    expect(await versionsOf(scopeOf(here), [here.id(99)])).toEqual([0]);
  });
});
