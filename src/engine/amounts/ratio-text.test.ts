// Checks ratios in plain digits, and sums and differences of what is written.

import { expect, test } from 'vitest';
import { exactRatioText, onePlus, ratioDifference } from './ratio-text.ts';

test.each([
  [0, '0'],
  [1, '1'],
  [-1, '-1'],
  [0.1, '0.1'],
  [-12.5, '-12.5'],
  [1e-7, '0.0000001'],
  [-1.25e-7, '-0.000000125'],
  [1.5e-10, '0.00000000015'],
  [5e-324, `0.${'0'.repeat(323)}5`],
  [1e21, '1000000000000000000000'],
  [-1.5e21, '-1500000000000000000000'],
  [1.2345e25, '12345000000000000000000000'],
])('%d is written %s', (ratio, text) => {
  expect(exactRatioText(ratio)).toBe(text);
  expect(Number(text)).toBe(ratio);
});

test.each([
  ['0', '1'],
  ['0.1', '1.1'],
  ['0.10', '1.1'],
  ['9', '10'],
  ['2.5', '3.5'],
  ['-0.1', '0.9'],
  ['-0.999', '0.001'],
  ['-1', '0'],
  ['-1.0', '0'],
  ['-1.5', '-0.5'],
  ['-2', '-1'],
  ['-2.000000000000000000000001', '-1.000000000000000000000001'],
  ['-0.9999999999999999999999', '0.0000000000000000000001'],
])('1 + %s is %s', (decimal, sum) => {
  expect(onePlus(decimal)).toBe(sum);
});

test.each([
  [0.3, 0.1, 0.2],
  [0.1, 0.3, -0.2],
  [1.1, 1, 0.1],
  [1, 0.25, 0.75],
  [1, 1, 0],
  [-0.1, 0.2, -0.3],
  [1e-7, 3e-7, -2e-7],
  [0.10000000000100001, 0.1, 1.00001e-12],
  [1e21, 0.5, 1e21],
  [3, 5, -2],
])('%d less %d, as they are written, is %d', (one, other, difference) => {
  expect(ratioDifference(one, other)).toBe(difference);
});
