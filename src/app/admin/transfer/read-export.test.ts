// A damaged file of an export is refused with the thousand lines in which it is damaged; a whole one gives its rows with their lines.

import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ManifestFile } from './manifest.ts';
import type { TenantTable } from '../../../store/workspace-rows/tenant-tables.ts';
import { checkFile, openFile } from './read-export.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-read-export-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Checks a file of so many lines, after `change` was made to them. */
async function check(
  count: number,
  change: (lines: string[]) => void = () => {},
  lineOf = (number: number): string => `line ${number}\n`,
  described: Partial<ManifestFile> = {},
): Promise<string> {
  const lines = Array.from({ length: count }, (_none, index) => lineOf(index + 1));
  const blocks = Array.from({ length: Math.ceil(count / 1_000) }, (_none, index) =>
    sha256(lines.slice(index * 1_000, (index + 1) * 1_000).join('')),
  );
  const path = 'rows.jsonl';
  const file = { path, lines: count, sha256: sha256(lines.join('')), blocks, ...described };
  change(lines);
  await writeFile(join(folder, path), lines.join(''));
  return checkFile(folder, file as unknown as ManifestFile).then(
    () => 'as exported',
    (error: Error) => error.message,
  );
}

const damaged = (where: string): string =>
  `rows.jsonl is damaged: it is not what was exported, ${where}. Nothing was imported.`;

test.each([0, 1, 999, 1_000, 1_001, 2_500])('a file of %i lines is as it was exported', async (count) => {
  expect(await check(count)).toBe('as exported');
});

test.each([
  [0, 'in line 1 to 1000'],
  [999, 'in line 1 to 1000'],
  [1_000, 'in line 1001 to 2000'],
  [2_499, 'in line 2001 to 2500'],
])('a change of the line after %i is found', async (index, where) => {
  expect(await check(2_500, (lines) => void (lines[index] = 'changed\n'))).toBe(damaged(where));
});

test('a change is found behind empty lines, also where a file begins with one', async () => {
  const change = (lines: string[]): void => void (lines[2_000] = 'changed\n');
  expect(await check(2_500, change, (number) => (number % 7 === 1 ? '\n' : `line ${number}\n`))).toBe(
    damaged('in line 2001 to 2500'),
  );
});

test('a change is found in a file that is longer than what is read at a time', async () => {
  const change = (lines: string[]): void => void (lines[1_500] = 'changed\n');
  expect(await check(2_500, change, (number) => `${'long '.repeat(50)}${number}\n`)).toBe(
    damaged('in line 1001 to 2000'),
  );
});

test.each([1, 2_000, 2_001, 2_500])(
  '%i lines that are all as they were are not what a wrong manifest says',
  async (count) => {
    expect(await check(count, undefined, undefined, { sha256: sha256('others') })).toBe(damaged(`after line ${count}`));
  },
);

test('lines that are missing or added at the end are found', async () => {
  expect(await check(2_000, (lines) => void lines.push('more\n'))).toBe(damaged('after line 2000'));
  expect(await check(2_001, (lines) => void lines.pop())).toBe(damaged('in line 2001 to 2001'));
});

/** The rows of a file, by the pieces in which they are read. */
async function piecesOf(path: string, text: string): Promise<readonly { line: number; text: string }[][]> {
  await writeFile(join(folder, path), text);
  const columns = ['id', 'detail'];
  const table = {
    columns: [
      { name: 'id', type: 'text' },
      { name: 'detail', type: 'jsonb' },
    ],
  };
  const file = openFile(folder, { path, table: 'rows', columns } as never, table as unknown as TenantTable);
  expect([file.path, file.table, file.columns]).toEqual([path, 'rows', columns]);
  return Array.fromAsync(file.readRows(), (piece) => [...piece]);
}

test.each([499, 500, 501, 1_000])('%i rows are read 500 at a time, with their lines', async (count) => {
  const pieces = await piecesOf('rows.jsonl', '{}\n'.repeat(count));
  expect(pieces.every(({ length }, index) => length === Math.min(500, count - index * 500))).toBe(true);
  expect(pieces.flat().map(({ line }) => line)).toEqual(Array.from({ length: count }, (_none, index) => index + 1));
});

test.each([
  ['short', 'id,detail'],
  ['longer than what is read at a time', `id,${'x'.repeat(70_000)}`],
])('rows of a table follow a header that is %s, and JSON stays JSON', async (_what, header) => {
  const rows = `a,"{""b"":1}"\n"c\nd",\n`;
  const [first, second] = ['{"id":"a","detail":{"b":1}}', '{"id":"c\\nd","detail":null}'];
  expect((await piecesOf('rows.csv', `${header}\n${rows}`)).flat()).toEqual([
    { line: 2, text: first },
    { line: 3, text: second },
  ]);
  expect(await piecesOf('rows.csv', header)).toEqual([]);
  const long = 'e'.repeat(70_000);
  expect((await piecesOf('rows.csv', `${header}\n${long},\n${rows}f,0`)).flat()).toEqual([
    { line: 2, text: `{"id":"${long}","detail":null}` },
    { line: 3, text: first },
    { line: 4, text: second },
    { line: 6, text: '{"id":"f","detail":0}' },
  ]);
  expect((await piecesOf('rows.csv', `${header}\na`)).flat()).toEqual([{ line: 2, text: '{"id":"a","detail":null}' }]);
});
