// Checks backups as operators rely on them: made beside a service that is being written to, and restored into another database, on which
// every report, the audit log, webhooks and tokens are the same.

import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { chainAuditLines } from '../../../src/actions/access/audit-chain.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { plainEncodings } from '../../setup/database/database-dump.ts';
import { runAsAdmin } from '../../setup/database/global-setup.ts';
import { emptyDatabaseForThisTest, makeEmptyDatabase, makeLoginRole } from '../../setup/database/empty-database.ts';
import { runSql } from '../../setup/database/sql.ts';
import type { TestDatabase } from '../../setup/database/test-database.ts';
import { deliverDueAt } from '../../setup/events/deliveries.ts';
import { Caller } from '../../setup/http/caller.ts';
import { ExampleWorld } from '../../setup/http/example-world.ts';
import { ManualClock } from '../../setup/kit/manual-clock.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { copyDatabase, serviceForThisFile, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { runAdmin, type Ended } from '../../setup/operations/run-admin.ts';

const key = Keyring.generate();
/** Tokens name the address of their service, which stays the same when it moves to a restored database. */
const settings = { ENCRYPTION_KEY: key, BASE_URL: 'http://127.0.0.1:8080' };
const service = serviceForThisFile({ settings: { ...settings, DEMO: 'on' } });
let folder: string;
let file: string;
let made: Ended;
let demo: Caller;
let world: ExampleWorld;
let booked: { readonly account: string; readonly entity: string };
/** How many deposits were acknowledged before the backup began, and when it had ended. */
let counts: { readonly before: number; readonly after: number };

const settingsOf = ({ url }: TestDatabase, encryptionKey = key): Record<string, string> => ({
  DATABASE_URL: url,
  ENCRYPTION_KEY: encryptionKey,
});

/** Books one deposit after the other, each at a second of its own. */
class Depositor {
  count = 0;
  #isStopped = false;
  readonly #done: Promise<void>;

