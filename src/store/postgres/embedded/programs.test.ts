import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { getPrograms, putLibraryLinks } from './programs.ts';

let root = '';

afterEach(() => rm(root, { recursive: true, force: true }));

async function putPackage(links: { source: string; target: string }[]): Promise<void> {
  root = await mkdtemp(join(tmpdir(), 'holdfast-programs-'));
  await mkdir(join(root, 'native', 'lib'), { recursive: true });
  await writeFile(join(root, 'native', 'lib', 'libpq.so.5.18'), 'library');
  await writeFile(join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links));
}

test('a platform without a package is refused with a list of supported platforms', async () => {
  await expect(getPrograms('plan9-mips')).rejects.toThrow('only for linux-x64, linux-arm64, darwin-x64, darwin-arm64');
});

test('the links of the install script are created, also by several processes at once and repeatedly', async () => {
  await putPackage([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]);
  await Promise.all([putLibraryLinks(root), putLibraryLinks(root), putLibraryLinks(root)]);
  await putLibraryLinks(root);
  expect(await readlink(join(root, 'native', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  expect(await readFile(join(root, 'native', 'lib', 'libpq.so.5'), 'utf8')).toBe('library');
});

test('a missing link that cannot be created is named in the error', async () => {
  await putPackage([{ source: 'native/lib/libpq.so.5.18', target: 'native/absent/libpq.so.5' }]);
  await expect(putLibraryLinks(root)).rejects.toThrow(join(root, 'native', 'absent', 'libpq.so.5'));
});
