// Checks the operator's commands as they are run by hand, on a database that a service is using.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { acceptInvite } from './actions/people/invite-acceptance.ts';
import { runCommand } from './app/admin/run-command.ts';
import { readRelease } from './app/release.ts';
import { Keyring } from './signing/keyring.ts';
import { emptyDatabaseForThisTest } from '../tests/setup/database/empty-database.ts';
import { runSql } from '../tests/setup/database/sql.ts';
import { Caller } from '../tests/setup/http/caller.ts';
import { programEnvironment } from '../tests/setup/node/program-environment.ts';
import { serviceForThisFile } from '../tests/setup/node/test-service.ts';
import { verifiedIdentity } from '../tests/setup/people/members.ts';

const program = fileURLToPath(new URL('admin.ts', import.meta.url));
const encryptionKey = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: encryptionKey } });

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function environmentOf(settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { DATABASE_URL: service.database.url, ENCRYPTION_KEY: encryptionKey, ...settings };
}

/** Runs a command as its program does, in this process. */
async function runAdmin(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const code = await runCommand(args, environmentOf(settings), {
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
  });
  return { code, ...printed };
}

async function runProgram(args: readonly string[], file = program): Promise<Ended> {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...programEnvironment, ...environmentOf({}) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [child.stdout.toArray(), child.stderr.toArray()];
  const [code] = await once(child, 'exit');
  return { code, stdout: (await stdout).join(''), stderr: (await stderr).join('') };
}

async function tokenStatus(clientId: string, clientSecret: string): Promise<number> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return (await new Caller(service.admin.address, null).post('/oauth/token', body)).status;
}

describe('new-secret', () => {
  test('gives the first admin application a new secret, ends the old one at once, and is in the audit log', async () => {
    const { clientId, clientSecret } = service.first;
    await service.openWorkspace();
    const { code, stdout, stderr } = await runProgram(['new-secret']);
    expect([code, stderr]).toEqual([0, '']);
    const secret = /\n {2}client_secret {2}(hfs_\S+)\n$/.exec(stdout)?.[1] ?? '';
    expect(stdout).toContain(`\nSave the new one, it is shown only once:\n  client_id      ${clientId}\n`);
    expect(await tokenStatus(clientId, secret)).toBe(200);
    expect(await tokenStatus(clientId, clientSecret)).toBe(401);
    const [line] = (await service.admin.get('/v1/audit-log?subject_type=application&limit=1')).body.data;
    expect(line).toMatchObject({ act: 'change', credential_id: null, before: { client_id: clientId } });
    expect(line.after).toEqual({ ...line.before, secret_replaced_at: expect.stringMatching(/^\d{4}-/) });
    expect(JSON.stringify(line)).not.toContain(secret);
  });

  test('takes the client_id of another application, and changes no other', async () => {
    const { body } = await service.admin.post('/v1/applications', { name: 'Nightly', rights: ['read'] });
    const other = (await service.admin.post('/v1/applications', { name: 'Weekly', rights: ['read'] })).body;
    const { stdout } = await runAdmin(['new-secret', body.client_id]);
    expect(stdout).toMatch(/^The application "Nightly" \(production, workspace [0-9a-f]{24}\) has a new secret\./);
    expect(await tokenStatus(body.client_id, /client_secret {2}(\S+)/.exec(stdout)![1]!)).toBe(200);
    expect(await tokenStatus(body.client_id, body.client_secret)).toBe(401);
    expect(await tokenStatus(other.client_id, other.client_secret)).toBe(200);
  });

  test('needs the key of the database', async () => {
    await service.admin.get('/v1/me'); // the token was signed with a key that only the right key opens
    expect(await runAdmin(['new-secret'], { ENCRYPTION_KEY: Keyring.generate() })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'ENCRYPTION_KEY is not the key that this database was created with. Start with the original key.\n',
    });
  });

  test('that fails ends the program with 1', async () => {
    const message = 'No application has the client_id nobody, or several workspaces have one.\n';
    expect(await runProgram(['new-secret', 'nobody'])).toEqual({ code: 1, stdout: '', stderr: message });
  });

  test('takes one name at most', async () => {
    const { code, stderr } = await runAdmin(['new-secret', 'a', 'b']);
    const usage = 'Name one application at most.\n\nUsage: holdfast new-secret [<client_id>] [--json]\n';
    expect([code, stderr]).toEqual([2, expect.stringContaining(usage)]);
  });

  test('on an empty database says to start the service first', async () => {
    const database = await emptyDatabaseForThisTest();
    const { code, stderr } = await runAdmin(['new-secret'], { DATABASE_URL: database.url });
    expect([code, stderr]).toEqual([
      1,
      'The database is empty or from another release. Start the service of this release on it first.\n',
    ]);
  });

  test('in a folder without a database says so, and makes none', async () => {
    const { code, stderr } = await runAdmin(['new-secret'], { DATABASE_URL: '', DATA_DIR: '/nonexistent/holdfast' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^DATA_DIR is \/nonexistent\/holdfast, which holds no /)]);
  });
});