  constructor() {
    this.#done = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      service.clock.advance(1_000);
      const deposit = { type: 'deposit', account_id: booked.account, date: '2026-03-02', amount: '1.25' };
      const { status, text } = await service.admin.post('/v1/transactions', deposit);
      if (status !== 201) throw new Error(`Not booked: ${status} ${text}`);
      this.count++;
    }
  }

  /** Waits until this many more were acknowledged. */
  async more(extra: number): Promise<number> {
    for (const wanted = this.count + extra; this.count < wanted;) await Promise.race([this.#done, setImmediate()]);
    return this.count;
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#done;
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-backups-'));
  demo = await Caller.withCredentials(service.admin.address, service.demoApplication!);
  world = await ExampleWorld.create(service.admin);
  await service.openWorkspace('sandbox');
  const [account, entity] = [world.idOf('account'), world.idOf('reporting-entity')];
  booked = { account, entity };
  await runRounds(service.admin.address);
  await chainAuditLines(service.context);
  const depositor = new Depositor();
  const before = await depositor.more(3);
  file = join(folder, 'while-writing.tar');
  made = await runAdmin(['backup', '--to', file], settingsOf(service.database));
  if (made.code !== 0) throw new Error(made.stderr);
  const after = depositor.count;
  await depositor.more(3);
  await depositor.stop();
  counts = { before, after };
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a service on a restored database, at the time of the one that was backed up. */
async function startOn(database: TestDatabase): Promise<TestService> {
  const clock = new ManualClock(new Date(service.clock.now()).toISOString());
  const restored = await startTestService({ database, clock, settings });
  onTestFinished(() => restored.stop());
  return restored;
}

async function restoreInto(database: TestDatabase, settings: object = {}, ...more: string[]): Promise<Ended> {
  return runAdmin(['restore', '--from', file, ...more], { ...settingsOf(database), ...settings });
}

/** The paths of reports about a reporting entity as it was known at a moment. */
function reportsOf(entity: string, knownAt: string): string[] {
  const query = `reporting_entity_id=${entity}&known_at=${knownAt}`;
  return [
    `/v1/holdings?${query}&explain=true`,
    `/v1/holdings?${query}&by=class`,
    `/v1/performance?${query}&start=2025-12-31&end=2026-11-14&explain=true`,
    `/v1/performance?${query}&detail=summary`,
    `/v1/allocation?${query}&by=currency`,
    `/v1/performance/private-markets?${query}`,
    `/v1/data-quality?${query}`,
    `/v1/explain?${query}&figure=market_value`,
  ];
}

async function answersOf(caller: Caller, paths: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const path of paths) {
    const { status, text } = await caller.get(path);
    answers.push(`${path} ${status} ${text}`);
  }
  return answers;
}

describe('a backup of a service that is being written to, restored', () => {
  test('answers every report to the byte, has the audit log, opens what is sealed and accepts the same tokens', async () => {
    const database = await emptyDatabaseForThisTest();
    const ended = await restoreInto(database);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const rows = rowsIn(await contentOf(database));
    expect(ended.stdout).toMatch(`Restored ${rows}, as of `);
    expect(made.stdout).toMatch(`${file}: ${rows}, `);
    const restored = await startOn(database);
    const at = (caller: Caller): Caller => caller.atAddress(restored.admin.address);

    const deposits = `SELECT count(*)::int AS count, max(known_from) AS last FROM transaction WHERE account_id = $1 AND amount = 1.25`;
    const [found] = await runSql<{ count: number; last: Date }>(database, deposits, [booked.account]);
    expect(found!.count).toBeGreaterThanOrEqual(counts.before);
    expect(found!.count).toBeLessThanOrEqual(counts.after + 1);

    const knownAt = found!.last.toISOString();
    for (const [caller, entity] of [
      [service.admin, booked.entity],
      [demo, service.demoApplication!.reportingEntityId],
    ] as const) {
      const paths = reportsOf(entity, knownAt);
      const answers = await answersOf(caller, paths);
      expect(answers.filter((answer) => / 200 /.test(answer)).length).toBeGreaterThan(5);
      expect(await answersOf(at(caller), paths)).toEqual(answers);
    }

    const lists = [
      '/v1/audit-log?limit=100',
      '/v1/clients',
      '/v1/applications',
      '/v1/webhooks',
      '/v1/users',
      '/v1/imports',
    ];
    expect(await answersOf(at(demo), lists)).toEqual(await answersOf(demo, lists));

    const chain = await runAdmin(['verify-audit'], settingsOf(service.database));
    const ends = chain.stdout.split('\n').flatMap((line) => (/:[1-9]\d*:/.test(line) ? [line.split(' ')[0]!] : []));
    expect(ends.length).toBeGreaterThan(0);
    const verified = await runAdmin(['verify-audit', ...ends], settingsOf(database));
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('all hold')]);

    const posts = await deliverDueAt(restored.admin.address);
    expect(posts.length).toBeGreaterThan(0);
    const credentials = service.demoApplication!;
    expect((await Caller.withCredentials(restored.admin.address, credentials)).token).not.toBeNull();
  });

  test('has every row of every table, also for an owner that row-level security applies to', async () => {
    const role = await makeLoginRole({ membership: 'granted' });
    const source = await emptyDatabaseForThisTest(role);
    const asOwner = { DATABASE_URL: role.urlAs(source.url) };
    expect(await restoreInto(source, asOwner)).toMatchObject({ code: 0, stderr: '' });
    const secondFile = join(folder, 'as-owner.tar');
    const second = await runAdmin(['backup', '--to', secondFile], { ...settingsOf(source), ...asOwner });
    expect(second).toMatchObject({ code: 0, stderr: '' });
    const target = await emptyDatabaseForThisTest(role);
    const back = { ...settingsOf(target), DATABASE_URL: role.urlAs(target.url) };
    expect(await runAdmin(['restore', '--from', secondFile], back)).toMatchObject({ code: 0, stderr: '' });
    const content = await contentOf(source);
    expect(content.filter(({ count }) => count > 0).length).toBeGreaterThan(55);
    expect(await contentOf(target)).toEqual(content);
    await Promise.all([source.drop(), target.drop()]);
    await role.drop();
  });
});

