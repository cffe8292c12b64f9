// Databases without a schema, for tests of migrations, and login roles to own them.

import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { withClient } from '../../../src/store/with-client.ts';
import { isOnCitus } from '../citus/exceptions.ts';
import { runAsAdmin, databaseUrlOn } from './global-setup.ts';
import type { TestDatabase } from './test-database.ts';

/**
 * An empty database on the test server. Its address uses the tests' login role, whichever role owns it. On Citus it has the extension, without which
 * the service refuses a server on which its roles log in; its tables are not spread.
 */
export async function makeEmptyDatabase(owner?: LoginRole): Promise<TestDatabase> {
  const [server = '', ...workers] = inject('databaseServers');
  const name = `holdfast_${process.pid}_${randomBytes(5).toString('hex')}`;
  const ownerClause = owner === undefined ? '' : ` OWNER ${owner.name}`;
  // A copy of it is made on all servers.
  for (const one of [server, ...workers])
    await runAsAdmin(one, `CREATE DATABASE ${name}${one === server ? ownerClause : ''} TEMPLATE template0`);
  const url = databaseUrlOn(server, name);
  if (isOnCitus) await withClient({ connectionString: url }, (client) => client.query('CREATE EXTENSION citus'));
  return {
    url,
    name,
    async drop() {
      for (const one of [server, ...workers]) await runAsAdmin(one, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** An empty database that is dropped when the test ends. */
export async function emptyDatabaseForThisTest(owner?: LoginRole): Promise<TestDatabase> {
  const database = await makeEmptyDatabase(owner);
  onTestFinished(() => database.drop());
  return database;
}

export interface LoginRole {
  readonly name: string;
  /** An address of the server with this role in place of the one it names. */
  urlAs(url: string): string;
  /** Call it after the role's databases have been dropped. */
  drop(): Promise<void>;
}

export interface LoginRoleOptions {
  readonly attributes?: 'CREATEROLE' | 'CONNECTION LIMIT 0';
  /** Whether an administrator has granted it the roles that the service runs in. */
  readonly membership?: 'granted' | 'none';
}

/** Creates a role that is not a superuser. */
export async function makeLoginRole({ attributes, membership = 'none' }: LoginRoleOptions = {}): Promise<LoginRole> {
  const server = inject('databaseServer');
  const name = `owner_${process.pid}_${randomBytes(5).toString('hex')}`;
  const password = randomBytes(9).toString('hex');
  await runAsAdmin(
    server,
    `CREATE ROLE ${name} LOGIN NOSUPERUSER NOBYPASSRLS ${attributes ?? ''} PASSWORD '${password}'`,
  );
  if (membership === 'granted') await runAsAdmin(server, `GRANT holdfast_service, holdfast_pre_auth TO ${name}`);
  return {
    name,
    urlAs: (url) => url.replace(/\/\/[^@/]*@/, `//${name}:${password}@`),
    drop: () => runAsAdmin(server, `DROP ROLE IF EXISTS ${name}`),
  };
}
