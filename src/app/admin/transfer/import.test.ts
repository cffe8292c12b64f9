// The demo family office, exported and imported into another database with another key: every report is the same to the byte.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../../../tests/setup/http/caller.ts';
import { operatorOf } from '../../../../tests/setup/node/operator.ts';
import { serviceForThisFile } from '../../../../tests/setup/node/test-service.ts';
import { chainAuditLines, verifyAuditChain } from '../../../actions/access/audit-chain.ts';
import { minuteMs } from '../../../kit/clock.ts';
import type { Id } from '../../../kit/id.ts';
import { Keyring } from '../../../signing/keyring.ts';
import { manifestName, type Manifest } from './manifest.ts';

const [fromKey, toKey] = [Keyring.generate(), Keyring.generate()];
const from = serviceForThisFile({ settings: { ENCRYPTION_KEY: fromKey, DEMO: 'on' } });
const to = serviceForThisFile({ settings: { ENCRYPTION_KEY: toKey } });
const fromOperator = operatorOf(() => ({ DATABASE_URL: from.database.url, ENCRYPTION_KEY: fromKey }));
const toOperator = operatorOf(() => ({ DATABASE_URL: to.database.url, ENCRYPTION_KEY: toKey }));
const demo = { workspaceId: '00000000000000000000de30' as Id, environment: 'sandbox' } as const;

let folder: string;
let original: Caller;
/** Before a transaction was amended and another deleted. */
let earlier: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-import-'));
  original = await from.enter(demo);
  earlier = new Date(from.clock.now()).toISOString();
  from.clock.advance(minuteMs);
  to.clock.advance(minuteMs);
  const { data } = (await original.get('/v1/transactions?type=buy&limit=2')).body;
  const amended = await original.patch(`/v1/transactions/${data[0].id}`, {
    comment: 'Amended, "with" quotes,\nand lines',
  });
  if (amended.status !== 200) throw new Error(amended.text);
  // For all holders: of an instrument that is held, and of one that is not.
  const stock = { type: 'stock-instrument', name: 'Held by nobody', currency: 'EUR' };
  const unheld = (await original.post('/v1/instruments', stock)).body.id;
  for (const instrument_id of [data[0].instrument_id, unheld]) {
    const split = { type: 'corporate-action', action: 'split', ratio: '2:1', date: '2026-09-01', instrument_id };
    const booked = await original.post('/v1/transactions', split);
    if (booked.status !== 201) throw new Error(booked.text);
  }
  const { code, stderr } = await fromOperator('export', '--workspace', demo.workspaceId, '--to', folder);
  if (code !== 0) throw new Error(stderr);
});

afterAll(() => rm(folder, { recursive: true }));

/** Cursors are sealed with the key of the deployment. */
function withoutCursor(text: string): string {
  return text.replace(/"next_cursor":"[^"]*"/, '');
}

async function exportedCount(path: string): Promise<number> {
  const { files } = JSON.parse(await readFile(join(path, manifestName), 'utf8')) as Manifest;
  return files.reduce((sum, { rows }) => sum + rows, 0);
}

async function newWorkspace(): Promise<Id> {
  const { stdout } = await toOperator('workspace', 'create', 'Moved office');
  return /^Workspace (\S+)/.exec(stdout)![1] as Id;
}