describe('administrator-link', () => {
  const linkIn = (stdout: string): string => /\/invites\/(\S+)\n$/.exec(stdout)?.[1] ?? '';

  test('prints a link with which whoever signs in administers the first workspace; an earlier one no longer works', async () => {
    const first = await runAdmin(['administrator-link'], { BASE_URL: 'http://localhost:3999' });
    expect([first.code, first.stderr]).toEqual([0, '']);
    const { workspaceId, environment } = service.first;
    const [whose, until, link, ...rest] = first.stdout.split('\n');
    expect(whose).toBe(
      `Whoever opens this link first and signs in becomes an administrator of the workspace ${workspaceId} (${environment}).`,
    );
    expect(until).toMatch(/^It works once, until \d{4}-\S+Z\. Links that were printed before no longer work:$/);
    expect(link).toMatch(/^ {2}http:\/\/localhost:3999\/invites\/[\w-]{67}$/);
    expect(rest).toEqual(['']);
    const second = await runAdmin(['administrator-link', `${workspaceId}/${environment}`]);
    const identity = verifiedIdentity('operator@people.example');
    const replaced = await acceptInvite(service.context, linkIn(first.stdout), identity);
    expect(replaced).toEqual({ outcome: 'wrong', reason: 'cancelled' });
    const accepted = await acceptInvite(service.context, linkIn(second.stdout), identity);
    expect(accepted).toMatchObject({ outcome: 'accepted', workspaceId, environment });
    const [line] = (await service.admin.get('/v1/audit-log?subject_type=administrator-link&limit=1')).body.data;
    expect(line).toMatchObject({ act: 'create', credential_id: null, subject: null });
    expect(JSON.stringify(line)).not.toContain(linkIn(second.stdout));
  });

  test.each([
    [['administrator-link', 'nowhere/production'], 1, /^There is no workspace and environment nowhere\/production\. /],
    [['administrator-link', 'a', 'b'], 2, /^Name one workspace at most\./],
  ])('%s is refused in a sentence', async (args, exitCode, message) => {
    const { code, stderr } = await runAdmin(args);
    expect([code, stderr]).toEqual([exitCode, expect.stringMatching(message)]);
  });
});

test.each([
  [['new-secret']],
  [['administrator-link']],
  [['workspace', 'list']],
  [['usage']],
  [['verify']],
  [['verify-audit']],
  [['migrate']],
  [['backup', '--to', tmpdir()]],
  [['export', '--workspace', '1', '--to', '/nowhere']],
])('%j says why the database cannot be used, and not its password', async (args) => {
  const { code, stderr } = await runAdmin(args, { DATABASE_URL: 'postgresql://u:hush@127.0.0.1:1/x' });
  expect([code, stderr]).toEqual([1, 'The database cannot be used: connect ECONNREFUSED 127.0.0.1:1.\n']);
});

