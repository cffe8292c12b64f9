// Checks that `holdfast verify` finds nothing on a database that only the service has written to, and names each row that was changed past it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chainAuditLines } from '../../../src/actions/access/audit-chain.ts';
import { verifyAnnounced } from '../../../src/actions/rounds/verify-announced.ts';
import { withAdminDatabase } from '../../../src/app/admin/admin-context.ts';
import { readConfig } from '../../../src/app/config.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { LedgerCache } from '../../../src/store/ledger/ledger-cache.ts';
import { verifyLaws } from '../../../src/store/postgres/verify/verify-laws.ts';
import { runSql } from '../../setup/database/sql.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import { ExampleWorld } from '../../setup/http/example-world.ts';
import { makeLedgerHousehold, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runAdmin } from '../../setup/operations/run-admin.ts';

const key = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: key, DEMO: 'on' } });
let home: LedgerHousehold;
/** A deposit that was amended once: it has two versions. */
let deposit: string;
/** A deposit into an account of a reporting entity. */
let bought: string;

const settings = (): Record<string, string> => ({ DATABASE_URL: service.database.url, ENCRYPTION_KEY: key });

const run = (text: string, values: readonly unknown[] = []): Promise<object[]> =>
  runSql(service.database, text, values);

async function book(fields: object): Promise<string> {
  const { status, body, text } = await service.admin.post('/v1/transactions', { date: '2026-03-02', ...fields });
  if (status !== 201) throw new Error(`Not booked: ${status} ${text}`);
  return body.id;
}

beforeAll(async () => {
  home = await makeLedgerHousehold(service.admin);
  await service.admin.post('/v1/webhooks', { url: 'https://hooks.example.com/', events: ['holding.valued'] });
  deposit = await book({ type: 'deposit', account_id: home.account, amount: '1000' });
  await service.admin.send(`/v1/transactions/${deposit}`, { method: 'PATCH', body: { amount: '1200' } });
  const world = await ExampleWorld.create(service.admin);
  bought = await book({ type: 'deposit', account_id: world.idOf('account'), amount: '1000' });
  await runRounds(service.admin.address);
  await chainAuditLines(service.context);
});

/** The faults of all laws. */
async function faults(): Promise<string[]> {
  const found: string[] = [];
  await verifyLaws({ connectionString: service.database.url }, (law) => found.push(...law.faults));
  return found;
}

test.each(['suspended', 'closed', 'erasing'])(
  'a workspace that is %s is verified and backed up as well',
  async (state) => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-backup-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const ofFirst = 'UPDATE workspace SET state = $1 WHERE workspace_id = $2';
    await run(ofFirst, [state, service.first.workspaceId]);
    onTestFinished(() => run(ofFirst, ['active', service.first.workspaceId]).then(() => {}));
    const verified = await runAdmin(['verify'], settings());
    expect([verified.code, verified.stderr, verified.stdout.includes('FAULT')]).toEqual([0, '', false]);
    const backup = await runAdmin(['backup', '--to', join(folder, 'backup.tar')], settings());
    expect([backup.code, backup.stderr]).toEqual([0, '']);
  },
);

test('nothing is found on what the service has written, and every check says on how much it was made', async () => {
  await service.openWorkspace();
  await (await service.openWorkspace()).makeClient('Only client');
  const { code, stdout, stderr } = await runAdmin(['verify'], settings());
  expect(stderr).toBe('');
  expect(stdout).not.toContain('FAULT');
  expect(code).toBe(0);
  expect(stdout).toMatch(/ok {5}a version of a transaction is closed once, after it was opened \(\d{3,} rows\)/);
  expect(stdout).toMatch(/ok {5}one version at most of a point of a series is current \(\d{4,} rows\)/);
  expect(stdout).toMatch(/\nEverything holds\.\n$/);
  const headings = stdout.split('\n').filter((line) => /^[a-z]/.test(line));
  expect(headings).toEqual(['audit log', 'laws and references', 'sums']);
  // The command goes by the clock of the machine, on which no round has run today.
  const sums = [...stdout.matchAll(/^ {2}ok {5}\S+: what rounds have found is what the ledger gives (.*)$/gm)];
  expect(new Set(sums.map(([, counts]) => counts))).toEqual(
    new Set([
      '(0 clients)',
      ...[1, 2, 3].map((count) => `(0 clients, ${count} have had no round of these inputs today)`),
    ]),
  );
});

