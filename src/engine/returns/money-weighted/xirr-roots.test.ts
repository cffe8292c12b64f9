// Checks the counting of roots against Sturm's theorem in exact integers, and against flows built from known roots.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { flowSides } from './discounted-flows.ts';
import { netFlows } from './net-flows.ts';
import { isPureInvestment, rootsOfRange } from './xirr-roots.ts';
import { growthRange, xirr } from './xirr.ts';

/** Coefficients, starting with the constant, without zeros at either end. */
type Polynomial = bigint[];

function trimmed(polynomial: Polynomial): Polynomial {
  const first = polynomial.findIndex((coefficient) => coefficient !== 0n);
  const last = polynomial.findLastIndex((coefficient) => coefficient !== 0n);
  return polynomial.slice(Math.max(first, 0), last + 1);
}

function withoutHighZeros(polynomial: Polynomial): Polynomial {
  return polynomial.slice(0, polynomial.findLastIndex((coefficient) => coefficient !== 0n) + 1);
}

function product(one: Polynomial, other: Polynomial): Polynomial {
  const result = Array.from({ length: one.length + other.length - 1 }, () => 0n);
  one.forEach((a, i) => other.forEach((b, j) => (result[i + j]! += a * b)));
  return result;
}

function withoutContent(polynomial: Polynomial): Polynomial {
  const divisor = polynomial.reduce((one, other) => greatestCommonDivisor(one, other), 0n);
  return divisor > 1n ? polynomial.map((coefficient) => coefficient / divisor) : polynomial;
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one < 0n ? -one : one, other < 0n ? -other : other];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/** The remainder times a positive number. */
function remainder(dividend: Polynomial, divisor: Polynomial): Polynomial {
  const lead = divisor.at(-1)!;
  let rest = dividend;
  while (rest.length >= divisor.length) {
    const factor = rest.at(-1)! * lead;
    const shift = rest.length - divisor.length;
    const next = rest.map((coefficient, index) => coefficient * lead * lead - factor * (divisor[index - shift] ?? 0n));
    rest = withoutContent(withoutHighZeros(next));
  }
  return rest;
}

function sturmChain(polynomial: Polynomial): Polynomial[] {
  const derivative = polynomial.slice(1).map((coefficient, index) => coefficient * BigInt(index + 1));
  const chain = [polynomial, withoutContent(derivative)];
  for (;;) {
    const rest = remainder(chain.at(-2)!, chain.at(-1)!);
    if (rest.length === 0) return chain;
    chain.push(rest.map((coefficient) => -coefficient));
  }
}

function variations(values: readonly bigint[]): number {
  const signs = values.filter((value) => value !== 0n).map((value) => value > 0n);
  return signs.filter((sign, index) => index > 0 && sign !== signs[index - 1]).length;
}

/** Distinct roots above zero. */
function positiveRoots(chain: readonly Polynomial[]): number {
  return variations(chain.map((link) => link[0]!)) - variations(chain.map((link) => link.at(-1)!));
}

/** A discount factor per step, in units of 10^-15. */
const factorScale = 10n ** 15n;

/** The sign at a discount factor. */
function signAt(polynomial: Polynomial, factor: bigint): bigint {
  const last = BigInt(polynomial.length - 1);
  return polynomial.reduce(
    (sum, coefficient, power) => sum + coefficient * factor ** BigInt(power) * factorScale ** (last - BigInt(power)),
    0n,
  );
}

/** Distinct roots between two discount factors. */
function rootsBetween(chain: readonly Polynomial[], from: bigint, to: bigint): number {
  const [low, high] = [from, to].map((factor) => variations(chain.map((link) => signAt(link, factor))));
  return low! - high!;
}

/** The rates from −99.99 % to +1,000,000 % a year, as discount factors of a step. */
function factorRange(stepDays: number): [from: bigint, to: bigint] {
  const scaled = (growth: number) => BigInt(Math.round(growth ** (stepDays / 365) * 1e15));
  return [scaled(1 / 10_001), scaled(10_000)];
}

function expectedOutcome(polynomial: Polynomial, stepDays: number): string {
  if (variations(polynomial) === 0) return 'no-sign-change';
  const [from, to] = factorRange(stepDays);
  const chain = sturmChain(polynomial);
  const distinct = rootsBetween(chain, from, to);
  if (distinct === 0) return positiveRoots(chain) > 0 ? 'out-of-range' : 'no-root';
  const repeated = chain.at(-1)!; // the greatest common divisor with the derivative: it has the repeated roots
  const isRepeated = repeated.length > 1 && rootsBetween(sturmChain(repeated), from, to) > 0;
  return distinct === 1 && !isRepeated ? 'rate' : 'several-roots';
}

