// Checks that `holdfast doctor` names what is wrong with settings, machine and database, each with its remedy.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { Keyring } from '../../../src/signing/keyring.ts';
import { emptyDatabaseForThisTest, makeLoginRole } from '../../setup/database/empty-database.ts';
import { runSql } from '../../setup/database/sql.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runAdmin, type Ended } from '../../setup/operations/run-admin.ts';

const key = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: key } });

function doctor(settings: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runAdmin(['doctor'], {
    DATABASE_URL: service.database.url,
    ENCRYPTION_KEY: key,
    DATA_DIR: tmpdir(),
    ...settings,
  });
}

test('says ok for what is as it should be', async () => {
  const { stdout, stderr } = await doctor({ WORK_THREADS: '0' });
  expect(stderr).toBe('');
  for (const line of [
    /^ok {4}the settings are complete/m,
    /^(ok {3}|warn) {1}\d+ MiB are free in/m,
    /^ok {4}PostgreSQL 1\d.*no extension is needed$/m,
    /^ok {4}the database role owns the tables/m,
    /^ok {4}the roles holdfast_service and holdfast_pre_auth are there/m,
    /^ok {4}row-level security is forced on every table$/m,
    /^ok {4}the clock of the database differs by \d+ ms$/m,
    /^ok {4}a node opens up to 17 connections/m,
    /^ok {4}time limits are those that the service sets$/m,
    /^ok {4}the schema is at \S+\.sql, that of this release$/m,
    /^ok {4}the encryption key is the one/m,
  ])
    expect(stdout).toMatch(line);
});

test('counts the connections of a node: its pool, four of each thread, and the one that it listens on', async () => {
  const { stdout } = await doctor({ DATABASE_POOL: '20', WORK_THREADS: '3' });
  // Three threads for reports and two for rounds.
  expect(stdout).toMatch(/^(ok {3}|warn|fail) a node opens up to 41 connections/m);
});

