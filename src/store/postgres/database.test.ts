// Tests on a real database that connections carry nothing over from one tenant to the next, and that lost connections are handled.

import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  openSeverableConnection,
  type SeverableConnection,
} from '../../../tests/setup/database/severable-connection.ts';
import { tenantsDatabaseForThisFile } from '../../../tests/setup/database/tenants-database.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { scopeOf, tenants, type TestTenant } from '../../../tests/setup/database/tenants.ts';
import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import { Database } from './database.ts';
import { withStartLock } from './start-lock.ts';
import type { Run } from './statement-runner.ts';
import { sql } from './statement.ts';

const [here] = tenants as [TestTenant];

const seeded = tenantsDatabaseForThisFile({ poolSize: 2 });
const openDatabase = seeded.open;

const fail = sql('fail', 'SELECT 1/0');
const look = sql('look', 'SELECT FROM client');
const rename = sql('rename', 'UPDATE client SET name = $1 WHERE id = $2');

/** Servers that spread tables are entered in another form, which works on any. */
const ways = [
  { statements: 'named', server: 'one server', isDistributed: false },
  { statements: 'unnamed', server: 'one server', isDistributed: false },
  { statements: 'named', server: 'several servers', isDistributed: true },
  { statements: 'unnamed', server: 'several servers', isDistributed: true },
] as const;

describe.each(ways)('a released connection, with $statements statements for $server', (way) => {
  const endings: [string, (opened: Database) => Promise<unknown>][] = [
    ['a read', (opened) => opened.read(scopeOf(here), sql('one', 'SELECT 1'), [])],
    ['a read that failed', (opened) => opened.read(scopeOf(here), fail, []).catch(() => {})],
    ['a transaction', (opened) => opened.write(scopeOf(here), (run) => run(rename, ['root', here.clients.root]))],
    [
      'a transaction whose statement failed',
      (opened) => opened.write(scopeOf(here), (run) => run(fail, [])).catch(() => {}),
    ],
    [
      'an abandoned transaction',
      (opened) => opened.write(scopeOf(here), () => Promise.reject(new Error('given up'))).catch(() => {}),
    ],
    [
      'a caller that no longer exists',
      (opened) => opened.checkCredential({ ...scopeOf(here), credentialId: 'gone' as Id }).catch(() => {}),
    ],
    ['reads in a snapshot', (opened) => opened.readSnapshot(scopeOf(here), (run) => run(look, []))],
    ['a read in the pre-auth role', (opened) => opened.readPreAuth(sql('one', 'SELECT 1'), [])],
    [
      'a read in the pre-auth role during a transaction',
      (opened) => opened.write(scopeOf(here), (run) => run.readPreAuth(sql('one', 'SELECT 1'), [])),
    ],
  ];

  test.each(endings)('carries no tenant over after %s', async (_what, end) => {
    const made: pg.Client[] = [];
    class RecordingClient extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super(config);
        made.push(this);
      }
    }
    const opened = openDatabase({
      connection: { connectionString: seeded.database.url, Client: RecordingClient },
      poolSize: 1,
      ...way,
    });
    await end(opened);
    const settings = ['workspace', 'environment', 'visible_clients'].map(
      (name) => `coalesce(current_setting('holdfast.${name}', true), '')`,
    );
    const { rows } = await made[0]!.query({
      text: `SELECT ${settings.join(', ')}, current_user = session_user, now() = statement_timestamp()`,
      rowMode: 'array',
    });
    expect(made.length).toBe(1);
    expect(rows).toEqual([['', '', '', true, true]]);
  });
});

