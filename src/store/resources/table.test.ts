// Tests that the store's tenant filter alone, without row-level security, separates tenants. Also tests row locks and writing links.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import {
  selectAllRows,
  belongsTo,
  insertTenants,
  listRows,
  scopeOf,
  tenants,
  recordsOf,
  type StoredRow,
  type TestTenant,
} from '../../../tests/setup/database/tenants.ts';
import type { FieldSelection } from '../../kit/field-selection.ts';
import type { Id } from '../../kit/id.ts';
import { snakeCase, type AnyChange, type AnyRecord, type Resource } from '../../kit/resource.ts';
import { account } from '../../model/structure/account.ts';
import { client } from '../../model/structure/client.ts';
import { depository } from '../../model/structure/depository.ts';
import { portfolio } from '../../model/structure/portfolio.ts';
import type { Scope } from '../../model/access/scope.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { operations } from '../../surfaces/operations.ts';
import { Database } from '../postgres/database.ts';
import { sql } from '../postgres/statement.ts';
import { Store } from '../store.ts';
import type { Table } from './table.ts';

const [here, sandbox] = tenants as [TestTenant, TestTenant];
const { root, child } = here.clients;
const own = recordsOf(here, 'root');
const others = recordsOf(here, 'other');

class Undone extends Error {}

let database: TestDatabase;
const allFields: FieldSelection = { includes: () => true, withRelatedTypes: true };

let admin: pg.Client;
let open: Database;

beforeAll(async () => {
  database = await makeDatabase();
  const connection = { connectionString: database.url };
  admin = new pg.Client(connection);
  await admin.connect();
  await insertTenants(admin);
  open = new Database({ connection, poolSize: 2, statements: 'named', tenantFilters: 'store-only' });
});

afterAll(async () => {
  await open.close();
  await admin.end();
  await database.drop();
});

/** Runs the task and rolls it back. */
async function tryOut(scope: Scope, task: (store: Store) => Promise<void>): Promise<void> {
  const worked = open.write(scope, async (run) => {
    await task(new Store({ scope, run, fields: allFields }));
    throw new Undone();
  });
  await worked.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
}

/** Reads the rows of all tenants within the transaction. */
async function rowsNow({ run }: Store, table: string): Promise<StoredRow[]> {
  const { rows } = await run(sql<{ row: StoredRow }>(`all/${table}`, selectAllRows(table)), []);
  // Converts our numbers, which keep all digits, to the doubles that the administrator's driver returns.
  return rows.map(({ row }) => JSON.parse(JSON.stringify(row)));
}

const scopes: { what: string; scope: Scope; sees: (owner: unknown) => boolean }[] = [
  { what: 'all of production', scope: scopeOf(here), sees: () => true },
  {
    what: 'a client and its descendants',
    scope: scopeOf(here, { kind: 'tree', clientId: root }),
    sees: (owner) => owner === root || owner === child,
  },
  {
    what: 'a client and its very many descendants',
    scope: scopeOf(here, { kind: 'wide-tree', clientId: root }),
    sees: (owner) => owner === root || owner === child,
  },
  { what: 'one client', scope: scopeOf(here, { kind: 'only', clientId: root }), sees: (owner) => owner === root },
  {
    what: 'a person',
    scope: scopeOf(here, { kind: 'some', clientIds: [root], reportingEntityIds: [own.reportingEntity] }),
    sees: (owner) => owner === root,
  },
  {
    what: 'a client of another environment',
    scope: scopeOf(here, { kind: 'tree', clientId: sandbox.clients.root }),
    sees: () => false,
  },
];

