// Files dropped into the folder of an authority: each is taken once, only when it is whole, and put away once it was booked.

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../tests/setup/kit/manual-clock.ts';
import { secondMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { ConnectorFailure, type FetchedPage } from '../../model/custody/connector.ts';
import { FileDropConnector } from './file-drop.ts';

const authority = '0123456789abcdef01234567' as Id;
const now = Date.parse('2026-11-15T12:00:00Z');

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-drop-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, authority));
  return folder;
}

function makeConnector(folder: string | undefined): FileDropConnector {
  return new FileDropConnector({ folder, clock: new ManualClock(now), bytesMax: 100, quietMs: 5 * secondMs });
}

/** Drops a file that was last written some seconds ago. */
async function drop(folder: string, name: string, { text = name, agoMs = 60 * secondMs } = {}): Promise<void> {
  const path = join(folder, authority, name);
  await writeFile(path, text);
  await utimes(path, (now - agoMs) / 1000, (now - agoMs) / 1000);
}

async function textOf({ file }: FetchedPage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of file!.read()) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function fetchAll(connector: FileDropConnector): Promise<FetchedPage[]> {
  const pages: FetchedPage[] = [];
  for await (const page of connector.fetchSince({ authority })) pages.push(page);
  return pages;
}

test('whole files are taken in the order of their names, and put away', async () => {
  const folder = await makeFolder();
  await drop(folder, 'b.xml');
  await drop(folder, 'a.xml');
  await drop(folder, 'c.xml.part');
  await drop(folder, '.d.xml');
  await drop(folder, 'e.xml', { agoMs: 5 * secondMs - 1 });
  await drop(folder, 'g.xml', { agoMs: 5 * secondMs });
  await symlink('/etc/hostname', join(folder, authority, 'f.xml'));
  const pages = await fetchAll(makeConnector(folder));
  expect(pages.map(({ mark, file }) => [mark, file?.name, file?.digest])).toEqual(
    ['a.xml', 'b.xml', 'g.xml'].map((name) => [name, name, createHash('sha256').update(name).digest('hex')]),
  );
  const left = await readdir(join(folder, authority));
  expect(left.toSorted()).toEqual(['.d.xml', 'c.xml.part', 'claimed', 'done', 'e.xml', 'f.xml']);
  expect(await readdir(join(folder, authority, 'claimed'))).toEqual([]);
  expect(await readdir(join(folder, authority, 'done'))).toHaveLength(3);
  expect(await fetchAll(makeConnector(folder))).toEqual([]);
});

test('a file that one node has claimed is not in the folder for another authority or a later run', async () => {
  const folder = await makeFolder();
  for (const name of ['a.xml', 'b.xml']) await drop(folder, name);
  const pages = makeConnector(folder).fetchSince({ authority })[Symbol.asyncIterator]();
  await pages.next();
  expect(await readdir(join(folder, authority, 'claimed'))).toEqual(['a.xml']);
  const other = '0123456789abcdef01234568' as Id;
  for await (const page of makeConnector(folder).fetchSince({ authority: other })) expect(page).toBeUndefined();
  // The lease was lost: another node takes both, and the first one finds nothing to put away.
  expect((await fetchAll(makeConnector(folder))).map(({ mark }) => mark)).toEqual(['a.xml', 'b.xml']);
  expect((await pages.next()).done).toBe(true);
  expect(await readdir(join(folder, authority, 'done'))).toHaveLength(2);
});

test('a file whose run was interrupted is taken again, from its beginning', async () => {
  const folder = await makeFolder();
  await drop(folder, 'a.xml', { text: 'whole' });
  for await (const page of makeConnector(folder).fetchSince({ authority })) {
    expect(await textOf(page)).toBe('whole');
    break;
  }
  const [again] = await fetchAll(makeConnector(folder));
  expect(again!.mark).toBe('a.xml');
});

test('a file that is too large is a problem, and without a folder nothing can be fetched', async () => {
  const folder = await makeFolder();
  await drop(folder, 'a.xml', { text: 'x'.repeat(101) });
  await drop(folder, 'b.xml', { text: 'x'.repeat(100) });
  const detail = 'The file a.xml has 101 bytes, and at most 100 are read.';
  expect(await fetchAll(makeConnector(folder))).toEqual([
    { items: [{ item: 'problem', place: { line: 1 }, detail }], mark: 'a.xml' },
    { items: [], file: expect.objectContaining({ name: 'b.xml' }), mark: 'b.xml' },
  ]);
  await expect(fetchAll(makeConnector(undefined))).rejects.toThrow(ConnectorFailure);
});
