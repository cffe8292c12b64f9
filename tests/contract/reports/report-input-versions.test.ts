// The inputs of reports: version numbers that rise with every write of a series, a rate or a record that figures depend on, and
// these inputs as known at an earlier moment.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Id } from '../../../src/kit/id.ts';
import type { AnyRecord, Resource } from '../../../src/kit/resource.ts';
import { account } from '../../../src/model/structure/account.ts';
import { client } from '../../../src/model/structure/client.ts';
import { depository } from '../../../src/model/structure/depository.ts';
import { instrumentClass } from '../../../src/model/instrument/instrument-class.ts';
import { instrument } from '../../../src/model/instrument/instrument.ts';
import { portfolio } from '../../../src/model/structure/portfolio.ts';
import { reportingEntity } from '../../../src/model/structure/reporting-entity.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { fullAttributes, instrumentTypeNames, toSnakeCase } from '../../setup/instruments/instrument-document.ts';
import { withStore } from '../../setup/limits/dirty-flags.ts';
import { makeSeriesInstrument } from '../../setup/instruments/series-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import {
  makeRecord,
  makeAccounts,
  makeDepositories,
  makeHousehold,
  type Household,
} from '../../setup/structure/structure-document.ts';
import { LockHolder, runOnServers } from '../../setup/database/database-parts.ts';

const service = serviceForThisFile();
let admin: Caller;
let family: Household;

beforeAll(async () => {
  ({ admin } = service);
  family = await makeHousehold(admin);
});

/** Returns the current moment and moves the clock on. */
function nextMoment(): number {
  const now = service.clock.now();
  service.clock.advance(60_000);
  return now;
}

describe('the number of an instrument’s series', () => {
  const versionOf = async (instrumentId: string): Promise<number | undefined> =>
    (await withStore(service, (store) => store.seriesVersions.list([instrumentId as Id]))).get(instrumentId as Id);

  test.each(['shared', 'private'])(
    'of a %s instrument increases with every write that changes something',
    async (kind) => {
      const instrumentId = await makeSeriesInstrument(admin, kind === 'private' ? family.reportingEntity : undefined);
      const path = `/v1/instruments/${instrumentId}/prices`;
      const point = { date: '2026-01-05', value: '1' };
      const bulk = { data: [point, { ...point, date: '2026-01-06' }] };
      let id = '';
      const steps: [write: () => Promise<unknown>, expected: number | undefined][] = [
        [async () => {}, undefined],
        [() => admin.post(`${path}/bulk`, { data: [] }), undefined],
        [async () => (id = (await admin.post(path, point)).body.id), 1],
        [() => admin.post(path, point), 1],
        [() => admin.post(path, { ...point, value: 'x' }), 1],
        [() => admin.post(path, { ...point, value: '2' }), 2],
        [() => admin.post(`/v1/instruments/${instrumentId}/net-asset-values`, point), 3],
        [() => admin.post(`${path}/bulk`, bulk), 4],
        [() => admin.post(`${path}/bulk`, bulk), 4],
        [() => admin.delete(`/v1/prices/${id}`), 5],
        [() => admin.delete(`/v1/prices/${id}`), 5],
      ];
      for (const [write, expected] of steps) {
        await write();
        expect(await versionOf(instrumentId)).toBe(expected);
      }
    },
  );

  test('increases once more when the instrument is deleted, and never decreases', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    await admin.post(`/v1/instruments/${instrumentId}/prices`, { date: '2026-01-05', value: '1' });
    await admin.delete(`/v1/instruments/${instrumentId}`);
    expect(await versionOf(instrumentId)).toBe(2);
  });

  test('is locked until the write is committed: a reader of a number sees everything before it', async () => {
    const instrumentId = await makeSeriesInstrument(admin);
    const path = `/v1/instruments/${instrumentId}/prices`;
    const { id } = (await admin.post(path, { date: '2026-01-05', value: '1' })).body;
    const lockHolder = await LockHolder.open(service.database);
    await lockHolder.query('SELECT FROM series_ledger WHERE instrument_id = $1 FOR UPDATE', [instrumentId]);
    const writes = [
      admin.post(path, { date: '2026-01-06', value: '2' }),
      admin.delete(`/v1/prices/${id}`),
      admin.post(`${path}/bulk`, { data: [{ date: '2026-01-07', value: '3' }] }),
    ];
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await runOnServers(service.database, waiting)).length < writes.length);
    expect(await versionOf(instrumentId)).toBe(1);
    expect((await admin.get(path)).body.data).toHaveLength(1);
    await lockHolder.release();
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([201, 204, 200]);
    expect(await versionOf(instrumentId)).toBe(4);
  });
});

