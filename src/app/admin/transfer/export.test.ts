// An export of the demo family office: every table is in it or left out for a stated reason, its hashes hold, and no secret is in it.

import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runSql } from '../../../../tests/setup/database/sql.ts';
import { operatorOf } from '../../../../tests/setup/node/operator.ts';
import { serviceForThisFile } from '../../../../tests/setup/node/test-service.ts';
import { Keyring } from '../../../signing/keyring.ts';
import { exportedTables, leftOutTables } from '../../../store/workspace-rows/exported-tables.ts';
import { listTenantTables } from '../../../store/workspace-rows/tenant-tables.ts';
import { withClient } from '../../../store/with-client.ts';
import { csvField, csvValue } from './export-file.ts';
import type { Id } from '../../../kit/id.ts';
import { readManifest } from './manifest.ts';

const encryptionKey = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: encryptionKey, DEMO: 'on' } });
const operator = operatorOf(() => ({ DATABASE_URL: service.database.url, ENCRYPTION_KEY: encryptionKey }));
const demo = '00000000000000000000de30';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('every table is exported, or left out for a reason', async () => {
  await withClient({ connectionString: service.database.url }, async (client) => {
    const names = (await listTenantTables(client)).map(({ name }) => name);
    expect([...Object.keys(exportedTables), ...Object.keys(leftOutTables)].toSorted()).toEqual(names.toSorted());
  });
});

test('an export has every row of every table, all versions of the ledger, and hashes that hold', async () => {
  const folder = await newFolder();
  const { code, stdout, stderr } = await operator('export', '--workspace', demo, '--to', folder);
  expect([code, stderr]).toEqual([0, '']);
  const manifest = await readManifest(folder);
  const rowCount = manifest.files.reduce((sum, { rows }) => sum + rows, 0);
  const leftOut = manifest.left_out.map(({ what }) => what).join(', ');
  expect(stdout).toBe(
    `Exported ${rowCount} rows in ${manifest.files.length} files to ${folder}.\nLeft out, because it is secret or made anew: ${leftOut}.\n`,
  );
  expect(manifest).toMatchObject({ workspace: { id: demo }, clients: null, environments: ['sandbox'] });
  for (const { path, table, rows, lines, sha256 } of manifest.files) {
    const content = await readFile(join(folder, path));
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
    expect(content.toString().split('\n').length - 1).toBe(lines);
    const [counted] = await runSql<{ count: number }>(
      service.database,
      `SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`,
      [demo],
    );
    const isOpenRound = table === 'calculation_round';
    expect({ table, rows }).toEqual({ table, rows: isOpenRound ? rows : counted?.count });
  }
  const transactions = await readFile(join(folder, 'sandbox/transactions.csv'), 'utf8');
  expect(transactions.split('\r\n')[0]).toMatch(
    /^id,sequence,known_from,known_until,opened_version,closed_version,client_id,/,
  );
});

test('rows in an environment that nobody knows are not left out without a word', async () => {
  const folder = await newFolder();
  const { workspaceId } = service.first;
  await runSql(
    service.database,
    `INSERT INTO fx_rate (workspace_id, environment, id, base, quote, date, source, rate, known_from)
     VALUES ($1, 'staging', '000000000000000000000001', 'EUR', 'USD', '2026-01-01', 'manual', 1, now())`,
    [workspaceId],
  );
  onTestFinished(() => runSql(service.database, `DELETE FROM fx_rate WHERE environment = 'staging'`).then(() => {}));
  const { code, stdout, stderr } = await operator('export', '--workspace', workspaceId, '--to', folder);
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /no manifest and is of no use\.\n {2}table +in the database {2}exported\n {2}fx_rate +1 +0\n$/,
    ),
  });
  await expect(readManifest(folder)).rejects.toThrow(/There is no export/);
});

test('an export of one client has those below it and what they share, and nothing of others', async () => {
  const clients = await runSql<{ id: string; path: string[] }>(
    service.database,
    'SELECT id, path FROM client WHERE workspace_id = $1 ORDER BY cardinality(path) DESC, id',
    [demo],
  );
  const [deepest] = clients;
  const folder = await newFolder();
  await operator('export', '--workspace', demo, '--client', deepest!.id, '--to', folder);
  const { clients: exported, files } = await readManifest(folder);
  expect(exported).toEqual([deepest!.id]);
  const line = JSON.parse((await readFile(join(folder, 'sandbox/clients.jsonl'), 'utf8')).trim());
  expect(line).toMatchObject({ id: deepest!.id, parent_id: null, path: [deepest!.id] });
  const others = clients.map(({ id }) => id).filter((id) => id !== deepest!.id);
  // What was known and done then may name those above it.
  for (const { path, table } of files.filter(({ table: name }) => !['record_version', 'audit_entry'].includes(name))) {
    const text = await readFile(join(folder, path), 'utf8');
    expect({ table, found: others.filter((id) => text.includes(id)) }).toEqual({ table, found: [] });
  }
});

test('a client is found in the environment that has it, and one that none has is refused', async () => {
  const { stdout } = await operator('workspace', 'create', 'Two environments');
  const [, workspaceId = ''] = /^Workspace (\S+)/.exec(stdout)!;
  const sandbox = await service.enter({ workspaceId: workspaceId as Id, environment: 'sandbox' });
  const client = await sandbox.makeClient('Tried out');
  const folder = await newFolder();
  expect((await operator('export', '--workspace', workspaceId, '--client', client, '--to', folder)).code).toBe(0);
  expect(await readManifest(folder)).toMatchObject({ clients: [client], environments: ['sandbox'] });
  const unknown = 'f'.repeat(24);
  expect(
    await operator('export', '--workspace', workspaceId, '--client', unknown, '--to', await newFolder()),
  ).toMatchObject({ code: 1, stdout: '', stderr: `The workspace has no client ${unknown}.\n` });
});

test('secrets are left out and listed', async () => {
  const folder = await newFolder();
  const { workspaceId } = service.first;
  const webhook = { url: 'https://hooks.example.com/x', events: ['transaction.created'] };
  const { secret } = (await service.admin.post('/v1/webhooks', webhook)).body;
  await operator('export', '--workspace', workspaceId, '--to', folder);
  const { files, left_out: leftOut } = await readManifest(folder);
  const texts = await Promise.all(files.map(({ path }) => readFile(join(folder, path), 'utf8')));
  expect(texts.join('')).toContain('hooks.example.com');
  expect(texts.some((text) => text.includes(secret) || text.includes('_sealed') || text.includes('secret_hash'))).toBe(
    false,
  );
  const names = leftOut.map(({ what }) => what);
  expect(names).toContain('application or key Administration (production)');
  expect(names).toContain('secret of the webhook https://hooks.example.com/x (production)');
});

test('a folder that holds something is refused', async () => {
  const folder = await newFolder();
  await operator('export', '--workspace', demo, '--to', folder);
  expect((await operator('export', '--workspace', demo, '--to', folder)).stderr).toMatch(/is not empty/);
});

test.each([null, '', 'text', '\\', '\\text'])('%j is read from a field of CSV as it was written', (value) => {
  expect(csvValue(csvField(value))).toBe(value);
});
