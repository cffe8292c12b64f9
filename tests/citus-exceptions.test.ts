// Tests that what is left out on Citus is there, and says why.

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractFolder, exceptions } from './setup/citus/exceptions.ts';

test.each(exceptions)('$file, $title, is left out on Citus for a reason', ({ file, title, reason }) => {
  const path = contractFolder + file;
  expect(existsSync(path)).toBe(true);
  expect(readFileSync(path, 'utf8').split(title ?? '// ').length).toBeGreaterThan(1);
  expect(reason).toMatch(/\w+ \w+ \w+/);
});

test('no two exceptions are of the same test', () => {
  const names = exceptions.map(({ file, title }) => `${file} ${title}`);
  expect(new Set(names).size).toBe(names.length);
});
