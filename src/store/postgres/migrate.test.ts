// Migrations create and update the schema, on real, empty databases.

import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { dumpSchema, schemaFile } from '../../../scripts/write-schema.ts';
import { emptyDatabaseForThisTest, makeLoginRole } from '../../../tests/setup/database/empty-database.ts';
import { folderWith } from '../../../tests/setup/database/migration-folder.ts';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { withClient } from '../with-client.ts';
import { listMigrations, migrate } from './migrate.ts';
import { withStartLock } from './start-lock.ts';
import { DatabaseUnfit } from './roles.ts';

function connectionTo({ url }: TestDatabase): pg.ClientConfig {
  return { connectionString: url };
}

async function listTables(database: TestDatabase): Promise<string[]> {
  const rows = await runSql<{ name: string }>(
    database,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

test('nodes that start at once on an empty database migrate it once', async () => {
  const database = await emptyDatabaseForThisTest();
  await Promise.all(Array.from({ length: 4 }, () => migrate(connectionTo(database))));
  const done = await runSql(database, 'SELECT version, name FROM schema_migration ORDER BY version');
  expect(done).toEqual((await listMigrations()).map(({ version, name }) => ({ version, name })));
});

test('an up-to-date database is not changed', async () => {
  const database = await emptyDatabaseForThisTest();
  await migrate(connectionTo(database));
  const look = () => runSql(database, 'SELECT xmin::text, * FROM schema_migration');
  const before = await look();
  await migrate(connectionTo(database));
  expect(await look()).toEqual(before);
});

test('only missing migrations are run', async () => {
  const database = await emptyDatabaseForThisTest();
  await migrate(connectionTo(database), await folderWith({ '0001-one.sql': 'CREATE TABLE one (n int)' }));
  const files = {
    '0001-one.sql': 'CREATE TABLE one (n int)',
    '0002-two.sql': 'CREATE TABLE two (n int)',
    'schema.sql': 'no SQL',
  };
  await migrate(connectionTo(database), await folderWith(files));
  expect(await listTables(database)).toEqual(['one', 'schema_migration', 'two']);
});

test('a database of a newer release is refused and left alone', async () => {
  const database = await emptyDatabaseForThisTest();
  await migrate(connectionTo(database));
  await runSql(database, "INSERT INTO schema_migration (version, name) VALUES (9999, '9999-from-the-future.sql')");
  const refused = migrate(connectionTo(database));
  await expect(refused).rejects.toThrow(DatabaseUnfit);
  await expect(refused).rejects.toThrow(
    'migrated by a newer release (9999-from-the-future.sql). Run that release or a later one.',
  );
});

test.each([
  ['a gap', ['0001-one.sql', '0003-three.sql'], 'Migration 0003-three.sql is out of sequence: 2 was expected.'],
  [
    'a number used twice',
    ['0001-one.sql', '0001-two.sql'],
    'Migration 0001-two.sql is out of sequence: 2 was expected.',
  ],
  ['a beginning other than 1', ['0000-zero.sql'], 'Migration 0000-zero.sql is out of sequence: 1 was expected.'],
  ['a name of another form', ['0001-one.sql', '2_two.sql'], 'Migration 2_two.sql is not named like 0001-words.sql.'],
])('%s among the migration files is refused before anything is run', async (_what, names, message) => {
  const database = await emptyDatabaseForThisTest();
  const folder = await folderWith(Object.fromEntries(names.map((name) => [name, 'CREATE TABLE one (n int)'])));
  await expect(migrate(connectionTo(database), folder)).rejects.toThrow(message);
  expect(await listTables(database)).toEqual([]);
});

test('a failed migration is named in the error and rolls everything back, including the migrations before it', async () => {
  const database = await emptyDatabaseForThisTest();
  const folder = await folderWith({
    '0001-one.sql': 'CREATE TABLE one (n int)',
    '0002-two.sql': 'CREATE TABLE two (n int); SELECT 1/0; CREATE TABLE three (n int)',
  });
  await expect(migrate(connectionTo(database), folder)).rejects.toThrow(
    'Migration 0002-two.sql failed and was rolled back: division by zero',
  );
  expect(await listTables(database)).toEqual([]);
});

test('a node waits for another node that migrates, longer than the timeout of requests', async () => {
  const database = await emptyDatabaseForThisTest();
  const folder = await folderWith({ '0001-slow.sql': 'SELECT pg_sleep(0.7); CREATE TABLE slow (n int)' });
  let waiting: Promise<void> | undefined;
  await withStartLock(connectionTo(database), async () => {
    const timeouts = { lock_timeout: 300, statement_timeout: 300 };
    waiting = migrate({ ...connectionTo(database), ...timeouts, application_name: 'waiting' }, folder);
    const waitedMs = async (): Promise<number> => {
      const [held] = await runSql<{ ms: number }>(
        database,
        `SELECT extract(epoch FROM clock_timestamp() - backend_start)::float * 1000 AS ms FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'waiting'`,
      );
      return held?.ms ?? 0;
    };
    await expect.poll(waitedMs).toBeGreaterThan(700);
  });
  await waiting;
  expect(await listTables(database)).toContain('slow');
});

test('a database that writes dates in another style is refused and left alone, and the order helps', async () => {
  const database = await emptyDatabaseForThisTest();
  await runSql(database, `ALTER DATABASE ${database.name} SET DateStyle = 'German'`);
  const refused = await migrate(connectionTo(database)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DatabaseUnfit);
  const [, order = ''] = /in the style German, DMY, which .*\. Run (.*;)$/.exec((refused as Error).message) ?? [];
  expect(await listTables(database)).toEqual([]);
  await withClient(connectionTo(database), (client) => client.query(order));
  await migrate(connectionTo(database));
  expect(await listTables(database)).toContain('transaction');
});

test('a role that does not own the database gets instructions', async () => {
  const database = await emptyDatabaseForThisTest();
  const role = await makeLoginRole({ membership: 'granted' });
  onTestFinished(() => role.drop());
  const refused = migrate({ connectionString: role.urlAs(database.url) });
  await expect(refused).rejects.toThrow(DatabaseUnfit);
  await expect(refused).rejects.toThrow(
    `The database role "${role.name}" may not migrate the database (permission denied for schema public). It must own the database and the tables in it.`,
  );
});

async function databaseOf010(
  owner: Awaited<ReturnType<typeof makeLoginRole>>,
  lastMigration: string,
): Promise<TestDatabase> {
  const database = await emptyDatabaseForThisTest(owner);
  const schema = await readFile(new URL('../../../tests/upgrades/0.1.0/schema.sql', import.meta.url), 'utf8');
  await runSql(
    database,
    `DO $$ BEGIN CREATE ROLE holdfast_gate NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
  );
  await runSql(
    { ...database, url: owner.urlAs(database.url) },
    `${schema};
     INSERT INTO schema_migration (version, name) VALUES (1, '0001-foundation.sql'), (42, '${lastMigration}')`,
  );
  return database;
}

test('a database of release 0.1.0 gets the schema of this one and keeps its rows, also if an ordinary role owns the tables', async () => {
  const owner = await makeLoginRole({ membership: 'granted' });
  onTestFinished(() => owner.drop());
  const database = await databaseOf010(owner, '0042-retention.sql');
  const tenant = `'w', 'production'`;
  await runSql(
    database,
    `INSERT INTO workspace VALUES ('w', 'W', now()); INSERT INTO environment (workspace_id, environment, created_at) VALUES (${tenant}, now());
     INSERT INTO event_lane VALUES (${tenant}, '', NULL, 7);
     INSERT INTO thing_version VALUES (${tenant}, 'instrument', 'i', NULL, 1, now(), NULL, '{"name": "Boat"}')`,
  );
  await migrate({ connectionString: owner.urlAs(database.url) });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  expect(await dumpSchema(client)).toBe(await readFile(schemaFile, 'utf8'));
  await client.end();
  expect(await runSql(database, 'SELECT order_key, number FROM event_order')).toEqual([{ order_key: '', number: '7' }]);
  expect(await runSql(database, 'SELECT id, state FROM record_version')).toEqual([
    { id: 'i', state: { name: 'Boat' } },
  ]);
  const done = await runSql(database, 'SELECT version, name FROM schema_migration ORDER BY version');
  expect(done).toEqual((await listMigrations()).map(({ version, name }) => ({ version, name })));
});

test('a database from before release 0.1.0 is refused and left alone', async () => {
  const owner = await makeLoginRole({ membership: 'granted' });
  onTestFinished(() => owner.drop());
  const database = await databaseOf010(owner, '0041-visible-clients.sql');
  const refused = migrate({ connectionString: owner.urlAs(database.url) });
  await expect(refused).rejects.toThrow(DatabaseUnfit);
  await expect(refused).rejects.toThrow('Start release 0.1.0 on it once, then this one.');
  expect(await listTables(database)).toContain('thing_version');
});