/** Flows, one per step, whose present value is the polynomial in the discount factor of a step. */
function flowsOf(polynomial: Polynomial, stepDays: number) {
  return polynomial.map((amount, index) => ({ day: 18_000 + index * stepDays, amount: amount * 10n ** 16n }));
}

function outcomeOf(polynomial: Polynomial, stepDays: number): string {
  return xirr(flowsOf(polynomial, stepDays)).reason ?? 'rate';
}

const coefficient = fc.oneof(
  fc.bigInt({ min: -2n, max: 2n }),
  fc.bigInt({ min: -1_000n, max: 1_000n }),
  fc.constant(0n),
);
const polynomial = fc
  .array(coefficient, { minLength: 2, maxLength: 20 })
  .map((coefficients) => trimmed(coefficients))
  .filter((coefficients) => coefficients.length > 1);
const stepDays = fc.constantFrom(1, 7, 30, 365);

test("flows have a rate exactly if Sturm's theorem counts one simple root within the range", () => {
  fc.assert(
    fc.property(polynomial, stepDays, (coefficients, step) => {
      expect(outcomeOf(coefficients, step)).toBe(expectedOutcome(coefficients, step));
    }),
    { numRuns: 3_000 },
  );
});

test("a rate within the range is the one that Sturm's theorem finds there, and roots outside are noted", () => {
  fc.assert(
    fc.property(polynomial, stepDays, (coefficients, step) => {
      const { growthPerDay, hasRootsOutside } = xirr(flowsOf(coefficients, step));
      fc.pre(growthPerDay !== null);
      const chain = sturmChain(coefficients);
      expect(hasRootsOutside).toBe(positiveRoots(chain) > 1);
      const near = [1 + 1e-7, 1 - 1e-7].map((off) => BigInt(Math.round(Math.exp(-growthPerDay * step) * off * 1e15)));
      expect(rootsBetween(chain, near[1]!, near[0]!)).toBe(1);
    }),
    { numRuns: 1_000 },
  );
});

test('the root count is the same without the quicker checks', () => {
  fc.assert(
    fc.property(
      polynomial.filter((coefficients) => variations(coefficients) > 0),
      stepDays,
      (coefficients, step) => {
        const sides = flowSides(netFlows(flowsOf(coefficients, step)));
        const { inside, isAnyOutside } = rootsOfRange(sides, growthRange(365));
        const none = isAnyOutside ? 'out-of-range' : 'no-root';
        expect({ none, one: 'rate', several: 'several-roots' }[inside]).toBe(expectedOutcome(coefficients, step));
      },
    ),
    { numRuns: 1_000 },
  );
});

describe('an investment is', () => {
  const day = (amounts: readonly bigint[]) =>
    flowSides(netFlows(amounts.map((amount, index) => ({ day: index, amount }))));

  // All at a rate of zero, at which the present value of each of these is zero.
  test.each<[fact: string, amounts: bigint[], slope: number, isPure: boolean]>([
    ['pure if it is not paid back in full before the end', [-100n, 30n, -20n, 90n], 3, true],
    ['pure from the side of the borrower too', [100n, -30n, 20n, -90n], 3, true],
    ['not pure once it was overdrawn', [-100n, 120n, -50n, 30n], 3, false],
    ['not pure once nothing was left in it', [-100n, 100n, -50n, 50n], 3, false],
    ['not pure if rounding may hide that nothing was left', [-(10n ** 10n), 10n ** 10n - 1n, -5n, 6n], 3, false],
    ['not pure if the root is too flat to locate', [-100n, 30n, -20n, 90n], 0.002, false],
  ])('%s', (_fact, amounts, slope, isPure) => {
    expect(isPureInvestment(day(amounts), { growth: 0, slope })).toBe(isPure);
  });

  test('pure by the same rule when money shrinks', () => {
    const sides = day([-400n, 100n, 50n]); // halved each day: 400 − 100 · 2 − 50 · 4 = 0
    expect(isPureInvestment(sides, { growth: -Math.LN2, slope: 2 })).toBe(true);
    expect(isPureInvestment(day([-400n, 300n, -100n, 25n]), { growth: -Math.LN2, slope: 2 })).toBe(false);
  });
});