describe("the store's tenant filter alone, as a superuser without row-level security", () => {
  const served = operations.map(({ resource }) => resource).filter((one): one is Resource => one !== undefined);
  /** Transactions, people and administrators have separate stores. */
  const separateStores = ['transaction', 'person', 'workspace_administrator'];
  const resources = [...new Set(served)].filter(({ table }) => !separateStores.includes(table));
  const cases = scopes.flatMap((each) => resources.map((resource) => ({ ...each, type: resource.type, resource })));

  /** The attribute to change in resources without a name. */
  const textOf: Readonly<Record<string, string>> = {
    'audit-entry': 'requestId',
    authority: 'consentType',
    'auth-flow': 'consentType',
    import: 'fileName',
    invite: 'email',
    'limit-breach': 'round',
    'calculation-round': 'ledgerVersion',
    'reconciliation-break': 'note',
    'feed-run': 'errorDetail',
    'sandbox-client': 'persona',
    'identifier-mapping': 'value',
    webhook: 'url',
    event: 'type',
    delivery: 'order_key',
  };

  /** Tables whose rows refer to other records and would block their deletion. */
  const dependentTables = [
    'historical_holding',
    'stated_holding',
    'transaction',
    'series_point',
    'series_ledger',
    'limit_state',
    'delivery',
  ];

  function isRowOf({ only = {} }: Resource, row: StoredRow): boolean {
    return Object.entries(only).every(([column, words]) => words.includes(String(row[column])));
  }

  function ownerOf({ owner }: Resource, row: StoredRow): unknown {
    if (owner === 'workspace') return null;
    return owner === 'self' ? row['id'] : row[`${snakeCase(owner.relation)}_id`];
  }

  function isShared({ owner }: Resource): boolean {
    return typeof owner === 'object' && owner.shared === true;
  }

  test('nothing else filters: raw SQL sees all tenants', async () => {
    const { count } = await open.read(scopeOf(here), sql('everybody', 'SELECT FROM client'), []);
    expect(count).toBe((await listRows(admin, 'client')).length);
  });

  test.each(cases)('for $what, only its own rows of $type are visible', async ({ resource, scope, sees }) => {
    const before = await listRows(admin, resource.table);
    const rows = before.filter((row) => belongsTo(here, row) && isRowOf(resource, row));
    const isOfAll = (row: StoredRow): boolean => isShared(resource) && ownerOf(resource, row) === null;
    const isSeen = (row: StoredRow): boolean => resource.owner === 'workspace' || sees(ownerOf(resource, row));
    const seen = rows.filter((row) => isOfAll(row) || isSeen(row));
    const changeable = seen.filter(isSeen);
    const locked = seen.map((row) => ({ id: String(row['id']), client: ownerOf(resource, row) }));
    const ids = locked.map(({ id }) => id);
    const strangers = [...new Set(before.map((row) => String(row['id'])))].filter((id) => !ids.includes(id));
    expect(strangers.length).toBeGreaterThan(0);
    await tryOut(scope, async (store) => {
      const table = store.table<Resource>(resource);
      const listed = await table.list({ limit: 1_000 });
      expect(listed.map(({ id }) => String(id))).toEqual(ids);
      expect(await table.count()).toBe(seen.length);
      for (const id of [...strangers, ...ids]) {
        const met = [await table.find(id), await table.lock(id, 'to-change'), await table.lock(id, 'to-delete')];
        const one = listed.find((each) => each.id === id);
        expect(met).toEqual([one, one, one]);
      }
      expect(await table.lockReferenced([...strangers, ...ids])).toEqual(locked);
      if (resource.versions) return;
      const change = { [textOf[resource.type] ?? 'name']: 'changed' };
      const own = changeable.map((row) => String(row['id']));
      const others = [...strangers, ...ids].filter((id) => !own.includes(id));
      for (const id of own) await table.update(id, change);
      for (const id of others)
        await expect(table.update(id, change)).rejects.toThrow('moved out of the visible clients');
      const isChanged = (row: StoredRow): boolean => Object.values(row).includes('changed');
      const untouched = before.filter((row) => !changeable.includes(row));
      const updated = await rowsNow(store, resource.table);
      expect(updated.filter(isChanged).length).toBe(changeable.length);
      expect(updated.filter((row) => !isChanged(row))).toEqual(untouched);
      const isKept = resource.table === client.table;
      const deleteBlockers = isKept
        ? []
        : (resource.deletion?.blockedBy ?? [])
            .map(({ table: deleteBlocker }) => deleteBlocker)
            .filter((deleteBlocker) => deleteBlocker !== resource.table);
      const below = isKept ? [] : dependentTables.filter((deleteBlocker) => deleteBlocker !== resource.table);
      for (const deleteBlocker of [...below, ...deleteBlockers])
        await store.run(sql(deleteBlocker, `DELETE FROM ${deleteBlocker}`), []);
      for (const id of isKept ? [] : own) await table.delete(id);
      for (const id of others) await expect(table.delete(id)).rejects.toThrow('moved out of the visible clients');
      expect(await rowsNow(store, resource.table)).toEqual(isKept ? updated : untouched);
    });
  });

  test('a person sees the reporting entities that they may read, and the records private to these', async () => {
    const ofReportingEntities = resources.filter(
      ({ type, relations }) => type === 'reporting-entity' || relations['reportingEntity'] !== undefined,
    );
    expect(ofReportingEntities.map(({ type }) => type).toSorted()).toEqual([
      'instrument',
      'limit',
      'limit-breach',
      'portfolio',
      'reporting-entity',
    ]);
    const some = { kind: 'some', clientIds: [root, child] } as const;
    for (const resource of ofReportingEntities) {
      const entitiesSeen = async (reportingEntityIds: readonly Id[]): Promise<unknown[]> => {
        let seen: AnyRecord[] = [];
        await tryOut(scopeOf(here, { ...some, reportingEntityIds }), async (store) => {
          seen = await store.table<Resource>(resource).list({ limit: 1_000 });
        });
        return seen.map((one) => (resource.type === 'reporting-entity' ? one.id : one['reportingEntity']));
      };
      const rows = (await listRows(admin, resource.table)).filter(
        (row) => belongsTo(here, row) && isRowOf(resource, row),
      );
      const column = resource.type === 'reporting-entity' ? 'id' : 'reporting_entity_id';
      const ofClients = rows.filter(
        (row) => row['client_id'] === null || row['client_id'] === root || row['client_id'] === child,
      );
      const those = (...ids: unknown[]) =>
        ofClients.map((row) => row[column]).filter((id) => id === null || ids.includes(id));
      expect([resource.type, await entitiesSeen([])]).toEqual([resource.type, those()]);
      expect([resource.type, await entitiesSeen([own.reportingEntity])]).toEqual([
        resource.type,
        those(own.reportingEntity),
      ]);
    }
  });

  const kept = cases.filter(({ resource }) => resource.versions);

  test.each(kept)('for $what, only its own versions of $type can be closed', async ({ resource, scope, sees }) => {
    const before = await listRows(admin, resource.table);
    const isOwn = (row: StoredRow): boolean =>
      belongsTo(here, row) && isRowOf(resource, row) && sees(ownerOf(resource, row));
    await tryOut(scope, async (store) => {
      const close = (row: StoredRow): Promise<void> =>
        store.versionedTable(resource).close(String(row['id']), Date.now());
      const ids = new Set(before.filter(isOwn).map((row) => row['id']));
      for (const row of before.filter(isOwn)) await close(row);
      for (const row of before.filter(({ id }) => !ids.has(id)))
        await expect(close(row)).rejects.toThrow('moved out of the visible clients');
      const open = (await rowsNow(store, resource.table)).filter((row) => row['known_until'] === null);
      expect(open).toEqual(before.filter((row) => !isOwn(row)));
    });
  });

  test('relations refer to records of the same workspace', async () => {
    const ends: [Resource, Id, object][] = [
      [client, root, { children: [child], legalEntities: [own.legalEntity], reportingEntities: [own.reportingEntity] }],
      [reportingEntity, own.reportingEntity, { portfolios: [own.portfolio] }],
      [account, own.account, { depositories: [own.depository] }],
      [depository, own.depository, { accounts: [own.account] }],
      [portfolio, own.portfolio, { accounts: [own.account], depositories: [own.depository] }],
    ];
    await tryOut(scopeOf(here), async (store) => {
      for (const [resource, id, found] of ends) expect(await store.table(resource).find(id)).toMatchObject(found);
    });
  });

  test('an account shows the custodian of its own workspace', async () => {
    const scope = scopeOf(here);
    const read = open.write(scope, (run) =>
      new Store({ scope, run, fields: allFields }).table(account).list({ limit: 9 }),
    );
    const bank = `Bank of ${here.workspaceId} ${here.environment}`;
    expect((await read).map(({ institution }) => institution)).toEqual([bank, bank, bank]);
  });

  test.each(scopes.slice(0, 3))('for $what, records are found by their links', async ({ scope }) => {
    const joined = { accounts: own.account, depositories: own.depository };
    const questions: [Resource, AnyChange, readonly Id[]][] = [
      [account, { depositories: own.depository }, [own.account]],
      [account, { portfolios: own.portfolio, legalEntity: own.legalEntity }, [own.account]],
      [account, { portfolios: own.portfolio, depositories: others.depository }, []],
      [depository, { accounts: own.account }, [own.depository]],
      [portfolio, joined, [own.portfolio]],
      [portfolio, { ...joined, accounts: others.account }, []],
    ];
    await tryOut(scope, async (store) => {
      for (const [resource, where, found] of questions) {
        const table = store.table(resource);
        expect((await table.list({ where, limit: 9 })).map(({ id }) => id)).toEqual(found);
        expect(await table.count(where)).toBe(found.length);
      }
    });
  });

  test('the hierarchy of another tenant cannot be read or moved', async () => {
    const before = await listRows(admin, 'client');
    await tryOut(scopeOf(here), async (store) => {
      const { clientHierarchy: clientTree } = store;
      expect(await clientTree.findPath(child)).toEqual([root, child]);
      expect(await clientTree.findPath(sandbox.clients.child)).toBeUndefined();
      await clientTree.move(child, [root, child]);
      await clientTree.move(sandbox.clients.child, [sandbox.clients.child]);
      const isMoved = (row: StoredRow): boolean => belongsTo(here, row) && row['id'] === child;
      const after = before.map((row) => (isMoved(row) ? { ...row, tree_version: 1 } : row));
      expect(await rowsNow(store, 'client')).toEqual(after);
    });
  });

  test('delete blockers are counted in the workspace of the record only', async () => {
    await tryOut(scopeOf(here), async (store) => {
      const remaining = await store.table(client).listDeleteBlockers(root, client.deletion.blockedBy);
      expect(remaining.map(({ several, count }) => `${count} ${several}`).join(', ')).toBe(
        '1 clients, 1 legal entities, 1 accounts, 1 depositories, 1 transactions, 1 private instruments, 1 applications and keys, 1 webhooks, 1 custodian authorities',
      );
    });
  });
});

