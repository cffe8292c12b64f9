// Tests how many rows are written into statements that read pages, so that few different ones are prepared, and the names of statements.

import { expect, test } from 'vitest';
import { sql, writtenPageSize } from './statement.ts';

test.each([
  [1, 26],
  [26, 26],
  [27, 51],
  [51, 51],
  [52, 101],
  [101, 101],
  [102, 251],
  [251, 251],
  [252, 501],
  [501, 501],
  [502, 1_001],
  [1_001, 1_001],
  [1_002, 10_001],
  [10_001, 10_001],
  [10_002, 16_384],
  [16_384, 16_384],
  [16_385, 32_768],
])('a page of %i rows is read by a statement for %i', (limit, size) => {
  expect(writtenPageSize(limit)).toBe(size);
});

test.each([
  ['short', 'short'],
  ['a'.repeat(46), 'a'.repeat(46)],
  ['a'.repeat(47), 'a'.repeat(46)],
])('the name of the statement %s ends with a digest, within the 63 bytes that PostgreSQL keeps', (name, kept) => {
  const statement = sql(name, 'SELECT 1');
  expect(statement.name).toMatch(new RegExp(`^${kept}#[0-9a-f]{16}$`));
  expect(sql(name, 'SELECT 2').name).not.toBe(statement.name);
  expect(sql(`${name}b`, 'SELECT 1').name).not.toBe(statement.name);
});
