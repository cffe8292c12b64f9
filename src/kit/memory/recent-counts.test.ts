// Tests that texts are counted one by one while they are remembered, and forgotten at last.

import { expect, test } from 'vitest';
import { RecentCounts } from './recent-counts.ts';

test('each text is counted by itself, however alike they are', () => {
  const counts = new RecentCounts(1_000_000);
  const texts = Array.from({ length: 200_000 }, (_, index) => `R-${String(index).padStart(9, '0')}`);
  expect(texts.every((text) => counts.increment(text) === 1)).toBe(true);
  expect(texts.every((text) => counts.increment(text) === 2)).toBe(true);
  expect(['', 'a', 'ab', 'ba', 'aa', 'a\n', 'ä'].map((text) => counts.increment(text))).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

test('the latest are remembered, and no more than twice as many', () => {
  const counts = new RecentCounts(100);
  counts.increment('first');
  for (let index = 0; index < 99; index++) counts.increment(`other ${index}`);
  expect(counts.increment('first')).toBe(2);
  for (let index = 0; index < 200; index++) counts.increment(`later ${index}`);
  expect(counts.increment('first')).toBe(1);
});
