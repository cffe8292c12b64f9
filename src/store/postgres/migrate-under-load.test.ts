// Migrations run while nodes of the release before serve requests: they let others through, and long work holds no lock that anybody waits for.

import { expect, test } from 'vitest';
import { emptyDatabaseForThisTest } from '../../../tests/setup/database/empty-database.ts';
import { awaitLockWaits, holdLock } from '../../../tests/setup/database/lock-waits.ts';
import { folderWith } from '../../../tests/setup/database/migration-folder.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { migrate } from './migrate.ts';

const one = { '0001-one.sql': 'CREATE TABLE one (n int)' };

async function migrateWith(database: TestDatabase, files: Readonly<Record<string, string>>): Promise<void> {
  await migrate({ connectionString: database.url }, await folderWith({ ...one, ...files }));
}

test('a migration that waits for a long report does not hold up those who come after it', async () => {
  const database = await emptyDatabaseForThisTest();
  await migrateWith(database, {});
  const endReport = await holdLock(database, 'SELECT * FROM one');
  const migrated = migrateWith(database, { '0002-two.sql': 'ALTER TABLE one ADD COLUMN m int' });
  await awaitLockWaits(database, 1);
  // Would wait behind the migration for as long as the report lasts, which is until this has been answered.
  expect(await runSql(database, 'SELECT * FROM one')).toEqual([]);
  await endReport();
  await migrated;
  await runSql(database, 'INSERT INTO one (n, m) VALUES (1, 2)');
});

test('an index is built outside a transaction while a row is being written and other nodes start', async () => {
  const database = await emptyDatabaseForThisTest();
  await migrateWith(database, {});
  const endBooking = await holdLock(database, 'INSERT INTO one VALUES (1)');
  const text = `-- outside a transaction: bookings go on
    DROP INDEX CONCURRENTLY IF EXISTS one_by_n;
    CREATE INDEX CONCURRENTLY one_by_n ON one (n);`;
  const files = { '0002-index.sql': text, '0003-three.sql': 'CREATE TABLE three (n int)' };
  const nodes = Array.from({ length: 3 }, () => migrateWith(database, files));
  await awaitLockWaits(database, 1);
  await runSql(database, 'INSERT INTO one VALUES (2)');
  await endBooking();
  await Promise.all(nodes);
  const valid = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'one_by_n'::regclass`;
  expect(await runSql(database, valid)).toEqual([{ indisvalid: true }]);
  expect(await runSql(database, 'SELECT version FROM schema_migration ORDER BY version')).toEqual([
    { version: 1 },
    { version: 2 },
    { version: 3 },
  ]);
});

test('what was begun outside a transaction and failed is named, kept, and run again by the next start', async () => {
  const database = await emptyDatabaseForThisTest();
  const text = `-- outside a transaction: fills a table piece by piece
    CREATE TABLE IF NOT EXISTS two (n int);
    DO $$ BEGIN
      INSERT INTO two VALUES (1);
      COMMIT;
      INSERT INTO two SELECT 1 / n FROM one;
    END $$;`;
  await migrateWith(database, {});
  await runSql(database, 'INSERT INTO one VALUES (0)');
  const files = { '0002-two.sql': text };
  await expect(migrateWith(database, files)).rejects.toThrow(
    'Migration 0002-two.sql failed and will be run again from its beginning: division by zero',
  );
  expect(await runSql(database, 'SELECT n FROM two')).toEqual([{ n: 1 }]);
  await runSql(database, 'UPDATE one SET n = 1');
  await migrateWith(database, files);
  expect(await runSql(database, 'SELECT n FROM two')).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
});
