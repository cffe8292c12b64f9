// Tests the folders of the embedded database: who may enter a new one, and where the socket is when its path would be too long.

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { port, putDataDir, socketDirFor, socketFile } from './folders.ts';
import { isRoot, nobodyId } from './os-account.ts';

test('nobody else may enter a new data folder but the account that the database steps down to', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'holdfast-folders-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'deep', 'data');
  await putDataDir(folder);
  const { mode, gid } = await stat(folder);
  expect([mode & 0o777, gid]).toEqual(isRoot() ? [0o710, nobodyId] : [0o700, (await stat(parent)).gid]);
});

test('the socket is beside the data as long as its path is short enough for the system, and else in the folder for temporary files', () => {
  const lengthMax = process.platform === 'darwin' ? 103 : 107;
  const rest = `/socket/.s.PGSQL.${port}`.length;
  const folderOf = (length: number, letter = 'a'): string => `/${letter.repeat(length - rest - 1)}`;
  const longest = folderOf(lengthMax);
  expect(socketFile(join(longest, 'socket'))).toHaveLength(lengthMax);
  expect(socketDirFor(longest)).toBe(join(longest, 'socket'));
  const [one, other] = ['a', 'b'].map((letter) => socketDirFor(folderOf(lengthMax + 1, letter)));
  expect([dirname(one!), one]).toEqual([tmpdir(), expect.not.stringContaining(other!)]);
  expect(socketDirFor(folderOf(lengthMax + 1))).toBe(one);
});