describe('the encryption key', () => {
  /** As short as it may be. */
  const passphrase = 'twelve chars';

  async function withPassphrase(text: string): Promise<string[]> {
    const path = join(folder, `passphrase-${text.length}`);
    await writeFile(path, `${text}\n`);
    return ['--with-key', '--passphrase-file', path];
  }

  test('is not in the backup, and another one is refused before anything is done', async () => {
    const bytes = await readFile(file);
    for (const text of plainEncodings(Buffer.from(key, 'hex').toString('latin1')).concat(key))
      expect(bytes.includes(text)).toBe(false);
    const database = await emptyDatabaseForThisTest();
    const refused = await restoreInto(database, { ENCRYPTION_KEY: Keyring.generate() });
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(
      /^while-writing\.tar: It was made with the encryption key [0-9a-f]{16}, and the one of the settings is [0-9a-f]{16}\. Nothing was changed\. Set ENCRYPTION_KEY to that key/,
    );
    expect(await contentOf(database)).toEqual([]);
  });

  test('of the settings is not enough for a folder that has another one', async () => {
    const dataDir = join(folder, 'of-another');
    await mkdir(dataDir);
    const another = Keyring.generate();
    await writeFile(join(dataDir, 'encryption.key'), another);
    const refused = await runAdmin(['restore', '--from', file], { DATA_DIR: dataDir, ENCRYPTION_KEY: key });
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `while-writing.tar: ${join(dataDir, 'encryption.key')} is another key. Nothing was changed. Choose another DATA_DIR.\n`,
    });
    expect(await readdir(dataDir)).toEqual(['encryption.key']);
    expect(await readFile(join(dataDir, 'encryption.key'), 'utf8')).toBe(another);
  });

  test('in the file beside the data is enough', async () => {
    const dataDir = join(folder, 'of-the-same');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'encryption.key'), key);
    const restored = await runAdmin(['restore', '--from', file], { DATA_DIR: dataDir });
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(await readFile(join(dataDir, 'encryption.key'), 'utf8')).toBe(key);
  });

  test('of a server is that of the settings, whatever is in the folder', async () => {
    const dataDir = join(folder, 'of-no-database');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'encryption.key'), Keyring.generate());
    const database = await emptyDatabaseForThisTest();
    expect((await restoreInto(database, { DATA_DIR: dataDir })).code).toBe(0);
  });

  test('is in the backup on request, sealed by a passphrase, and comes out where it is needed', async () => {
    const withKey = join(folder, 'with-key.tar');
    const sealed = await withPassphrase(passphrase);
    expect(await runAdmin(['backup', '--to', withKey, ...sealed], settingsOf(service.database))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /\nIt holds the encryption key \(fingerprint [0-9a-f]{16}\), sealed with the passphrase\.\n$/,
      ),
    });
    expect((await readFile(withKey)).includes(key)).toBe(false);
    const database = await emptyDatabaseForThisTest();
    const withoutKey = { DATABASE_URL: database.url };
    const restore = ['restore', '--from', withKey, '--key-to', join(folder, 'key-taken-out')];
    const wrong = await runAdmin([...restore, ...(await withPassphrase('another passphrase'))], withoutKey);
    expect(wrong).toMatchObject({
      code: 1,
      stderr: 'with-key.tar: The passphrase does not open the key in this backup.\n',
    });
    expect(await runAdmin([...restore, ...sealed], withoutKey)).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^The encryption key is in \S+key-taken-out\.\nRestored \d{4,} rows of \d\d tables, as of \d{4}-\S+Z \(release \S+\)\.\nRun `holdfast verify` with the same settings, then start the service\.\n$/,
      ),
      stderr: '',
    });
    expect((await readFile(join(folder, 'key-taken-out'), 'utf8')).trim()).toBe(key);
    expect((await stat(join(folder, 'key-taken-out'))).mode & 0o777).toBe(0o600);
    expect(await startOn(database)).toBeDefined();
    const dataDir = join(folder, 'with-its-key');
    expect(await runAdmin(['restore', '--from', withKey, ...sealed], { DATA_DIR: dataDir })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(`^The encryption key is in ${join(dataDir, 'encryption.key')}\\.\n`),
    });
    expect((await readFile(join(dataDir, 'encryption.key'), 'utf8')).trim()).toBe(key);
  });

  test('is not taken out of a backup that does not hold it, nor beside another one in the settings', async () => {
    const database = await emptyDatabaseForThisTest();
    const [sealed, keyTo] = [await withPassphrase(passphrase), join(folder, 'key-never-written')];
    const withoutKey = { ENCRYPTION_KEY: undefined };
    expect(await restoreInto(database, withoutKey, ...sealed, '--key-to', keyTo)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'while-writing.tar: It does not hold the encryption key. Leave out --with-key and set ENCRYPTION_KEY.\n',
    });
    for (const wrong of [[...sealed], ['--key-to', keyTo]]) {
      const { code, stderr } = await restoreInto(database, {}, ...wrong);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^With DATABASE_URL and --with-key, and only then, /)]);
    }
    const embedded = { DATABASE_URL: undefined, DATA_DIR: join(folder, 'never-made') };
    expect((await restoreInto(database, embedded, ...sealed, '--key-to', keyTo)).code).toBe(2);
    expect(await contentOf(database)).toEqual([]);
  });

  test('that no backup or move could be opened with is noticed before anything is written', async () => {
    const target = await emptyDatabaseForThisTest();
    const wrong = settingsOf(service.database, Keyring.generate());
    for (const args of [
      ['backup', '--to', join(folder, 'wrong-key.tar')],
      ['move', '--to', target.url],
    ])
      expect(await runAdmin(args, wrong)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'ENCRYPTION_KEY is not the key that this database was created with. Start with the original key.\n',
      });
    expect(await readdir(folder)).not.toContain('wrong-key.tar');
    expect(await contentOf(target)).toEqual([]);
  });

  test.each<[what: string, args: string[], code: number, message: RegExp]>([
    ['a passphrase without the key', ['--passphrase-file', 'x'], 2, /belong together/],
    ['the key without a passphrase', ['--with-key'], 2, /belong together/],
    ['a short passphrase', ['--with-key', '--passphrase-file', 'short'], 1, /at least 12 characters/],
    ['a missing passphrase', ['--with-key', '--passphrase-file', 'missing'], 1, /cannot be read/],
  ])('%s is refused', async (_what, args, code, message) => {
    await writeFile(join(folder, 'short'), 'eleven char');
    const typedIn = { ...settingsOf(service.database), INIT_CWD: folder };
    const ended = await runAdmin(['backup', '--to', 'refused.tar', ...args], typedIn);
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(message)]);
    expect(await readdir(folder)).not.toContain('refused.tar');
  });
});

