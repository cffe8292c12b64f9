// Migrations through a pooler that sends each transaction over another connection: what they hold and set does not stay behind.

import { expect, test } from 'vitest';
import { emptyDatabaseForThisTest } from '../../../tests/setup/database/empty-database.ts';
import { awaitLockWaits, holdLock } from '../../../tests/setup/database/lock-waits.ts';
import { folderWith } from '../../../tests/setup/database/migration-folder.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { poolerForThisTest } from '../../../tests/setup/database/transaction-pooler.ts';
import { listMigrations, migrate } from './migrate.ts';

const connections = 5;

test('nodes that start at once through a pooler migrate once, and leave no lock and no setting behind', async () => {
  const database = await emptyDatabaseForThisTest();
  const url = await poolerForThisTest(database, connections);
  await Promise.all(Array.from({ length: 3 }, () => migrate({ connectionString: url })));
  const done = await runSql(database, 'SELECT version, name FROM schema_migration ORDER BY version');
  expect(done).toEqual((await listMigrations()).map(({ version, name }) => ({ version, name })));
  const locks = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  expect(await runSql(database, locks)).toEqual([]);
  const settings = `SELECT current_setting('lock_timeout') AS lock, current_setting('jit') AS jit`;
  const [usual] = await runSql(database, settings);
  for (let one = 0; one < connections; one++) expect(await runSql({ ...database, url }, settings)).toEqual([usual]);
});

test('a migration outside a transaction gives way through a pooler as well, and builds an index beside its own lock', async () => {
  const database = await emptyDatabaseForThisTest();
  await runSql(database, `ALTER DATABASE ${database.name} SET default_transaction_isolation = 'repeatable read'`);
  const url = await poolerForThisTest(database, connections);
  const one = { '0001-one.sql': 'CREATE TABLE one (n int)' };
  await migrate({ connectionString: url }, await folderWith(one));
  const text = `-- outside a transaction: a column comes and an index is built
    SET lock_timeout = '300ms';
    ALTER TABLE one ADD COLUMN IF NOT EXISTS m int;
    SET lock_timeout = 0;
    CREATE INDEX CONCURRENTLY one_by_m ON one (m);`;
  const endReport = await holdLock(database, 'SELECT * FROM one');
  const migrated = migrate({ connectionString: url }, await folderWith({ ...one, '0002-two.sql': text }));
  await awaitLockWaits(database, 1);
  // Would wait behind the migration for as long as the report lasts, which is until this has been answered.
  expect(await runSql(database, 'SELECT * FROM one')).toEqual([]);
  await endReport();
  await migrated;
  expect(await runSql(database, 'SELECT n, m FROM one')).toEqual([]);
  const valid = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'one_by_m'::regclass`;
  expect(await runSql(database, valid)).toEqual([{ indisvalid: true }]);
});
