// Tests that mixed rows of many records are separated by their first column, and that any fault fails the whole call.

import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { columnSql, blockRowsMax, type ColumnKinds, type ColumnBlock } from './binary-rows.ts';
import { GroupedRows } from './grouped-rows.ts';
import { PipelinedBatch } from '../pipelined-batch.ts';

let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
});

afterAll(() => client.end());

async function read<C extends ColumnKinds>(columns: C, text: string): Promise<readonly ColumnBlock<C>[]> {
  const into = new GroupedRows(columns);
  const call = { statement: columnSql('grouped-rows-test', columns, text), values: [], into };
  await client.query(new PipelinedBatch([call], 'named')).done;
  return into.blocks();
}

const kinds = { of: 'name', number: 'integer', other: 'name' } as const;

test('each block has rows of one record, in the order in which they arrived', async () => {
  const text = `SELECT 'record ' || n % 3 AS of, n AS number, 'o' || n % 2 AS other FROM generate_series(1::bigint, 8) n`;
  const names = (of: string, count: number): object => ({ numbers: new Int32Array(count), names: [of] });
  for (const _time of ['first', 'again']) {
    expect(await read(kinds, text)).toEqual([
      {
        length: 3,
        of: names('record 1', 3),
        number: Float64Array.of(1, 4, 7),
        other: { numbers: Int32Array.of(0, 1, 0), names: ['o1', 'o0'] },
      },
      {
        length: 3,
        of: names('record 2', 3),
        number: Float64Array.of(2, 5, 8),
        other: { numbers: Int32Array.of(0, 1, 0), names: ['o0', 'o1'] },
      },
      {
        length: 2,
        of: names('record 0', 2),
        number: Float64Array.of(3, 6),
        other: { numbers: Int32Array.of(0, 1), names: ['o1', 'o0'] },
      },
    ]);
  }
});

test('without rows there is no block', async () => {
  expect(await read(kinds, `SELECT 'a' AS of, 1::bigint AS number, 'b' AS other WHERE false`)).toEqual([]);
});

test('a record with many rows has several blocks', async () => {
  const count = 2 * blockRowsMax + 2;
  const text = `SELECT 'record ' || n % 2 AS of, n AS number, 'o' AS other FROM generate_series(1::bigint, ${count}) n`;
  const blocks = await read(kinds, text);
  expect(blocks.map(({ length, of, number }) => [of.names[0], length, number[0]])).toEqual([
    ['record 1', blockRowsMax, 1],
    ['record 1', 1, count - 1],
    ['record 0', blockRowsMax, 2],
    ['record 0', 1, count],
  ]);
});

test.each([
  [
    'without a record',
    `SELECT CASE WHEN n < 3 THEN 'a' END AS of, n AS number, 'o' AS other`,
    'does not name its record',
  ],
  ['with a number too large', `SELECT 'a' || n AS of, n + 9007199254740990 AS number, 'o' AS other`, '53 bits'],
  ['of another type', `SELECT 'a' AS of, n::int AS number, 'o' AS other`, 'number 20, other 25 were expected'],
])('a row %s fails the call, and the next statement succeeds', async (_what, text, fault) => {
  for (const _time of ['first', 'again']) {
    await expect(read(kinds, `${text} FROM generate_series(1::bigint, 4) n`)).rejects.toThrow(fault);
  }
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
