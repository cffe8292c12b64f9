// Tests the row cap of lists without pages.

import { expect, test } from 'vitest';
import { truncateRows, rowCap } from './row-cap.ts';

const rows = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('a list up to the cap is complete', () => {
  expect(truncateRows(rows(rowCap))).toEqual({ rows: rows(rowCap) });
});

test('a longer list is truncated at the cap and has the total count', () => {
  const truncation = { truncated: true, cap: rowCap, total: rowCap + 1 };
  expect(truncateRows(rows(rowCap + 1))).toEqual({ rows: rows(rowCap), truncation });
});