describe('a locked row', () => {
  const touches = {
    'is referred to': (table: Table) => table.lockReferenced([own.account]),
    'is being changed': (table: Table) => table.lock(own.account, 'to-change'),
    'is being deleted': (table: Table) => table.lock(own.account, 'to-delete'),
  } as const;
  type Touch = keyof typeof touches;

  test.each<[first: Touch, second: Touch, outcome: 'continues' | 'waits']>([
    ['is referred to', 'is referred to', 'continues'],
    ['is referred to', 'is being changed', 'continues'],
    ['is referred to', 'is being deleted', 'waits'],
    ['is being changed', 'is referred to', 'continues'],
    ['is being changed', 'is being changed', 'waits'],
    ['is being changed', 'is being deleted', 'waits'],
    ['is being deleted', 'is referred to', 'waits'],
    ['is being deleted', 'is being changed', 'waits'],
    ['is being deleted', 'is being deleted', 'waits'],
  ])('while an account %s, another transaction in which it %s %s', async (first, second, outcome) => {
    const connection = { connectionString: database.url };
    const timeoutsMs = { statement: 20_000, lock: 20 };
    const hasty = new Database({ connection, poolSize: 1, statements: 'named', timeoutsMs });
    onTestFinished(() => hasty.close());
    const scope = scopeOf(here);
    const touch = (run: Store['run'], name: Touch): Promise<unknown> =>
      touches[name](new Store({ scope, run, fields: allFields }).table<Resource>(account));
    await tryOut(scope, async ({ run }) => {
      await touch(run, first);
      const meanwhile = hasty.write(scope, (other) => touch(other, second));
      const isLocked = (error: any): unknown => (error.cause?.code === '55P03' ? 'waits' : error);
      expect(await meanwhile.then(() => 'continues', isLocked)).toBe(outcome);
    });
  });
});

