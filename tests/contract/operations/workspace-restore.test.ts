// One workspace, or one client, of an encrypted backup beside the living one: every report is that of the backup to the byte, nothing is sent or fetched by the
// copy, nobody has rights in it, and the living one stays as it is.

import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chainAuditLines, verifyAuditChain } from '../../../src/actions/access/audit-chain.ts';
import { minuteMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { emptyDatabaseForThisTest, makeEmptyDatabase } from '../../setup/database/empty-database.ts';
import { runSql } from '../../setup/database/sql.ts';
import { Caller } from '../../setup/http/caller.ts';
import { copyDatabase, serviceForThisFile } from '../../setup/node/test-service.ts';
import { runAdmin, type Ended } from '../../setup/operations/run-admin.ts';

const key = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: key, DEMO: 'on' } });
const demo = { workspaceId: '00000000000000000000de30' as Id, environment: 'sandbox' } as const;
const settings = (): Record<string, string> => ({ DATABASE_URL: service.database.url, ENCRYPTION_KEY: key });

let folder: string;
/** Encrypted backups, named after their moments. */
let backups: string;
let identity: string;
let original: Caller;
let entities: readonly { readonly id: string }[];
/** What the living workspace answered when the backup was made. */
let answers: ReadonlyMap<string, string>;
let madeAt: string;
let backup: { readonly made: any; readonly recipient: string };

