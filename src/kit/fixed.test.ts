// Compares fixed-point arithmetic with fractions of integers that are rounded to one of their two neighbours.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { roundFixed } from '../../tests/setup/kit/round-fixed.ts';
import { isDecimal, type Decimal } from './decimal.ts';
import {
  divide,
  divideRounded,
  FixedFault,
  fromFixed,
  magnitude,
  multiply,
  multiplyDivide,
  oneFixed,
  ratioOf,
  toFixed,
  toRatio,
} from './fixed.ts';
import type { Fixed, Rounding } from './fixed.ts';

const roundings: readonly Rounding[] = ['half-even', 'half-up', 'down', 'up', 'floor', 'ceiling'];
const anyRounding = fc.constantFrom(...roundings);

/** A fraction that is never reduced; the divisor is positive. */
interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}

function fraction(above: bigint, below: bigint): Fraction {
  return below < 0n ? { above: -above, below: -below } : { above, below };
}

/** Reads a text as a fraction of a power of ten, without the code under test. */
function read(text: string): Fraction {
  const [whole = '', decimals = ''] = text.split('.');
  return { above: BigInt(whole + decimals), below: BigInt(`1${'0'.repeat(decimals.length)}`) };
}

/** Rounds a fraction to the neighbouring integer that the rule selects. */
function rounded({ above, below }: Fraction, rounding: Rounding): bigint {
  let lower = above / below;
  while (lower * below > above) lower -= 1n;
  if (lower * below === above) return lower;
  const upper = lower + 1n;
  const [nearZero, farFromZero] = above > 0n ? [lower, upper] : [upper, lower];
  const [toLower, toUpper] = [above - lower * below, upper * below - above];
  const even = lower % 2n === 0n ? lower : upper;
  const nearer = (atTie: bigint) => (toLower < toUpper ? lower : toLower > toUpper ? upper : atTie);
  switch (rounding) {
    case 'down':
      return nearZero;
    case 'up':
      return farFromZero;
    case 'floor':
      return lower;
    case 'ceiling':
      return upper;
    case 'half-up':
      return nearer(farFromZero);
    case 'half-even':
      return nearer(even);
  }
}

const scale = 10n ** 18n;

function scaled({ above, below }: Fraction): Fraction {
  return { above: above * scale, below };
}

const integer = fc.oneof(fc.bigInt(-40n, 40n), fc.bigInt(-(10n ** 40n), 10n ** 40n));
const divisor = fc.oneof(fc.bigInt(-12n, 12n), fc.bigInt(-(10n ** 20n), 10n ** 20n)).filter((value) => value !== 0n);

const decimalText = fc
  .record({
    minus: fc.constantFrom('', '-'),
    whole: fc.oneof(fc.bigInt(0n, 9n), fc.bigInt(0n, 10n ** 20n - 1n)),
    decimals: fc.oneof(fc.constant(''), fc.stringMatching(/^[0-9]{0,17}[1-9]$/)),
  })
  .map(({ minus, whole, decimals }) => `${minus}${whole}${decimals && `.${decimals}`}`)
  .filter((text): text is Decimal => isDecimal(text));

