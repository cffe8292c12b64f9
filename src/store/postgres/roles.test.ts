// Tests which logins may start the service on a server. Each case runs in a transaction that is rolled back, since roles are server-wide.

import pg from 'pg';
import { afterAll, beforeAll, beforeEach, afterEach, expect, inject, test } from 'vitest';
import { makeLoginRole, type LoginRole } from '../../../tests/setup/database/empty-database.ts';
import { DatabaseUnfit, ensureRoles } from './roles.ts';

let creator: LoginRole;
let plain: LoginRole;
let client: pg.Client;

beforeAll(async () => {
  creator = await makeLoginRole({ attributes: 'CREATEROLE' });
  plain = await makeLoginRole();
  client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await creator.drop();
  await plain.drop();
});

beforeEach(() => client.query(`BEGIN; SET LOCAL test.login = '${plain.name}'`));
afterEach(() => client.query('ROLLBACK'));

/** Simulates a server that has never run the service. */
const withoutRoles =
  'ALTER ROLE holdfast_service RENAME TO service_before; ALTER ROLE holdfast_pre_auth RENAME TO gate_before';
const withRoles = `${withoutRoles}; CREATE ROLE holdfast_service; CREATE ROLE holdfast_pre_auth`;

/** Tries both roles: whether the login can act as the role, and whether the policies of the role apply. */
async function tryBoth(): Promise<unknown[]> {
  const tried: unknown[] = [];
  for (const role of ['holdfast_pre_auth', 'holdfast_service']) {
    await client.query(`SELECT set_config('role', '${role}', true)`);
    const [acting] = (await client.query('SELECT current_user::text AS name')).rows;
    await client.query('RESET ROLE');
    const [policies] = (await client.query(`SELECT pg_has_role('${role}', 'USAGE') AS found`)).rows;
    tried.push({ actingAs: acting.name, policiesFound: policies.found });
  }
  return tried;
}

const both = ['holdfast_pre_auth', 'holdfast_service'].map((role) => ({ actingAs: role, policiesFound: true }));

test('a superuser creates the roles and may act as them', async () => {
  await client.query(withoutRoles);
  await ensureRoles(client);
  expect(await tryBoth()).toEqual(both);
});

test('a login that may create roles creates them and may act as them', async () => {
  await client.query(withoutRoles);
  await client.query(`SET SESSION AUTHORIZATION ${creator.name}`);
  await ensureRoles(client);
  expect(await tryBoth()).toEqual(both);
});

test('a login that was granted the roles may act as them and needs no other right', async () => {
  await client.query(`${withRoles}; GRANT holdfast_service, holdfast_pre_auth TO ${plain.name}`);
  await client.query(`SET SESSION AUTHORIZATION ${plain.name}`);
  await ensureRoles(client);
  expect(await tryBoth()).toEqual(both);
});

/** Grants the roles without SET, which exists from PostgreSQL 16 on; older servers grant nothing. */
const grantedWithoutSet = `DO $$ BEGIN
  IF current_setting('server_version_num')::int >= 160000 THEN
    EXECUTE 'GRANT holdfast_service, holdfast_pre_auth TO ' || current_setting('test.login') || ' WITH INHERIT TRUE, SET FALSE';
  END IF;
END $$`;

const what = (name: string): string =>
  `The database role "${name}" may not act as holdfast_service and holdfast_pre_auth. Let a superuser run this once`;

test.each([
  ['may not create roles', () => withoutRoles],
  ['was not granted the existing roles', () => withRoles],
  ['was granted one of the two', () => `${withRoles}; GRANT holdfast_service TO ${plain.name}`],
  ['was granted them without the right to act as them', () => `${withRoles}; ${grantedWithoutSet}`],
  [
    'does not inherit what it was granted',
    () =>
      `${withRoles}; ALTER ROLE ${plain.name} NOINHERIT; GRANT holdfast_service, holdfast_pre_auth TO ${plain.name}`,
  ],
])('a login that %s gets instructions', async (_what, preparation) => {
  await client.query(preparation());
  await client.query(`SET SESSION AUTHORIZATION ${plain.name}`);
  const refusal = await ensureRoles(client).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DatabaseUnfit);
  expect((refusal as Error).message).toContain(what(plain.name));
  const statements = (refusal as Error).message.split('\n').slice(1);
  expect(statements).toEqual([
    '  CREATE ROLE holdfast_service NOLOGIN;',
    '  CREATE ROLE holdfast_pre_auth NOLOGIN;',
    `  ALTER ROLE "${plain.name}" INHERIT;`,
    `  GRANT holdfast_service, holdfast_pre_auth TO "${plain.name}";`,
  ]);
});

test('the instructions given to such a login are sufficient', async () => {
  await client.query(withoutRoles);
  await client.query(`ALTER ROLE ${plain.name} NOINHERIT; SET SESSION AUTHORIZATION ${plain.name}`);
  const { message } = (await ensureRoles(client).catch((error: Error) => error)) as Error;
  await client.query('RESET SESSION AUTHORIZATION');
  await client.query(message.slice(message.indexOf('\n')));
  await client.query(`SET SESSION AUTHORIZATION ${plain.name}`);
  await ensureRoles(client);
  expect(await tryBoth()).toEqual(both);
});

test.each(['LOGIN', 'SUPERUSER', 'BYPASSRLS'])('roles with the attribute %s are refused', async (attribute) => {
  await client.query(`ALTER ROLE holdfast_pre_auth ${attribute}`);
  await expect(ensureRoles(client)).rejects.toThrow('must not be able to log in or to bypass row-level security');
});

test.each([
  ['LOGIN', undefined],
  ['SUPERUSER', 'DatabaseUnfit'],
  ['BYPASSRLS', 'DatabaseUnfit'],
])('where tables are spread over servers, roles with the attribute %s: %s', async (attribute, refusal) => {
  await client.query(`ALTER ROLE holdfast_pre_auth ${attribute}`);
  const fault = await ensureRoles(client, { mayLogIn: true }).catch((error: Error) => error.name);
  expect(fault).toBe(refusal);
});
