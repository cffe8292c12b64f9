// Looking up what statements said takes as long as there are keys, however many entries an account has: also while the planner knows nothing
// of the table, as in the middle of a first large file.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';
import { registeredStatements } from '../postgres/statement.ts';
import './stated-entries.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await makeDatabase();
});

afterAll(() => database.drop());

test.each([
  ['by-reference', 'stated_entry_pkey'],
  ['by-content', 'stated_entry_of_content'],
  ['reversible', 'stated_entry_of_content'],
  ['waiting', 'stated_entry_waiting'],
  ['accounts-with-waiting', 'stated_entry_waiting'],
])('%s reads one index, and only the range of each key', async (name, index) => {
  const statement = registeredStatements().find((one) => one.name.startsWith(`stated-entries/${name}#`))!;
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`BEGIN; SET LOCAL ROLE holdfast_service; SET LOCAL enable_seqscan = off`);
    // They are run so; what is registered does not say it.
    await client.query('SET LOCAL enable_sort = off');
    // As a named statement is planned after some calls; PostgreSQL 15 has no other way to ask for it.
    await client.query(`SET LOCAL plan_cache_mode = force_generic_plan; PREPARE asked AS ${statement.text}`);
    const count = Math.max(...Array.from(statement.text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)));
    const nulls = Array.from({ length: count }, () => 'NULL').join();
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE asked (${nulls})`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(new RegExp(`Index (?:Only )?Scan (?:Backward )?using ${index} on stated_entry e`));
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  } finally {
    await client.end();
  }
});