describe('names', () => {
  const production = {
    NODE_ENV: 'production',
    DEMO: 'off',
    ALLOW_IN_PRODUCTION: 'guessable-key',
  };
  const complete = {
    ...production,
    BASE_URL: 'https://holdfast.example.com',
    SMTP_URL: 'smtps://mail.example.com',
    MAIL_FROM: 'holdfast@example.com',
    PROVIDER_A_NAME: 'Office',
    PROVIDER_A_ISSUER: 'https://login.example.com',
    PROVIDER_A_CLIENT_ID: 'holdfast',
    PROVIDER_A_CLIENT_SECRET: 'a secret of the provider',
  };
  const allSet = 'ok    addresses, mail, sign-in and the key are set for production';

  test.each<[what: string, settings: Record<string, string>, lines: string[]]>([
    ['nothing of what production needs where all is set', {}, [allSet]],
    [
      'the one thing that is missing',
      { SMTP_URL: '' },
      ['warn  SMTP_URL is not set: invites are written to files and reach nobody'],
    ],
  ])('%s', async (_what, settings, lines) => {
    const { stdout } = await doctor({ ...complete, ...settings });
    expect(
      stdout.split('\n').filter((line) => /production|BASE_URL is|SMTP_URL is|provider|key is a file/.test(line)),
    ).toEqual(lines);
  });

  test.each<[what: string, settings: Record<string, string>, line: RegExp]>([
    ['a wrong setting', { PORT: 'eighty' }, /^fail {2}PORT must be a whole number/m],
    ['a misspelt setting', { DATABASE_POOLS: '3' }, /^warn {2}DATABASE_POOLS is no setting\n {6}It has no effect/m],
    [
      'a database that cannot be reached',
      { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' },
      /^fail {2}The database cannot be used/m,
    ],
    [
      'a wrong key',
      { ENCRYPTION_KEY: Keyring.generate() },
      /^fail {2}ENCRYPTION_KEY is not the key that this database was created with/m,
    ],
    [
      'a pool that is too large',
      { DATABASE_POOL: '1000' },
      /^fail {2}a node opens up to \d{4} connections, of \d+ .*\n {6}Lower DATABASE_POOL/m,
    ],
    ['development', {}, /^warn {2}NODE_ENV is not production/m],
    [
      'an address without TLS',
      { ...production, BASE_URL: 'http://holdfast.example.com' },
      /^warn {2}BASE_URL is http:\/\/holdfast\.example\.com\n {6}Set it to the https address/m,
    ],
    ['that no address is set', production, /^warn {2}BASE_URL is not set\n/m],
    ['mail that reaches nobody', production, /^warn {2}SMTP_URL is not set/m],
    ['that nobody can sign in', production, /^warn {2}no identity provider is set/m],
    [
      'a key beside the data',
      {
        ...production,
        ALLOW_IN_PRODUCTION: 'embedded-database',
        DATABASE_URL: '',
        ENCRYPTION_KEY: '',
        DATA_DIR: '/nonexistent/holdfast',
      },
      /^warn {2}the encryption key is a file beside the data\n {6}Set ENCRYPTION_KEY from where you keep secrets, and keep a copy\.$/m,
    ],
    [
      'an embedded database that is not there',
      { DATABASE_URL: '', DATA_DIR: '/nonexistent/holdfast' },
      /^fail {2}DATA_DIR is \/nonexistent\/holdfast, which holds no database/m,
    ],
  ])('%s', async (_what, settings, line) => {
    const { code, stdout } = await doctor(settings);
    expect(stdout).toMatch(line);
    expect(stdout.includes('the settings are complete')).toBe(!/PORT must|is no setting/.test(stdout));
    // The test server need not keep what it was sent, which is a failure too.
    expect(code).toBe(/^fail/m.test(stdout) ? 1 : 0);
  });

  test('a folder without a database, which the first start fills and the command does not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-doctor-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const dataDir of [folder, join(folder, 'not-there-yet')]) {
      const settings = { DATABASE_URL: '', DATA_DIR: dataDir, ENCRYPTION_KEY: '' };
      const { code, stdout, stderr } = await doctor(settings);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(
        `warn  there is no database in ${dataDir} yet\n      The first start creates one there. `,
      );
      expect(stdout).toContain(`makes the encryption key, in ${dataDir}/encryption.key: keep a copy`);
      expect(await readdir(folder)).toEqual([]);
    }
  });

  test('an empty database, and one that belongs to another role', async () => {
    const empty = await emptyDatabaseForThisTest();
    const { stdout } = await doctor({ DATABASE_URL: empty.url });
    expect(stdout).toMatch(
      /^warn {2}the database is empty\n {6}The first start creates the schema, .*\n.*\n {6}It runs \d+ migrations\.$/m,
    );
    await runSql(empty, 'CREATE TABLE of_others (id int)');
    expect((await doctor({ DATABASE_URL: empty.url })).stdout).toMatch(
      /^fail {2}the database has no schema of Holdfast, and 1 tables of something else \(of_others\)\n {6}Give Holdfast/m,
    );
    const role = await makeLoginRole();
    const asStranger = await doctor({ DATABASE_URL: role.urlAs(service.database.url) });
    expect(asStranger.code).toBe(1);
    expect(asStranger.stdout).toMatch(
      /^fail {2}the database role may not create tables\n {6}Let the role of DATABASE_URL own/m,
    );
    expect(asStranger.stdout).toMatch(
      /^fail {2}the roles that requests run in\n {6}The database role .* may not act as/m,
    );
    await role.drop();
  });

  test('a login that will make or grant the roles of requests by itself as fit, and changes nothing to find that out', async () => {
    const creator = await makeLoginRole({ attributes: 'CREATEROLE' });
    // From PostgreSQL 16 on, whoever has made a role administers it and may not yet act in it.
    await runSql(
      service.database,
      `DO $$ BEGIN
        IF current_setting('server_version_num')::int >= 160000 THEN
          GRANT holdfast_service, holdfast_pre_auth TO ${creator.name} WITH ADMIN TRUE, INHERIT FALSE, SET FALSE;
        END IF;
      END $$`,
    );
    const settings = { DATABASE_URL: creator.urlAs(service.database.url) };
    const finding = 'ok    the next start makes the roles holdfast_service and holdfast_pre_auth: ';
    const [first, second] = [await doctor(settings), await doctor(settings)];
    expect([first.stdout, second.stdout]).toEqual([expect.stringContaining(finding), expect.stringContaining(finding)]);
    await creator.drop();
  });

  test('a database that runs and has no connection left, apart from one that is away', async () => {
    const full = await makeLoginRole({ attributes: 'CONNECTION LIMIT 0' });
    const { code, stdout } = await doctor({ DATABASE_URL: full.urlAs(service.database.url) });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fail {2}The database has no connection left \(.*\n {6}Raise max_connections, or lower/m);
    const away = await doctor({ DATABASE_URL: 'postgresql://holdfast@127.0.0.1:1/holdfast' });
    expect(away.stdout).toMatch(/^fail {2}The database cannot be used: .*\n {6}See DATABASE_URL or DATA_DIR, and/m);
    await full.drop();
  });

  test('a database of a later release', async () => {
    await runSql(service.database, `INSERT INTO schema_migration (version, name) VALUES (9999, '9999-later.sql')`);
    const { stdout } = await doctor();
    await runSql(service.database, 'DELETE FROM schema_migration WHERE version = 9999');
    expect(stdout).toMatch(
      /^warn {2}the schema is at 9999-later\.sql, which this release does not have\n {6}See `holdfast migrate --check`\.$/m,
    );
  });

  test('a style of dates that cannot be read', async () => {
    const { name } = service.database;
    await runSql(service.database, `ALTER DATABASE ${name} SET DateStyle = 'German'`);
    const { code, stdout } = await doctor();
    await runSql(service.database, `ALTER DATABASE ${name} RESET DateStyle`);
    expect(stdout).toMatch(
      /^fail {2}the style of dates\n {6}The database writes dates in the style German, DMY, .* Run ALTER ROLE/m,
    );
    expect(code).toBe(1);
  });

  test('a limit of the server that ends what the service keeps', async () => {
    const { name } = service.database;
    await runSql(service.database, `ALTER DATABASE ${name} SET idle_session_timeout = '1h'`);
    const { stdout } = await doctor();
    await runSql(service.database, `ALTER DATABASE ${name} RESET idle_session_timeout`);
    expect(stdout).toMatch(/^warn {2}idle_session_timeout is 3600000 ms: .*\n {6}Run ALTER ROLE/m);
  });

  describe('row-level security', () => {
    afterEach(() => runSql(service.database, 'ALTER TABLE account FORCE ROW LEVEL SECURITY'));

    test('that is not forced on a table', async () => {
      await runSql(service.database, 'ALTER TABLE account NO FORCE ROW LEVEL SECURITY');
      const { code, stdout } = await doctor();
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(/^fail {2}row-level security is not forced on account\n/m),
      ]);
    });
  });
});
