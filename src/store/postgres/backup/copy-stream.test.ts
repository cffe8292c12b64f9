import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { emptyDatabaseForThisTest } from '../../../../tests/setup/database/empty-database.ts';
import { copyOut } from './copy-stream.ts';

async function connect(): Promise<pg.Client> {
  const { url } = await emptyDatabaseForThisTest();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test.each([1, 7])('after %i rows that are larger than what may wait, the connection answers again', async (count) => {
  const client = await connect();
  let length = 0;
  const rows = copyOut(client, `COPY (SELECT repeat('x', 2000000) FROM generate_series(1, ${count})) TO STDOUT`);
  for await (const block of rows) length += block.length;
  expect(length).toBe(count * 2_000_001);
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('after an error behind such a row, the connection answers again', async () => {
  const client = await connect();
  const read = async (): Promise<void> => {
    const rows = `SELECT CASE n WHEN 1 THEN repeat('x', 2000000) ELSE (1 / (n - n))::text END FROM generate_series(1, 2) n`;
    for await (const _block of copyOut(client, `COPY (${rows}) TO STDOUT`));
  };
  await expect(read()).rejects.toThrow('division by zero');
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
