// Checks that the page of published figures and the tests that it names agree.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(`${root}docs/published-figures.md`, 'utf8');
const cases = [...page.matchAll(/^\| `([^`]+)` \| [^|]+ \| `([^`]+)` \|$/gm)].map(([, id, file]) => ({ id, file }));

test('every case that the page lists as tested is in the test file that it names', () => {
  expect(cases.length).toBeGreaterThan(80);
  const missing = cases.filter(({ id, file }) => !readFileSync(`${root}${file}`, 'utf8').includes(id!));
  expect(missing).toEqual([]);
});
