import { expect, test } from 'vitest';
import { databaseErrorKind } from './database-errors.ts';

test.each([
  ['08006', 'connection'],
  ['ECONNREFUSED', 'connection'],
  ['EAI_AGAIN', 'connection'],
  ['ETIMEDOUT', 'silence'],
  ['53300', 'refused-connection'],
  ['28P01', 'refused-connection'],
  ['57P01', 'shutdown'],
  ['57014', 'timeout'],
  ['25P03', 'timeout'],
  ['55P03', 'lock-timeout'],
  ['40P01', 'deadlock'],
  ['40001', 'conflict'],
  ['23505', 'constraint'],
  ['42501', 'permission'],
  ['25006', 'read-only'],
  ['53100', 'disk-full'],
  ['53200', 'resources'],
  ['22012', 'data'],
  ['42P01', 'statement'],
  ['XX000', 'other'],
])('an error with the code %s counts as %s', (code, kind) => {
  expect(databaseErrorKind(Object.assign(new Error('It failed.'), { code }))).toBe(kind);
});

test('an error without a code counts by what the driver says', () => {
  expect(databaseErrorKind(new Error('Connection terminated unexpectedly'))).toBe('connection');
  expect(databaseErrorKind(new Error('timeout exceeded when trying to connect'))).toBe('connection');
  expect(databaseErrorKind('nothing')).toBe('other');
});
