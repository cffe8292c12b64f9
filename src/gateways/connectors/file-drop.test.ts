// Files dropped into the folder of an authority: each is taken once, only when it is whole, and put away once it was booked.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
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

function makeConnector(dropped: string | undefined, taken?: string): FileDropConnector {
  const folders = dropped === undefined ? undefined : { dropped, taken };
  return new FileDropConnector({ folders, clock: new ManualClock(now), bytesMax: 100, quietMs: 5 * secondMs });
}

/** A folder outside of those into which files are dropped, with a file of the service. */
async function makeServiceFolder(): Promise<{ folder: string; secret: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-own-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const secret = join(folder, 'encryption.key');
  await writeFile(secret, 'a key');
  await age(secret);
  return { folder, secret };
}

async function age(path: string, agoMs = 60 * secondMs): Promise<void> {
  await utimes(path, (now - agoMs) / 1000, (now - agoMs) / 1000);
}

/** Makes entries older than the clock of the connector, whose time they do not have. */
async function ageLink(path: string): Promise<void> {
  execFileSync('touch', ['--no-dereference', '--date', new Date(now - 60 * secondMs).toISOString(), path]);
}

const takenOf = (folder: string, of = authority): Promise<string[]> => readdir(join(folder, '.taken', of));

/** Drops a file that was last written some seconds ago. */
async function drop(folder: string, name: string, { text = name, agoMs = 60 * secondMs } = {}): Promise<void> {
  const path = join(folder, authority, name);
  await writeFile(path, text);
  await age(path, agoMs);
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
  const pages = await fetchAll(makeConnector(folder));
  expect(pages.map(({ mark, file }) => [mark, file?.name, file?.digest])).toEqual(
    ['a.xml', 'b.xml', 'g.xml'].map((name) => [name, name, createHash('sha256').update(name).digest('hex')]),
  );
  const left = await readdir(join(folder, authority));
  expect(left.toSorted()).toEqual(['.d.xml', 'c.xml.part', 'e.xml']);
  expect((await takenOf(folder)).toSorted()).toEqual(
    ['a.xml', 'b.xml', 'g.xml'].map((name) => `2026-11-15T12-00-00.000Z ${name}`),
  );
  expect(await fetchAll(makeConnector(folder))).toEqual([]);
});

test('a file stays where it was dropped until it was booked, and a node that has lost the lease takes nothing away', async () => {
  const folder = await makeFolder();
  for (const name of ['a.xml', 'b.xml']) await drop(folder, name);
  const pages = makeConnector(folder).fetchSince({ authority })[Symbol.asyncIterator]();
  const { value: first } = await pages.next();
  expect((await readdir(join(folder, authority))).toSorted()).toEqual(['a.xml', 'b.xml']);
  const other = '0123456789abcdef01234568' as Id;
  for await (const page of makeConnector(folder).fetchSince({ authority: other })) expect(page).toBeUndefined();
  // The lease was lost: another node takes both. The first one still reads what it had copied, and finds nothing to put away.
  expect((await fetchAll(makeConnector(folder))).map(({ mark }) => mark)).toEqual(['a.xml', 'b.xml']);
  expect(await textOf(first)).toBe('a.xml');
  expect((await pages.next()).done).toBe(true);
  expect(await takenOf(folder)).toHaveLength(2);
});

test('a file that came under the same name while the former one was booked is taken by the next run', async () => {
  const folder = await makeFolder();
  await drop(folder, 'a.xml', { text: 'former' });
  for await (const page of makeConnector(folder).fetchSince({ authority })) {
    await drop(folder, 'next.tmp', { text: 'second' });
    await rename(join(folder, authority, 'next.tmp'), join(folder, authority, 'a.xml'));
    expect(await textOf(page)).toBe('former');
  }
  const texts: string[] = [];
  for await (const page of makeConnector(folder).fetchSince({ authority })) texts.push(await textOf(page));
  expect(texts).toEqual(['second']);
});

test('a file that its dropper changes afterwards is read as it was copied', async () => {
  const folder = await makeFolder();
  await drop(folder, 'a.xml', { text: 'whole' });
  for await (const page of makeConnector(folder).fetchSince({ authority })) {
    await appendFile(join(folder, authority, 'a.xml'), ' and more');
    expect([await textOf(page), await textOf(page)]).toEqual(['whole', 'whole']);
  }
  expect(await readdir(join(folder, authority))).toEqual(['a.xml']);
});

/** What a page of a refused entry says. */
const refusal = (name: string, why: string) => ({
  items: [
    {
      item: 'problem',
      place: { line: 1 },
      detail: `${name} ${why} It was not read, and is left under a name that begins with .refused.`,
    },
  ],
  mark: name,
});

