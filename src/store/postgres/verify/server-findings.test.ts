// How doctor judges what a server says about itself: what no test server can be, such as one that is too old or whose clock is wrong.

import { describe, expect, test } from 'vitest';
import type { Archiving } from '../archiving.ts';
import {
  archivingFindings,
  clockFinding,
  connectionsFinding,
  durabilityFindings,
  lagFinding,
  rightsFindings,
  securityFinding,
  timeoutFindings,
  versionFinding,
  type ServerRow,
} from './server-findings.ts';

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

/** A server on which nothing is wrong. */
const fitServer: ServerRow = {
  version: 180_000,
  version_name: '18',
  encoding: 'UTF8',
  now_ms: 0,
  max_connections: 97,
  can_create: true,
  foreign_tables: 0,
  unforced: [],
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  checksums: 'on',
  is_open: false,
  statement_timeout: 30_000,
  lock_timeout: 25_000,
  transaction_timeout: 0,
  idle_session_timeout: 0,
};

describe('rights', () => {
  const remedy =
    'Let the role of DATABASE_URL own the database: ALTER DATABASE … OWNER TO …, and the tables: REASSIGN OWNED BY … TO ….';

  test.each([
    [{}, [{ level: 'ok', what: 'the database role owns the tables and may migrate them' }]],
    [{ foreign_tables: 1 }, [{ level: 'fail', what: '1 tables belong to another role', remedy }]],
    [{ can_create: false }, [{ level: 'fail', what: 'the database role may not create tables', remedy }]],
    [
      { can_create: false, foreign_tables: 2 },
      [{ level: 'fail', what: 'the database role may not create tables', remedy }],
    ],
  ])('%j', (more, findings) => {
    expect(rightsFindings({ ...fitServer, ...more })).toEqual(findings);
  });

  test('tables without row-level security are named', () => {
    expect(securityFinding(fitServer)).toEqual({ level: 'ok', what: 'row-level security is forced on every table' });
    expect(securityFinding({ ...fitServer, unforced: ['account', 'client'] })).toEqual({
      level: 'fail',
      what: 'row-level security is not forced on account, client',
      remedy: 'Run ALTER TABLE … ENABLE ROW LEVEL SECURITY and ALTER TABLE … FORCE ROW LEVEL SECURITY on each.',
    });
  });
});

describe('connections', () => {
  const remedy = 'Lower DATABASE_POOL or WORK_THREADS, or raise max_connections.';
  const what = (needed: number) => `a node opens up to ${needed} connections, of 40 that the server has`;

  test.each([
    [20, { level: 'ok', what: what(20) }],
    [21, { level: 'warn', what: `${what(21)}: a second node may find none`, remedy }],
    [40, { level: 'warn', what: `${what(40)}: a second node may find none`, remedy }],
    [41, { level: 'fail', what: what(41), remedy }],
  ])('%i of 40', (needed, finding) => {
    expect(connectionsFinding({ max_connections: 40 }, needed)).toEqual(finding);
  });
});

test.each([
  [{ missing: 0, seconds: 3_600 }, 'ok', 'the replica has all that the primary has'],
  [{ missing: 1, seconds: 0 }, 'ok', 'the replica lacks 1 KiB of the log; its last commit is 0 s old'],
  [{ missing: 1_025, seconds: 59.4 }, 'ok', 'the replica lacks 2 KiB of the log; its last commit is 59 s old'],
  [{ missing: 1_024, seconds: 60 }, 'warn', 'the replica lacks 1 KiB of the log; its last commit is 60 s old'],
])('a replica with %j is %s', (lag, level, what) => {
  const remedy =
    'See whether it is paused, too slow, or cut off: pg_stat_replication on the primary lists those that follow.';
  expect(lagFinding(lag)).toEqual({ level, what, ...(level === 'warn' && { remedy }) });
});

