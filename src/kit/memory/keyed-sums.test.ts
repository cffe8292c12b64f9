// Sums by key are taken once, and never more than so many.

import { expect, test } from 'vitest';
import { KeyedSums } from './keyed-sums.ts';

test('sums are taken once, and beyond a number of keys they are one', () => {
  const sums = new KeyedSums({ keysMax: 2, restKey: 'other' });
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 4],
    ['a', 8],
    ['d', 16],
  ] as const)
    sums.add(key, value);
  expect(sums.take()).toEqual([
    ['a', 9],
    ['b', 2],
    ['other', 20],
  ]);
  expect(sums.take()).toEqual([]);
});
