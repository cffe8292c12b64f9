// Migrations create and update the schema, on real, empty databases.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { emptyDatabaseForThisTest, makeLoginRole } from '../../../tests/setup/database/empty-database.ts';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { listMigrations, migrate, withStartLock } from './migrate.ts';
import { DatabaseUnfit } from './roles.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return pathToFileURL(`${folder}/`);
}

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
  let waiting: Promise<void> | undefined;
  await withStartLock(connectionTo(database), async () => {
    waiting = migrate({ ...connectionTo(database), lock_timeout: 20, statement_timeout: 20 });
    const waitedMs = async (): Promise<number> => {
      const [held] = await runSql<{ ms: number }>(
        database,
        `SELECT extract(epoch FROM clock_timestamp() - query_start)::float * 1000 AS ms FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event = 'advisory'`,
      );
      return held?.ms ?? 0;
    };
    await expect.poll(waitedMs).toBeGreaterThan(60);
  });
  await waiting;
  expect(await listTables(database)).toContain('client');
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

test('records from before versions were stored are known from their creation, also if an ordinary role owns the tables', async () => {
  const owner = await makeLoginRole({ membership: 'granted' });
  onTestFinished(() => owner.drop());
  const database = await emptyDatabaseForThisTest(owner);
  const before = (await listMigrations()).filter(({ version }) => version < 7);
  const connection = { connectionString: owner.urlAs(database.url) };
  await migrate(connection, await folderWith(Object.fromEntries(before.map(({ name, text }) => [name, text]))));
  const [here, at] = [`'w', 'production'`, `'2026-11-15T12:00:00Z'`];
  await runSql(
    database,
    `INSERT INTO workspace VALUES ('w', 'W', ${at}); INSERT INTO environment VALUES (${here}, ${at});
     INSERT INTO client VALUES (${here}, 'c', NULL, '{c}', 'Amsel', 'EUR', 'FIFO', ${at});
     INSERT INTO legal_entity VALUES (${here}, 'l', 'c', 'Amsel', ${at});
     INSERT INTO reporting_entity VALUES (${here}, 'r', 'c', 'Amsel', ${at});
     INSERT INTO account VALUES (${here}, 'a', 'c', 'l', NULL, 'Amsel', 'Amsel', 'CHF', true, ${at});
     INSERT INTO depository VALUES (${here}, 'd', 'c', 'l', 'Amsel', 'Amsel', ${at});
     INSERT INTO account_depository VALUES (${here}, 'c', 'a', 'd');
     INSERT INTO instrument (workspace_id, environment, id, type, name, price_unit, tags, rate, created_at)
       VALUES (${here}, 'i', 'other-instrument', 'Boat', '1', '{x}', 0.05, ${at});
     INSERT INTO series_point (workspace_id, environment, id, instrument_id, kind, date, source, value, known_from)
       VALUES (${here}, 'p', 'i', 'price', '2026-01-05', 'manual', 1, ${at});
     INSERT INTO fx_rate (workspace_id, environment, id, base, quote, date, source, rate, known_from)
       VALUES (${here}, 'f', 'EUR', 'CHF', '2026-01-05', 'manual', 1, ${at})`,
  );
  await migrate(connection);
  const states = await runSql(
    database,
    `SELECT table_name, id, client_id, state - '{id,created_at}'::text[] AS state FROM thing_version
     WHERE version = 1 AND known_from = ${at} AND known_until IS NULL ORDER BY table_name`,
  );
  expect(states).toEqual([
    {
      table_name: 'account',
      id: 'a',
      client_id: 'c',
      state: { client_id: 'c', legal_entity_id: 'l', ccy_code: 'CHF', exclude_from_reporting: true },
    },
    {
      table_name: 'client',
      id: 'c',
      client_id: 'c',
      state: { reference_currency: 'EUR', accounting_method: 'FIFO' },
    },
    { table_name: 'depository', id: 'd', client_id: 'c', state: { client_id: 'c', legal_entity_id: 'l' } },
    {
      table_name: 'instrument',
      id: 'i',
      client_id: null,
      state: { type: 'other-instrument', name: 'Boat', price_unit: '1', tags: ['x'], rate: 0.05 },
    },
    { table_name: 'reporting_entity', id: 'r', client_id: 'c', state: { client_id: 'c' } },
  ]);
  expect(await runSql(database, 'SELECT link, client_id, one_id, other_id FROM link_version')).toEqual([
    { link: 'account_depository', client_id: 'c', one_id: 'a', other_id: 'd' },
  ]);
  const numbers = 'SELECT (SELECT version FROM series_ledger) AS series, (SELECT version FROM rate_ledger) AS rates';
  expect(await runSql(database, numbers)).toEqual([{ series: '1', rates: '1' }]);
});

