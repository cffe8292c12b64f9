// Tests that the store's tenant filter alone, without row-level security, limits a person's memberships to the clients of the scope.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import {
  insertTenants,
  listRows,
  scopeOf,
  tenants,
  recordsOf,
  type TestTenant,
} from '../../../tests/setup/database/tenants.ts';
import type { Scope, VisibleClients } from '../../model/access/scope.ts';
import { Database } from '../postgres/database.ts';
import { People } from './people.ts';
import { sql } from '../postgres/statement.ts';

const [here, sandbox] = tenants as [TestTenant, TestTenant];
const { root, child, other } = here.clients;
/** A member of each client, and one of all three. */
const [ofRoot, ofChild, ofOther, ofAll] = [here.id(191), here.id(192), here.id(193), here.id(194)];

class Undone extends Error {}

let database: TestDatabase;
let admin: pg.Client;
let open: Database;

beforeAll(async () => {
  database = await makeDatabase();
  const connection = { connectionString: database.url };
  admin = new pg.Client(connection);
  await admin.connect();
  await insertTenants(admin);
  const tenant = `'${here.workspaceId}', '${here.environment}'`;
  const memberships = [root, child, other].map(
    (client) =>
      `(${tenant}, '${client}', '${ofAll}', 'All', '', 'viewer', now(), now(), NULL, 'all@x.example', 'all@x.example')`,
  );
  const grants = (['root', 'child', 'other'] as const).map(
    (name) => `(${tenant}, '${here.clients[name]}', '${ofAll}', '${recordsOf(here, name).reportingEntity}')`,
  );
  await admin.query(`INSERT INTO person VALUES (${tenant}, '${ofAll}', 'all@x.example', 'all@x.example', now());
    INSERT INTO membership VALUES ${memberships.join()}; INSERT INTO read_grant VALUES ${grants.join()}`);
  open = new Database({ connection, poolSize: 2, statements: 'named', tenantFilters: 'store-only' });
});

afterAll(async () => {
  await open.close();
  await admin.end();
  await database.drop();
});

async function tryOut(scope: Scope, task: (people: People) => Promise<void>): Promise<void> {
  const worked = open.write(scope, async (run) => {
    await task(new People({ scope, run }));
    throw new Undone();
  });
  await expect(worked).rejects.toThrow(Undone);
}

const everybody = [ofRoot, ofChild, ofOther, ofAll];
const scopes = [
  { what: 'all of production', reach: scopeOf(here), clients: [root, child, other], people: everybody },
  {
    what: 'a client and its descendants',
    reach: scopeOf(here, { kind: 'tree', clientId: root }),
    clients: [root, child],
    people: [ofRoot, ofChild, ofAll],
  },
  {
    what: 'one client',
    reach: scopeOf(here, { kind: 'only', clientId: child }),
    clients: [child],
    people: [ofChild, ofAll],
  },
  {
    what: 'a person',
    reach: scopeOf(here, {
      kind: 'some',
      clientIds: [root, other],
      reportingEntityIds: [recordsOf(here, 'other').reportingEntity],
    }),
    clients: [root, other],
    people: [ofRoot, ofOther, ofAll],
  },
  {
    what: 'a client that is elsewhere',
    reach: scopeOf(here, { kind: 'tree', clientId: sandbox.clients.root }),
    clients: [],
    people: [],
  },
] as const;

describe.each(scopes)('for $what', ({ reach: scope, clients, people: seen }) => {
  const unseen = everybody.filter((id) => !(seen as readonly string[]).includes(id));

  test('people are found through the memberships of these clients, and no others', async () => {
    await tryOut(scope, async (people) => {
      const listed = await people.list({ limit: 100 });
      expect(listed.map(({ id }) => id).toSorted()).toEqual(seen.toSorted());
      expect(await people.count()).toBe(seen.length);
      for (const id of unseen)
        expect([await people.find(id), await people.lock(id, 'to-delete')]).toEqual([undefined, undefined]);
      const whole = listed.find(({ id }) => id === ofAll);
      expect((whole?.visibleMemberships ?? []).map(({ clientId }) => clientId)).toEqual(clients);
      for (const client of [root, child, other]) {
        const byClient = await people.list({ where: { client }, limit: 100 });
        const isSeen = (clients as readonly string[]).includes(client);
        expect(byClient.some(({ id }) => id === ofAll)).toBe(isSeen);
      }
    });
  });

  test('a change and a deletion affect only these memberships', async () => {
    const before = await listRows(admin, 'membership');
    await tryOut(scope, async (people) => {
      for (const id of unseen)
        await expect(people.update(id, { firstName: 'Changed' })).rejects.toThrow('moved out of the visible clients');
      for (const id of unseen) await expect(people.delete(id)).rejects.toThrow('moved out of the visible clients');
      for (const id of seen) {
        const changed = await people.update(id, { firstName: 'Changed', readAccessToReportingEntities: [] });
        expect(new Set(changed.visibleMemberships.map(({ firstName }) => firstName))).toEqual(new Set(['Changed']));
        await people.delete(id);
        expect(await people.find(id)).toBeUndefined();
      }
    });
    expect(await listRows(admin, 'membership')).toEqual(before);
  });
});

test.each<[what: string, visible: VisibleClients, grants: (readonly string[])[]]>([
  ['everything', { kind: 'all' }, [['root'], ['child'], ['other']]],
  ['a client and its descendants', { kind: 'tree', clientId: root }, [['root'], ['child']]],
  ['one client', { kind: 'only', clientId: child }, [['child']]],
])('each membership has the grants of its own client, where %s is visible', async (_what, visible, grants) => {
  await tryOut(scopeOf(here, visible), async (people) => {
    const found = await people.find(ofAll);
    const entities = grants.map((names) => names.map((name) => recordsOf(here, name as 'root').reportingEntity));
    expect(found?.visibleMemberships.map(({ reportingEntityIds }) => reportingEntityIds)).toEqual(entities);
  });
});

test('a person deleted at two clients stays at the third with the grant, and is deleted with the last', async () => {
  const left = sql<{ client: string }>(
    'left',
    `SELECT client_id AS client FROM read_grant WHERE person_id = '${ofAll}'`,
  );
  const person = sql('person left', `SELECT FROM person WHERE id = '${ofAll}'`);
  const scoped = scopeOf(here, { kind: 'tree', clientId: root });
  const worked = open.write(scoped, async (run) => {
    await new People({ scope: scoped, run }).delete(ofAll);
    expect((await run(left, [])).rows).toEqual([{ client: other }]);
    expect((await run(person, [])).count).toBe(1);
    await new People({ scope: scopeOf(here), run }).delete(ofAll);
    expect((await run(person, [])).count).toBe(0);
    throw new Undone();
  });
  await expect(worked).rejects.toThrow(Undone);
});
