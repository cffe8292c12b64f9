// Which environments are the largest, and which are nearest to a quota, own or the installation's.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runSql } from '../../../tests/setup/database/sql.ts';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import type { InstallationSettings } from '../../model/access/workspace-settings.ts';
import { Database } from '../postgres/database.ts';
import { Stores } from '../stores.ts';

let testDatabase: TestDatabase;
let stores: Stores;

beforeAll(async () => {
  testDatabase = await makeDatabase();
  const connection = { connectionString: testDatabase.url };
  stores = new Stores(new Database({ connection, poolSize: 2, statements: 'named' }));
});
afterAll(async () => {
  await stores.close();
  await testDatabase.drop();
});

const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(24));
const [a, b, c] = ids as [string, string, string];

beforeEach(async () => {
  for (const table of ['storage_measure', 'import_usage', 'environment', 'workspace'])
    await runSql(testDatabase, `DELETE FROM ${table}`);
  for (const id of ids) {
    await runSql(testDatabase, 'INSERT INTO workspace (workspace_id, name, created_at) VALUES ($1, $1, now())', [id]);
    const environment = 'INSERT INTO environment (workspace_id, environment, created_at) VALUES ($1, $2, now())';
    for (const name of ['production', 'sandbox']) await runSql(testDatabase, environment, [id, name]);
  }
});

const measure = (id: string, bytes: number, environment = 'production') =>
  runSql(
    testDatabase,
    `INSERT INTO storage_measure (workspace_id, environment, measured_at, took_ms, row_count, bytes, last_entry)
     VALUES ($1, $2, now(), 1, $3, $4, '')`,
    [id, environment, bytes / 100, bytes],
  );

const use = (id: string, { rows = 0, bytes = 0, day = '2026-11-15', dayRows = 0 }) =>
  runSql(testDatabase, `INSERT INTO import_usage VALUES ($1, 'production', $2, $3, $4, $5)`, [
    id,
    rows,
    bytes,
    day,
    dayRows,
  ]);

const settings = {
  storageBytes: null,
  importRows: 100,
  importBytes: 1_000,
  importRowsPerDay: null,
} as InstallationSettings;

const nearest = async (most = 10, of = settings) =>
  (await stores.preAuth.listNearestQuotas({ most, settings: of, today: '2026-11-15' })).map(
    ({ workspaceId, quota, used, max }) => [workspaceId, quota, used, max],
  );

test('the largest environments come first, at most so many, with the sum of all', async () => {
  expect(await stores.preAuth.listLargest(2)).toEqual({ largest: [], all: { rows: 0, bytes: 0 } });
  await measure(a, 500);
  await measure(b, 900, 'sandbox');
  await measure(c, 700);
  expect(await stores.preAuth.listLargest(2)).toEqual({
    largest: [
      { workspaceId: b, environment: 'sandbox', rows: 9, bytes: 900 },
      { workspaceId: c, environment: 'production', rows: 7, bytes: 700 },
    ],
    all: { rows: 21, bytes: 2_100 },
  });
});

test('a quota of the workspace counts before that of the installation, and one of nothing is left out', async () => {
  await use(a, { rows: 50, bytes: 100 });
  await use(b, { rows: 50, bytes: 100 });
  await runSql(
    testDatabase,
    'UPDATE workspace SET import_rows_max = 52, import_bytes_max = 0 WHERE workspace_id = $1',
    [b],
  );
  expect(await nearest()).toEqual([
    [b, 'import-rows', 50, 52],
    [a, 'import-rows', 50, 100],
    [a, 'import-bytes', 100, 1_000],
  ]);
  expect(await nearest(1)).toEqual([[b, 'import-rows', 50, 52]]);
});

test('rows of a day count on that day only, and storage only where there is a quota', async () => {
  await use(a, { day: '2026-11-14', dayRows: 9 });
  await use(b, { dayRows: 9 });
  await measure(c, 800);
  await measure(a, 800);
  await runSql(testDatabase, 'UPDATE workspace SET storage_bytes_max = 1000 WHERE workspace_id = $1', [c]);
  const own = { ...settings, importRows: 0, importBytes: 0, importRowsPerDay: 10 };
  expect(await nearest(3, own)).toEqual([
    [b, 'import-rows-per-day', 9, 10],
    [c, 'storage', 800, 1_000],
    [a, 'import-rows-per-day', 0, 10],
  ]);
});

test('a suspended workspace is near to nothing', async () => {
  await use(a, { rows: 99 });
  await runSql(testDatabase, `UPDATE workspace SET state = 'suspended' WHERE workspace_id = $1`, [a]);
  expect(await nearest()).toEqual([]);
});
