// Databases without a schema, for tests about how one comes into being, and login roles to own them.

import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { runAsAdmin, databaseUrlOn } from './global-setup.ts';
import type { TestDatabase } from './test-database.ts';

/** An empty database of the server the tests run on. Its address is for whoever the tests log in as, whoever owns it. */
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

/** The same, dropped when the test is over. */
export async function emptyDatabaseForThisTest(owner?: LoginRole): Promise<TestDatabase> {
  const database = await makeEmptyDatabase(owner);
  onTestFinished(() => database.drop());
  return database;
}

export interface LoginRole {
  readonly name: string;
  /** An address of the server with this role in place of whoever it names. */
  urlAs(url: string): string;
  /** To be called after its databases have been dropped. */
  drop(): Promise<void>;
}

export interface LoginRoleOptions {
  readonly attributes?: 'CREATEROLE';
  /** Whether whoever administers the server has granted it the roles that the service works as. */
  readonly membership?: 'granted' | 'none';
}

/** A role that is no superuser. */
export async function makeLoginRole({ attributes, membership = 'none' }: LoginRoleOptions = {}): Promise<LoginRole> {
  const server = inject('databaseServer');
  const name = `owner_${process.pid}_${randomBytes(5).toString('hex')}`;
  const password = randomBytes(9).toString('hex');
  await runAsAdmin(
    server,
    `CREATE ROLE ${name} LOGIN NOSUPERUSER NOBYPASSRLS ${attributes ?? ''} PASSWORD '${password}'`,
  );
  if (membership === 'granted') await runAsAdmin(server, `GRANT holdfast_service, holdfast_gate TO ${name}`);
  return {
    name,
    urlAs: (url) => url.replace(/\/\/[^@/]*@/, `//${name}:${password}@`),
    drop: () => runAsAdmin(server, `DROP ROLE IF EXISTS ${name}`),
  };
}
