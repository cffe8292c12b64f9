// A manifest is read if it is whole and of this release, and refused with a sentence for every part that is missing or of another kind.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifest } from './manifest.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-manifest-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = {
  path: 'production/clients.jsonl',
  environment: 'production',
  table: 'clients',
  columns: ['id', 'name'],
  rows: 1,
  lines: 1,
  sha256: 'a1',
  blocks: ['a1'],
};
const whole = {
  format: 'holdfast-export',
  version: 1,
  workspace: { id: '0123456789abcdef01234567', name: 'Muster' },
  clients: null,
  environments: ['production', 'sandbox'],
  files: [file, { ...file, path: 'sandbox/series-points.csv', environment: 'sandbox' }],
};

async function read(text: string): Promise<unknown> {
  await writeFile(join(folder, 'manifest.json'), text);
  return readManifest(folder).catch((error: Error) => error.message);
}

test('a whole manifest is read, of a workspace or of some of its clients', async () => {
  for (const manifest of [whole, { ...whole, clients: ['0123456789abcdef01234567'] }, { ...whole, files: [] }])
    expect(await read(JSON.stringify(manifest))).toEqual(manifest);
});

test.each([
  ['a text that is not JSON', '{', 'manifest.json is damaged: it is not JSON.'],
  ['nothing', 'null', 'manifest.json is not that of an export.'],
  ['another format', JSON.stringify({ ...whole, format: 'other' }), 'manifest.json is not that of an export.'],
  ['another version', JSON.stringify({ ...whole, version: 2 }), 'The export has the format 2; this release reads 1.'],
])('%s is refused', async (_what, text, message) => {
  expect(await read(text)).toBe(message);
});

test('a folder without a manifest is named', async () => {
  await expect(readManifest('/nowhere')).rejects.toThrow(
    'There is no export in /nowhere: manifest.json cannot be read.',
  );
});

const damage = 'manifest.json is damaged: parts of it are missing.';

test.each([
  ['no workspace', { workspace: undefined }],
  ['an id that is none', { workspace: { ...whole.workspace, id: '1' } }],
  ['a workspace without a name', { workspace: { id: whole.workspace.id } }],
  ['clients that are no list', { clients: 'all' }],
  ['clients that are no texts', { clients: [1] }],
  ['no clients', { clients: undefined }],
  ['environments that are no list', { environments: 'production' }],
  ['no files', { files: undefined }],
])('with %s it is damaged', async (_what, change) => {
  expect(await read(JSON.stringify({ ...whole, ...change }))).toBe(damage);
});

test.each([
  ['path', 1],
  ['path', '../clients.jsonl'],
  ['path', 'production/../clients.jsonl'],
  ['path', 'production/clients.txt'],
  ['path', 'other/clients.jsonl'],
  ['environment', 'other'],
  ['table', 1],
  ['columns', 'id'],
  ['columns', [1]],
  ['rows', 1.5],
  ['rows', '1'],
  ['lines', null],
  ['sha256', 1],
  ['blocks', undefined],
  ['blocks', [null]],
])('with a file whose %s is %j it is damaged', async (name, value) => {
  expect(await read(JSON.stringify({ ...whole, files: [file, { ...file, [name]: value }] }))).toBe(damage);
  expect(await read(JSON.stringify({ ...whole, files: [file, null] }))).toBe(damage);
});