async function mustBe(status: number, answer: { readonly status: number; readonly text: string }): Promise<void> {
  if (answer.status !== status) throw new Error(answer.text);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-beside-'));
  backups = join(folder, 'backups');
  await mkdir(backups);
  identity = join(folder, 'identity');
  const secret = await generateIdentity();
  await writeFile(identity, `# made for this test\n\n${secret}\n`);
  original = await service.enter(demo);
  entities = (await original.get('/v1/reporting-entities?limit=100')).body.data;
  const webhook = { url: 'https://hooks.example.com/copied', events: ['transaction.created'] };
  await mustBe(201, await original.post('/v1/webhooks', webhook));
  answers = await answersOf(original, entities);
  const recipient = await identityToRecipient(secret);
  const { code, stdout, stderr } = await runAdmin(['backup', '--to', backups, '--json'], {
    ...settings(),
    BACKUP_RECIPIENTS: `${recipient}, ${await identityToRecipient(await generateIdentity())}`,
  });
  if (code !== 0) throw new Error(stderr);
  const made = JSON.parse(stdout);
  backup = { made, recipient };
  madeAt = made.made_at;
  service.clock.advance(minuteMs);
  const { data } = (await original.get('/v1/transactions?type=buy&limit=1')).body;
  await mustBe(204, await original.delete(`/v1/transactions/${data[0].id}`));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Cursors are sealed for a workspace. */
const withoutCursor = (text: string): string => text.replace(/"next_cursor":"[^"]*"/, '');

async function answersOf(caller: Caller, of: readonly { readonly id: string }[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const reports = of.flatMap(({ id }) => [
    `/v1/holdings?reporting_entity_id=${id}&as_of=2026-09-30`,
    `/v1/lots?reporting_entity_id=${id}&as_of=2026-09-30`,
    `/v1/performance?reporting_entity_id=${id}&start=2026-01-01&end=2026-09-30`,
  ]);
  for (const path of [...reports, '/v1/transactions?limit=100', '/v1/clients', '/v1/accounts?limit=100']) {
    const { status, text } = await caller.get(path);
    if (status === 200) found.set(path, withoutCursor(text));
  }
  return found;
}

interface Made extends Ended {
  readonly json: any;
}

async function run(...args: string[]): Promise<Made> {
  const ended = await runAdmin(['restore', '--workspace', demo.workspaceId, ...args, '--json'], settings());
  return { ...ended, json: ended.code === 0 ? JSON.parse(ended.stdout) : undefined };
}

/** Through an empty database on the server, which is faster than to make one. */
async function restore(...args: string[]): Promise<Made> {
  const scratch = await makeEmptyDatabase();
  try {
    return await run(...args, '--scratch', scratch.url);
  } finally {
    await scratch.drop();
  }
}

const countOf = async (table: string, where: string, values: readonly unknown[]): Promise<number> =>
  (
    await runSql<{ count: number }>(
      service.database,
      `SELECT count(*)::int AS count FROM ${table} WHERE ${where}`,
      values,
    )
  )[0]!.count;

async function workspaceNames(): Promise<string[]> {
  const { stdout } = await runAdmin(['workspace', 'list', '--json'], settings());
  return JSON.parse(stdout).map(({ name }: { name: string }) => name);
}

test('the backup says to whom it is encrypted, and its file is read with the identity of one of them', async () => {
  expect(backup.made).toMatchObject({ file: expect.stringMatching(/\.tar\.age$/), holds_key: false });
  expect(backup.made.recipients[0]).toBe(backup.recipient);
  const { code, stdout, stderr } = await runAdmin(['verify', '--from', backup.made.file, '--identity', identity], {});
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    new RegExp(
      `^${backup.made.file} is as it was written: ${backup.made.rows} rows of ${backup.made.tables} tables, as of ${madeAt} `,
    ),
  );
});

describe('a workspace of a backup, restored beside the living one', () => {
  let copied: any;
  let copy: Caller;
  let scratchBefore: readonly string[];
  const scratchFolders = async (): Promise<string[]> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith('holdfast-restore-'));

  beforeAll(async () => {
    scratchBefore = await scratchFolders();
    const { code, stderr, json } = await run('--from', backups, '--identity', identity, '--as', 'As of Tuesday');
    if (code !== 0) throw new Error(stderr);
    copied = json;
    copy = await service.enter({ workspaceId: json.id, environment: 'sandbox' });
  });

  test('answers as the living one did at the moment of the backup, to the byte, and says which moment that is', async () => {
    expect(copied).toMatchObject({
      name: 'As of Tuesday',
      from_workspace: demo.workspaceId,
      clients: null,
      as_of: madeAt,
    });
    expect(answers.size).toBeGreaterThan(10);
    expect(await answersOf(copy, entities)).toEqual(answers);
    expect(await answersOf(original, entities)).not.toEqual(answers);
  });

  test('has as many rows in each table as the living one, but of people and what is sent', async () => {
    const rows = await countOf('series_point', 'workspace_id = $1', [copied.id]);
    expect(rows).toBe(await countOf('series_point', 'workspace_id = $1', [demo.workspaceId]));
    expect(rows).toBeGreaterThan(100);
    for (const table of ['person_identity', 'membership', 'read_grant', 'workspace_administrator', 'session', 'mail'])
      expect([table, await countOf(table, 'workspace_id = $1', [copied.id])]).toEqual([table, 0]);
    expect(await countOf('membership', 'workspace_id = $1', [demo.workspaceId])).toBeGreaterThan(0);
  });

  test('sends and fetches nothing', async () => {
    const own = [copied.id] as const;
    expect(await countOf('webhook', `workspace_id = $1 AND state = 'disabled'`, own)).toBe(
      await countOf('webhook', 'workspace_id = $1', [demo.workspaceId]),
    );
    expect(await countOf('webhook', `workspace_id = $1 AND state <> 'disabled'`, own)).toBe(0);
    const live = `workspace_id = $1 AND state NOT IN ('revoked', 'cancelled')`;
    expect(await countOf('authority', live, [demo.workspaceId])).toBeGreaterThan(0);
    expect(await countOf('authority', live, own)).toBe(0);
    expect(await countOf('authority', 'workspace_id = $1 AND has_credentials', own)).toBe(0);
    for (const table of ['event', 'outbox', 'delivery', 'feed_run', 'authority_warning'])
      expect([table, await countOf(table, 'workspace_id = $1', own)]).toEqual([table, 0]);
    const due = service.context.stores.preAuth.dueTenants;
    for (const tenants of [
      await due.withFeeds(service.clock.now()),
      await due.withMails(service.clock.now()),
      await due.withRevocations(),
      await due.withAuthorityEnds(service.clock.now()),
    ])
      expect(tenants.filter(({ workspaceId }) => workspaceId === copied.id)).toEqual([]);
  });

  test('knows nobody but its own new applications', async () => {
    const [{ client_id, client_secret }] = copied.environments;
    const own = await Caller.withCredentials(service.admin.address, {
      clientId: client_id,
      clientSecret: client_secret,
    });
    expect((await own.get('/v1/me')).status).toBe(200);
    const living = 'client_id IN (SELECT client_id FROM credential WHERE workspace_id = $2)';
    expect(await countOf('credential', `workspace_id = $1 AND ${living}`, [copied.id, demo.workspaceId])).toBe(0);
  });

  test('says in its audit log what it is, and goes on with it', async () => {
    const [line] = (await copy.get('/v1/audit-log?subject_type=workspace-import')).body.data;
    expect(line).toMatchObject({
      act: 'create',
      after: { from_workspace: demo.workspaceId, source: 'backup', exported_at: madeAt },
    });
    await chainAuditLines(service.context);
    const { faults, unchainedCount } = await verifyAuditChain(service.context, {
      workspaceId: copied.id,
      environment: 'sandbox',
    });
    expect([faults, unchainedCount]).toEqual([[], 0]);
    expect((await runAdmin(['verify'], settings())).stdout).toContain('Everything holds.');
  });

  test('leaves nothing behind in the folder for temporary files', async () => {
    expect((await scratchFolders()).filter((name) => !scratchBefore.includes(name))).toEqual([]);
  });
});

