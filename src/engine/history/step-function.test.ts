import { describe, expect, test } from 'vitest';

import { oneFixed } from '../../kit/fixed.ts';
import { StepFunction } from './step-function.ts';

const steps = {
  amounts: StepFunction.fromAmounts([3, 5], [7n * oneFixed, -2n * oneFixed]),
  integers: StepFunction.fromIntegers(Int32Array.of(3, 5), { values: Float64Array.of(700, -200), scale: 2 }),
};

describe.each(['amounts', 'integers'] as const)('steps of %s', (kind) => {
  test('hold from their day on, and are zero before the first', () => {
    const { [kind]: found } = steps;
    expect([2, 3, 4, 5, 9].map((day) => found.valueOn(day))).toEqual(
      [0n, 7n, 7n, -2n, -2n].map((units) => units * oneFixed),
    );
    expect([found.length, found.valueAt(0), found.valueAt(1)]).toEqual([2, 7n * oneFixed, -2n * oneFixed]);
  });
});

test('steps that are integers already keep their scale', () => {
  expect(steps.integers.findIntegers()).toEqual({ values: Float64Array.of(700, -200), scale: 2 });
});

const safe = BigInt(Number.MAX_SAFE_INTEGER);

test.each([
  ['none', [], { values: [], scale: 0 }],
  ['whole units', [7n * oneFixed, 0n], { values: [7, 0], scale: 0 }],
  ['tenths beside whole units', [oneFixed, -oneFixed / 10n], { values: [10, -1], scale: 1 }],
  ['the smallest unit', [1n, 20n], { values: [1, 20], scale: 18 }],
  ['the largest and the smallest number that fit', [safe, -safe], { values: [Number(safe), -Number(safe)], scale: 18 }],
  ['one that is larger by one', [safe + 1n], undefined],
  ['one that is smaller by one', [1n, -safe - 1n], undefined],
  ['a whole and a part that need too many digits together', [oneFixed, 1n], undefined],
] as const)('the integers of steps of %s', (_what, amounts, expected) => {
  const days = amounts.map((_, index) => index);
  const found = StepFunction.fromAmounts(days, amounts).findIntegers();
  expect(found && { values: [...found.values], scale: found.scale }).toEqual(expected);
});