describe('the file', () => {
  test('is named after the moment in a folder, is for its owner only, and is never written over', async () => {
    const into = await mkdtemp(join(folder, 'daily-'));
    const daily = await runAdmin(['backup', '--to', into], settingsOf(service.database));
    const [name = ''] = await readdir(into);
    expect(name).toMatch(/^holdfast-\d{8}T\d{6}Z\.tar$/);
    expect(daily.stdout).toMatch(
      /: \d{4,} rows of \d\d tables, \d+ bytes\.\nIt does not hold the encryption key: keep that one \(fingerprint [0-9a-f]{16}\) somewhere else\. Without it the backup cannot be used\.\n$/,
    );
    expect((await stat(join(into, name))).mode & 0o777).toBe(0o600);
    const again = await runAdmin(['backup', '--to', join(into, name)], settingsOf(service.database));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
  });

  test('that is damaged is refused, and leaves the database empty', async () => {
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes[bytes.length >> 1]! ^ 1, bytes.length >> 1);
    const damaged = join(folder, 'damaged.tar');
    await writeFile(damaged, bytes);
    const database = await emptyDatabaseForThisTest();
    const { code, stderr } = await runAdmin(['restore', '--from', damaged], settingsOf(database));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^damaged\.tar: The (backup|file) is damaged/)]);
    expect(await contentOf(database)).toEqual([]);
  });

  test('is not restored over a database that is used', async () => {
    const before = await contentOf(service.database);
    const { code, stderr } = await restoreInto(service.database);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/is not empty: it has \d+ tables .*Create a new database/),
    ]);
    expect(await contentOf(service.database)).toEqual(before);
  });
});