test('a link, a hard link and a pipe are not read, say so once, and hold up no file behind them', async () => {
  const folder = await makeFolder();
  const own = await makeServiceFolder();
  const inbox = join(folder, authority);
  await symlink(own.secret, join(inbox, 'a.xml'));
  await ageLink(join(inbox, 'a.xml'));
  await link(own.secret, join(inbox, 'b.xml'));
  execFileSync('mkfifo', [join(inbox, 'c.xml')]);
  await age(join(inbox, 'c.xml'));
  await drop(folder, 'd.xml');
  expect(await fetchAll(makeConnector(folder))).toEqual([
    refusal('a.xml', 'is a link, a pipe or a device, and no file.'),
    refusal('b.xml', 'has 2 names (hard links).'),
    refusal('c.xml', 'is a link, a pipe or a device, and no file.'),
    { items: [], file: expect.objectContaining({ name: 'd.xml' }), mark: 'd.xml' },
  ]);
  expect((await readdir(inbox)).map((name) => name.slice(0, 9))).toEqual(Array(3).fill('.refused '));
  expect(await readFile(own.secret, 'utf8')).toBe('a key');
  expect(await takenOf(folder)).toEqual(['2026-11-15T12-00-00.000Z d.xml']);
  expect(await fetchAll(makeConnector(folder))).toEqual([]);
});

test.each(['claimed', 'done'])('a link called %s leads to no file, and takes none away', async (stage) => {
  const folder = await makeFolder();
  const own = await makeServiceFolder();
  const path = join(folder, authority, stage);
  await symlink(own.folder, path);
  await ageLink(path);
  await drop(folder, 'a.xml');
  const pages = await fetchAll(makeConnector(folder));
  expect(pages.map(({ mark, file }) => [mark, file?.name])).toEqual([
    ['a.xml', 'a.xml'],
    [stage, undefined],
  ]);
  expect(await readdir(own.folder)).toEqual(['encryption.key']);
});

test.each([
  ['the folder of the authority', (folder: string) => join(folder, authority)],
  ['the folder for copies', (folder: string) => join(folder, '.taken')],
  ["the authority's folder for copies", (folder: string) => join(folder, '.taken', authority)],
])('%s is not followed where it is a link', async (_what, pathIn) => {
  const folder = await makeFolder();
  const own = await makeServiceFolder();
  await mkdir(join(folder, '.taken'));
  await drop(folder, 'a.xml');
  const path = pathIn(folder);
  await rm(path, { recursive: true, force: true });
  await symlink(own.folder, path);
  const failed = fetchAll(makeConnector(folder));
  await expect(failed).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('is a link or a file. Only a folder is used.'),
  });
  expect(await readdir(own.folder)).toEqual(['encryption.key']);
});

test('a folder that is exchanged for a link during a run is left', async () => {
  const folder = await makeFolder();
  const own = await makeServiceFolder();
  for (const name of ['a.xml', 'encryption.key']) await drop(folder, name);
  const marks: string[] = [];
  for await (const page of makeConnector(folder).fetchSince({ authority })) {
    marks.push(`${page.mark}: ${await textOf(page)}`);
    if (page.mark !== 'a.xml') continue;
    await rename(join(folder, authority), join(folder, 'moved'));
    await symlink(own.folder, join(folder, authority));
  }
  expect(marks).toEqual(['a.xml: a.xml', 'encryption.key: encryption.key']);
  expect(await readdir(own.folder)).toEqual(['encryption.key']);
  expect(await readdir(join(folder, 'moved'))).toEqual([]);
});

test('files that an earlier release had claimed are taken first', async () => {
  const folder = await makeFolder();
  await mkdir(join(folder, authority, 'claimed'));
  await drop(folder, join('claimed', 'z.xml'));
  await drop(folder, 'a.xml');
  expect((await fetchAll(makeConnector(folder))).map(({ mark }) => mark)).toEqual(['z.xml', 'a.xml']);
  expect(await readdir(join(folder, authority, 'claimed'))).toEqual([]);
});

test('copies may be kept in another folder, readable by the service alone', async () => {
  const folder = await makeFolder();
  const { folder: elsewhere } = await makeServiceFolder();
  const longName = `${'ä'.repeat(120)}.xml`;
  await drop(folder, longName, { text: 'short' });
  await fetchAll(makeConnector(folder, join(elsewhere, 'taken')));
  const own = join(elsewhere, 'taken', authority);
  expect(await readdir(own)).toEqual([`2026-11-15T12-00-00.000Z ${'ä'.repeat(90)}`]);
  expect((await stat(own)).mode & 0o777).toBe(0o700);
  expect((await stat(join(own, (await readdir(own))[0]!))).mode & 0o777).toBe(0o600);
});

test('a file whose run was interrupted is taken again, from its beginning', async () => {
  const folder = await makeFolder();
  await drop(folder, 'a.xml', { text: 'whole' });
  for await (const page of makeConnector(folder).fetchSince({ authority })) {
    expect(await textOf(page)).toBe('whole');
    break;
  }
  // A node that was killed leaves the copy that it had begun.
  await writeFile(join(folder, '.taken', authority, 'begun.part'), 'who');
  const [again] = await fetchAll(makeConnector(folder));
  expect(again!.mark).toBe('a.xml');
  expect(await takenOf(folder)).toHaveLength(1);
});

test('a file that is too large is a problem, and without a folder nothing can be fetched', async () => {
  const folder = await makeFolder();
  await drop(folder, 'a.xml', { text: 'x'.repeat(101) });
  await drop(folder, 'b.xml', { text: 'x'.repeat(100) });
  expect(await fetchAll(makeConnector(folder))).toEqual([
    refusal('a.xml', 'has 101 bytes, and at most 100 are read.'),
    { items: [], file: expect.objectContaining({ name: 'b.xml' }), mark: 'b.xml' },
  ]);
  await expect(fetchAll(makeConnector(undefined))).rejects.toThrow(ConnectorFailure);
});
