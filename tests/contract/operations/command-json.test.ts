// What a script reads of the operator's commands: one JSON text and nothing else.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Keyring } from '../../../src/signing/keyring.ts';
import { emptyDatabaseForThisTest } from '../../setup/database/empty-database.ts';
import { copyDatabase, serviceForThisFile } from '../../setup/node/test-service.ts';
import { Caller } from '../../setup/http/caller.ts';
import { runAdmin } from '../../setup/operations/run-admin.ts';

const key = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: key } });

async function readJson(...words: readonly string[]): Promise<{ readonly code: number; readonly value: any }> {
  return readJsonOn(service.database.url, ...words);
}

async function readJsonOn(
  url: string,
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly value: any }> {
  const settings = { DATABASE_URL: url, ENCRYPTION_KEY: key, DATA_DIR: tmpdir() };
  const { code, stdout, stderr } = await runAdmin([...words, '--json'], settings);
  expect(stderr).toBe('');
  return { code, value: JSON.parse(stdout) };
}

const moment = /^\d{4}-\d\d-\d\dT/;
const link = {
  administrator_link: expect.stringMatching(/^http/),
  administrator_link_expires_at: expect.stringMatching(moment),
};

test('a workspace that is made, with credentials that work until they are replaced, and a link', async () => {
  const { value: made } = await readJson('workspace', 'create', 'For a script');
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'For a script',
    environments: ['production', 'sandbox'].map((environment) => ({
      environment,
      client_id: expect.any(String),
      client_secret: expect.any(String),
      ...link,
    })),
  });
  const [{ client_id: clientId, client_secret: clientSecret }] = made.environments;
  const me = await Caller.withCredentials(service.admin.address, { clientId, clientSecret });
  expect((await me.get('/v1/me')).status).toBe(200);
  const { value: replaced } = await readJson('new-secret', clientId);
  expect(replaced).toEqual({
    workspace_id: made.id,
    environment: 'production',
    name: 'Administration',
    client_id: clientId,
    client_secret: expect.any(String),
  });
  expect(replaced.client_secret).not.toBe(clientSecret);
  const { value: another } = await readJson('administrator-link', `${made.id}/sandbox`);
  expect(another).toEqual({ workspace_id: made.id, environment: 'sandbox', ...link });
});

test('what is running, what the database lacks, and what doctor has found', async () => {
  const { value: version } = await readJson('version');
  expect(Object.keys(version)).toEqual(['release', 'commit', 'node', 'schema']);
  const { code, value: missing } = await readJson('migrate', '--check');
  expect([code, missing]).toEqual([0, { last: version.schema, missing: [], is_of_another_release: false }]);
  const found = await readJson('doctor');
  const { is_fit: isFit, findings } = found.value;
  expect(found.code).toBe(isFit ? 0 : 1);
  expect(isFit).toBe(!findings.some(({ level }: { level: string }) => level === 'fail'));
  expect(findings).toContainEqual({ level: 'ok', what: `the schema is at ${version.schema}, that of this release` });
});

test('a workspace whose state changes, with the state that it had', async () => {
  const { value: made } = await readJson('workspace', 'create', 'Suspended by a script');
  const states: unknown[] = [];
  for (const words of [['suspend'], ['suspend'], ['resume'], ['close'], ['resume', '--reopen']]) {
    const [name = '', ...options] = words;
    const { value } = await readJson('workspace', name, made.id, ...options);
    expect(value.id).toBe(made.id);
    states.push([value.state_before, value.state]);
  }
  expect(states).toEqual([
    ['active', 'suspended'],
    ['suspended', 'suspended'],
    ['suspended', 'active'],
    ['active', 'closed'],
    ['closed', 'active'],
  ]);
});

test('the migrations that an empty database is given', async () => {
  const empty = await emptyDatabaseForThisTest();
  const settings = { DATABASE_URL: empty.url, ENCRYPTION_KEY: key, DATA_DIR: tmpdir() };
  const before = JSON.parse((await runAdmin(['migrate', '--check', '--json'], settings)).stdout);
  const run = JSON.parse((await runAdmin(['migrate', '--json'], settings)).stdout);
  expect(run).toEqual({ last: before.missing.at(-1), run: before.missing });
  expect(JSON.parse((await runAdmin(['migrate', '--json'], settings)).stdout)).toEqual({ last: run.last, run: [] });
});

