// Erasing a workspace on a database with rows in every table: nothing of it is left, and nothing of another has changed.

import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dumpDatabase } from '../../../tests/setup/database/database-dump.ts';
import { emptyDatabaseForThisTest, makeLoginRole } from '../../../tests/setup/database/empty-database.ts';
import { insertTenants, listTables, tenants } from '../../../tests/setup/database/tenants.ts';
import { defined } from '../../kit/assert.ts';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import { migrate } from '../postgres/migrate.ts';
import { eraseWorkspace } from './erase-workspace.ts';
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

describe.each([
  ['a superuser', ownedBySuperuser],
  ['an ordinary login', ownedByLogin],
])('tables that %s owns', (_owner, makeFixture) => {
  test('an erased workspace leaves no row in any table, and another keeps every byte', async () => {
    const fixture = await makeFixture();
    const [before, keptBefore] = [await rowsOf(fixture, erased), await rowsOf(fixture, kept)];
    const count = await withClient({ connectionString: fixture.url }, (client) => eraseWorkspace(client, erased));
    expect(count).toBe(before.length);
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
  let isKilled = true;
  class Mortal extends pg.Client {
    override query(...args: any[]): any {
      if (isKilled && String(args[0]).startsWith('DELETE') && ++statements > 40) throw new Error('killed');
      return (super.query as (...args: any[]) => any)(...args);
    }
  }
  const erase = async (): Promise<number> => {
    const client = new Mortal({ connectionString: url });
    await client.connect();
    return eraseWorkspace(client, erased).finally(() => client.end());
  };
  await expect(erase()).rejects.toThrow('killed');
  const left = await rowsOf({ database, url }, erased);
  expect(left.length).toBeGreaterThan(100);
  isKilled = false;
  expect(await erase()).toBe(left.length);
  expect(await rowsOf({ database, url }, erased)).toEqual([]);
});
