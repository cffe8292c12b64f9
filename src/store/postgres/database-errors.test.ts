import pg from 'pg';
import { expect, test } from 'vitest';
import { Refusal } from '../../kit/refusal.ts';
import {
  databaseErrorKind,
  isDatabaseUnavailable,
  isRetryable,
  mayHaveCommitted,
  toRefusal,
} from './database-errors.ts';

test.each([
  ['08006', 'connection'],
  ['ECONNREFUSED', 'connection'],
  ['EAI_AGAIN', 'connection'],
  ['ETIMEDOUT', 'silence'],
  ['53300', 'connections-used-up'],
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

test('a part of a spread table that has just been moved or split is worth another try', () => {
  for (const message of ['could not find valid entry for shard 102434', 'shard for the given value does not exist'])
    expect(isRetryable(Object.assign(new pg.DatabaseError(message, 10, 'error'), { code: 'XX000' }))).toBe(true);
  expect(isRetryable(new Error('could not find valid entry for shard 102434'))).toBe(false);
});

test('an error without a code counts by what the driver says', () => {
  expect(databaseErrorKind(new Error('Connection terminated unexpectedly'))).toBe('connection');
  expect(databaseErrorKind(new Error('timeout exceeded when trying to connect'))).toBe('connection');
  expect(databaseErrorKind('nothing')).toBe('other');
});

const failure = (code: string, message = 'It failed.'): Error =>
  Object.assign(new Error(message), code === '' ? {} : { code });

/** What a caller is told: the code of the refusal, and after how many seconds to try again. */
function describeRefusal(error: unknown): unknown {
  const refusal = toRefusal(error);
  return refusal instanceof Refusal ? [refusal.code, refusal.retryAfterSeconds] : refusal === error;
}

const away = ['database-away', 2];
const busy = ['records-busy', 2];

test.each<[code: string, refusal: unknown, isUnavailable: boolean, isRetryable: boolean, mayHaveCommitted: boolean]>([
  ['08000', away, true, false, true],
  ['08006', away, true, false, true],
  ['53300', away, true, false, true],
  ['53200', away, true, false, true],
  ['53100', ['database-full', 2], true, false, false],
  ['53400', true, false, false, false],
  ['57P00', true, false, false, false],
  ['57P01', away, true, false, true],
  ['57P05', away, true, false, true],
  ['57P06', true, false, false, false],
  ['57014', away, true, false, true],
  ['25006', ['database-read-only', 2], true, false, false],
  ['25P02', true, false, false, false],
  ['25P03', away, true, false, true],
  ['25P04', away, true, false, true],
  ['55P03', busy, true, false, false],
  ['40001', busy, false, true, false],
  ['40P01', busy, false, true, false],
  ['23505', busy, false, true, false],
  ['23503', busy, false, true, false],
  ['26000', busy, false, true, false],
  ['42501', true, false, true, false],
  ['23502', true, false, false, false],
  ['0A000', true, false, false, false],
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOENT',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EACCES',
  ].map((code): [string, unknown, boolean, boolean, boolean] => [code, away, true, false, true]),
  ['EISDIR', true, false, false, false],
])('what a caller is told after %s, and whether it is worth another try or may have been done', (code, ...expected) => {
  const error = failure(code);
  expect([describeRefusal(error), isDatabaseUnavailable(error), isRetryable(error), mayHaveCommitted(error)]).toEqual(
    expected,
  );
});

test.each([
  ['Connection terminated', away],
  ['timeout expired', away],
  ['timeout exceeded when trying to connect', away],
  ['Client has encountered a connection error and is not queryable', away],
  ['Cannot use a pool after calling end on the pool', away],
  ['Something else', true],
])('“%s” without a code is told as what it says, and with another code as that', (message, expected) => {
  expect(describeRefusal(failure('', message))).toEqual(expected);
  expect(describeRefusal(failure('XX000', message))).toBe(true);
});

test('a server that has no connection left is not called away', () => {
  const detailOf = (code: string): unknown => (toRefusal(failure(code)) as Refusal).message;
  expect([detailOf('53300'), detailOf('08006')]).toEqual([
    'The database runs, but has no connection left: others use all that it allows. Nothing was changed.',
    'The database cannot be reached at the moment. Nothing was changed.',
  ]);
});

test('what is no error is passed on, whatever it says', () => {
  expect([describeRefusal({ code: '08006' }), describeRefusal({ code: '40001' }), describeRefusal(undefined)]).toEqual([
    true,
    true,
    true,
  ]);
});

test.each([
  ['RevalidateCachedQuery', true],
  ['transformSelectStmt', false],
])('what the server does not support, as %s says, is worth another try: %s', (routine, expected) => {
  const error = Object.assign(new pg.DatabaseError('It failed.', 10, 'error'), { code: '0A000', routine });
  expect(isRetryable(error)).toBe(expected);
  expect(isRetryable(failure('0A000'))).toBe(false);
  expect(isRetryable(Object.assign(new pg.DatabaseError('It failed.', 10, 'error'), { code: '0A001', routine }))).toBe(
    false,
  );
});