describe.each(ways)('many tenants on few connections, with $statements statements for $server', (way) => {
  const seen = sql<{ tenant: string }>(
    'seen',
    `SELECT DISTINCT workspace_id || '/' || environment AS tenant FROM client`,
  );

  async function lookAround(run: Run): Promise<string[]> {
    return (await run(seen, [])).rows.map(({ tenant }) => tenant);
  }

  const acts: Record<string, (opened: Database, scope: Scope) => Promise<string[]>> = {
    read: async (opened, scope) => (await opened.read(scope, seen, [])).rows.map(({ tenant }) => tenant),
    write: (opened, scope) => opened.write(scope, lookAround),
    'read together': (opened, scope) => opened.readSnapshot(scope, lookAround),
    'write twice': (opened, scope) =>
      opened.write(scope, async (run) => [...new Set([...(await lookAround(run)), ...(await lookAround(run))])]),
    'fail, then read': async (opened, scope) => {
      await expect(opened.write(scope, (run) => run(fail, []))).rejects.toThrow('division by zero');
      return acts['read']!(opened, scope);
    },
    'read for several': async (opened, scope) => {
      const calls = [...tenants.map((one) => scopeOf(one)), scope].map((one) => ({ scope: one, values: [] }));
      return (await opened.readForEach(seen, calls)).at(-1)!.rows.map(({ tenant }) => tenant);
    },
    'see all clients for a moment': (opened, scope) =>
      opened.write({ ...scope, visibleClients: { kind: 'only', clientId: 'none' as Id } }, async (run) => {
        const [before, all] = [await lookAround(run), await run.withAllVisible(() => lookAround(run))];
        expect([before, await lookAround(run)]).toEqual([[], []]);
        return all;
      }),
    'read in the pre-auth role, then read': async (opened, scope) => {
      await opened.readPreAuth(sql('gate', 'SELECT FROM credential'), []);
      return acts['read']!(opened, scope);
    },
  };

  test('each sees its own rows, however their work is mixed', async () => {
    const opened = openDatabase({ poolSize: 3, ...way });
    const step = fc.record({ tenant: fc.constantFrom(...tenants), act: fc.constantFrom(...Object.keys(acts)) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const looks = steps.map(({ tenant, act }) => acts[act]!(opened, scopeOf(tenant)));
        const own = steps.map(({ tenant }) => [`${tenant.workspaceId}/${tenant.environment}`]);
        expect(await Promise.all(looks)).toEqual(own);
      }),
      { numRuns: 15 },
    );
  });
});

describe.each([
  { tenantFilters: 'both', isDistributed: false },
  { tenantFilters: 'store-only', isDistributed: false },
  { tenantFilters: 'both', isDistributed: true },
] as const)('tenant filters: $tenantFilters, spread: $isDistributed', (options) => {
  test('a transaction that reads in the pre-auth role sees what that role sees, and continues as before', async () => {
    const opened = openDatabase(options);
    const who = sql<{ name: string }>('who', 'SELECT current_user AS name');
    const environments = sql('environments', 'SELECT FROM environment');
    const [all] = await runSql<{ count: number }>(seeded.database, 'SELECT count(*)::int FROM environment');
    await opened.write(scopeOf(here), async (run) => {
      const before = (await run(who, [])).rows;
      expect((await run.readPreAuth(who, [])).rows).toEqual([{ name: 'holdfast_pre_auth' }]);
      expect((await run.readPreAuth(environments, [])).count).toBe(all!.count);
      expect((await run(who, [])).rows).toEqual(before);
      await run(rename, ['root', here.clients.root]);
    });
    const denied = opened.write(scopeOf(here), (run) =>
      run.readPreAuth(sql('audit', 'SELECT act FROM audit_entry'), []),
    );
    await expect(denied).rejects.toThrow('permission denied');
  });
});

describe('a database that is lost', () => {
  let line: SeverableConnection;
  let opened: Database;

  beforeAll(async () => {
    line = await openSeverableConnection(seeded.database);
    opened = new Database({ connection: { connectionString: line.url }, poolSize: 2, statements: 'named' });
  });

  afterAll(async () => {
    await opened.close();
    await line.close();
  });

  const away = {
    code: 'database-away',
    message: 'The database cannot be reached at the moment. Nothing was changed.',
    retryAfterSeconds: 2,
  };

  async function nameNow(): Promise<string> {
    const sqlText = 'SELECT name FROM client WHERE workspace_id = $1 AND environment = $2 AND id = $3';
    const [row] = await runSql<{ name: string }>(seeded.database, sqlText, [
      here.workspaceId,
      here.environment,
      here.clients.child,
    ]);
    return row!.name;
  }

  function renameChild(name: string, meanwhile: () => void = () => {}): Promise<unknown> {
    return opened.write(scopeOf(here), async (run) => {
      await run(rename, [name, here.clients.child]);
      meanwhile();
      await run(look, []);
    });
  }

  test('leads to refusals while it is unavailable, and works again after recovery', async () => {
    line.cut();
    await expect(opened.ping()).rejects.toMatchObject(away);
    await expect(renameChild('never')).rejects.toMatchObject(away);
    line.restore();
    await opened.ping();
    await renameChild('child');
    expect(await nameNow()).toBe('child');
  });

  test('during a transaction rolls it back, and the process continues', async () => {
    await expect(renameChild('half', () => line.cut())).rejects.toMatchObject(away);
    line.restore();
    expect(await nameNow()).toBe('child');
    await expect(opened.ping()).resolves.toBeUndefined();
  });

  const uncertain = {
    code: 'database-away',
    message:
      'The connection to the database was lost during the commit: the change was made completely or not at all. Check whether it is there, or repeat the request with the same Idempotency-Key.',
    retryAfterSeconds: 2,
  };

  test.each([
    ['before', 'child'],
    ['after', 'renamed'],
  ] as const)('just %s a commit is not reported as having changed nothing', async (moment, name) => {
    const unnamed = new Database({ connection: { connectionString: line.url }, poolSize: 1, statements: 'unnamed' });
    onTestFinished(() => unnamed.close());
    line.cutAtCommit(moment);
    const lost = unnamed.write(scopeOf(here), (run) => run(rename, ['renamed', here.clients.child]));
    await expect(lost).rejects.toMatchObject(uncertain);
    line.restore();
    expect(await nameNow()).toBe(name);
  });

  test.each([
    ['a port without a listener', 'postgresql://user@127.0.0.1:1/none'],
    ['a missing socket', 'postgresql://user@%2Fnowhere/none'],
    ['a host without an address', 'postgresql://user@nowhere.invalid/none'],
  ])('%s means that the database is unavailable', async (_what, connectionString) => {
    await expect(openDatabase({ connection: { connectionString } }).ping()).rejects.toMatchObject(away);
  });

  test('a connection ended by the server means the same; a fault of the statement does not', async () => {
    const end = sql('end', 'SELECT pg_terminate_backend(pg_backend_pid())');
    const own = openDatabase({ tenantFilters: 'store-only' });
    await expect(own.read(scopeOf(here), end, [])).rejects.toMatchObject({ code: 'database-away' });
    await expect(own.read(scopeOf(here), fail, [])).rejects.toMatchObject({ code: '22012' });
  });
});

