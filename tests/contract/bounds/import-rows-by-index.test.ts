// The rows of an import with one outcome, or to which undoing did one thing, are read by an index: the others are not, however many they are.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectPlans, reportPlans } from '../../setup/database/observed-plans.ts';
import { liftConstraints } from '../../setup/database/filled-tables.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { makeDatabase, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { makeHousehold } from '../../setup/structure/structure-document.ts';

/** Far more than a page, far fewer than the rows of the import. */
const rowsReadMax = 100;
const rowCount = 20_000;
const camt = new CamtText({ version: 8 });
const plans = collectPlans();

let service: TestService | undefined;
let database: pg.Client;
let admin: Caller;
let id: string;

/** An import of many rows that wait; its last ones have the other outcomes. Other imports have nothing but booked rows. */
beforeAll(async () => {
  const made = await makeDatabase();
  database = new pg.Client({ connectionString: made.url });
  await database.connect();
  await reportPlans(made);
  service = await startTestService({ database: made });
  await liftConstraints(database);
  admin = await service.openWorkspace();
  const { client } = await makeHousehold(admin, 'Amsel');
  const file = camt.document([{ entries: [camt.entry({ reference: 'A-1' })] }]);
  id = (await admin.send(`/v1/imports?client_id=${client}`, { method: 'POST', raw: file })).body.id;
  const columns = `workspace_id, environment, client_id, line, item, ordinal, stated`;
  const copy = (target: string, outcome: string, undo: string, numbers: string): Promise<unknown> =>
    database.query(
      `INSERT INTO import_row (${columns}, import_id, number, outcome, undo)
       SELECT ${columns}, ${target}, n, ${outcome}, ${undo} FROM import_row r, generate_series(${numbers}) n WHERE r.import_id = $1 AND r.number = 1`,
      [id],
    );
  await copy('r.import_id', `'unchanged'`, 'NULL', `2, ${rowCount}`);
  for (const [index, outcome] of ['booked', 'amended', 'refused', 'needs'].entries())
    await copy('r.import_id', `'${outcome}'`, `'kept'`, `${rowCount + 1 + index}, ${rowCount + 1 + index}`);
  await copy(`'another ' || n % 10`, `'booked'`, `'closed'`, `1, ${5 * rowCount}`);
  await database.query('ANALYZE');
}, 300_000);

afterAll(async () => {
  plans.stop();
  await service?.stop();
  await database.end();
});

async function rowsRead(query: string): Promise<{ readonly found: number; readonly read: number }> {
  plans.take();
  const { status, body } = await admin.get(`/v1/imports/${id}/rows?limit=10&${query}`);
  expect(status).toBe(200);
  const scans = plans.take().flatMap((plan) => plan.scans.filter(({ table }) => table === 'import_row'));
  return { found: body.data.length, read: scans.reduce((sum, scan) => sum + Math.max(scan.rows, scan.pages), 0) };
}

test.each([
  ['outcome=booked', 1],
  ['outcome=amended', 1],
  ['outcome=refused', 1],
  ['outcome=needs', 2],
  ['outcome=unchanged', 10],
  ['undo=kept', 4],
  ['undo=restored', 0],
  ['outcome=booked&undo=kept', 1],
  ['', 10],
])('a page of the rows with %s', async (query, count) => {
  const { found, read } = await rowsRead(query);
  expect(found).toBe(count);
  expect(read).toBeLessThan(rowsReadMax);
});

test('booking again reads the rows that are open, not those that are done', async () => {
  await database.query(`UPDATE import SET state = 'booked', booked_at = created_at WHERE id = $1`, [id]);
  plans.take();
  expect((await admin.send(`/v1/imports/${id}/book`, { method: 'POST' })).status).toBe(200);
  const scans = plans
    .take()
    .filter(({ text }) => !text.includes('count(*)')) // the counts of all rows, once for each booking
    .flatMap((plan) => plan.scans.filter(({ table }) => table === 'import_row'));
  expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(rowsReadMax);
});