describe('one client', () => {
  test('comes with those below it and what they refer to, and with nothing of others', async () => {
    const clients = (await original.get('/v1/clients?limit=100')).body.data as {
      id: string;
      parent_id: string | null;
    }[];
    const child = clients.find(({ parent_id }) => parent_id !== null)!;
    const of = ['--from', backups, '--identity', identity, '--client', child.id, '--as', 'One client'];
    const { json } = await restore(...of);
    expect(json.clients).toEqual([child.id]);
    const copy = await service.enter({ workspaceId: json.id, environment: 'sandbox' });
    expect((await copy.get('/v1/clients')).body.data).toMatchObject([{ id: child.id, parent_id: null }]);
    const own = (await original.get(`/v1/reporting-entities?client_id=${child.id}&limit=100`)).body.data;
    const reports = [...(await answersOf(copy, own))].filter(([path]) => path.includes('reporting_entity_id'));
    expect(reports.length).toBeGreaterThan(1);
    for (const [path, text] of reports) expect([path, text]).toEqual([path, answers.get(path)]);
    const others = clients.map(({ id }) => id).filter((id) => id !== child.id);
    for (const table of ['transaction', 'account', 'portfolio', 'legal_entity'])
      expect(await countOf(table, 'workspace_id = $1 AND client_id = ANY ($2)', [json.id, others])).toBe(0);
  });

  test('that the workspace does not have is refused, and nothing is made', async () => {
    const before = await workspaceNames();
    const args = ['--from', backups, '--identity', identity, '--as', 'Nobody', '--client', 'f'.repeat(24)];
    expect(await restore(...args)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `The workspace has no client ${'f'.repeat(24)}.\n`,
    });
    expect(await workspaceNames()).toEqual(before);
  });
});