test('a statement that exceeds its timeout is cancelled', async () => {
  const opened = openDatabase({ statements: 'unnamed', timeoutsMs: { statement: 20, lock: 20 } });
  const slow = sql('slow', 'SELECT pg_sleep(600)');
  await expect(opened.write(scopeOf(here), (run) => run(slow, []))).rejects.toMatchObject({ cause: { code: '57014' } });
  await expect(opened.read(scopeOf(here), slow, [])).rejects.toMatchObject({ cause: { code: '57014' } });
});

test.each([
  ['when a statement needs it', (run: Run): Promise<unknown> => run(rename, ['root', here.clients.root])],
  ['with its commit', async (run: Run): Promise<unknown> => run.enqueue(rename, ['root', here.clients.root])],
])(
  'a transaction that waits for a lock beyond the timeout is refused with the reason: %s',
  async (_when, renameRoot) => {
    const hasty = openDatabase({ statements: 'unnamed', timeoutsMs: { statement: 600_000, lock: 20 } });
    const holding = openDatabase().write(scopeOf(here), async (run) => {
      await run(rename, ['root', here.clients.root]);
      await expect(hasty.write(scopeOf(here), renameRoot)).rejects.toMatchObject({
        code: 'records-busy',
        message: 'Other requests have been changing the same records for too long. Nothing was changed: try again.',
        retryAfterSeconds: 2,
        cause: { code: '55P03' },
      });
    });
    await expect(holding).resolves.toBeUndefined();
  },
);

test.each([false, true])('work for a deleted application changes nothing, spread: %s', async (isDistributed) => {
  const opened = openDatabase({ isDistributed });
  const scope = { ...scopeOf(here), credentialId: here.id(14) };
  await opened.checkCredential(scope);
  const gone = { ...scope, credentialId: here.id(99) };
  const refusal = { code: 'token-revoked' };
  await expect(opened.checkCredential(gone)).rejects.toMatchObject(refusal);
  await expect(opened.read(gone, sql('one', 'SELECT 1'), [])).rejects.toMatchObject(refusal);
  const answers: unknown[] = [];
  const nameOfRoot = sql<{ name: string }>('name-of-root', 'SELECT name FROM client WHERE id = $1');
  const works = [
    async (run: Run) => void answers.push(await run(nameOfRoot, [here.clients.root])),
    async (run: Run) => void answers.push(await run(rename, ['by nobody', here.clients.root])),
    async (run: Run) => run.enqueue(rename, ['by nobody', here.clients.root]),
    async (run: Run) => void run(rename, ['by nobody', here.clients.root]).catch(() => {}),
    // Sent, but not yet answered.
    async (run: Run) => {
      void run(rename, ['by nobody', here.clients.root]).catch(() => {});
      await Promise.resolve();
    },
    () => Promise.resolve(),
  ];
  for (const work of works) await expect(opened.write(gone, work)).rejects.toMatchObject(refusal);
  for (const work of [works[0]!, works.at(-1)!])
    await expect(opened.readSnapshot(gone, work)).rejects.toMatchObject(refusal);
  expect(answers).toEqual([]);
  const { rows } = await opened.read(scope, nameOfRoot, [here.clients.root]);
  expect(rows).toEqual([{ name: 'root' }]);
});