test('each law is checked on as many rows as there are', async () => {
  const counts = new Map<string, number>();
  await verifyLaws({ connectionString: service.database.url }, ({ name, count }) => void counts.set(name, count));
  const [versions, clients] = (await run(
    'SELECT (SELECT count(*)::int FROM transaction) AS count UNION ALL SELECT count(*)::int FROM booking_count',
  )) as { count: number }[];
  expect(counts.get('versions of a transaction follow each other, and one at most is current')).toBe(versions?.count);
  expect(counts.get('a client has counted at least as many bookings as the last one has as its number')).toBe(
    clients?.count,
  );
});

test('a statement of a command may take longer than one of a request: it reads all rows', async () => {
  const shown = await withAdminDatabase(readConfig(settings()), async (connection) => {
    const client = new pg.Client(connection);
    await client.connect();
    const { rows } = await client.query('SHOW statement_timeout');
    await client.end();
    return rows;
  });
  expect(shown).toEqual([{ statement_timeout: '1h' }]);
});

describe('sums', () => {
  /** The clock of the service, and nothing of what it keeps in memory. */
  const verifySums = (): ReturnType<typeof verifyAnnounced> => {
    const { workspaceId, environment } = service.first;
    const context = { ...service.context, ledgerCache: new LedgerCache({ bytesMax: 64 * 1024 * 1024 }) };
    return verifyAnnounced(context, { workspaceId, environment });
  };

  test('that were computed today are computed again, and a holding or a booking that was changed is named', async () => {
    const before = await verifySums();
    expect(before).toMatchObject({ waitingCount: 0, faults: [] });
    expect(before.comparedCount).toBeGreaterThan(1);
    const changed = (await run(
      'UPDATE announced_holding SET quantity = quantity + 1 RETURNING instrument, reporting_entity_id',
    )) as [{ instrument: string; reporting_entity_id: string }];
    expect(changed.length).toBeGreaterThan(0);
    const { faults: holdingFaults } = await verifySums();
    expect(holdingFaults).toHaveLength(changed.length);
    expect(holdingFaults.join()).toContain(
      `reporting entity ${changed[0].reporting_entity_id}, instrument ${changed[0].instrument}: quantity`,
    );
    await run('UPDATE announced_holding SET quantity = quantity - 1');
    const amount = (by: string): Promise<object[]> =>
      run(`UPDATE transaction SET amount = amount + ${by} WHERE id = $1 AND known_until IS NULL`, [bought]);
    await amount('1');
    expect((await verifySums()).faults.join()).toMatch(
      /client [0-9a-f]{24}: the ledger gives other values than the round [0-9a-f]{24} has found, and no change/,
    );
    await amount('-1');
    expect((await verifySums()).faults).toEqual([]);
  });

  test('that differ in many holdings are all counted, and the first twenty are named', async () => {
    const added = 25;
    await run(
      `INSERT INTO announced_holding SELECT workspace_id, environment, client_id, reporting_entity_id, 'sold ' || n, 1, 1, object
       FROM (SELECT * FROM announced_holding LIMIT 1) one, generate_series(1, $1::int) n`,
      [added],
    );
    const { faultCount, faults: named } = await verifySums();
    await run(`DELETE FROM announced_holding WHERE instrument LIKE 'sold %'`);
    expect([faultCount, named.length]).toEqual([added, 20]);
    expect(await verifySums()).toMatchObject({ faultCount: 0, faults: [] });
  });

  test('are those of every client, however many there are', async () => {
    const admin = await service.openWorkspace();
    const tenant = await tenantOf(admin);
    const id = await admin.makeClient('First of many');
    const copyClients = (from: number, to: number): Promise<object[]> =>
      run(
        `INSERT INTO client SELECT (jsonb_populate_record(c, jsonb_build_object('id', made.id, 'path', ARRAY[made.id]))).*
         FROM client c, (SELECT lpad(to_hex(n), 24, '0') AS id FROM generate_series($2::int, $3::int) n) made WHERE c.id = $1`,
        [id, from, to],
      );
    for (const [from, to] of [
      [1, 99],
      [100, 100],
      [101, 205],
    ] as const) {
      await copyClients(from, to);
      expect(await verifyAnnounced(service.context, tenant)).toMatchObject({ comparedCount: 0, waitingCount: to + 1 });
    }
  });

  test('are not compared while a round is due', async () => {
    await book({ type: 'deposit', account_id: home.account, amount: '1' });
    expect(await verifySums()).toMatchObject({ waitingCount: 1, faults: [] });
    await runRounds(service.admin.address);
    expect(await verifySums()).toMatchObject({ waitingCount: 0, faults: [] });
  });
});

