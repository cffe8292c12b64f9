// Tests which statements spread a database, with functions that have the names of Citus's and only note that they were called.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../../tests/setup/node/test-service.ts';
import { distribute, listMissing, planDistribution, readDistributionState } from './distribute.ts';
import { checkDistribution } from './distribution.ts';
import { compareShardRights } from './shard-rights.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await makeDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

const standIns = `CREATE SCHEMA citus_stand_in;
  CREATE TABLE citus_stand_in.pg_dist_partition (logicalrelid oid PRIMARY KEY);
  CREATE FUNCTION citus_stand_in.create_reference_table(name text) RETURNS void LANGUAGE sql
    AS 'INSERT INTO citus_stand_in.pg_dist_partition VALUES (name::regclass)';
  CREATE FUNCTION citus_stand_in.create_distributed_table(name text, by text, colocate_with text) RETURNS void LANGUAGE sql
    AS 'INSERT INTO citus_stand_in.pg_dist_partition VALUES (name::regclass)';
  CREATE FUNCTION citus_stand_in.truncate_local_data_after_distributing_table(name regclass) RETURNS void LANGUAGE plpgsql
    AS 'BEGIN EXECUTE format(''TRUNCATE %s CASCADE'', name); END';
  CREATE TABLE citus_stand_in.pg_dist_shard (logicalrelid oid, shardid bigint);
  CREATE FUNCTION citus_stand_in.shard_name(name oid, id bigint) RETURNS text LANGUAGE sql AS 'SELECT name::regclass || ''_'' || id';
  CREATE TABLE citus_stand_in.answer (nodename text, nodeport int, success boolean, result text);
  CREATE FUNCTION citus_stand_in.run_command_on_workers(command text) RETURNS SETOF citus_stand_in.answer LANGUAGE sql
    AS 'SELECT * FROM citus_stand_in.answer'`;

const isSpreading = (text: string): boolean => text.startsWith('SELECT create_');
const tableIn = (text: string): string => /'([a-z_]+)'/.exec(text)?.[1] ?? '';

test('a server without the extension is refused with what to do', async () => {
  await expect(listMissing({ connectionString: database.url })).rejects.toThrow('CREATE EXTENSION citus');
  expect(await checkDistribution(client)).toEqual({ hasCitus: false });
});

