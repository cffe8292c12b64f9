import { expect, test } from 'vitest';
import { oneFixed } from '../../kit/fixed.ts';
import { shareOfTotal } from './holdings.ts';

test.each([
  ['a third of the total', 1n, 3n, 0.3333333333333333],
  ['more than the total', 3n, 2n, 1.5],
  ['a negative share', -1n, 4n, -0.25],
  ['nothing of an empty total: no share', 0n, 0n, null],
  ['a part of a total of zero: no share', 5n, 0n, null],
])('%s', (_what, part, total, share) => {
  expect(shareOfTotal(part * oneFixed, total * oneFixed)).toBe(share);
});

test('the smallest total has shares', () => {
  expect([shareOfTotal(1n, 1n), shareOfTotal(-1n, -1n), shareOfTotal(0n, 1n)]).toEqual([1, 1, 0]);
});