test('limits and announced holdings name cash by its reserved id, and existing classes become default classes', async () => {
  const owner = await makeLoginRole({ membership: 'granted' });
  onTestFinished(() => owner.drop());
  const database = await emptyDatabaseForThisTest(owner);
  const before = (await listMigrations()).filter(({ version }) => version < 21);
  const connection = { connectionString: owner.urlAs(database.url) };
  await migrate(connection, await folderWith(Object.fromEntries(before.map(({ name, text }) => [name, text]))));
  const [here, at] = [`'w', 'production'`, `'2026-11-15T12:00:00Z'`];
  const condition = (field: string, ...value: string[]): object => ({
    kind: 'condition',
    field,
    operator: 'in',
    value,
  });
  const filter = JSON.stringify({
    kind: 'and',
    filters: [
      condition('instrument.id', 'cash:CHF', 'a'),
      condition('instrument.type', 'cash'),
      condition('tags', 'cash:CHF'),
    ],
  });
  const addClass = (id: string, name: string, assetClass: string): string =>
    `INSERT INTO instrument_class VALUES (${here}, '${id}', NULL, '{${id}}', '${name}', '{${name}}', '${assetClass}', 'daily', '{}', 'price',
       'twr', 10, ${at});
     INSERT INTO thing_version VALUES (${here}, 'instrument_class', '${id}', NULL, 1, ${at}, NULL, '{"id": "${id}"}')`;
  await runSql(
    database,
    `INSERT INTO workspace VALUES ('w', 'W', ${at}); INSERT INTO environment VALUES (${here}, ${at});
     INSERT INTO client VALUES (${here}, 'c', NULL, '{c}', 'Amsel', 'EUR', 'FIFO', ${at});
     INSERT INTO reporting_entity VALUES (${here}, 'r', 'c', 'Amsel', ${at});
     INSERT INTO announced_holding VALUES (${here}, 'c', 'r', 'fees:CHF', 1, 1, '{"segment_id":"fees:CHF","x":1}');
     INSERT INTO limit_rule (workspace_id, environment, id, client_id, name, kind, max_pct, filter, created_at)
       VALUES (${here}, 'l', 'c', 'L', 'proportional', 1, '${filter}', ${at});
     INSERT INTO thing_version VALUES (${here}, 'limit_rule', 'l', 'c', 1, ${at}, NULL, '{"filter": ${filter}}');
     ${addClass('k1', 'Aktien', 'equity')}; ${addClass('k2', 'Beteiligungen', 'private-market')}; ${addClass('k3', 'Private markets', 'private-market')}`,
  );
  await migrate(connection);
  const converted = {
    kind: 'and',
    filters: [
      condition('instrument.id', 'ffffffffffffffff01434846', 'a'),
      condition('instrument.type', 'cash-instrument'),
      condition('tags', 'cash:CHF'),
    ],
  };
  const states = `SELECT filter FROM limit_rule UNION ALL SELECT state -> 'filter' FROM thing_version WHERE table_name = 'limit_rule'`;
  expect(await runSql(database, states)).toEqual([{ filter: converted }, { filter: converted }]);
  expect(await runSql(database, 'SELECT instrument, object FROM announced_holding')).toEqual([
    { instrument: 'ffffffffffffffff02434846', object: { segment_id: 'ffffffffffffffff02434846', x: 1 } },
  ]);
  expect(await runSql(database, 'SELECT id, default_for FROM instrument_class ORDER BY id')).toEqual([
    { id: 'k1', default_for: ['stock-instrument'] },
    { id: 'k2', default_for: [] },
    { id: 'k3', default_for: ['private-market-fund'] },
  ]);
  const versions = `SELECT id, version, known_until IS NULL AS now, state FROM thing_version
    WHERE table_name = 'instrument_class' AND id IN ('k1', 'k2') ORDER BY id, version`;
  expect(await runSql(database, versions)).toEqual([
    { id: 'k1', version: '1', now: false, state: { id: 'k1' } },
    { id: 'k1', version: '2', now: true, state: { id: 'k1', default_for: ['stock-instrument'] } },
    { id: 'k2', version: '1', now: true, state: { id: 'k2' } },
  ]);
});

test('bookings go on with the number after the last one, that of a deleted booking included', async () => {
  const owner = await makeLoginRole({ membership: 'granted' });
  onTestFinished(() => owner.drop());
  const database = await emptyDatabaseForThisTest(owner);
  const before = (await listMigrations()).filter(({ version }) => version < 37);
  const connection = { connectionString: owner.urlAs(database.url) };
  await migrate(connection, await folderWith(Object.fromEntries(before.map(({ name, text }) => [name, text]))));
  const [workspace, at] = ['0'.repeat(24), `'2026-11-15T12:00:00Z'`];
  const here = `'${workspace}', 'production'`;
  const booking = (id: string, sequence: number, knownUntil: string): string =>
    `INSERT INTO transaction (workspace_id, environment, id, sequence, known_from, known_until, opened_version, closed_version, client_id,
       account_id, kind, type, date, amount, value, unexplained, source, created_at)
     VALUES (${here}, '${id}', ${sequence}, ${at}, ${knownUntil}, 1, ${knownUntil === 'NULL' ? 'NULL' : 2}, 'c', 'a', 'flow', 'deposit',
       '2026-01-05', 1, 1, 0, 'manual', ${at})`;
  await runSql(
    database,
    `INSERT INTO workspace VALUES ('${workspace}', 'W', ${at});
     INSERT INTO environment (workspace_id, environment, created_at) VALUES (${here}, ${at});
     INSERT INTO client (workspace_id, environment, id, path, name, reference_currency, accounting_method, created_at)
       SELECT ${here}, id, ARRAY[id], 'Amsel', 'EUR', 'FIFO', ${at} FROM unnest(ARRAY['c', 'without']) id;
     INSERT INTO legal_entity (workspace_id, environment, id, client_id, name, created_at) VALUES (${here}, 'l', 'c', 'Amsel', ${at});
     INSERT INTO account (workspace_id, environment, id, client_id, legal_entity_id, name, ccy_code, exclude_from_reporting, created_at)
       VALUES (${here}, 'a', 'c', 'l', 'Amsel', 'CHF', false, ${at});
     ${booking('t1', 1, 'NULL')}; ${booking('t2', 2, at)}`,
  );
  await migrate(connection);
  expect(await runSql(database, 'SELECT client_id, last_sequence FROM booking_count')).toEqual([
    { client_id: 'c', last_sequence: '2' },
  ]);
});