describe('what is acknowledged', () => {
  const destroys = (fsync: string, pages: string) => ({
    level: 'fail',
    what: `fsync is ${fsync}, full_page_writes is ${pages}: a power cut can destroy the database`,
    remedy: 'Set both to on.',
  });
  const loses = {
    level: 'warn',
    what: 'synchronous_commit is off: a crash can lose what was acknowledged',
    remedy: 'Set it to on.',
  };
  const isNotNoticed = {
    level: 'warn',
    what: 'data checksums are off: damage on the disk is not noticed',
    remedy: 'Stop the server and run pg_checksums --enable.',
  };
  const isOpen = {
    level: 'warn',
    what: 'the connection to the database is not encrypted',
    remedy: 'Add ?sslmode=verify-full to DATABASE_URL.',
  };

  test.each<[Partial<ServerRow>, readonly object[]]>([
    [{}, [{ level: 'ok', what: 'what is acknowledged is on the disk' }]],
    [{ synchronous_commit: 'local' }, [{ level: 'ok', what: 'what is acknowledged is on the disk' }]],
    [{ fsync: 'off' }, [destroys('off', 'on')]],
    [{ full_page_writes: 'off' }, [destroys('on', 'off')]],
    [{ synchronous_commit: 'off' }, [loses]],
    [{ checksums: 'off' }, [isNotNoticed]],
    [{ is_open: true }, [isOpen]],
    [
      { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', checksums: 'off', is_open: true },
      [destroys('off', 'off'), loses, isNotNoticed, isOpen],
    ],
  ])('with %j', (more, findings) => {
    expect(durabilityFindings({ ...fitServer, ...more })).toEqual(findings);
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

/** A server that has archived a segment a moment ago. */
const archiving: Archiving = {
  mode: 'on',
  ageSeconds: 30,
  lastArchived: '00000001000000000000002A',
  lastFailed: null,
  failureCount: 0,
  isFailing: false,
  timeoutSeconds: 60,
  slot: null,
  slotIsUsed: null,
  heldBytes: 0,
};
const segment = 'the last segment of the write-ahead log (00000001000000000000002A) was archived';

test.each<[what: string, change: Partial<Archiving>, isOwn: boolean, found: (readonly [string, string])[]]>([
  ['is fine', {}, false, [['ok', `${segment} 30 s ago`]]],
  [
    'is off',
    { mode: 'off' },
    false,
    [['warn', 'the write-ahead log is not archived: what was written since the last backup can be lost']],
  ],
  ['is off for the database that comes with the service', { mode: 'off' }, true, []],
  [
    'fails',
    { isFailing: true, lastFailed: '00000001000000000000002B' },
    false,
    [
      [
        'fail',
        'archiving the write-ahead log fails: 00000001000000000000002B was not archived, the last that was is 00000001000000000000002A',
      ],
    ],
  ],
  [
    'has not begun',
    { ageSeconds: null, lastArchived: null },
    false,
    [['warn', 'no segment of the write-ahead log was archived yet']],
  ],
  ['is an hour old', { ageSeconds: 3_600 }, false, [['ok', `${segment} 3600 s ago`]]],
  ['is older', { ageSeconds: 3_601 }, false, [['warn', `${segment} 3601 s ago`]]],
  [
    'waits for full segments',
    { timeoutSeconds: 0 },
    false,
    [['warn', `${segment} 30 s ago, and archive_timeout is 0`]],
  ],
  [
    'is held back by a slot that nobody uses',
    { slot: 'gone', slotIsUsed: false, heldBytes: 11 * 2 ** 30 },
    false,
    [
      ['ok', `${segment} 30 s ago`],
      ['warn', 'the replication slot gone holds back 11 GiB of the write-ahead log, and nobody uses it'],
    ],
  ],
  [
    'is held back a little',
    { slot: 'near', slotIsUsed: true, heldBytes: 10 * 2 ** 30 },
    false,
    [['ok', `${segment} 30 s ago`]],
  ],
])('an archive of the write-ahead log that %s', (_what, change, isOwn, found) => {
  const findings = archivingFindings({ ...archiving, ...change }, { isOwn });
  expect(findings.map(({ level, what }) => [level, what])).toEqual(found);
  expect(findings.every(({ level, remedy }) => (remedy !== undefined) === (level !== 'ok'))).toBe(true);
});
