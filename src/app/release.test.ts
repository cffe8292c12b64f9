// Tests what a copy of the service says about itself.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readRelease } from './release.ts';

const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-release-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'package.json'), '{"version":"1.2.3"}');
});

async function putFile(path: string, text: string): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
}

test('the version is that of package.json, and the level that of the last migration', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const release = await readRelease();
  expect(release).toMatchObject({ version, node: process.version });
  expect(release.migrationName).toMatch(new RegExp(`^${String(release.migrationLevel).padStart(4, '0')}-`));
});

test('a copy without a repository has no commit, unless it says one', async () => {
  expect(await readRelease(folder)).toMatchObject({ version: '1.2.3', commit: undefined });
  await putFile('COMMIT', 'unknown\n');
  expect(await readRelease(folder)).toMatchObject({ commit: undefined });
  await putFile('COMMIT', `${first}\n`);
  expect(await readRelease(folder)).toMatchObject({ commit: first });
});

test('the commit is the one that is checked out: of a branch, packed or not, or by itself', async () => {
  await putFile('.git/HEAD', 'ref: refs/heads/main\n');
  await putFile('.git/packed-refs', `# pack-refs with: peeled\n${first} refs/heads/main\n${second} refs/heads/next\n`);
  expect(await readRelease(folder)).toMatchObject({ commit: first });
  await putFile('.git/refs/heads/main', `${second}\n`);
  expect(await readRelease(folder)).toMatchObject({ commit: second });
  await putFile('.git/HEAD', `${first}\n`);
  expect(await readRelease(folder)).toMatchObject({ commit: first });
});
