// Sums of amounts in two doubles are exact, however large the amounts are and however many there are.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountFromParts, sumPartDifferences, sumParts, type AmountParts } from './amount-parts.ts';

const [highest, lowest] = [2 ** 51 + 50, 1e14 - 1];

function partsOf(pairs: readonly (readonly [high: number, low: number])[]): AmountParts {
  return { high: Float64Array.from(pairs, ([high]) => high), low: Float64Array.from(pairs, ([, low]) => low) };
}

function exactSum({ high, low }: AmountParts, count = high.length): bigint {
  return Array.from(high.subarray(0, count)).reduce((sum, one, at) => sum + amountFromParts(one, low[at]!), 0n);
}

type Sums = readonly [sum: bigint, difference: bigint];

function sumsOf(one: AmountParts, other: AmountParts): Sums {
  return [sumParts(one), sumPartDifferences(one, other)];
}

/** The last entry has no difference. */
function exactSums(one: AmountParts, other: AmountParts): Sums {
  const last = one.high.length - 1;
  return [exactSum(one), exactSum(one, last) - exactSum(other, last)];
}

describe('the largest amounts of each sign', () => {
  const signs = [1, -1, 0];
  test.each(signs.flatMap((high) => signs.map((low) => [high, low] as const)))('%i, %i', (high, low) => {
    // Odd, so that a double that is too large for it shows.
    const pairs = Array.from({ length: 301 }, () => [high * (highest - 1), low * lowest] as const);
    const [many, others] = [partsOf(pairs), partsOf(pairs.map(([one, two]) => [-one, -two] as const))];
    expect(sumsOf(many, others)).toEqual(exactSums(many, others));
    expect(sumsOf(others, many)).toEqual(exactSums(others, many));
  });
});

test('any amounts', () => {
  const pair = fc.tuple(fc.integer({ min: -highest, max: highest }), fc.integer({ min: -lowest, max: lowest }));
  const columns = fc.integer({ min: 1, max: 60 }).chain((length) => {
    const column = fc.array(pair, { minLength: length, maxLength: length });
    return fc.tuple(column, column);
  });
  fc.assert(
    fc.property(columns, ([first, second]) => {
      const [one, other] = [partsOf(first), partsOf(second)];
      expect(sumsOf(one, other)).toEqual(exactSums(one, other));
    }),
  );
});