describe('flows built from known rates', () => {
  /** 100 − (100 + p)·v is zero where the money grows by p percent per step. */
  const percent = fc.integer({ min: -95, max: 400 });
  /** Steps over which all of them are within the range. */
  const longSteps = fc.constantFrom(180, 365, 730);
  /** 100v² − 20bv + b² + e has no real root. */
  const rootless = fc
    .record({ b: fc.bigInt({ min: 0n, max: 30n }), e: fc.bigInt({ min: 10n, max: 40n }) })
    .map(({ b, e }) => [b * b + e, -20n * b, 100n]);

  function built(percents: readonly number[], rootlessFactors: readonly Polynomial[]): Polynomial {
    const linear = percents.map((value) => [100n, -100n - BigInt(value)]);
    return [...linear, ...rootlessFactors].reduce(product, [-1n]);
  }

  test('a single rate is found, whatever factors without roots are multiplied in', () => {
    fc.assert(
      fc.property(percent, fc.array(rootless, { maxLength: 3 }), longSteps, (value, factors, step) => {
        const { growthPerDay } = xirr(flowsOf(built([value], factors), step));
        expect(growthPerDay).toBeCloseTo(Math.log1p(value / 100) / step, 9);
      }),
    );
  });

  test('two to five rates are reported as several, however many sign changes there are', () => {
    const percents = fc.uniqueArray(percent, { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(percents, fc.array(rootless, { maxLength: 2 }), longSteps, (values, factors, step) => {
        expect(outcomeOf(built(values, factors), step)).toBe('several-roots');
      }),
    );
  });

  test('each of two to five rates is named', () => {
    const percents = fc.uniqueArray(percent, { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(percents, fc.array(rootless, { maxLength: 2 }), longSteps, (values, factors, step) => {
        const growths = values.map((value) => Math.log1p(value / 100) / step).toSorted((one, other) => one - other);
        const { roots } = xirr(flowsOf(built(values, factors), step));
        expect(roots).toHaveLength(growths.length);
        roots.forEach(({ growthPerDay }, index) => expect(growthPerDay).toBeCloseTo(growths[index]!, 7));
      }),
    );
  });

  test('the ten lowest of twelve rates are named', () => {
    const growthFactors = Array.from({ length: 12 }, (_, index) => 4 ** (index - 6));
    const twelve = growthFactors.map((factor) => [4n ** 6n, -BigInt(factor * 4 ** 6)]).reduce(product, [-1n]);
    const { roots } = xirr(flowsOf(twelve, 365));
    expect(roots).toHaveLength(10);
    roots.forEach(({ rate }, index) => expect((1 + rate) / growthFactors[index]!).toBeCloseTo(1, 9));
  });

  test('no rate is reported as none, and the same rate twice as several', () => {
    const factors = fc.array(rootless, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(percent, factors, longSteps, (value, rootlessFactors, step) => {
        expect(outcomeOf(built([], rootlessFactors), step)).toMatch(/^no-root$|^no-sign-change$/);
        expect(outcomeOf(built([value, value], rootlessFactors), step)).toBe('several-roots');
      }),
    );
  });

  test('the same rate nine times is reported as several', () => {
    const ninefold = flowsOf(
      built(
        Array.from({ length: 9 }, () => 10),
        [],
      ),
      365,
    );
    const { reason, roots } = xirr(ninefold);
    expect(reason).toBe('several-roots');
    expect(roots).toHaveLength(1);
    expect(Math.abs(roots[0]!.rate - 0.1)).toBeLessThan(0.05); // the present value is zero to sixteen digits that far around
  });

  test.each([
    ['highest', [1n, -10_001n]],
    ['lowest', [10_000n, -1n]],
  ])('so is the %s rate of the range nine times', (_which, factor) => {
    const ninefold = Array.from({ length: 9 }, () => factor).reduce(product, [-1n]);
    expect(outcomeOf(ninefold, 365)).toBe('several-roots');
    expect(outcomeOf(product(ninefold, [10n, -11n]), 365)).toBe('several-roots');
  });

  test.each([10n ** 2n, 10n ** 3n, 10n ** 5n, 10n ** 6n])('10 % and 10 %% + 1 / %d are two rates', (base) => {
    const two = product([base, -(base + base / 10n)], [base, -(base + base / 10n + 1n)]);
    expect(outcomeOf(two, 365)).toBe('several-roots');
    expect(outcomeOf(product(two, [base, -2n * base]), 365)).toBe('several-roots');
  });

  test.each([10n ** 2n, 10n ** 3n, 10n ** 5n, 10n ** 6n])(
    'a present value that comes within 1 / %d² of zero without reaching it has no rate',
    (base) => {
      const square = product([base, -(base + base / 10n)], [base, -(base + base / 10n)]);
      expect(outcomeOf(square, 365)).toBe('several-roots');
      expect(outcomeOf([square[0]!, square[1]! + 1n, square[2]!], 365)).toBe('no-root');
      expect(outcomeOf([square[0]!, square[1]! - 1n, square[2]!], 365)).toBe('several-roots');
    },
  );
});
