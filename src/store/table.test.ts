// The first wall between tenants proven alone: the conditions in the store's own statements, without row-level security.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDatabase, type TestDatabase } from '../../tests/setup/service.ts';
import {
  allRows,
  isOf,
  layOutTenants,
  listRows,
  reachOf,
  tenants,
  type Row,
  type Tenant,
} from '../../tests/setup/tenants.ts';
import { snakeCase, type Resource } from '../kit/resource.ts';
import { client } from '../model/client.ts';
import type { Reach } from '../model/reach.ts';
import { operations } from '../surfaces/operations.ts';
import { Database } from './database.ts';
import { sql } from './statement.ts';
import { Store } from './store.ts';

const [here, sandbox] = tenants as [Tenant, Tenant];

class Undone extends Error {}

describe("the store's wall alone, as a superuser without row-level security", () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let open: Database;

  beforeAll(async () => {
    database = await makeDatabase();
    const connection = { connectionString: database.url };
    admin = new pg.Client(connection);
    await admin.connect();
    await layOutTenants(admin);
    open = new Database({ connection, poolSize: 2, statements: 'named', walls: 'store-only' });
  });

  afterAll(async () => {
    await open.close();
    await admin.end();
    await database.drop();
  });

  test('no other wall stands: raw SQL sees everybody', async () => {
    const { count } = await open.read(reachOf(here), sql('everybody', 'SELECT FROM client'), []);
    expect(count).toBe((await listRows(admin, 'client')).length);
  });

  const { root, child } = here.clients;
  const reaches: { what: string; reach: Reach; sees: (owner: unknown) => boolean }[] = [
    { what: 'all of production', reach: reachOf(here), sees: () => true },
    {
      what: 'a client and its descendants',
      reach: reachOf(here, { kind: 'tree', clientId: root }),
      sees: (owner) => owner === root || owner === child,
    },
    { what: 'one client', reach: reachOf(here, { kind: 'only', clientId: root }), sees: (owner) => owner === root },
    {
      what: 'a client that is elsewhere',
      reach: reachOf(here, { kind: 'tree', clientId: sandbox.clients.root }),
      sees: () => false,
    },
  ];
  const served = operations.map(({ resource }) => resource).filter((one): one is Resource => one !== undefined);
  const cases = reaches.flatMap((each) =>
    [...new Set(served)].map((resource) => ({ ...each, type: resource.type, resource })),
  );

  function isRowOf({ only = {} }: Resource, row: Row): boolean {
    return Object.entries(only).every(([column, words]) => words.includes(String(row[column])));
  }

  function ownerOf({ owner }: Resource, row: Row): unknown {
    if (owner === 'workspace') return null;
    return owner === 'self' ? row['id'] : row[`${snakeCase(owner.relation)}_id`];
  }

  test.each(cases)('for $what, $type has its rows and no other', async ({ resource, reach, sees }) => {
    const before = await listRows(admin, resource.table);
    const own = before.filter(
      (row) =>
        isOf(here, row) && isRowOf(resource, row) && (resource.owner === 'workspace' || sees(ownerOf(resource, row))),
    );
    const ids = own.map((row) => String(row['id'])).toSorted();
    const strangers = [...new Set(before.map((row) => String(row['id'])))].filter((id) => !ids.includes(id));
    expect(strangers.length).toBeGreaterThan(0);
    const worked = open.write(reach, async (run) => {
      const table = new Store({ reach, run, view: 'json-api' }).table<Resource>(resource);
      expect((await table.list({ limit: 1_000 })).map(({ id }) => String(id))).toEqual(ids);
      expect(await table.count()).toBe(own.length);
      for (const id of strangers) {
        const met = [await table.find(id), await table.lock(id, 'to-change'), await table.lock(id, 'to-delete')];
        expect(met).toEqual([undefined, undefined, undefined]);
      }
      expect((await table.hold([...strangers, ...ids])).map(({ id }) => String(id))).toEqual(ids);
      const change = { [resource.type === 'audit-entry' ? 'requestId' : 'name']: 'changed' };
      for (const id of [...strangers, ...ids]) await table.update(id, change);
      for (const id of [...strangers, ...(resource.type === 'client' ? [] : ids)]) await table.delete(id);
      const { rows } = await run(sql<{ row: Row }>(`all/${resource.table}`, allRows(resource.table)), []);
      const untouched = before.filter((row) => !own.includes(row));
      expect(rows.map(({ row }) => row).filter((row) => Object.values(row).includes('changed')).length).toBe(
        resource.type === 'client' ? own.length : 0,
      );
      expect(rows.map(({ row }) => row).filter((row) => !Object.values(row).includes('changed'))).toEqual(untouched);
      throw new Undone();
    });
    await expect(worked).rejects.toThrow(Undone);
  });

  test('the other ends of relations are those of the same workspace', async () => {
    const reach = reachOf(here);
    const found = await open.write(reach, (run) =>
      new Store({ reach, run, view: 'json-api' }).table(client).find(root),
    );
    expect(found).toMatchObject({ children: [child], legalEntities: [here.id(11)], reportingEntities: [here.id(11)] });
  });

  test('the hierarchy of a stranger is not there to be followed or moved', async () => {
    const before = await listRows(admin, 'client');
    await open.write(reachOf(here), async (run) => {
      const { clientTree } = new Store({ reach: reachOf(here), run, view: null });
      expect(await clientTree.findPath(child)).toEqual([root, child]);
      expect(await clientTree.findPath(sandbox.clients.child)).toBeUndefined();
      await clientTree.move(child, [root, child]);
      await clientTree.move(sandbox.clients.child, [sandbox.clients.child]);
    });
    expect(await listRows(admin, 'client')).toEqual(before);
  });

  test('what keeps a thing from being deleted is counted in its own workspace alone', async () => {
    const reach = reachOf(here);
    const remaining = await open.write(reach, (run) =>
      new Store({ reach, run, view: null }).table(client).listRemaining(root, client.kept.by),
    );
    expect(remaining.map(({ several, count }) => [several, count])).toEqual([
      ['clients', 1],
      ['legal entities', 1],
      ['reporting entities', 1],
      ['applications and keys', 1],
    ]);
  });
});
