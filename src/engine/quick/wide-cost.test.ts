// Checks the share of a wide cost against bigints, up to the limits.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { highPart, lowPart } from '../amounts/amount-parts.ts';
import { AmountScale, getWideCost, subtractLargeShare, subtractShare } from './wide-cost.ts';

/** Written independently of the engine with bigints, so that both cannot have the same mistake. */
function halfEven(dividend: bigint, divisor: bigint): bigint {
  if (dividend < 0n) return -halfEven(-dividend, divisor);
  const [floor, rest] = [dividend / divisor, dividend % divisor];
  if (rest * 2n === divisor) return floor + (floor % 2n);
  return rest * 2n > divisor ? floor + 1n : floor;
}

type SubtractShare = typeof subtractShare;

function left(subtract: SubtractShare, cost: bigint, steps: readonly { quantity: number; held: number }[]): bigint {
  const costs = Float64Array.of(highPart(cost), lowPart(cost));
  for (const { quantity, held } of steps) subtract(costs, 0, quantity, held);
  return getWideCost(costs, 0);
}

function leftExactly(cost: bigint, steps: readonly { quantity: number; held: number }[]): bigint {
  return steps.reduce((rest, { quantity, held }) => rest - halfEven(rest * BigInt(quantity), BigInt(held)), cost);
}

const costMax = 2n ** 50n * 10n ** 14n;
const costArbitrary = fc.oneof(
  fc.bigInt({ min: -costMax, max: costMax }),
  fc
    .bigInt({ min: 0n, max: 10n ** 13n })
    .map((cents) => cents * 10n ** 16n)
    .filter((cost) => cost <= costMax),
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: costMax - 10n ** 15n, max: costMax }),
);

function stepArbitrary(heldMax: number) {
  const held = fc.oneof(
    fc.integer({ min: 2, max: heldMax }),
    fc.integer({ min: heldMax - 1_000, max: heldMax }),
    fc.integer({ min: 1, max: 1_000 }).map((half) => 2 * half),
  );
  return held.chain((held) =>
    fc
      .oneof(
        fc.integer({ min: 1, max: held - 1 }),
        fc.constant(held / 2),
        fc.constant(1),
        fc.constant(held - 1),
        fc.constant(held),
      )
      .filter((quantity) => Number.isInteger(quantity))
      .map((quantity) => ({ quantity, held })),
  );
}

describe.each([
  ['short', subtractShare, 2 ** 31],
  ['long', subtractLargeShare, 2 ** 50],
] as const)('a %s share', (_name, subtract, heldMax) => {
  test('is cost × quantity / held, rounded half-even at 18 places, share after share', () => {
    fc.assert(
      fc.property(costArbitrary, fc.array(stepArbitrary(heldMax), { minLength: 1, maxLength: 40 }), (cost, steps) => {
        expect(left(subtract, cost, steps)).toBe(leftExactly(cost, steps));
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    [1n, 0n], // 0.5 rounds to 0
    [3n, 2n], // 1.5 rounds to 2
    [5n, 2n], // 2.5 rounds to 2
    [-3n, -2n],
    [10n ** 14n + 1n, 50_000_000_000_000n], // 50000000000000.5 rounds down
    [10n ** 14n + 3n, 50_000_000_000_002n], // 50000000000001.5 rounds up
  ])('half of %d smallest units is %d: a tie is rounded to even', (cost, share) => {
    expect(cost - left(subtract, cost, [{ quantity: 1, held: 2 }])).toBe(share);
  });

  test('stays exact when the low part drifts the same way each time', () => {
    const held = 2 ** 29;
    const cost = BigInt(Math.floor(0.49 * held)) * 10n ** 14n;
    const steps = Array.from({ length: 2_000 }, () => ({ quantity: 1, held }));
    expect(left(subtract, cost, steps)).toBe(leftExactly(cost, steps));
  });

  test('in quick succession stays exact, however often the low part drifts', () => {
    const steps = Array.from({ length: 10_000 }, (_, index) => ({ quantity: 1 + (index % 7), held: 100_003 - index }));
    const cost = 123_456_789_012_345_678_901_234_567n;
    expect(left(subtract, cost, steps)).toBe(leftExactly(cost, steps));
  });
});

describe('amounts of a column', () => {
  test('add up to the same sum as bigints, at every scale', () => {
    const scales = fc.integer({ min: 0, max: 18 });
    const amounts = fc.array(fc.maxSafeInteger(), { maxLength: 4 });
    fc.assert(
      fc.property(scales, amounts, (scaleDigits, all) => {
        const scale = new AmountScale(scaleDigits);
        const within = all.map((amount) => amount % Math.trunc(scale.amountMax));
        const costs = new Float64Array(2);
        for (const amount of within) scale.addTo(costs, 0, amount);
        const expected = within.reduce((sum, amount) => sum + BigInt(amount) * 10n ** BigInt(18 - scaleDigits), 0n);
        expect(getWideCost(costs, 0)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
