// Checks that folders are created with those above them, and that an impossible one is refused at once.

import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { putFolder } from './folders.ts';

async function folderForThisTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-folders-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('creates what is missing with its mode, and names the topmost', async () => {
  const folder = await folderForThisTest();
  expect(await putFolder(join(folder, 'a/b/c'), 0o700)).toBe(join(folder, 'a'));
  for (const name of ['a', 'a/b', 'a/b/c']) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o700);
  expect(await putFolder(join(folder, 'a/b/d'))).toBe(join(folder, 'a/b/d'));
  expect(await putFolder(join(folder, 'a/b/c'))).toBeUndefined();
  expect(await putFolder('/')).toBeUndefined();
});

test('two at once both find it', async () => {
  const folder = await folderForThisTest();
  const both = await Promise.all([putFolder(join(folder, 'a/b/c')), putFolder(join(folder, 'a/b/c'))]);
  expect(both.filter((first) => first === join(folder, 'a'))).toHaveLength(1);
  expect((await stat(join(folder, 'a/b/c'))).isDirectory()).toBe(true);
});

test('names the topmost that it created itself, whatever others create meanwhile', async () => {
  const folder = await folderForThisTest();
  for (let index = 0; index < 20; index++) {
    const above = join(folder, String(index));
    const created = putFolder(join(above, 'a'));
    const isOthers = await mkdir(above).then(
      () => true,
      () => false,
    );
    expect(await created).toBe(isOthers ? join(above, 'a') : above);
  }
});

test('refuses a file, a folder below one, and a link to nothing', async () => {
  const folder = await folderForThisTest();
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'nothing'), join(folder, 'link'));
  await expect(putFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(putFolder(join(folder, 'file/deeper'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(putFolder(join(folder, 'link'))).rejects.toMatchObject({ code: 'EEXIST' });
});

test('refuses a folder below one that takes no folders', async () => {
  await expect(putFolder('/proc/holdfast')).rejects.toMatchObject({ path: expect.stringContaining('/proc') });
  await expect(putFolder('/proc/holdfast/deeper')).rejects.toMatchObject({ path: expect.stringContaining('/proc') });
});
