// Databases without a schema, for tests of migrations, and login roles to own them.

import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { runAsAdmin, databaseUrlOn } from './global-setup.ts';
import type { TestDatabase } from './test-database.ts';

/** An empty database on the test server. Its address uses the tests' login role, whichever role owns it. */
export async function makeEmptyDatabase(owner?: LoginRole): Promise<TestDatabase> {
  const server = inject('databaseServer');
  const name = `holdfast_${process.pid}_${randomBytes(5).toString('hex')}`;
  const ownerClause = owner === undefined ? '' : ` OWNER ${owner.name}`;
  await runAsAdmin(server, `CREATE DATABASE ${name}${ownerClause} TEMPLATE template0`);
  return {
    url: databaseUrlOn(server, name),
    name,
    drop: () => runAsAdmin(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
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
