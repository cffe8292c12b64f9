// What reports are told beside the wires: numbers that go up with every write of a series, of rates and of things that figures are made
// of, and all of these as they were known at an earlier moment.

import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
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
import { samples, typeNames, flat } from '../../setup/instruments/instrument-document.ts';
import { inStore } from '../../setup/limits/dirty-flags.ts';
import { makeBearer } from '../../setup/instruments/series-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import {
  make,
  makeAccounts,
  makeDepositories,
  makeHousehold,
  type Household,
} from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let family: Household;

beforeAll(async () => {
  ({ admin } = service);
  family = await makeHousehold(admin);
});

/** The moment, after which the clock goes on. */
function moment(): number {
  const now = service.clock.now();
  service.clock.advance(60_000);
  return now;
}

describe('the number of an instrument’s series', () => {
  const versionOf = async (bearer: string): Promise<number | undefined> =>
    (await inStore(service, (store) => store.seriesNumbers.list([bearer as Id]))).get(bearer as Id);

  test.each(['shared', 'private'])('of a %s one goes up with every write that says something new', async (kind) => {
    const bearer = await makeBearer(admin, kind === 'private' ? family.reportingEntity : undefined);
    const path = `/v1/instruments/${bearer}/prices`;
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
      [() => admin.post(`/v1/instruments/${bearer}/net-asset-values`, point), 3],
      [() => admin.post(`${path}/bulk`, bulk), 4],
      [() => admin.post(`${path}/bulk`, bulk), 4],
      [() => admin.delete(`/v1/prices/${id}`), 5],
      [() => admin.delete(`/v1/prices/${id}`), 5],
    ];
    for (const [write, expected] of steps) {
      await write();
      expect(await versionOf(bearer)).toBe(expected);
    }
  });

  test('goes up once more when the instrument goes, and never down', async () => {
    const bearer = await makeBearer(admin);
    await admin.post(`/v1/instruments/${bearer}/prices`, { date: '2026-01-05', value: '1' });
    await admin.delete(`/v1/instruments/${bearer}`);
    expect(await versionOf(bearer)).toBe(2);
  });

  test('is held until the write is over: who sees it has seen all before it', async () => {
    const bearer = await makeBearer(admin);
    const path = `/v1/instruments/${bearer}/prices`;
    const { id } = (await admin.post(path, { date: '2026-01-05', value: '1' })).body;
    const gate = new pg.Client({ connectionString: service.database.url });
    await gate.connect();
    onTestFinished(() => gate.end());
    await gate.query('BEGIN');
    await gate.query('SELECT FROM series_ledger WHERE instrument_id = $1 FOR UPDATE', [bearer]);
    const writes = [
      admin.post(path, { date: '2026-01-06', value: '2' }),
      admin.delete(`/v1/prices/${id}`),
      admin.post(`${path}/bulk`, { data: [{ date: '2026-01-07', value: '3' }] }),
    ];
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await runSql(service.database, waiting)).length < writes.length);
    expect(await versionOf(bearer)).toBe(1);
    expect((await admin.get(path)).body.data).toHaveLength(1);
    await gate.query('COMMIT');
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([201, 204, 200]);
    expect(await versionOf(bearer)).toBe(4);
  });
});