describe('conversion from and to text', () => {
  test('a decimal is stored as its value × 10^18 and is written as it was read', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        const { above, below } = read(text);
        expect(toFixed(text) * below).toBe(above * scale);
        expect(fromFixed(toFixed(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  test('written text is canonical and is read again as the same number', () => {
    const held = fc.oneof(fc.bigInt(-(10n ** 38n) + 1n, 10n ** 38n - 1n), fc.bigInt(-20n, 20n));
    fc.assert(
      fc.property(held, (value) => {
        const text = fromFixed(value);
        expect(isDecimal(text)).toBe(true);
        expect(toFixed(text)).toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['0', 0n],
    ['1', 10n ** 18n],
    ['-0.5', -5n * 10n ** 17n],
    ['0.000000000000000001', 1n],
    ['-0.000000000000000001', -1n],
    ['100', 100n * 10n ** 18n],
    ['99999999999999999999.999999999999999999', 10n ** 38n - 1n],
    ['-99999999999999999999.999999999999999999', 1n - 10n ** 38n],
  ])('%s is %d', (text, value) => {
    expect(toFixed(text as Decimal)).toBe(value);
    expect(fromFixed(value)).toBe(text);
  });

  test.each([10n ** 38n, -(10n ** 38n), 10n ** 60n])(
    '%d cannot be written: it has more than 20 digits before the point',
    (value) => {
      expect(() => fromFixed(value)).toThrow(FixedFault);
    },
  );

  test('a product with more than 20 digits is exact, but cannot be written', () => {
    const large = toFixed('99999999999999999999' as Decimal);
    expect(multiply(large, large)).toBe((10n ** 20n - 1n) ** 2n * scale);
    expect(() => fromFixed(multiply(large, large))).toThrow('more than 20 digits');
    expect(multiplyDivide(large, large, large)).toBe(large);
  });
});

describe('rounding', () => {
  // The six rules on both sides of zero, as documented by Java's RoundingMode from HALF_EVEN to CEILING.
  test.each<[string, readonly bigint[]]>([
    ['-5.5', [-6n, -6n, -5n, -6n, -6n, -5n]],
    ['-2.5', [-2n, -3n, -2n, -3n, -3n, -2n]],
    ['-1.6', [-2n, -2n, -1n, -2n, -2n, -1n]],
    ['-1.1', [-1n, -1n, -1n, -2n, -2n, -1n]],
    ['-1', [-1n, -1n, -1n, -1n, -1n, -1n]],
    ['-0.5', [0n, -1n, 0n, -1n, -1n, 0n]],
    ['0', [0n, 0n, 0n, 0n, 0n, 0n]],
    ['0.5', [0n, 1n, 0n, 1n, 0n, 1n]],
    ['1', [1n, 1n, 1n, 1n, 1n, 1n]],
    ['1.1', [1n, 1n, 1n, 2n, 1n, 2n]],
    ['1.6', [2n, 2n, 1n, 2n, 1n, 2n]],
    ['2.5', [2n, 3n, 2n, 3n, 2n, 3n]],
    ['5.5', [6n, 6n, 5n, 6n, 5n, 6n]],
  ])('%s to a whole number', (text, expected) => {
    const { above, below } = read(text);
    expect(roundings.map((rounding) => divideRounded(above, below, rounding))).toEqual(expected);
    expect(roundings.map((rounding) => divideRounded(-above, -below, rounding))).toEqual(expected);
    expect(roundings.map((rounding) => roundFixed(toFixed(text as Decimal), 0, rounding) / scale)).toEqual(expected);
  });

  test('a quotient is rounded to the neighbour that the rule selects, for any signs', () => {
    fc.assert(
      fc.property(integer, divisor, anyRounding, (above, below, rounding) => {
        expect(divideRounded(above, below, rounding)).toBe(rounded(fraction(above, below), rounding));
      }),
      { numRuns: 5_000 },
    );
  });

  test('exactly between two neighbours, each rule selects its own', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), divisor, anyRounding, (lower, half, rounding) => {
        const [above, below] = [(2n * lower + 1n) * half, 2n * half];
        expect(divideRounded(above, below, rounding)).toBe(rounded(fraction(above, below), rounding));
      }),
      { numRuns: 2_000 },
    );
  });

  test('rounding to a number of places gives a multiple of the step, and rounding again changes nothing', () => {
    const held = fc.bigInt(-(10n ** 24n), 10n ** 24n);
    fc.assert(
      fc.property(held, fc.integer({ min: 0, max: 18 }), anyRounding, (value, places, rounding) => {
        const step = 10n ** BigInt(18 - places);
        const result = roundFixed(value, places, rounding);
        expect(result).toBe(rounded({ above: value, below: step }, rounding) * step);
        expect(roundFixed(result, places, rounding)).toBe(result);
      }),
      { numRuns: 2_000 },
    );
  });

  test('by default, ties are rounded to the even neighbour', () => {
    expect([5n, 15n, 25n, -5n, -15n, -25n].map((tenths) => divideRounded(tenths, 10n))).toEqual([
      0n,
      2n,
      2n,
      0n,
      -2n,
      -2n,
    ]);
    const [half, tiny] = [toFixed('0.5' as Decimal), 1n];
    expect([multiply(half, tiny), multiply(half, 3n * tiny)]).toEqual([0n, 2n]);
    expect([divide(tiny, 2n * oneFixed), divide(3n * tiny, 2n * oneFixed)]).toEqual([0n, 2n]);
    expect([multiplyDivide(5n, 1n, 10n), multiplyDivide(15n, 1n, 10n)]).toEqual([0n, 2n]);
    expect(
      [roundFixed(toFixed('0.125' as Decimal), 2), roundFixed(toFixed('0.375' as Decimal), 2)].map(fromFixed),
    ).toEqual(['0.12', '0.38']);
  });
});

describe('arithmetic', () => {
  test('a product is rounded once, from the exact product', () => {
    fc.assert(
      fc.property(decimalText, decimalText, anyRounding, (one, other, rounding) => {
        const [left, right] = [read(one), read(other)];
        const exact = { above: left.above * right.above, below: left.below * right.below };
        expect(multiply(toFixed(one), toFixed(other), rounding)).toBe(rounded(scaled(exact), rounding));
      }),
      { numRuns: 2_000 },
    );
  });

  test('a quotient is rounded once, from the exact quotient', () => {
    fc.assert(
      fc.property(decimalText, decimalText, anyRounding, (dividend, by, rounding) => {
        fc.pre(by !== '0');
        const [top, bottom] = [read(dividend), read(by)];
        const exact = fraction(top.above * bottom.below, top.below * bottom.above);
        expect(divide(toFixed(dividend), toFixed(by), rounding)).toBe(rounded(scaled(exact), rounding));
      }),
      { numRuns: 2_000 },
    );
  });

  test('a × b ÷ c is rounded once, not after each operation', () => {
    fc.assert(
      fc.property(decimalText, decimalText, decimalText, anyRounding, (one, other, by, rounding) => {
        fc.pre(by !== '0');
        const [left, right, bottom] = [read(one), read(other), read(by)];
        const exact = fraction(left.above * right.above * bottom.below, left.below * right.below * bottom.above);
        expect(multiplyDivide(toFixed(one), toFixed(other), toFixed(by), rounding)).toBe(
          rounded(scaled(exact), rounding),
        );
      }),
      { numRuns: 2_000 },
    );
    const [third, three] = [divide(oneFixed, 3n * oneFixed), 3n * oneFixed];
    expect(fromFixed(multiply(third, three))).toBe('0.999999999999999999');
    expect(multiplyDivide(oneFixed, three, three)).toBe(oneFixed);
  });

  test('division by zero fails, even of zero', () => {
    for (const value of [0n, oneFixed, -oneFixed]) {
      expect(() => divideRounded(value, 0n)).toThrow(FixedFault);
      expect(() => divide(value, 0n)).toThrow(FixedFault);
      expect(() => multiplyDivide(value, oneFixed, 0n)).toThrow(FixedFault);
    }
  });

  test('the magnitude is the number without its sign', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        expect(fromFixed(magnitude(toFixed(text)))).toBe(text.replace('-', ''));
      }),
    );
  });
});

