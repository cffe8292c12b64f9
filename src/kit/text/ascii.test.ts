// Integers written as digits into bytes are those that the language writes, at each number of digits.

import { expect, test } from 'vitest';
import { asciiTarget, putInteger } from './ascii.ts';

test('an integer has the same digits as its text', () => {
  const target = asciiTarget(64);
  const powers = Array.from({ length: 16 }, (_none, exponent) => 10 ** exponent);
  for (const value of [0, ...powers.flatMap((power) => [power - 1, power, power + 1]), 2 ** 53 - 1]) {
    const end = putInteger(value, target, 0);
    expect(Buffer.from(target.bytes.subarray(0, end)).toString('latin1')).toBe(String(value));
  }
});