describe('a moment', () => {
  test('takes the latest backup that was made by then, and says what is missing', async () => {
    const several = await mkdtemp(join(folder, 'several-'));
    const [file = ''] = await readdir(backups);
    await rename(join(backups, file), join(several, file));
    onTestFinished(() => rename(join(several, file), join(backups, file)));
    for (const name of ['holdfast-20200101T000000Z.tar.age', 'holdfast-20990101T000000Z.tar.age', 'notes.txt'])
      await writeFile(join(several, name), 'none of these is read');
    const at = new Date(Date.parse(madeAt) + 90_000).toISOString();
    const args = ['--workspace', demo.workspaceId, '--from', several, '--identity', identity, '--as', 'By then'];
    const scratch = await emptyDatabaseForThisTest();
    const { code, stdout } = await runAdmin(['restore', ...args, '--at', at, '--scratch', scratch.url], settings());
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^Workspace [0-9a-f]{24} "By then" was created with \\d+ rows of the workspace ${demo.workspaceId}, as of ${madeAt}\\.\\n` +
          `You asked for ${at}: what was written after ${madeAt} is not in it\\..*\\nIt sends and fetches nothing: .*\\nNobody can sign in`,
      ),
    );
    const early = await restore(
      '--from',
      several,
      '--identity',
      identity,
      '--as',
      'Early',
      '--at',
      '2019-01-01T00:00:00Z',
    );
    expect(early).toMatchObject({
      code: 1,
      stderr: `None of the 3 encrypted backups in ${several} was made by 2019-01-01T00:00:00.000Z.\n`,
    });
    const plain = await restore('--from', several, '--as', 'Without');
    expect(plain.stderr).toMatch(/has no backups that are not encrypted .* name the --identity\.\n$/);
    const later = await restore(
      '--from',
      join(several, file),
      '--identity',
      identity,
      '--as',
      'x',
      '--at',
      '2020-01-01T00:00Z',
    );
    expect(later.stderr).toMatch(/: It was made at \S+Z, after the moment 2020-01-01T00:00:00\.000Z\./);
  });

  test('of a database that was recovered to it is that database', async () => {
    const recovered = await copyDatabase(service.database);
    onTestFinished(() => recovered.drop());
    const now = await answersOf(original, entities);
    const { code, stderr, json } = await run('--from-database', recovered.url, '--as', 'Recovered');
    expect([code, stderr]).toEqual([0, '']);
    const copy = await service.enter({ workspaceId: json.id, environment: 'sandbox' });
    expect(await answersOf(copy, entities)).toEqual(now);
    const [line] = (await copy.get('/v1/audit-log?subject_type=workspace-import')).body.data;
    expect(line.after).toMatchObject({ source: 'database' });
  });

  test('of an empty database is refused', async () => {
    const empty = await emptyDatabaseForThisTest();
    expect(await run('--from-database', empty.url, '--as', 'Empty')).toMatchObject({
      code: 1,
      stderr: 'The database of --from-database has no schema of Holdfast.\n',
    });
  });
});

describe('what is refused', () => {
  test('a backup without the workspace, a wrong identity, and none', async () => {
    const before = await workspaceNames();
    const scratch = await emptyDatabaseForThisTest();
    const unknown = ['restore', '--workspace', 'e'.repeat(24), '--as', 'Unknown', '--from', backups];
    expect(await runAdmin([...unknown, '--identity', identity, '--scratch', scratch.url], settings())).toMatchObject({
      code: 1,
      stderr: `The backup has no workspace ${'e'.repeat(24)}.\n`,
    });
    const stranger = join(folder, 'stranger');
    await writeFile(stranger, await generateIdentity());
    const [file = ''] = await readdir(backups);
    const wrong = await restore('--from', join(backups, file), '--as', 'Wrong', '--identity', stranger);
    expect(wrong.stderr).toBe(`${file}: It is encrypted to others: none of the identities opens it.\n`);
    const none = await restore('--from', join(backups, file), '--as', 'None');
    expect(none.stderr).toBe(
      `${file}: It is encrypted. Name the file with the identity that opens it: --identity FILE.\n`,
    );
    expect(await workspaceNames()).toEqual(before);
  });

  test('a copy that would have fewer rows than were counted', async () => {
    const before = await workspaceNames();
    await runSql(
      service.database,
      `CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    );
    await runSql(
      service.database,
      'CREATE TRIGGER swallow BEFORE INSERT ON limit_rule FOR EACH ROW EXECUTE FUNCTION swallow()',
    );
    onTestFinished(() => runSql(service.database, 'DROP FUNCTION swallow CASCADE').then(() => {}));
    const { code, stdout, stderr } = await restore('--from', backups, '--identity', identity, '--as', 'Short');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^The tables do not hold what the export says\. Nothing was imported\.\n.*\n {2}limit_rule /,
    );
    expect(await workspaceNames()).toEqual(before);
  });

  test.each<[string[], RegExp]>([
    [[], /^Name the new workspace/],
    [['--as', 'x'], /^Say what to read/],
    [['--as', ' '], /^Give the workspace a name/],
    [['--as', 'x', '--from', 'a', '--from-database', 'postgresql://a'], /^Say what to read/],
    [['--as', 'x', '--from', 'a', '--client', '1'], /^--client must be the id/],
    [['--as', 'x', '--from', 'a', '--at', 'yesterday'], /^--at must be a moment with its time zone/],
    [['--as', 'x', '--from', 'a', '--at', '2026-11-17T10:30:00'], /^--at must be a moment with its time zone/],
    [['--as', 'x', '--from-database', 'nowhere'], /^--from-database must be an address/],
    [
      ['--as', 'x', '--from-database', 'postgresql://a', '--at', '2026-11-17T10:30Z'],
      /^A database is copied as it is now/,
    ],
    [['--as', 'x', '--from', 'a', '--key-to', 'b'], /^A workspace is restored beside the living one/],
  ])('%j', async (args, message) => {
    const { code, stderr } = await runAdmin(['restore', '--workspace', demo.workspaceId, ...args], settings());
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test('options of one workspace without naming it', async () => {
    const { code, stderr } = await runAdmin(['restore', '--from', 'a', '--as', 'x'], settings());
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^--as is for one workspace: name it with --workspace ID\./),
    ]);
  });
});
