// Checks exponential and logarithm against BigInt arithmetic with sixty digits, and against bits that must never change.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { exponential, exponentialMinusOne, logarithm, logarithmOfOnePlus } from './elementary-functions.ts';

const one = 10n ** 60n;

/** Converts a double to units of 10^−60, rounding down. */
function toUnits(value: number): bigint {
  let [whole, halvings] = [value, 0];
  for (; !Number.isInteger(whole); halvings++) whole *= 2;
  return (BigInt(whole) * one) >> BigInt(halvings);
}

function exponentialInUnits(x: bigint): bigint {
  if (x < 0n) return (one * one) / exponentialInUnits(-x);
  const halvings = BigInt(Math.max(0, (x / one).toString(2).length + 4));
  const small = x >> halvings;
  let [sum, term] = [one, one];
  for (let index = 1n; term > 0n; index++) {
    term = (term * small) / (one * index);
    sum += term;
  }
  for (let step = 0n; step < halvings; step++) sum = (sum * sum) / one;
  return sum;
}

/** The difference from the expected value, relative to it. */
function relativeError(value: bigint, expected: bigint): number {
  return Math.abs(Number(((value - expected) * 10n ** 30n) / expected)) / 1e30;
}

const twoUnits = 4.5e-16;
const anyRate = fc.oneof(
  fc.integer({ min: -400_000, max: 400_000 }).map((part) => part / 9_999),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((part) => part / 999_999),
  fc.double({ min: -1e-6, max: 1e-6, noNaN: true }),
);

describe('compared with sixty-digit arithmetic', () => {
  test('e^x is accurate to two units in the last place', () => {
    fc.assert(
      fc.property(anyRate, (x) => {
        expect(relativeError(toUnits(exponential(x)), exponentialInUnits(toUnits(x)))).toBeLessThan(twoUnits);
      }),
      { numRuns: 1_000 },
    );
  });

  test('e^x − 1 is accurate to two units in the last place, also near zero', () => {
    fc.assert(
      fc.property(
        anyRate.filter((x) => Math.abs(x) > 1e-18),
        (x) => {
          const expected = exponentialInUnits(toUnits(x)) - one;
          expect(relativeError(toUnits(exponentialMinusOne(x)), expected)).toBeLessThan(twoUnits);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('ln x is accurate to two units in the last place', () => {
    fc.assert(
      fc.property(anyRate.map(Math.exp), (x) => {
        const value = logarithm(x);
        const back = exponentialInUnits(toUnits(value));
        expect(relativeError(back, toUnits(x))).toBeLessThan(twoUnits * Math.max(Math.abs(value), 1e-17));
      }),
      { numRuns: 1_000 },
    );
  });

  test('ln(1 + x) is accurate to two units in the last place, also near zero', () => {
    const share = fc.oneof(
      fc.integer({ min: -999, max: 50_000 }).map((part) => part / 1_000),
      fc.double({ min: -1e-4, max: 1e-4, noNaN: true }),
    );
    fc.assert(
      fc.property(share, (x) => {
        const value = logarithmOfOnePlus(x);
        const back = exponentialInUnits(toUnits(value));
        expect(relativeError(back, one + toUnits(x))).toBeLessThan(twoUnits * Math.max(Math.abs(value), 1e-25));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('bits that are the same on every machine', () => {
  test.each([
    [exponential, 0, 1],
    [exponential, 1, 2.7182818284590455],
    [exponential, -0.1, 0.9048374180359595],
    [exponential, 700, 1.0142320547350045e304],
    [exponential, 709.7, 1.6549840276802644e308],
    [exponential, 709.8, Infinity],
    [exponential, -744.4, 5e-324],
    [exponential, -746, 0],
    [exponentialMinusOne, 0, 0],
    [exponentialMinusOne, 1e-9, 1.0000000005000001e-9],
    [exponentialMinusOne, -0.35, -0.29531191028128656],
    [exponentialMinusOne, -32, -0.9999999999999873],
    [exponentialMinusOne, -50, -1],
    [exponentialMinusOne, 100, 2.6881171418161356e43],
    [exponentialMinusOne, 710, Infinity],
    [logarithm, 1, 0],
    [logarithm, 2, Math.LN2],
    [logarithm, 10, Math.LN10],
    [logarithm, 1e300, 690.7755278982137],
    [logarithm, 5e-324, -744.4400719213812],
    [logarithmOfOnePlus, 0, 0],
    [logarithmOfOnePlus, 1e-10, 9.999999999500001e-11],
    [logarithmOfOnePlus, 0.1, 0.09531017980432487],
    [logarithmOfOnePlus, -0.5, -Math.LN2],
    [logarithmOfOnePlus, 9, Math.LN10],
  ])('%o of %d is %d', (calculation, x, expected) => {
    expect(calculation(x)).toBe(expected);
  });
});
