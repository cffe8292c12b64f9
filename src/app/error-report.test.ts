// Checks that a logged error shows where it happened and nothing that a caller sent.

import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { reportError } from './error-report.ts';

const secretName = 'Lindqvist';

async function errorOf(text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
  try {
    await client.query('CREATE TEMP TABLE person (name text PRIMARY KEY CHECK (name <> upper(name)), age int)');
    return await client
      .query(`INSERT INTO person VALUES ('${secretName}', 40)`)
      .then(() => client.query(text))
      .catch((error: unknown) => error);
  } finally {
    await client.end();
  }
}

test.each([
  [
    'a duplicate row',
    `INSERT INTO person VALUES ('${secretName}', 1)`,
    { type: 'DatabaseError', code: '23505', table: 'person', constraint: 'person_pkey' },
  ],
  [
    'a row that violates a check',
    `INSERT INTO person VALUES ('${secretName.toUpperCase()}', 1)`,
    { code: '23514', constraint: 'person_name_check' },
  ],
  ['a value of another type', `SELECT '${secretName}'::int`, { code: '22P02' }],
  ['a table that is not there', 'SELECT * FROM nobody', { code: '42P01', message: 'relation "nobody" does not exist' }],
])('a report of %s contains no data of the caller', async (_what, text, expected) => {
  const report = reportError(await errorOf(text));
  expect(report).toMatchObject(expected);
  expect(report.frames?.length).toBeGreaterThan(0);
  expect(JSON.stringify(report).toLowerCase()).not.toContain(secretName.toLowerCase());
});

test('a report of a parser error has none of the parsed text', () => {
  const report = reportError(caught(() => JSON.parse(`{"name": ${secretName}}`)));
  expect(report).toMatchObject({ type: 'SyntaxError' });
  expect(JSON.stringify(report)).not.toContain(secretName.slice(0, 4));
});

test('a report of a defect has its message, stack and causes', () => {
  const report = reportError(new Error('outer', { cause: new TypeError('inner') }));
  expect(report).toMatchObject({ type: 'Error', message: 'outer', cause: { type: 'TypeError', message: 'inner' } });
  expect(report.frames?.[0]).toContain('error-report.test.ts');
});

test('lines of a multi-line message are not mistaken for stack frames', () => {
  expect(JSON.stringify(reportError(new Error(`one\n    at ${secretName}`)).frames)).not.toContain(secretName);
});

test('a report of a thrown value that is not an error has only its type', () => {
  expect(reportError(secretName)).toEqual({ type: 'string' });
});

test('a report of circular causes has only the first few', () => {
  const circular = new Error('circular');
  circular.cause = circular;
  expect(JSON.stringify(reportError(circular)).match(/"circular"/g)?.length).toBe(4);
});

function caught(task: () => unknown): unknown {
  try {
    return task();
  } catch (error) {
    return error;
  }
}