test('the number of the rates increases with every write that changes something', async () => {
  const version = (): Promise<number> => withStore(service, (store) => store.seriesVersions.getRatesVersion());
  const rate = { base: 'EUR', quote: 'CHF', date: '2026-01-05', rate: '0.9' };
  const put = (fields: object) => admin.post('/v1/fx-rates', fields);
  expect(await version()).toBe(0);
  const { id } = (await put(rate)).body;
  await put(rate);
  await put({ ...rate, rate: '-1' });
  expect(await version()).toBe(1);
  await put({ ...rate, rate: '0.91' });
  await admin.post('/v1/fx-rates/bulk', { data: [rate, { ...rate, date: '2026-01-06' }] });
  await admin.post('/v1/fx-rates/bulk', { data: [rate] });
  expect(await version()).toBe(3);
  await admin.delete(`/v1/fx-rates/${id}`);
  expect(await version()).toBe(4);
});

async function findKnownAt(resource: Resource, id: string, at: number): Promise<AnyRecord | undefined> {
  return (await withStore(service, (store) => store.recordVersions(resource).listKnownAt({ ids: [id as Id] }, at)))[0];
}

async function findVersion(resource: Resource, id: string): Promise<number | undefined> {
  return (await withStore(service, (store) => store.recordVersions(resource).listVersionNumbers([id as Id]))).get(
    id as Id,
  );
}

function findCurrent(resource: Resource, id: string): Promise<AnyRecord | undefined> {
  return withStore(service, (store) => store.table(resource).find(id));
}

describe('instruments', () => {
  test.each(instrumentTypeNames)('%s: an earlier state is read unchanged, to the last digit', async (type) => {
    const before = nextMoment();
    const id = await makeRecord(admin, 'instruments', { ...toSnakeCase(fullAttributes[type]!), type });
    const made = await findCurrent(instrument, id);
    const first = nextMoment();
    await admin.patch(`/v1/instruments/${id}`, { name: 'Renamed', tags: ['b', 'a'] });
    const changed = await findCurrent(instrument, id);
    const second = nextMoment();
    expect((await admin.delete(`/v1/instruments/${id}`)).status).toBe(204);
    const third = nextMoment();
    const then = [before, first, second, third].map((at) => findKnownAt(instrument, id, at));
    expect(await Promise.all(then)).toEqual([undefined, made, changed, undefined]);
    expect(changed).not.toEqual(made);
  });

  test('have a number that increases with each change, and with nothing else', async () => {
    const id = await makeSeriesInstrument(admin);
    expect(await findVersion(instrument, id)).toBe(1);
    await admin.patch(`/v1/instruments/${id}`, { price_unit: 'per 100' });
    expect(await findVersion(instrument, id)).toBe(2);
    await admin.patch(`/v1/instruments/${id}`, { price_unit: 'per 100' });
    await admin.post(`/v1/instruments/${id}/prices`, { date: '2026-01-05', value: '1' });
    expect(await findVersion(instrument, id)).toBe(2);
    await admin.delete(`/v1/instruments/${id}`);
    expect(await findVersion(instrument, id)).toBeUndefined();
  });

  test('changed twice within one millisecond have two states, and the later one is current', async () => {
    const id = await makeSeriesInstrument(admin);
    for (const unit of ['per 100', 'hundredths']) await admin.patch(`/v1/instruments/${id}`, { price_unit: unit });
    nextMoment();
    const later = await findKnownAt(instrument, id, service.clock.now());
    expect([await findVersion(instrument, id), later]).toEqual([3, await findCurrent(instrument, id)]);
  });

  test('changed by two callers at the same time have one state for each', async () => {
    const id = await makeSeriesInstrument(admin);
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => admin.patch(`/v1/instruments/${id}`, { name })));
    expect(await findVersion(instrument, id)).toBe(5);
    nextMoment();
    expect(await findKnownAt(instrument, id, service.clock.now())).toEqual(await findCurrent(instrument, id));
  });

  test('of another client are not visible', async () => {
    const other = await makeHousehold(admin, 'Bussard');
    const own = await makeSeriesInstrument(admin, other.reportingEntity);
    const shared = await makeSeriesInstrument(admin);
    const at = nextMoment();
    const seen = await withStore(
      service,
      (store) => store.recordVersions(instrument).listKnownAt({ ids: [own as Id, shared as Id] }, at),
      { kind: 'tree', clientId: family.client as Id },
    );
    expect(seen.map(({ id }) => id)).toEqual([shared]);
  });
});