test('an imported workspace answers every report to the byte, now and as known before, and goes on with its audit log', async () => {
  const workspaceId = await newWorkspace();
  const { code, stderr, stdout } = await toOperator('import', '--workspace', workspaceId, '--from', folder);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(
    `Imported ${await exportedCount(folder)} rows of "Lindqvist Family Office" into the workspace ${workspaceId}.\n`,
  );
  expect(stdout).toMatch(/\nSecrets were not in the export: `left_out` in its manifest lists what to set anew\.\n$/);
  const copy = await to.enter({ workspaceId, environment: 'sandbox' });
  const entities = (await original.get('/v1/reporting-entities?limit=100')).body.data as { id: string }[];
  expect(entities.length).toBeGreaterThan(1);
  expect(await expectSameReports(copy, entities)).toBeGreaterThan(10);
  for (const path of ['/v1/transactions', '/v1/instruments', '/v1/limits', '/v1/instrument-classes', '/v1/clients'])
    expect(withoutCursor((await copy.get(`${path}?limit=100`)).text)).toBe(
      withoutCursor((await original.get(`${path}?limit=100`)).text),
    );
  const [line] = (await copy.get('/v1/audit-log?subject_type=workspace-import')).body.data;
  expect(line).toMatchObject({ act: 'create', after: { from_workspace: demo.workspaceId } });
  await chainAuditLines(to.context);
  const { faults, unchainedCount } = await verifyAuditChain(to.context, { workspaceId, environment: 'sandbox' });
  expect([faults, unchainedCount]).toEqual([[], 0]);
});

/** Returns how many reports were answered. */
async function expectSameReports(copy: Caller, entities: readonly { readonly id: string }[]): Promise<number> {
  const day = '2026-09-30';
  let answeredCount = 0;
  for (const { id } of entities) {
    const of = `reporting_entity_id=${id}`;
    const paths = [
      `/v1/holdings?${of}&as_of=${day}`,
      `/v1/holdings?${of}&as_of=${day}&known_at=${earlier}`,
      `/v1/lots?${of}&as_of=${day}`,
      `/v1/performance?${of}&start=2026-01-01&end=${day}`,
      `/v1/explain?${of}&as_of=${day}&figure=market_value`,
    ];
    for (const path of paths) {
      const [before, after] = [await original.get(path), await copy.get(path)];
      expect([path, after.status]).toEqual([path, before.status]);
      // A refusal has an address of the deployment and the id of the request.
      if (before.status === 200) answeredCount++;
      expect(before.status === 200 ? withoutCursor(after.text) : after.body.code).toBe(
        before.status === 200 ? withoutCursor(before.text) : before.body.code,
      );
    }
  }
  return answeredCount;
}

test('a client that was exported alone answers its reports to the byte in an empty workspace, and nothing of others is there', async () => {
  const clients = (await original.get('/v1/clients?limit=100')).body.data as { id: string; parent_id: string | null }[];
  const child = clients.find(({ parent_id }) => parent_id !== null)!;
  const ofClient = await mkdtemp(join(tmpdir(), 'holdfast-import-'));
  onTestFinished(() => rm(ofClient, { recursive: true }));
  await fromOperator('export', '--workspace', demo.workspaceId, '--client', child.id, '--to', ofClient);
  const workspaceId = await newWorkspace();
  const { code, stderr, stdout } = await toOperator('import', '--workspace', workspaceId, '--from', ofClient);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`Imported ${await exportedCount(ofClient)} rows of 1 clients of "Lindqvist Family Office"`);
  const copy = await to.enter({ workspaceId, environment: 'sandbox' });
  const { data } = (await copy.get('/v1/clients')).body;
  expect(data).toMatchObject([{ id: child.id, parent_id: null }]);
  const entities = (await original.get(`/v1/reporting-entities?client_id=${child.id}&limit=100`)).body.data;
  expect((await copy.get('/v1/reporting-entities?limit=100')).body.data).toEqual(entities);
  expect(await expectSameReports(copy, entities)).toBeGreaterThan(2);
  const [line] = (await copy.get('/v1/audit-log?subject_type=workspace-import')).body.data;
  expect(line.after).toMatchObject({ from_workspace: demo.workspaceId, clients: [child.id] });
  await chainAuditLines(to.context);
  const { faults } = await verifyAuditChain(to.context, { workspaceId, environment: 'sandbox' });
  expect(faults).toEqual([]);
});