describe('ratios', () => {
  test('a ratio is the nearest double or its neighbour', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        const nearest = Number(text);
        expect(Math.abs(toRatio(toFixed(text)) - nearest)).toBeLessThanOrEqual(Math.abs(nearest) * 2 ** -52);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a part of a whole is the nearest double, however large or small', () => {
    const sizes = fc.tuple(fc.bigInt({ min: 1n, max: 2n ** 75n }), fc.bigInt({ min: 0n, max: 74n }));
    const size = sizes.map(([large, cut]) => (large >> cut) + 1n);
    // Their ratio has about as many digits as a double.
    const [justLong, digit] = [fc.bigInt({ min: 2n ** 56n, max: 2n ** 57n }), fc.bigInt({ min: 1n, max: 15n })];
    fc.assert(
      fc.property(fc.oneof(size, justLong), fc.oneof(size, digit), (part, whole) => {
        const ratio = ratioOf(part, whole);
        const [bits = 0n] = new BigUint64Array(Float64Array.of(ratio).buffer);
        /** How far a double is from the fraction, in equal units for all. */
        const offBy = (double: bigint): bigint => {
          const fraction = (double & (2n ** 52n - 1n)) | (2n ** 52n);
          return magnitude(part * 2n ** 200n - whole * fraction * 2n ** ((double >> 52n) - 875n));
        };
        expect(offBy(bits) <= offBy(bits - 1n) && offBy(bits) <= offBy(bits + 1n)).toBe(true);
        expect([ratioOf(-part, whole), ratioOf(part, -whole), ratioOf(-part, -whole)]).toEqual([-ratio, -ratio, ratio]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a part exactly between two doubles is the even one, and a little more or less the nearer one', () => {
    const [between, fine] = [2n ** 53n + 1n, 2n ** 30n];
    expect([ratioOf(between, 1n), ratioOf(between * fine, fine)]).toEqual([2 ** 53, 2 ** 53]);
    expect([ratioOf(between * fine - 1n, fine), ratioOf(between * fine + 1n, fine)]).toEqual([2 ** 53, 2 ** 53 + 2]);
    const next = between + 2n;
    expect([ratioOf(next, 1n), ratioOf(next * fine - 1n, fine)]).toEqual([2 ** 53 + 4, 2 ** 53 + 2]);
    expect(ratioOf(0n, 7n)).toBe(0);
  });

  test.each<[Fixed, number]>([
    [0n, 0],
    [oneFixed, 1],
    [-oneFixed / 4n, -0.25],
    [oneFixed / 10n, 0.1],
    [1n, 1e-18],
  ])('%d is %d', (value, ratio) => {
    expect(toRatio(value)).toBe(ratio);
  });
});
