// Values go to PostgreSQL and come back unchanged, and the statements of a batch share one transaction.

import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { JsonNumber } from '../../kit/json.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { PipelinedBatch } from './pipelined-batch.ts';
import { sql, type Statement, type Value } from './statement.ts';

let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
});

afterAll(() => client.end());

async function send<Row>(
  statement: Statement<Row>,
  values: readonly Value[],
  named: 'named' | 'unnamed' = 'named',
): Promise<any> {
  const [outcome] = await client.query(new PipelinedBatch([{ statement, values }], named)).done;
  return outcome!.rows[0];
}

describe.each(['named', 'unnamed'] as const)('%s statements', (named) => {
  test.each([
    ['text', 'it\'s \\ "quoted" ünïcödé 🜚', 'it\'s \\ "quoted" ünïcödé 🜚'],
    ['numeric(38,18)', '12345678901234567890.123456789012345678', '12345678901234567890.123456789012345678'],
    ['numeric(38,18)', '1.50', '1.5'],
    ['numeric(38,18)', '-100', '-100'],
    ['numeric(38,18)', '0', '0'],
    ['numeric', '1000', '1000'],
    ['date', '1900-01-31', '1900-01-31'],
    ['timestamptz', new Date('2026-11-15T12:00:00.123Z'), Date.parse('2026-11-15T12:00:00.123Z')],
    ['timestamptz', new Date('1900-01-01T00:00:00Z'), Date.parse('1900-01-01T00:00:00Z')],
    ['bigint', 9_007_199_254_740_991, 9_007_199_254_740_991],
    ['boolean', true, true],
    ['boolean', null, null],
    ['text[]', ['a', 'b"c', 'd\\e', 'NULL', '{f,g}', ' '], ['a', 'b"c', 'd\\e', 'NULL', '{f,g}', ' ']],
    ['text[]', [], []],
    ['jsonb', '{"a": [1, null]}', { a: [new JsonNumber('1'), null] }],
    ['bytea', Buffer.from([0, 255, 92, 39]), Buffer.from([0, 255, 92, 39])],
  ] satisfies [string, Value, unknown][])('a %s comes back unchanged: %j', async (type, value, expected) => {
    const statement = sql(`there-and-back/${type}`, `SELECT $1::${type} AS value`);
    expect((await send(statement, [value], named)).value).toEqual(expected);
    expect((await send(statement, [value], named)).value).toEqual(expected);
  });
});

test('any decimal comes back in its canonical form from a column with more places', async () => {
  const statement = sql('any-decimal', 'SELECT $1::numeric(38,18) AS value');
  const decimals = fc.tuple(
    fc.bigInt({ min: -(10n ** 20n) + 1n, max: 10n ** 20n - 1n }),
    fc.stringMatching(/^\d{0,18}$/),
  );
  await fc.assert(
    fc.asyncProperty(decimals, async ([whole, fraction]) => {
      const decimal = parseDecimal(fraction === '' ? String(whole) : `${whole}.${fraction}`);
      expect((await send(statement, [decimal])).value).toBe(decimal);
    }),
  );
});

test('any strings in an array come back unchanged', async () => {
  const statement = sql('any-strings', 'SELECT $1::text[] AS value');
  const strings = fc.array(fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed()));
  await fc.assert(
    fc.asyncProperty(strings, async (value) => {
      expect((await send(statement, [value])).value).toEqual(value);
    }),
  );
});

test('statements with long names that begin alike are distinct', async () => {
  const stem = 'a name that is longer than PostgreSQL keeps and differs only at its very end: ';
  expect((await send(sql(`${stem}1`, 'SELECT 1 AS value'), [])).value).toBe(1);
  expect((await send(sql(`${stem}2`, 'SELECT 2 AS value'), [])).value).toBe(2);
});

test('a changed text under the same name is a different statement', async () => {
  expect((await send(sql('same', 'SELECT 1 AS value'), [])).value).toBe(1);
  expect((await send(sql('same', 'SELECT 2 AS value'), [])).value).toBe(2);
});

test('settings that a batch makes for its transaction end with the batch', async () => {
  const set = { statement: sql('set', `SELECT set_config('holdfast.workspace', 'somebody', true)`), values: [] };
  const show = sql('show', `SELECT current_setting('holdfast.workspace', true) AS value`);
  const outcomes = await client.query(new PipelinedBatch([set, { statement: show, values: [] }], 'named')).done;
  expect(outcomes[1]!.rows).toEqual([{ value: 'somebody' }]);
  expect((await send(show, [])).value).not.toBe('somebody');
});

test('a statement that failed can be sent again', async () => {
  const divide = sql('divide', 'SELECT 10 / $1::int AS value');
  await expect(send(divide, [0])).rejects.toThrow('division by zero');
  expect((await send(divide, [5])).value).toBe(2);
});

test('a connection keeps a bounded number of statements prepared, those that were used last', async () => {
  const often = sql('often', 'SELECT 0 AS value');
  for (let number = 0; number < 2_100; number += 100) {
    const calls = Array.from({ length: 100 }, (_, index) => ({
      statement: sql(`one-of-many/${number + index}`, `SELECT ${number + index} AS value`),
      values: [],
    }));
    await client.query(new PipelinedBatch([...calls, { statement: often, values: [] }], 'named')).done;
  }
  const { rows } = await client.query<{ name: string }>('SELECT name FROM pg_prepared_statements');
  const names = rows.map(({ name }) => name);
  expect(names.length).toBe(2_000);
  expect(names).toContain(often.name);
  expect(names).toContain(sql('one-of-many/2099', 'SELECT 2099 AS value').name);
  expect(names).not.toContain(sql('one-of-many/0', 'SELECT 0 AS value').name);
  expect((await send(sql('one-of-many/0', 'SELECT 0 AS value'), [])).value).toBe(0);
});

test('a value that has no text fails its own batch, and the connection goes on', async () => {
  await expect(send(sql('no-text', 'SELECT $1::timestamptz AS moment'), [new Date(NaN)])).rejects.toThrow(RangeError);
  expect(await send(sql('after', 'SELECT 1 AS number'), [])).toEqual({ number: 1 });
});