test('a workspace that is in use is refused, and so is a damaged file, by its lines; nothing is imported', async () => {
  const workspaceId = await newWorkspace();
  const path = join(folder, 'sandbox/instruments.jsonl');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"name":"', '"name":"X'));
  const damaged = await toOperator('import', '--workspace', workspaceId, '--from', folder);
  await writeFile(path, text);
  expect(damaged).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^sandbox\/instruments.jsonl is damaged: .* in line 1 to \d+\. Nothing/),
  });
  const copy = await to.enter({ workspaceId, environment: 'sandbox' });
  expect((await copy.get('/v1/clients')).body.data).toEqual([]);
  await copy.makeClient('In use');
  const refused = await toOperator('import', '--workspace', workspaceId, '--from', folder);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/sandbox of the workspace is in use/) });
});

test('an export whose manifest counts other rows than its files have is not imported', async () => {
  const workspaceId = await newWorkspace();
  const path = join(folder, manifestName);
  const text = await readFile(path, 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const files = manifest.files.map((file) => (file.table === 'instrument' ? { ...file, rows: file.rows + 2 } : file));
  await writeFile(path, JSON.stringify({ ...manifest, files }));
  const { code, stdout, stderr } = await toOperator('import', '--workspace', workspaceId, '--from', folder);
  await writeFile(path, text);
  const { rows } = manifest.files.find(({ table }) => table === 'instrument')!;
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The tables do not hold what the export says. Nothing was imported.\n' +
      `  table       in the export  in the database\n  instrument  ${String(rows + 2).padEnd(13)}  ${rows}\n`,
  });
  const copy = await to.enter({ workspaceId, environment: 'sandbox' });
  expect((await copy.get('/v1/clients')).body.data).toEqual([]);
});

test('an encrypted export is imported with an identity that it is for, and has nothing that can be read without', async () => {
  const encrypted = await mkdtemp(join(tmpdir(), 'holdfast-import-'));
  onTestFinished(() => rm(encrypted, { recursive: true }));
  const [secret, stranger] = [await generateIdentity(), await generateIdentity()];
  const [identity, other] = [
    join(encrypted, '..', `own-${process.pid}`),
    join(encrypted, '..', `other-${process.pid}`),
  ];
  await writeFile(identity, secret);
  await writeFile(other, stranger);
  onTestFinished(() => Promise.all([rm(identity), rm(other)]).then(() => {}));
  const words = ['export', '--workspace', demo.workspaceId, '--to', encrypted];
  const { code } = await fromOperator(...words, '--recipient', await identityToRecipient(secret));
  expect(code).toBe(0);
  const names = (await readdir(encrypted, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  expect(names.length).toBeGreaterThan(10);
  for (const { parentPath, name } of names) {
    expect(name).toMatch(/\.(json|jsonl|csv)\.age$/);
    expect((await readFile(join(parentPath, name))).toString('latin1', 0, 19)).toBe('age-encryption.org/');
  }
  const workspaceId = await newWorkspace();
  const read = ['import', '--workspace', workspaceId, '--from', encrypted];
  expect((await toOperator(...read)).stderr).toMatch(/is encrypted\. Name the file with the identity/);
  expect((await toOperator(...read, '--identity', other)).stderr).toBe(
    'manifest.json.age: It is encrypted to others: none of the identities opens it.\n',
  );
  const path = join(encrypted, 'sandbox/transactions.csv.age');
  const bytes = await readFile(path);
  await writeFile(path, bytes.subarray(0, -1));
  expect((await toOperator(...read, '--identity', identity)).stderr).toBe(
    'sandbox/transactions.csv: It is damaged: it is not as it was encrypted, or was cut off. Nothing was imported.\n',
  );
  await writeFile(path, bytes);
  const { code: imported, stderr } = await toOperator(...read, '--identity', identity);
  expect([imported, stderr]).toEqual([0, '']);
  const copy = await to.enter({ workspaceId, environment: 'sandbox' });
  const entities = (await original.get('/v1/reporting-entities?limit=100')).body.data;
  expect(await expectSameReports(copy, entities)).toBeGreaterThan(10);
});
