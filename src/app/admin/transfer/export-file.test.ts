// A file of an export says of itself how many rows and lines it has, and has a hash of each thousand lines, so that damage can be found.

import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ExportFile } from './export-file.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function inThousands<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / 1_000) }, (_none, at) =>
    items.slice(at * 1_000, (at + 1) * 1_000),
  );
}

/** Writes rows in pieces of 300 and returns what the file says of itself, and what it holds. */
async function write(rows: readonly string[], columns?: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-export-file-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'rows');
  const file = await ExportFile.create(path, columns);
  for (let at = 0; at < rows.length; at += 300) await file.writeRows(rows.slice(at, at + 300));
  const said = await file.close();
  await expect(file.writeRows([])).rejects.toThrow('closed');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  return { said, text: await readFile(path, 'utf8') };
}

test.each([0, 1, 999, 1_000, 1_001, 2_000, 2_500])('%i rows of JSON are as many lines', async (count) => {
  const rows = Array.from({ length: count }, (_none, index) => `{"id":${index}}`);
  const { said, text } = await write(rows);
  expect(text).toBe(rows.map((row) => `${row}\n`).join(''));
  const blocks = inThousands(rows).map((own) => sha256(own.map((row) => `${row}\n`).join('')));
  expect(said).toEqual({ rows: count, lines: count, sha256: sha256(text), blocks });
});

test.each([0, 499, 500, 999])('%i rows of CSV have a header, and their line breaks count as lines', async (count) => {
  const rows = Array.from({ length: count }, (_none, index) => JSON.stringify([`${index}`, 'one\ntwo', null, '']));
  const { said, text } = await write(rows, ['id', 'text', 'none', 'empty']);
  const lines = text.split(/(?<=\n)/);
  expect([lines.length, lines[0]]).toEqual([1 + 2 * count, 'id,text,none,empty\r\n']);
  expect(lines.slice(1, 3)).toEqual(count === 0 ? [] : ['0,"one\n', 'two",,\\\r\n']);
  const blocks = inThousands(lines).map((own) => sha256(own.join('')));
  expect(said).toEqual({ rows: count, lines: lines.length, sha256: sha256(text), blocks });
});