async function folderForThisTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-json-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const fingerprint = expect.stringMatching(/^[0-9a-f]{16}$/);

test('a backup, what its file holds, and what was restored and moved from it', async () => {
  const folder = await folderForThisTest();
  const file = join(folder, 'made.tar');
  const { value: made } = await readJson('backup', '--to', file);
  expect(made).toEqual({
    file,
    made_at: expect.stringMatching(moment),
    rows: expect.any(Number),
    tables: expect.any(Number),
    bytes: expect.any(Number),
    recipients: [],
    key_fingerprint: fingerprint,
    holds_key: false,
    other_key: null,
  });
  const { rows, tables } = made;
  expect(rows).toBeGreaterThan(10);
  const { code, value: checked } = await readJson('verify', '--from', file);
  const { value: running } = await readJson('version');
  const { release } = running;
  expect([code, checked]).toEqual([
    0,
    {
      is_intact: true,
      file,
      made_at: made.made_at,
      release,
      rows,
      tables,
      is_encrypted: false,
      key_fingerprint: made.key_fingerprint,
      holds_key: false,
    },
  ]);
  const empty = await emptyDatabaseForThisTest();
  const { value: restored } = await readJsonOn(empty.url, 'restore', '--from', file);
  expect(restored).toEqual({ rows, tables, as_of: made.made_at, release, key_file: null, other_key_file: null });
  const source = await copyDatabase(empty);
  onTestFinished(() => source.drop());
  const target = await emptyDatabaseForThisTest();
  const { value: moved } = await readJsonOn(source.url, 'move', '--to', target.url);
  expect(moved).toEqual({ rows, tables, data_dir: null, key_file: null });
});

test('what was verified: audit logs with their ends, laws and sums', async () => {
  const { code, value } = await readJson('verify');
  expect([code, value.is_intact]).toEqual([0, true]);
  expect(Object.keys(value)).toEqual(['is_intact', 'logs', 'laws', 'sums']);
  expect(value.laws.length).toBeGreaterThan(5);
  for (const law of value.laws)
    expect(law).toEqual({ name: expect.any(String), count: expect.any(Number), fault_count: 0, faults: [] });
  const { value: audit } = await readJson('verify-audit');
  expect(audit.logs).toEqual(value.logs);
  const [log] = audit.logs;
  expect(log).toEqual({
    workspace_id: service.first.workspaceId,
    environment: 'production',
    end: expect.stringMatching(/^[0-9a-f]{24}\/production:\d+:[0-9a-f]{64}$/),
    lines_chained: expect.any(Number),
    lines_deleted: 0,
    lines_not_chained: expect.any(Number),
    faults: [],
  });
  const gone = `${'f'.repeat(24)}/sandbox:1:${'0'.repeat(64)}`;
  const missing = await readJson('verify-audit', gone);
  expect([missing.code, missing.value.is_intact]).toEqual([1, false]);
  expect(missing.value.logs[0]).toMatchObject({ workspace_id: 'f'.repeat(24), end: null });
});

test('an export, its import, and an erasure', async () => {
  const { value: source } = await readJson('workspace', 'create', 'Leaves');
  const folder = join(await folderForThisTest(), 'export');
  const { value: exported } = await readJson('export', '--workspace', source.id, '--to', folder);
  expect(exported).toMatchObject({ folder, workspace_id: source.id, clients: null, recipients: [] });
  expect(exported.exported_at).toMatch(moment);
  expect(exported.left_out.length).toBeGreaterThan(10);
  const { value: target } = await readJson('workspace', 'create', 'Arrives');
  const { value: imported } = await readJson('import', '--workspace', target.id, '--from', folder);
  expect(imported).toEqual({
    workspace_id: target.id,
    from_workspace: { id: source.id, name: 'Leaves' },
    clients: null,
    exported_at: exported.exported_at,
    rows: exported.rows,
    left_out: exported.left_out,
  });
  await runAdmin(['workspace', 'close', source.id], { DATABASE_URL: service.database.url, ENCRYPTION_KEY: key });
  const { value: erased } = await readJson('workspace', 'erase', source.id, '--confirm', 'Leaves');
  expect(erased).toEqual({
    workspace_id: source.id,
    rows_before: expect.any(Number),
    rows_deleted: erased.rows_before,
    rows_left: 0,
  });
});
