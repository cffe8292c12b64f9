// How doctor judges what a server says about itself: what no test server can be, such as one that is too old or whose clock is wrong.

import { describe, expect, test } from 'vitest';
import { clockFinding, timeoutFindings, versionFinding, type ServerRow } from './server-findings.ts';

function versionOf(version: number, encoding = 'UTF8'): Pick<ServerRow, 'version' | 'version_name' | 'encoding'> {
  return { version, version_name: String(Math.floor(version / 10_000)), encoding };
}

test.each([
  [150_000, 'UTF8', 'ok', /^PostgreSQL 15; no extension is needed$/],
  [149_999, 'UTF8', 'fail', /^PostgreSQL 14$/],
  [180_000, 'SQL_ASCII', 'fail', /^PostgreSQL 18 with the encoding SQL_ASCII$/],
])('version %i with the encoding %s is %s', (version, encoding, level, what) => {
  const finding = versionFinding(versionOf(version, encoding));
  expect(finding).toMatchObject({ level, what: expect.stringMatching(what) });
  expect(finding.remedy !== undefined).toBe(level !== 'ok');
});

test.each([
  [0, 0, 'ok', 0],
  [999, 0, 'ok', 999],
  [1_000, 0, 'warn', 1_000],
  [-1_000, 0, 'warn', 1_000],
  [29_999, 0, 'warn', 29_999],
  [-30_000, 0, 'fail', 30_000],
  // What the trip to the server may have taken is no difference.
  [1_400, 500, 'ok', 900],
  [300, 500, 'ok', 0],
])('a clock that differs by %i ms, asked in twice %i ms, is %s', (difference, halfTrip, level, shown) => {
  expect(clockFinding(difference, halfTrip)).toMatchObject({
    level,
    what: `the clock of the database differs by ${shown} ms`,
  });
});

describe('time limits', () => {
  const fit = { statement_timeout: 30_000, lock_timeout: 25_000, transaction_timeout: 0, idle_session_timeout: 0 };
  const requested = { statementMs: 30_000, lockMs: 25_000 };

  test.each([
    ['as asked', {}],
    ['of a server that knows no limit of transactions', { transaction_timeout: null }],
  ])('%s are fine', (_what, more) => {
    expect(timeoutFindings({ ...fit, ...more }, requested)).toEqual([
      { level: 'ok', what: 'time limits are those that the service sets' },
    ]);
  });

  test('that each transaction sets are not looked at', () => {
    expect(timeoutFindings({ ...fit, statement_timeout: 0, lock_timeout: 0 }, undefined)).toMatchObject([
      { level: 'ok' },
    ]);
  });

  test.each([
    [
      { statement_timeout: 0 },
      /^statement_timeout is 0 ms .* asked for 30000 and 25000$/,
      /DATABASE_STATEMENTS=unnamed/,
    ],
    [{ lock_timeout: 0 }, /lock_timeout 0 ms/, /DATABASE_STATEMENTS=unnamed/],
    [{ transaction_timeout: 60_000 }, /^transaction_timeout is 60000 ms: bulk/, /SET transaction_timeout = 0/],
    [{ idle_session_timeout: 1 }, /^idle_session_timeout is 1 ms/, /SET idle_session_timeout = 0/],
  ])('%j are named with a remedy', (more, what, remedy) => {
    expect(timeoutFindings({ ...fit, ...more }, requested)).toEqual([
      { level: 'warn', what: expect.stringMatching(what), remedy: expect.stringMatching(remedy) },
    ]);
  });
});
