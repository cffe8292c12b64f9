import { expect, test } from 'vitest';
import { oneFixed } from '../../kit/fixed.ts';
import { shareOfTotal } from './holdings.ts';

test.each([
  ['a third', 1n, 3n, 0.3333333333333333],
  ['more than the whole', 3n, 2n, 1.5],
  ['less than nothing of it', -1n, 4n, -0.25],
  ['none of nothing', 0n, 0n, null],
  ['none of what comes to nothing', 5n, 0n, null],
])('%s', (_what, part, total, share) => {
  expect(shareOfTotal(part * oneFixed, total * oneFixed)).toBe(share);
});