test('the number of the rates goes up with every write that says something new', async () => {
  const version = (): Promise<number> => inStore(service, (store) => store.seriesNumbers.versionOfRates());
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

async function knownAt(resource: Resource, id: string, at: number): Promise<AnyRecord | undefined> {
  return (await inStore(service, (store) => store.thingVersions(resource).listKnownAt({ ids: [id as Id] }, at)))[0];
}

async function numberOf(resource: Resource, id: string): Promise<number | undefined> {
  return (await inStore(service, (store) => store.thingVersions(resource).listNumbers([id as Id]))).get(id as Id);
}

function present(resource: Resource, id: string): Promise<AnyRecord | undefined> {
  return inStore(service, (store) => store.table(resource).find(id));
}

describe('instruments', () => {
  test.each(typeNames)('%s: as it was known it is what it was, to the last digit', async (type) => {
    const before = moment();
    const id = await make(admin, 'instruments', { ...flat(samples[type]!), type });
    const made = await present(instrument, id);
    const first = moment();
    await admin.patch(`/v1/instruments/${id}`, { name: 'Renamed', tags: ['b', 'a'] });
    const changed = await present(instrument, id);
    const second = moment();
    expect((await admin.delete(`/v1/instruments/${id}`)).status).toBe(204);
    const third = moment();
    const then = [before, first, second, third].map((at) => knownAt(instrument, id, at));
    expect(await Promise.all(then)).toEqual([undefined, made, changed, undefined]);
    expect(changed).not.toEqual(made);
  });

  test('have a number that goes up with each change, and with nothing else', async () => {
    const id = await makeBearer(admin);
    expect(await numberOf(instrument, id)).toBe(1);
    await admin.patch(`/v1/instruments/${id}`, { price_unit: 'per 100' });
    expect(await numberOf(instrument, id)).toBe(2);
    await admin.patch(`/v1/instruments/${id}`, { price_unit: 'per 100' });
    await admin.post(`/v1/instruments/${id}/prices`, { date: '2026-01-05', value: '1' });
    expect(await numberOf(instrument, id)).toBe(2);
    await admin.delete(`/v1/instruments/${id}`);
    expect(await numberOf(instrument, id)).toBeUndefined();
  });

  test('changed twice within one moment have two states, and the later is known', async () => {
    const id = await makeBearer(admin);
    for (const unit of ['per 100', 'hundredths']) await admin.patch(`/v1/instruments/${id}`, { price_unit: unit });
    moment();
    const later = await knownAt(instrument, id, service.clock.now());
    expect([await numberOf(instrument, id), later]).toEqual([3, await present(instrument, id)]);
  });

  test('changed by two at once have one state for each', async () => {
    const id = await makeBearer(admin);
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => admin.patch(`/v1/instruments/${id}`, { name })));
    expect(await numberOf(instrument, id)).toBe(5);
    moment();
    expect(await knownAt(instrument, id, service.clock.now())).toEqual(await present(instrument, id));
  });

  test('of another client are not there', async () => {
    const other = await makeHousehold(admin, 'Bussard');
    const own = await makeBearer(admin, other.reportingEntity);
    const shared = await makeBearer(admin);
    const at = moment();
    const seen = await inStore(
      service,
      (store) => store.thingVersions(instrument).listKnownAt({ ids: [own as Id, shared as Id] }, at),
      { kind: 'tree', clientId: family.client as Id },
    );
    expect(seen.map(({ id }) => id)).toEqual([shared]);
  });
});

