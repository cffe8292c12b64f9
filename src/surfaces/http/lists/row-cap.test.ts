// The cap of lists without pages.

import { expect, test } from 'vitest';
import { truncateRows, rowCap } from './row-cap.ts';

const rows = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('as many rows as one answer holds are all there', () => {
  expect(truncateRows(rows(rowCap))).toEqual({ rows: rows(rowCap) });
});

test('of one more the first are there, with how many there are', () => {
  const truncation = { truncated: true, cap: rowCap, total: rowCap + 1 };
  expect(truncateRows(rows(rowCap + 1))).toEqual({ rows: rows(rowCap), truncation });
});