describe.each(ways)('no statement is compiled, with $statements statements for $server', (way) => {
  const showJit = sql<{ jit: string }>('show-jit', 'SHOW jit');
  const kinds: [string, (opened: Database) => Promise<{ rows: readonly { jit: string }[] }>][] = [
    ['a read', (opened) => opened.read(scopeOf(here), showJit, [])],
    [
      'a read of several tenants',
      async (opened) => (await opened.readForEach(showJit, [{ scope: scopeOf(here), values: [] }]))[0]!,
    ],
    ['a batch', async (opened) => (await opened.writeBatch(scopeOf(here), [{ statement: showJit, values: [] }]))[0]!],
    ['a transaction', (opened) => opened.write(scopeOf(here), (run) => run(showJit, []))],
    ['a snapshot', (opened) => opened.readSnapshot(scopeOf(here), (run) => run(showJit, []))],
    ['the pre-auth role', (opened) => opened.readPreAuth(showJit, [])],
    [
      'the pre-auth role in a transaction',
      (opened) => opened.write(scopeOf(here), (run) => run.readPreAuth(showJit, [])),
    ],
  ];

  test.each(kinds)('in %s', async (_kind, read) => {
    await runSql(seeded.database, `ALTER DATABASE "${seeded.database.name}" SET jit = on`);
    expect((await read(openDatabase(way))).rows).toEqual([{ jit: 'off' }]);
  });
});

describe('a setting of a transaction is a value and nothing else', () => {
  const values = [
    "it's",
    "''; RESET ROLE; --",
    '\\',
    "\\'; RESET ROLE; --",
    'a\nb\r\n\tc',
    '$$ $1 $tag$',
    '"; /* */ --',
    'é 中 🙂 \u202e',
    '',
    'x'.repeat(5_000),
  ];

  test.each(['on', 'off'])('with standard_conforming_strings %s', async (conforming) => {
    await runSql(
      seeded.database,
      `ALTER DATABASE "${seeded.database.name}" SET standard_conforming_strings = ${conforming}`,
    );
    const who = sql<{ name: string; environment: string }>(
      'entered',
      `SELECT current_user::text AS name, current_setting('holdfast.environment') AS environment,
         current_setting('holdfast.workspace') AS workspace, current_setting('holdfast.visible_clients') AS visible`,
    );
    const opened = openDatabase({ isDistributed: true });
    for (const value of values) {
      const visibleClients = { kind: 'only', clientId: value as Id } as const;
      const scope = { ...scopeOf(here), workspaceId: value as Id, environment: value as never, visibleClients };
      const entered = { name: 'holdfast_service', environment: value, workspace: value, visible: `clients,${value},` };
      expect((await opened.read(scope, who, [])).rows).toEqual([entered]);
    }
    await runSql(seeded.database, `ALTER DATABASE "${seeded.database.name}" RESET standard_conforming_strings`);
  });

  test('a value that no setting can have is refused before it is sent', async () => {
    const scope = { ...scopeOf(here), workspaceId: 'a\0b' as Id };
    await expect(openDatabase({ isDistributed: true }).read(scope, look, [])).rejects.toThrow('the character 0');
  });
});

describe('a server that spreads tables', () => {
  /** As Citus has it. Any database can have a table of that name. */
  const spread = 'CREATE TABLE pg_dist_partition AS SELECT 1 AS logicalrelid';
  const who = sql<{ isOpen: boolean }>('is-open', `SELECT now() <> statement_timestamp() AS "isOpen"`);

  async function withSpreadTables(work: () => Promise<void>): Promise<void> {
    await runSql(seeded.database, spread);
    try {
      await work();
    } finally {
      await runSql(seeded.database, 'DROP TABLE pg_dist_partition');
    }
  }

  test('is found at the first use, and refused where it does not pass on what a transaction sets', () =>
    withSpreadTables(async () => {
      const refused = openDatabase().read(scopeOf(here), look, []);
      await expect(refused).rejects.toThrow("SET citus.propagate_set_commands = 'local'");
      await runSql(
        seeded.database,
        `ALTER DATABASE "${seeded.database.name}" SET citus.propagate_set_commands = 'local'`,
      );
      expect((await openDatabase({ passesCoordinator: true }).read(scopeOf(here), who, [])).rows).toEqual([
        { isOpen: true },
      ]);
      await runSql(seeded.database, `ALTER DATABASE "${seeded.database.name}" RESET citus.propagate_set_commands`);
    }));

  test('is one only when tables have been spread', () =>
    withSpreadTables(async () => {
      await runSql(seeded.database, 'DELETE FROM pg_dist_partition');
      expect((await openDatabase().read(scopeOf(here), look, [])).count).toBeGreaterThan(0);
    }));
});

test('no statement is compiled while a node starts', async () => {
  await runSql(seeded.database, `ALTER DATABASE "${seeded.database.name}" SET jit = on`);
  const shown: unknown[] = [];
  await withStartLock(
    { connectionString: seeded.database.url },
    async (client) => void shown.push(...(await client.query('SHOW jit')).rows),
  );
  expect(shown).toEqual([{ jit: 'off' }]);
});