test('each table is spread once, after those that its foreign keys lead to, and nothing is asked twice', async () => {
  await client.query(standIns);
  await client.query(`ALTER DATABASE ${database.name} SET search_path = public, citus_stand_in`);
  await client.query('SET search_path = public, citus_stand_in');
  expect(await checkDistribution(client)).toEqual({ hasCitus: true });
  const missing = await listMissing({ connectionString: database.url });
  expect(missing.slice(0, 7)).toEqual([
    `ALTER DATABASE "${database.name}" SET citus.propagate_set_commands = 'local'`,
    'ALTER ROLE holdfast_pre_auth LOGIN',
    'ALTER ROLE holdfast_service LOGIN',
    "SELECT create_reference_table('schema_migration')",
    'ALTER TABLE workspace NO FORCE ROW LEVEL SECURITY',
    "SELECT create_distributed_table('workspace', 'workspace_id', colocate_with => 'none')",
    'ALTER TABLE workspace FORCE ROW LEVEL SECURITY',
  ]);
  const spreading = missing.filter(isSpreading);
  const { tables } = await readDistributionState(client);
  expect(spreading.map(tableIn).toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  const place = new Map(spreading.map((text, index) => [tableIn(text), index]));
  for (const { name, leadsTo } of tables)
    for (const other of leadsTo) expect(place.get(other)! <= place.get(name)!).toBe(true);
  for (const text of spreading) await client.query(text);
  expect(planDistribution(await readDistributionState(client)).filter(isSpreading)).toEqual([]);
  await client.query('CREATE TABLE later (workspace_id text PRIMARY KEY)');
  expect(planDistribution(await readDistributionState(client)).filter(isSpreading)).toEqual([
    "SELECT create_distributed_table('later', 'workspace_id', colocate_with => 'workspace')",
  ]);
});

test('the tables of all servers come first, then the one that others are put beside, and the others by name where they may', () => {
  const table = (name: string, ...leadsTo: string[]) => ({
    name,
    firstColumn: 'workspace_id',
    leadsTo,
    isSpread: false,
    isForced: false,
    hasLocalRows: false,
  });
  const tables = [
    table('zone'),
    table('area', 'zone', 'area'),
    table('bank'),
    table('schema_migration'),
    table('account', 'workspace'),
    table('workspace'),
  ];
  const state = { database: 'family', propagation: 'local', rolesWithoutLogin: [], tables };
  for (const given of [tables, tables.toReversed()])
    expect(
      planDistribution({ ...state, tables: given })
        .filter(isSpreading)
        .map(tableIn),
    ).toEqual(['schema_migration', 'workspace', 'account', 'zone', 'area', 'bank']);
  const circle = [table('one', 'two'), table('two', 'one')];
  expect(() => planDistribution({ ...state, tables: circle })).toThrow('The foreign keys of one lead back to it.');
});

test('nothing is spread while somebody is connected who entered as on one server', async () => {
  const printed: string[] = [];
  const refused = distribute({ connectionString: database.url }, (text) => void printed.push(text));
  await expect(refused).rejects.toThrow('Stop all nodes');
  expect(printed).toEqual([]);
});

test('what is missing is run and said while nobody else is connected, and where nothing is, nobody has to leave', async () => {
  // All databases of the server share its roles: here they only look as if they could log in.
  await client.query(
    'CREATE VIEW citus_stand_in.pg_roles AS SELECT oid, rolname, true AS rolcanlogin FROM pg_catalog.pg_roles',
  );
  const path = 'public, citus_stand_in, pg_catalog';
  await client.query(`ALTER DATABASE ${database.name} SET search_path = ${path}`);
  await client.query(`SET search_path = ${path}`);
  const setting = `ALTER DATABASE "${database.name}" SET citus.propagate_set_commands = 'local'`;
  const later = "SELECT create_distributed_table('later', 'workspace_id', colocate_with => 'workspace')";
  await expect(checkDistribution(client)).rejects.toThrow(
    `Tables of the database "${database.name}" are spread over several servers, and citus.propagate_set_commands is not set: ` +
      `statements would run there without their tenant. Let its owner run, and then start again:\n  ${setting};`,
  );
  // Nobody else may be connected.
  await client.end();
  const printed: string[] = [];
  const forget = (name: string): string => `SELECT truncate_local_data_after_distributing_table('${name}')`;
  const run = [setting, later, forget('later'), forget('schema_migration')];
  expect(await distribute({ connectionString: database.url }, (text) => void printed.push(text))).toEqual(run);
  expect(printed).toEqual(run.map((text) => `${text};`));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  expect(await checkDistribution(client)).toEqual({ hasCitus: true });
  expect(await distribute({ connectionString: database.url }, () => {})).toEqual([]);
});

test('a part whose wall differs from that of its table is named, and so is a server that does not answer', async () => {
  expect(await compareShardRights(client)).toMatchObject({ differing: [] });
  await client.query(
    `CREATE TABLE workspace_7 (LIKE workspace); ALTER TABLE workspace_7 ENABLE ROW LEVEL SECURITY;
     INSERT INTO citus_stand_in.pg_dist_shard VALUES ('workspace'::regclass, 7);
     INSERT INTO citus_stand_in.answer VALUES ('worker', 5432, true, '[{"table": "workspace", "part": "workspace_8", "rights": "others"}]'),
       ('other', 5432, false, 'connection refused')`,
  );
  expect((await compareShardRights(client)).differing.toSorted()).toEqual([
    'other:5432 did not answer: connection refused',
    'workspace_7 at the coordinator',
    'workspace_8 at worker:5432',
  ]);
  await client.query(
    `DROP TABLE workspace_7; DELETE FROM citus_stand_in.pg_dist_shard; DELETE FROM citus_stand_in.answer`,
  );
});

test('a table of which nobody has said where its rows belong is refused', async () => {
  await client.query('CREATE TABLE homeless (id text)');
  const state = await readDistributionState(client);
  expect(() => planDistribution(state)).toThrow('The tables homeless do not begin with workspace_id');
});