describe('help', () => {
  test('an unknown command and none at all show those that exist', async () => {
    const unknown = await runAdmin(['reset']);
    expect([unknown.code, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toMatch(/^There is no command reset\.\n\nUsage: holdfast <command>/);
    expect((await runAdmin(['login'])).stderr).toContain('the API: npx -w packages/cli holdfast login\n');
    const none = await runAdmin([]);
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringMatching(/^Usage: .*\n {2}new-secret \[<client_id>\] \[--json\]\n/s),
    ]);
  });

  test('an unknown part of a command shows those that it has', async () => {
    const { code, stderr } = await runAdmin(['workspace', 'open']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^There is no command workspace open\.\n\nUsage: /)]);
  });

  test.each([['--help'], ['-h'], ['help']])('%s shows all commands, without settings', async (word) => {
    const { code, stdout, stderr } = await runAdmin([word], { PORT: 'wrong' });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: holdfast <command>.*\n {2}version \[--json\]\n/s);
  });

  test('a command shows its own', async () => {
    const { code, stdout } = await runAdmin(['new-secret', '--help'], { PORT: 'wrong' });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Usage: holdfast new-secret \[<client_id>\] \[--json\]\n\n {2}replaces/),
    ]);
  });
});

test.each([
  [
    'backup',
    '--to FILE|FOLDER [--recipient age1…]… [--with-key --passphrase-file FILE] [--metrics-file FILE.prom] [--json]',
  ],
  ['verify', '[<end>…] [--json] | --from FILE [--identity FILE] [--json]'],
  ['verify-audit', '[<end>…] [--metrics-file FILE.prom | --file SHIPPED.jsonl …] [--json]'],
  ['export', '--workspace <workspace_id> [--client <client_id>] --to <folder> [--recipient age1…]… [--json]'],
  ['import', '--workspace <workspace_id> --from <folder> [--identity FILE] [--json]'],
  ['move', '--to postgresql://… | --to-embedded FOLDER [--json]'],
])('%s shows what it takes', async (name, usage) => {
  const { code, stdout } = await runAdmin([name, '--help'], { PORT: 'wrong' });
  expect([code, stdout.split('\n')[0]]).toEqual([0, `Usage: holdfast ${name} ${usage}`]);
});

describe('version', () => {
  test('as the command `holdfast` prints what is running, without settings', async () => {
    const launcher = fileURLToPath(new URL('../scripts/holdfast.cjs', import.meta.url));
    const { code, stdout, stderr } = await runProgram(['version'], launcher);
    expect([code, stderr]).toEqual([0, '']);
    const { version, commit = 'unknown', node, migrationName } = await readRelease();
    expect(stdout).toBe(`holdfast  ${version}\ncommit    ${commit}\nnode      ${node}\nschema    ${migrationName}\n`);
  });

  test('takes no words', async () => {
    expect((await runAdmin(['version', 'of', 'what'])).code).toBe(2);
  });
});

describe('migrate', () => {
  test('--check lists what is missing and changes nothing; without it, it is run', async () => {
    const database = await emptyDatabaseForThisTest();
    const empty = { DATABASE_URL: database.url };
    const { migrationName, migrationLevel } = await readRelease();
    const missing = await runAdmin(['migrate', '--check'], empty);
    expect([missing.code, missing.stderr]).toEqual([1, '']);
    expect(missing.stdout).toMatch(
      new RegExp(`^The database is empty\\. ${migrationLevel} migrations are missing:\\n  0001-`),
    );
    expect(await runAdmin(['migrate'], empty)).toEqual({
      code: 0,
      stdout: `The database is at ${migrationName}: ${migrationLevel} migrations were run.\n`,
      stderr: '',
    });
    const nothing = `The database is at ${migrationName}: nothing is missing.\n`;
    expect(await runAdmin(['migrate', '--check'], empty)).toEqual({ code: 0, stdout: nothing, stderr: '' });
    expect((await runAdmin(['migrate'], empty)).stdout).toBe(
      `The database is at ${migrationName}: nothing was missing.\n`,
    );
    await runSql(database, 'DELETE FROM schema_migration WHERE version = $1', [migrationLevel]);
    expect((await runAdmin(['migrate', '--check'], empty)).stdout).toMatch(
      /^The database is at \d{4}-\S+\.sql\. 1 migrations are missing:\n {2}\S+\n$/,
    );
    await runSql(database, `INSERT INTO schema_migration (version, name) VALUES (${migrationLevel}, '9999-newer.sql')`);
    const newer = await runAdmin(['migrate', '--check'], empty);
    expect([newer.code, newer.stdout]).toEqual([
      1,
      expect.stringMatching(/at 9999-newer\.sql, which this release does not have/),
    ]);
  });
});