describe('move', () => {
  let restored: TestDatabase;

  beforeAll(async () => {
    restored = await makeEmptyDatabase();
    await restoreInto(restored);
    return () => restored.drop();
  });

  async function stoppedCopy(): Promise<TestDatabase> {
    const database = await copyDatabase(restored);
    onTestFinished(() => database.drop());
    return database;
  }

  test('from a server to an embedded database and back keeps every row and the key', async () => {
    const source = await stoppedCopy();
    const content = await contentOf(source);
    const dataDir = join(folder, 'embedded');
    await endConnections(source);
    const moved = await runAdmin(['move', '--to-embedded', dataDir], settingsOf(source));
    expect([moved.code, moved.stderr]).toEqual([0, '']);
    const [what, next] = moved.stdout.split('\n');
    expect(what).toBe(
      `Moved ${rowsIn(content)}. The old database is as it was: delete it when the new one has proved good.`,
    );
    const keyPath = join(dataDir, 'encryption.key');
    expect(next).toBe(
      `Start the service with DATA_DIR=${dataDir} and without DATABASE_URL; the encryption key is in ${keyPath}.`,
    );
    expect((await readFile(join(dataDir, 'encryption.key'), 'utf8')).trim()).toBe(key);
    const back = await emptyDatabaseForThisTest();
    const movedBack = await runAdmin(['move', '--to', back.url], { DATA_DIR: dataDir });
    expect(movedBack).toMatchObject({ code: 0, stderr: '' });
    expect(movedBack.stdout.split('\n')[1]).toBe(
      `Start the service with DATABASE_URL set to the new database and ENCRYPTION_KEY to what is in ${keyPath}.`,
    );
    expect(await contentOf(back)).toEqual(content);
  });

  test('is refused into a folder that has another key', async () => {
    const source = await stoppedCopy();
    const dataDir = join(folder, 'to-another');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'encryption.key'), Keyring.generate());
    await endConnections(source);
    expect(await runAdmin(['move', '--to-embedded', dataDir], settingsOf(source))).toEqual({
      code: 1,
      stdout: '',
      stderr: `${join(dataDir, 'encryption.key')} is another key. Nothing was changed. Choose another folder.\n`,
    });
    expect(await readdir(dataDir)).toEqual(['encryption.key']);
  });

  test('is refused while others are connected, into a database that is used, and without saying where to', async () => {
    const target = await emptyDatabaseForThisTest();
    await service.admin.get('/v1/me');
    const running = await runAdmin(['move', '--to', target.url], settingsOf(service.database));
    expect([running.code, running.stderr]).toEqual([
      1,
      expect.stringMatching(/^Others are connected .*holdfast \(\d+\)/),
    ]);
    const source = await stoppedCopy();
    await endConnections(source);
    const used = await runAdmin(['move', '--to', source.url], settingsOf(source));
    expect([used.code, used.stderr]).toEqual([1, expect.stringMatching(/is not empty/)]);
    expect((await runAdmin(['move'], settingsOf(source))).code).toBe(2);
    expect((await runAdmin(['move', '--to', 'nowhere'], settingsOf(source))).code).toBe(2);
    expect(await contentOf(target)).toEqual([]);
  });

  test('from a folder without a database is refused, and makes none there', async () => {
    const [target, dataDir] = [await emptyDatabaseForThisTest(), join(folder, 'without-database')];
    await mkdir(dataDir);
    expect(await runAdmin(['move', '--to', target.url], { DATA_DIR: dataDir, ENCRYPTION_KEY: key })).toEqual({
      code: 1,
      stdout: '',
      stderr: `DATA_DIR is ${dataDir}, which holds no database that this user can open.\n`,
    });
    expect(await readdir(dataDir)).toEqual([]);
  });
});

/** As commands print it. */
function rowsIn(content: readonly { readonly count: number }[]): string {
  return `${content.reduce((sum, { count }) => sum + count, 0)} rows of ${content.length} tables`;
}

/** Those of this test itself. */
async function endConnections({ name }: TestDatabase): Promise<void> {
  await runAsAdmin(
    inject('databaseServer'),
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

/** How many rows each table has, and a digest of them. */
async function contentOf(database: TestDatabase): Promise<{ name: string; count: number; digest: string }[]> {
  const tables = await runSql<{ name: string }>(
    database,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'schema_migration'
     ORDER BY relname`,
  );
  const content = [];
  for (const { name } of tables) {
    const [row] = await runSql<{ count: number; digest: string }>(
      database,
      `SELECT count(*)::int AS count, coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS digest FROM ${name} t`,
    );
    content.push({ name, ...row! });
  }
  return content;
}
