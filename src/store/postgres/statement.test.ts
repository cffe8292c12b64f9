// Tests how many rows are written into statements that read pages, so that few different ones are prepared.

import { expect, test } from 'vitest';
import { writtenPageSize } from './statement.ts';

test.each([
  [1, 26],
  [26, 26],
  [27, 51],
  [101, 101],
  [102, 251],
  [10_001, 10_001],
  [10_002, 16_384],
  [16_384, 16_384],
  [16_385, 32_768],
])('a page of %i rows is read by a statement for %i', (limit, size) => {
  expect(writtenPageSize(limit)).toBe(size);
});
