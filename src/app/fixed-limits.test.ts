// docs/fixed-limits.md has the limits that the code keeps to.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { limitsFile, limitsMarkdown } from '../../scripts/fixed-limits/write-limits.ts';

const page = limitsMarkdown();

test('docs/fixed-limits.md has every limit with its value (npm run limits writes it)', async () => {
  expect(await readFile(limitsFile, 'utf8')).toBe(page);
});

test.each([
  ['a time', '| [listener](../src/surfaces/http/pipeline/listener.ts) `bulkBodyTimeoutMs` | 10 min |'],
  ['a size', '| [parse-request](../src/surfaces/http/pipeline/parse-request.ts) `bulkBytesMax` | 256 MiB |'],
  ['a number', '| [import](../src/model/custody/import.ts) `importWarningsMax` | 100 |'],
  ['one of a group', '| [delivery-attempt](../src/actions/events/delivery-attempt.ts) `retryMs.max` | 1 h |'],
])('it says %s in units that people use', (_, start) => {
  expect(page).toContain(start);
});
