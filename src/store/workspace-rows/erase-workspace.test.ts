// Erasing a workspace on a database with rows in every table: nothing of it is left, and nothing of another has changed.

import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dumpDatabase } from '../../../tests/setup/database/database-dump.ts';
import { emptyDatabaseForThisTest, makeLoginRole } from '../../../tests/setup/database/empty-database.ts';
import { insertTenants, listTables, tenants } from '../../../tests/setup/database/tenants.ts';
import { defined } from '../../kit/assert.ts';
import { sumOf } from '../../kit/compared-counts.ts';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import { migrate } from '../postgres/migrate.ts';
import { eraseWorkspace, type Erased } from './erase-workspace.ts';
import { listTenantTables } from './tenant-tables.ts';
import { withClient } from '../with-client.ts';

const [here, , there] = tenants.map(({ workspaceId }) => workspaceId);
const [erased, kept] = [defined(here, 'there are two workspaces'), defined(there, 'there are two workspaces')];

interface Fixture {
  readonly database: TestDatabase;
  /** How the owner of the tables connects. */
  readonly url: string;
}

async function fill({ database, url }: Fixture): Promise<Fixture> {
  await withClient({ connectionString: database.url }, (admin) => insertTenants(admin));
  return { database, url };
}

async function ownedBySuperuser(): Promise<Fixture> {
  const database = await makeDatabase();
  onTestFinished(() => database.drop());
  return fill({ database, url: database.url });
}

/** Row-level security also binds this owner. */
async function ownedByLogin(): Promise<Fixture> {
  const owner = await makeLoginRole({ membership: 'granted' });
  onTestFinished(() => owner.drop());
  const database = await emptyDatabaseForThisTest(owner);
  const url = owner.urlAs(database.url);
  await migrate({ connectionString: url });
  return fill({ database, url });
}

async function rowsOf({ database }: Fixture, workspaceId: string): Promise<readonly string[]> {
  return (await dumpDatabase(database)).split('\n').filter((row) => row.startsWith(`(${workspaceId},`));
}

function erase(url: string, makeClient = (): pg.Client => new pg.Client({ connectionString: url })): Promise<Erased> {
  const client = makeClient();
  return client
    .connect()
    .then(() => eraseWorkspace(client, { connectionString: url }, erased))
    .finally(() => client.end());
}

/** A client that changes some of the statements that it sends. */
function changingClient(url: string, change: (text: string) => string): pg.Client {
  class Changing extends pg.Client {
    override query(...[text, ...values]: any[]): any {
      const sent = typeof text === 'string' ? change(text) : text;
      return (super.query as (...args: any[]) => any)(sent, ...(sent === text ? values : []));
    }
  }
  return new Changing({ connectionString: url });
}

describe.each([
  ['a superuser', ownedBySuperuser],
  ['an ordinary login', ownedByLogin],
])('tables that %s owns', (_owner, makeFixture) => {
  test('an erased workspace leaves no row in any table, and another keeps every byte', async () => {
    const fixture = await makeFixture();
    const [before, keptBefore] = [await rowsOf(fixture, erased), await rowsOf(fixture, kept)];
    const { before: counted, deletedCount } = await erase(fixture.url);
    expect([sumOf(counted), deletedCount]).toEqual([before.length, before.length]);
    expect(await rowsOf(fixture, erased)).toEqual([]);
    expect(await rowsOf(fixture, kept)).toEqual(keptBefore);
  });
});

test('every table with rows of workspaces is erased, whatever it is called', async () => {
  const { url } = await ownedBySuperuser();
  await withClient({ connectionString: url }, async (client) => {
    const names = (await listTenantTables(client)).map(({ name }) => name);
    expect(names.toSorted()).toEqual((await listTables(client)).toSorted());
  });
});

test('an erasure that was killed goes on, and the workspace can be found until all else is gone', async () => {
  const { database, url } = await ownedBySuperuser();
  let statements = 0;
  const mortal = changingClient(url, (text) => {
    if (text.startsWith('DELETE') && ++statements > 40) throw new Error('killed');
    return text;
  });
  await expect(erase(url, () => mortal)).rejects.toThrow('killed');
  const left = await rowsOf({ database, url }, erased);
  expect(left.length).toBeGreaterThan(100);
  expect((await erase(url)).deletedCount).toBe(left.length);
  expect(await rowsOf({ database, url }, erased)).toEqual([]);
});

test('a workspace whose rows are hidden from the deletion is not called erased, and can still be found', async () => {
  const fixture = await ownedByLogin();
  const before = await rowsOf(fixture, erased);
  const blind = changingClient(fixture.url, (text) => (text.includes('holdfast.workspace') ? 'SELECT 1' : text));
  await expect(erase(fixture.url, () => blind)).rejects.toThrow(
    /is not erased: rows of it are left\..*\n {2}table +left +expected\n {2}account +\d+ +0\n/s,
  );
  expect(await rowsOf(fixture, erased)).toEqual(before);
});

test('rows of an environment that nobody knows are left, named and counted', async () => {
  const fixture = await ownedBySuperuser();
  await runSql(
    fixture.database,
    `INSERT INTO used_assertion (workspace_id, environment, token_id_hash, expires_at) VALUES ($1, 'staging', 'x', now())`,
    [erased],
  );
  await expect(erase(fixture.url)).rejects.toThrow(/\n {2}table +left {2}expected\n {2}used_assertion +1 +0$/);
});