describe('a row that was changed past the service is named', () => {
  const nowhere = 'f'.repeat(24);
  const restored: [text: string, values: readonly unknown[]][] = [];

  afterEach(async () => {
    for (const [text, values] of restored.splice(0)) await run(text, values);
  });

  const current = 'WHERE id = $1 AND known_until IS NULL';

  test.each<[what: string, change: string, back: string, fault: RegExp]>([
    [
      'a version that is closed and known',
      `UPDATE transaction SET closed_version = 999999999 ${current}`,
      `UPDATE transaction SET closed_version = NULL ${current}`,
      /transaction [0-9a-f]{24}, version opened at \d+$/,
    ],
    [
      'versions that overlap',
      'UPDATE transaction SET closed_version = closed_version + 1 WHERE id = $1 AND known_until IS NOT NULL',
      'UPDATE transaction SET closed_version = closed_version - 1 WHERE id = $1 AND known_until IS NOT NULL',
      /begins before the one before it ends/,
    ],
    [
      'a client that has counted too few bookings',
      'UPDATE booking_count SET last_sequence = 0 WHERE client_id = (SELECT client_id FROM transaction WHERE id = $1 LIMIT 1)',
      'UPDATE booking_count SET last_sequence = 1000 WHERE client_id = (SELECT client_id FROM transaction WHERE id = $1 LIMIT 1)',
      /client [0-9a-f]{24} has counted 0 bookings, but one has the number \d+/,
    ],
    [
      'an account whose ledger is behind',
      'UPDATE account_ledger SET version = version - 1 WHERE account_id = (SELECT account_id FROM transaction WHERE id = $1 LIMIT 1)',
      'UPDATE account_ledger SET version = version + 1 WHERE account_id = (SELECT account_id FROM transaction WHERE id = $1 LIMIT 1)',
      /account [0-9a-f]{24} is at version \d+, but a transaction is at \d+/,
    ],
    [
      'a packed copy that lacks a row',
      `INSERT INTO ledger_copy SELECT l.workspace_id, l.environment, l.client_id, l.account_id, l.version, 1, 0, ''
       FROM account_ledger l JOIN transaction t USING (workspace_id, environment, account_id) WHERE t.id = $1 AND t.known_until IS NULL`,
      'DELETE FROM ledger_copy WHERE account_id = (SELECT account_id FROM transaction WHERE id = $1 LIMIT 1)',
      /account [0-9a-f]{24} had \d+ rows at version \d+, but its copy has 0/,
    ],
  ])('%s', async (_what, change, back, fault) => {
    expect(await faults()).toEqual([]);
    restored.push([back, [deposit]]);
    await run(change, [deposit]);
    expect((await faults()).filter((one) => fault.test(one))).toHaveLength(1);
  });

  test.each([
    ['client_id', 'client'],
    ['account_id', 'account'],
    ['counter_account_id', 'account'],
    ['depository_id', 'depository'],
    ['counter_depository_id', 'depository'],
    ['instrument_id', 'instrument'],
    ['target_instrument_id', 'instrument'],
  ])('a transaction whose %s leads nowhere', async (column, table) => {
    const [row] = (await run(`SELECT ${column} AS id FROM transaction ${current}`, [deposit])) as [
      { id: string | null },
    ];
    restored.push([`UPDATE transaction SET ${column} = $2 ${current}`, [deposit, row.id]]);
    await run(`UPDATE transaction SET ${column} = $2 ${current}`, [deposit, nowhere]);
    const expected = `transaction ${deposit}: there is no ${table} ${nowhere}`;
    expect((await faults()).filter((one) => one.includes(expected))).toHaveLength(1);
  });

  test('a point whose instrument leads nowhere', async () => {
    const [point] = (await run('SELECT id, instrument_id FROM series_point WHERE known_until IS NULL LIMIT 1')) as [
      { id: string; instrument_id: string },
    ];
    const move = 'UPDATE series_point SET instrument_id = $2 WHERE id = $1 AND known_until IS NULL';
    restored.push([move, [point.id, point.instrument_id]]);
    await run(move, [point.id, nowhere]);
    const expected = ['series_ledger', 'instrument'].map(
      (table) => `points of the instrument ${nowhere}: there is no such row in ${table}`,
    );
    expect((await faults()).filter((one) => one.includes(nowhere))).toEqual(
      expected.map((one) => expect.stringContaining(one)),
    );
  });

  test.each<[what: string, index: string, change: string, fault: RegExp]>([
    [
      'two current points of a series',
      'series_point_current',
      `UPDATE series_point SET date = '2026-01-01' WHERE known_until IS NULL`,
      /series_point .*\/2026-01-01\/.* has \d+ current versions/,
    ],
    [
      'two current exchange rates',
      'fx_rate_current',
      `UPDATE fx_rate SET date = '2026-01-01' WHERE known_until IS NULL`,
      /fx_rate .* has \d+ current versions/,
    ],
    [
      'two current versions of a record',
      'record_version_known',
      `UPDATE record_version SET id = '${nowhere}' WHERE known_until IS NULL AND table_name = 'account'`,
      /record_version account\/f{24} has \d+ current versions/,
    ],
  ])('%s', async (_what, index, change, fault) => {
    await run(`DROP INDEX ${index}`);
    await run('ALTER TABLE record_version DROP CONSTRAINT IF EXISTS record_version_pkey');
    await run(change);
    expect(await faults()).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
  });

  test('with exit code 1, and an audit line that was changed as well', async () => {
    await run(`UPDATE audit_entry SET subject = 'somebody else' WHERE id = (SELECT entry_id FROM audit_link LIMIT 1)`);
    // Of many faults of one kind the first twenty are named.
    await run(
      `UPDATE transaction SET account_id = repeat('f', 24) WHERE id IN (SELECT id FROM transaction WHERE account_id IS NOT NULL AND known_until IS NULL ORDER BY id LIMIT 23)`,
    );
    const { code, stdout } = await runAdmin(['verify'], settings());
    expect(code).toBe(1);
    const [, count = '', named = ''] =
      /FAULT {2}the account that a current transaction has as account_id exists \(\d+ rows\): (\d+) faults\n((?: {11}.*\n)+)/.exec(
        stdout,
      ) ?? [];
    expect(Number(count)).toBeGreaterThan(20);
    expect(named.trim().split('\n')).toHaveLength(21);
    expect(named).toMatch(new RegExp(`^ {11}and ${Number(count) - 20} more$`, 'm'));
    expect(stdout).toMatch(/FAULT {2}one version at most of a point of a series is current/);
    expect(stdout).toMatch(/Something does not hold/);
  });
});