describe('a set of links', () => {
  const [fresh, spare, spareDepository] = [here.id(28), here.id(29), here.id(39)];
  const fields = { client: root, legalEntity: own.legalEntity, name: 'Spare', createdAt: new Date(0) };
  const accountFields = { ...fields, ccyCode: 'EUR', excludeFromReporting: false };
  const isOwn = (row: StoredRow): boolean => belongsTo(here, row) && row['client_id'] === root;
  const kept = [own.account, own.depository] as const;
  const added = [own.account, spareDepository] as const;
  const elsewhere = [spare, spareDepository] as const;

  test.each<[what: string, Resource, Id, AnyChange, (readonly Id[])[]]>([
    [
      'gets a link',
      account,
      own.account,
      { name: 'New', depositories: [spareDepository, own.depository] },
      [kept, added],
    ],
    ['stays the same', account, own.account, { depositories: [own.depository] }, [kept]],
    ['is replaced', account, own.account, { depositories: [spareDepository] }, [added]],
    ['is emptied', account, own.account, { depositories: [] }, []],
    ['is replaced from the other end', depository, own.depository, { accounts: [spare] }, [[spare, own.depository]]],
    ['is emptied from the other end', depository, own.depository, { accounts: [] }, []],
    ['is created with its record', account, fresh, { depositories: [own.depository] }, [kept, [fresh, own.depository]]],
  ])('%s, and no other link changes', async (_what, resource, id, change, links) => {
    const before = await listRows(admin, 'account_depository');
    await tryOut(scopeOf(here), async (store) => {
      await store.table(depository).insert(spareDepository, fields);
      await store.table(account).insert(spare, { ...accountFields, depositories: [spareDepository] });
      const table = store.table(resource);
      const step = id === fresh ? table.insert(id, { ...accountFields, ...change }) : table.update(id, change);
      expect(await step).toEqual(await table.find(id));
      const after = await rowsNow(store, 'account_depository');
      expect(after.filter(isOwn).map((row) => [row['account_id'], row['depository_id']])).toEqual([
        ...links,
        elsewhere,
      ]);
      expect(after.filter((row) => !isOwn(row))).toEqual(before.filter((row) => !isOwn(row)));
    });
  });

  test.each(scopes)('for $what, no set of another tenant can be written', async ({ scope, sees }) => {
    const before = await listRows(admin, 'account_depository');
    const accounts = await listRows(admin, 'account');
    const seen = accounts.filter((row) => belongsTo(here, row) && sees(row['client_id'])).map(({ id }) => id);
    const strangers = accounts.map(({ id }) => id).filter((id) => !seen.includes(id));
    expect(strangers.length).toBeGreaterThan(0);
    await tryOut(scope, async (store) => {
      for (const id of strangers) {
        for (const change of [{ depositories: [] }, { depositories: [own.depository], name: 'New' }]) {
          await expect(store.table(account).update(String(id), change)).rejects.toThrow(
            'moved out of the visible clients',
          );
        }
      }
      expect(await rowsNow(store, 'account_depository')).toEqual(before);
    });
  });

  test.each([
    ['another client', others.depository],
    ['another environment', recordsOf(sandbox, 'root').depository],
    ['nobody', here.id(99)],
  ])('cannot contain a depository of %s', async (_whose, id) => {
    const linked = tryOut(scopeOf(here), async (store) => {
      await store.table(account).update(own.account, { depositories: [id] });
    });
    await expect(linked).rejects.toMatchObject({ cause: { code: '23503', table: 'account_depository' } });
  });
});
