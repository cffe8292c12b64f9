// Uploads as a report is given them: of its own places alone, as they are known now or were known once, under a number that
// tells whether they are still fresh. The first wall stands alone here.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { makeDatabase, type TestDatabase } from '../../../tests/setup/node/test-service.ts';
import {
  instrumentsOf,
  layOutTenants,
  reachOf,
  tenants,
  thingsOf,
  type Tenant,
} from '../../../tests/setup/database/tenants.ts';
import type { Id } from '../../kit/id.ts';
import {
  historicalAccountHolding,
  historicalFeeHolding,
  historicalInstrumentHolding,
} from '../../model/ledger/historical-holding.ts';
import type { HoldingResource } from '../../model/ledger/historical-holding.ts';
import type { Reach } from '../../model/access/scope.ts';
import { Database } from '../postgres/database.ts';
import { Store } from '../store.ts';
import type { UploadedPlaces } from './uploads.ts';

const [here, sandbox, there] = tenants as [Tenant, Tenant, Tenant];
const { root, other } = here.clients;
const own = thingsOf(here, 'root');
const others = thingsOf(here, 'other');
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
  await layOutTenants(admin);
  await admin.end();
  const connection = { connectionString: database.url };
  open = new Database({ connection, poolSize: 2, statements: 'named', walls: 'store-only' });
  await inStore(reachOf(here), async (store) => {
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
      .versions(historicalFeeHolding)
      .closeDays({ where: { account: own.account }, from: '2020-01-01', to: '2020-01-01' }, third);
  });
});

afterAll(async () => {
  await open.close();
  await database.drop();
});

function inStore<T>(reach: Reach, task: (store: Store) => Promise<T>): Promise<T> {
  return open.write(reach, (run) => task(new Store({ reach, run, view: null })));
}

let ids = 200;

function put(store: Store, resource: HoldingResource, fields: Record<string, string>, now: number): Promise<number> {
  const columns = Object.entries(fields).map(([name, value]) => [name, [value]]);
  const batch = { ids: [here.id(ids++)], given: {}, columns: Object.fromEntries(columns) };
  return store.versions(resource).put(batch, now);
}

const places = { accounts: [own.account], depositories: [own.depository] };

/** In short: which day, what and how much. */
function told(reach: Reach, asked: UploadedPlaces = places): Promise<string[]> {
  return inStore(reach, async ({ uploads }) => {
    const rows = await uploads.listOf(asked);
    return rows.map(({ date, kind, marketValue }) => `${date} ${kind} ${marketValue}`);
  });
}

/** What the tenants were laid out with is known from the beginning. */
const laidOut = '2019-12-31 account 100';

describe('what is known of places', () => {
  test('now: the latest of each, by day, without what was deleted', async () => {
    expect(await told(reachOf(here))).toEqual([laidOut, '2020-01-15 instrument 50', '2020-02-02 account 20']);
  });

  test.each([
    [first - 1, [laidOut]],
    [first, [laidOut, '2020-01-01 fee 1', '2020-01-15 instrument 50', '2020-02-02 account 10']],
    [second - 1, [laidOut, '2020-01-01 fee 1', '2020-01-15 instrument 50', '2020-02-02 account 10']],
    [second, [laidOut, '2020-01-01 fee 1', '2020-01-15 instrument 50', '2020-02-02 account 20']],
    [third - 1, [laidOut, '2020-01-01 fee 1', '2020-01-15 instrument 50', '2020-02-02 account 20']],
    [third, [laidOut, '2020-01-15 instrument 50', '2020-02-02 account 20']],
  ])('at %s: as it was known then', async (knownAt, expected) => {
    expect(await told(reachOf(here), { ...places, knownAt })).toEqual(expected);
  });

  test('is of the places that were asked for', async () => {
    expect(await told(reachOf(here), { accounts: [], depositories: [own.depository] })).toEqual([
      '2020-01-15 instrument 50',
    ]);
    expect(await told(reachOf(here), { accounts: [own.account], depositories: [] })).toEqual([
      laidOut,
      '2020-02-02 account 20',
    ]);
    expect(await told(reachOf(here), { accounts: [others.account], depositories: [others.depository] })).toEqual([
      laidOut,
    ]);
    expect(await told(reachOf(here), { accounts: [], depositories: [] })).toEqual([]);
  });

  test.each([
    ['its client', reachOf(here, { kind: 'tree', clientId: root }), 3],
    ['its client alone', reachOf(here, { kind: 'only', clientId: root }), 3],
    ['another client', reachOf(here, { kind: 'tree', clientId: other }), 0],
    ['the other environment', reachOf(sandbox), 0],
    ['another workspace, which has a place with the same id', reachOf(there), 1],
  ])('is shown to who sees %s', async (_who, reach, count) => {
    expect(await told(reach)).toHaveLength(count);
    expect(await told(reach, { ...places, knownAt: first })).toHaveLength(count === 3 ? 4 : count);
  });
});

describe('the number of a client’s uploads', () => {
  const versionsOf = (reach: Reach, clients: readonly Id[]): Promise<number[]> =>
    inStore(reach, ({ uploads }) => Promise.all(clients.map((client) => uploads.version(client))));

  test('goes up by one with each write, for that client alone', async () => {
    const before = await versionsOf(reachOf(here), [root, other]);
    await inStore(reachOf(here), async ({ uploads }) => uploads.raise(root));
    await inStore(reachOf(here), async ({ uploads }) => uploads.raise(root));
    expect(await versionsOf(reachOf(here), [root, other])).toEqual([before[0]! + 2, before[1]]);
    expect(await versionsOf(reachOf(there), [root])).toEqual([before[0]]);
  });

  test('is nothing before the first', async () => {
    expect(await versionsOf(reachOf(here), [here.id(99)])).toEqual([0]);
  });
});
