// A database of its own for a test file, with the rows of `tenants.ts`, opened without a service.

import pg from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { defined } from '../../../src/kit/assert.ts';
import { Database, type DatabaseOptions } from '../../../src/store/postgres/database.ts';
import { makeDatabase } from '../node/test-service.ts';
import { insertTenants } from './tenants.ts';
import type { TestDatabase } from './test-database.ts';

interface TenantsDatabase {
  readonly database: TestDatabase;
  /** Opens it until the test is over. */
  open(options?: Partial<DatabaseOptions>): Database;
}

/** `poolSize` holds unless a test says otherwise. */
export function tenantsDatabaseForThisFile({ poolSize }: { readonly poolSize: number }): TenantsDatabase {
  let made: TestDatabase | undefined;
  const database = (): TestDatabase => defined(made, 'the database is made before the tests');
  beforeAll(async () => {
    made = await makeDatabase();
    const admin = new pg.Client({ connectionString: made.url });
    await admin.connect();
    await insertTenants(admin);
    await admin.end();
  });
  afterAll(() => made?.drop());
  return {
    get database() {
      return database();
    },
    open(options = {}) {
      const connection = { connectionString: database().url };
      const opened = new Database({ connection, poolSize, statements: 'named', ...options });
      onTestFinished(() => opened.close());
      return opened;
    },
  };
}