describe('the structure of a client', () => {
  async function linksAt(table: string, household: Household, at: number): Promise<string[][]> {
    const listed = await withStore(service, (store) =>
      store.linkVersions.listKnownAt(table, household.client as Id, at),
    );
    return listed.map(({ one, other }) => [one, other]);
  }

  test('can be read as it was: flags, owners and links, from both ends, including deleted records', async () => {
    const ownHousehold = await makeHousehold(admin, 'Creutz');
    const [one, other] = (await makeAccounts(admin, ownHousehold, 2)) as [string, string];
    const [vault, safe] = (await makeDepositories(admin, ownHousehold, 2)) as [string, string];
    const empty = nextMoment();
    await admin.patch(`/v1/accounts/${one}`, { depository_ids: [vault, safe], exclude_from_reporting: true });
    const grouped = await makeRecord(admin, 'portfolios', {
      reporting_entity_id: ownHousehold.reportingEntity,
      account_ids: [one, other],
      depository_ids: [safe],
    });
    const joined = nextMoment();
    await admin.patch(`/v1/depositories/${safe}`, { account_ids: [other] });
    await admin.patch(`/v1/accounts/${one}`, { exclude_from_reporting: false });
    // Links are versioned separately from the records at their ends.
    expect([await findVersion(depository, safe), await findVersion(account, one)]).toEqual([1, 3]);
    const moved = nextMoment();
    await admin.delete(`/v1/accounts/${other}`);
    await admin.delete(`/v1/depositories/${safe}`);
    const shrunk = nextMoment();
    await admin.delete(`/v1/portfolios/${grouped}`);
    const ended = nextMoment();

    const at = [empty, joined, moved, shrunk, ended];
    const links = (table: string) => Promise.all(at.map((when) => linksAt(table, ownHousehold, when)));
    expect(await links('account_depository')).toEqual([
      [],
      [
        [one, vault],
        [one, safe],
      ].toSorted(),
      [
        [one, vault],
        [other, safe],
      ].toSorted(),
      [[one, vault]],
      [[one, vault]],
    ]);
    expect(await links('portfolio_account')).toEqual([
      [],
      [
        [grouped, one],
        [grouped, other],
      ],
      [
        [grouped, one],
        [grouped, other],
      ],
      [[grouped, one]],
      [],
    ]);
    expect(await links('portfolio_depository')).toEqual([[], [[grouped, safe]], [[grouped, safe]], [], []]);
    const excluded = await Promise.all(at.map((when) => findKnownAt(account, one, when)));
    expect(excluded.map((state) => state?.['excludeFromReporting'])).toEqual([false, true, false, false, false]);
    const ofClient = (resource: Resource, when: number) =>
      withStore(service, (store) =>
        store.recordVersions(resource).listKnownAt({ client: ownHousehold.client as Id }, when),
      );
    const idsAt = async (resource: Resource): Promise<string[][]> => {
      const lists = await Promise.all(at.map((when) => ofClient(resource, when)));
      return lists.map((records) => records.map(({ id }) => id as string));
    };
    expect(await idsAt(account)).toEqual([[one, other], [one, other], [one, other], [one], [one]]);
    expect(await idsAt(depository)).toEqual([[vault, safe], [vault, safe], [vault, safe], [vault], [vault]]);
    expect(await idsAt(portfolio)).toEqual([[], [grouped], [grouped], [grouped], []]);
    expect(await idsAt(reportingEntity)).toEqual(at.map(() => [ownHousehold.reportingEntity]));
    const [state] = await ofClient(portfolio, joined);
    expect(state).toMatchObject({ reportingEntity: ownHousehold.reportingEntity, client: ownHousehold.client });
  });

  test('is stored with its settings, but without names', async () => {
    const ownHousehold = await makeHousehold(admin, 'Drossel');
    const before = nextMoment();
    await admin.patch(`/v1/clients/${ownHousehold.client}`, { reference_currency: 'USD', name: 'Amsel' });
    const after = nextMoment();
    const states = [
      await findKnownAt(client, ownHousehold.client, before),
      await findKnownAt(client, ownHousehold.client, after),
    ];
    expect(states.map((state) => [state!['referenceCurrency'], state!['accountingMethod'], state!['name']])).toEqual([
      ['EUR', 'FIFO', null],
      ['USD', 'FIFO', null],
    ]);
    const rows = await runSql(
      service.database,
      `SELECT FROM record_version WHERE table_name <> 'instrument' AND state::text ~ 'Drossel'`,
    );
    expect(rows).toEqual([]);
    await admin.patch(`/v1/clients/${ownHousehold.client}`, { name: 'Meise' });
    expect(await findVersion(client, ownHousehold.client)).toBe(2);
  });

  test('ends with the deletion of the client, by any token that may delete it', async () => {
    const parent = await admin.makeClient('Elster');
    const child = await admin.makeClient('Fink', parent);
    const scoped = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: parent });
    const at = nextMoment();
    expect((await scoped.delete(`/v1/clients/${child}`)).status).toBe(204);
    const rows = await runSql(
      service.database,
      'SELECT known_until IS NULL AS known FROM record_version WHERE id = $1',
      [child],
    );
    expect(rows).toEqual([{ known: false }]);
    expect((await findKnownAt(client, child, at))!.id).toBe(child);
  });
});

describe('the classes', () => {
  test('of a new environment are known from its creation', async () => {
    const rows = await runSql<{ missing: string }>(
      service.database,
      `SELECT count(*) AS missing FROM instrument_class c WHERE NOT EXISTS (SELECT FROM record_version v
         WHERE v.workspace_id = c.workspace_id AND v.environment = c.environment AND v.table_name = 'instrument_class' AND v.id = c.id)`,
    );
    expect(rows).toEqual([{ missing: '0' }]);
  });

  test('can be read with their former names and parents', async () => {
    const [top, below] = [
      await makeRecord(admin, 'instrument-classes', { name: 'Boats' }),
      await makeRecord(admin, 'instrument-classes', { name: 'Yachts' }),
    ];
    const before = nextMoment();
    await admin.patch(`/v1/instrument-classes/${below}`, { parent_id: top, name: 'Sails', staleness_days: 3 });
    const after = nextMoment();
    const answers = [before, after].map(async (at) => {
      const state = await findKnownAt(instrumentClass, below, at);
      return [state!['name'], state!['parent'], state!['stalenessDays']];
    });
    expect(await Promise.all(answers)).toEqual([
      ['Yachts', null, 10],
      ['Sails', top, 3],
    ]);
  });
});