describe('the structure of a client', () => {
  async function linksAt(table: string, household: Household, at: number): Promise<string[][]> {
    const listed = await inStore(service, (store) => store.linkVersions.listKnownAt(table, household.client as Id, at));
    return listed.map(({ one, other }) => [one, other]);
  }

  test('is known as it was: flags, owners and links, from either end, and with what is gone', async () => {
    const home = await makeHousehold(admin, 'Creutz');
    const [one, other] = (await makeAccounts(admin, home, 2)) as [string, string];
    const [vault, safe] = (await makeDepositories(admin, home, 2)) as [string, string];
    const empty = moment();
    await admin.patch(`/v1/accounts/${one}`, { depository_ids: [vault, safe], exclude_from_reporting: true });
    const grouped = await make(admin, 'portfolios', {
      reporting_entity_id: home.reportingEntity,
      account_ids: [one, other],
      depository_ids: [safe],
    });
    const joined = moment();
    await admin.patch(`/v1/depositories/${safe}`, { account_ids: [other] });
    await admin.patch(`/v1/accounts/${one}`, { exclude_from_reporting: false });
    // Links are kept apart from the states of their ends.
    expect([await numberOf(depository, safe), await numberOf(account, one)]).toEqual([1, 3]);
    const moved = moment();
    await admin.delete(`/v1/accounts/${other}`);
    await admin.delete(`/v1/depositories/${safe}`);
    const shrunk = moment();
    await admin.delete(`/v1/portfolios/${grouped}`);
    const ended = moment();

    const at = [empty, joined, moved, shrunk, ended];
    const links = (table: string) => Promise.all(at.map((when) => linksAt(table, home, when)));
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
    const excluded = await Promise.all(at.map((when) => knownAt(account, one, when)));
    expect(excluded.map((state) => state?.['excludeFromReporting'])).toEqual([false, true, false, false, false]);
    const ofClient = (resource: Resource, when: number) =>
      inStore(service, (store) => store.thingVersions(resource).listKnownAt({ client: home.client as Id }, when));
    const idsAt = async (resource: Resource): Promise<string[][]> => {
      const lists = await Promise.all(at.map((when) => ofClient(resource, when)));
      return lists.map((things) => things.map(({ id }) => id as string));
    };
    expect(await idsAt(account)).toEqual([[one, other], [one, other], [one, other], [one], [one]]);
    expect(await idsAt(depository)).toEqual([[vault, safe], [vault, safe], [vault, safe], [vault], [vault]]);
    expect(await idsAt(portfolio)).toEqual([[], [grouped], [grouped], [grouped], []]);
    expect(await idsAt(reportingEntity)).toEqual(at.map(() => [home.reportingEntity]));
    const [state] = await ofClient(portfolio, joined);
    expect(state).toMatchObject({ reportingEntity: home.reportingEntity, client: home.client });
  });

  test('and its settings are kept, and no name is', async () => {
    const home = await makeHousehold(admin, 'Drossel');
    const before = moment();
    await admin.patch(`/v1/clients/${home.client}`, { reference_currency: 'USD', name: 'Amsel' });
    const after = moment();
    const states = [await knownAt(client, home.client, before), await knownAt(client, home.client, after)];
    expect(states.map((state) => [state!['referenceCurrency'], state!['accountingMethod'], state!['name']])).toEqual([
      ['EUR', 'FIFO', null],
      ['USD', 'FIFO', null],
    ]);
    const rows = await runSql(
      service.database,
      `SELECT FROM thing_version WHERE table_name <> 'instrument' AND state::text ~ 'Drossel'`,
    );
    expect(rows).toEqual([]);
    await admin.patch(`/v1/clients/${home.client}`, { name: 'Meise' });
    expect(await numberOf(client, home.client)).toBe(2);
  });

  test('ends with the client, whoever deletes it', async () => {
    const parent = await admin.makeClient('Elster');
    const child = await admin.makeClient('Fink', parent);
    const scoped = await admin.become({ rights: ['read', 'write'], scoped_to: parent });
    const at = moment();
    expect((await scoped.delete(`/v1/clients/${child}`)).status).toBe(204);
    const rows = await runSql(
      service.database,
      'SELECT known_until IS NULL AS known FROM thing_version WHERE id = $1',
      [child],
    );
    expect(rows).toEqual([{ known: false }]);
    expect((await knownAt(client, child, at))!.id).toBe(child);
  });
});

describe('the classes', () => {
  test('that an environment begins with are known from the beginning', async () => {
    const rows = await runSql<{ missing: string }>(
      service.database,
      `SELECT count(*) AS missing FROM instrument_class c WHERE NOT EXISTS (SELECT FROM thing_version v
         WHERE v.workspace_id = c.workspace_id AND v.environment = c.environment AND v.table_name = 'instrument_class' AND v.id = c.id)`,
    );
    expect(rows).toEqual([{ missing: '0' }]);
  });

  test('are known by their names and parents as these were', async () => {
    const [top, below] = [
      await make(admin, 'instrument-classes', { name: 'Boats' }),
      await make(admin, 'instrument-classes', { name: 'Yachts' }),
    ];
    const before = moment();
    await admin.patch(`/v1/instrument-classes/${below}`, { parent_id: top, name: 'Sails', staleness_days: 3 });
    const after = moment();
    const told = [before, after].map(async (at) => {
      const state = await knownAt(instrumentClass, below, at);
      return [state!['name'], state!['parent'], state!['stalenessDays']];
    });
    expect(await Promise.all(told)).toEqual([
      ['Yachts', null, 10],
      ['Sails', top, 3],
    ]);
  });
});
