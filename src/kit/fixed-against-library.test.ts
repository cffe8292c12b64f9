// Compares exact arithmetic with an independent implementation of decimals of any length.

import { Decimal } from 'decimal.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { roundFixed } from '../../tests/setup/kit/round-fixed.ts';
import { divide, fromFixed, multiply, multiplyDivide, toFixed, type Rounding } from './fixed.ts';
import { parseDecimal } from './decimal.ts';

const Peer = Decimal.clone({ precision: 200, toExpNeg: -100, toExpPos: 100 });

const modes: Readonly<Record<Rounding, Decimal.Rounding>> = {
  'half-even': Decimal.ROUND_HALF_EVEN,
  'half-up': Decimal.ROUND_HALF_UP,
  down: Decimal.ROUND_DOWN,
  up: Decimal.ROUND_UP,
  floor: Decimal.ROUND_FLOOR,
  ceiling: Decimal.ROUND_CEIL,
};

/** Has up to nine digits before the point, so that no product is too long, and up to 18 after it. */
const figure = fc
  .tuple(fc.bigInt(-(10n ** 9n), 10n ** 9n), fc.bigInt(0n, 10n ** 18n - 1n), fc.integer({ min: 0, max: 18 }))
  .map(([whole, fraction, places]) => {
    const digits = fraction.toString().padStart(18, '0').slice(0, places);
    return parseDecimal(digits === '' ? `${whole}` : `${whole}.${digits}`);
  });
const divisor = figure.filter((one) => one !== '0');
const rounding = fc.constantFrom(...(Object.keys(modes) as Rounding[]));

function shown(value: Decimal, mode: Rounding, places = 18): string {
  const text = value.toDecimalPlaces(places, modes[mode]).toFixed();
  return text === '-0' ? '0' : text;
}

describe('same results as decimal.js', () => {
  test('conversions, sums and differences', () => {
    fc.assert(
      fc.property(figure, figure, (one, other) => {
        expect(fromFixed(toFixed(one))).toBe(new Peer(one).toFixed());
        expect(fromFixed(toFixed(one) + toFixed(other))).toBe(shown(new Peer(one).plus(other), 'half-even'));
        expect(fromFixed(toFixed(one) - toFixed(other))).toBe(shown(new Peer(one).minus(other), 'half-even'));
      }),
      { numRuns: 1_000 },
    );
  });

  test('products, in every rounding mode', () => {
    fc.assert(
      fc.property(figure, figure, rounding, (one, other, mode) => {
        const product = multiply(toFixed(one), toFixed(other), mode);
        expect(fromFixed(product)).toBe(shown(new Peer(one).times(other), mode));
      }),
      { numRuns: 2_000 },
    );
  });

  test('quotients with at most 20 digits before the point, in every rounding mode', () => {
    fc.assert(
      fc.property(figure, divisor, rounding, (one, other, mode) => {
        const expected = new Peer(one).div(other);
        fc.pre(expected.abs().lt('1e20'));
        expect(fromFixed(divide(toFixed(one), toFixed(other), mode))).toBe(shown(expected, mode));
      }),
      { numRuns: 2_000 },
    );
  });

  test('a × b ÷ c, rounded once', () => {
    fc.assert(
      fc.property(figure, figure, divisor, rounding, (one, other, by, mode) => {
        const expected = new Peer(one).times(other).div(by);
        fc.pre(expected.abs().lt('1e20'));
        const quotient = multiplyDivide(toFixed(one), toFixed(other), toFixed(by), mode);
        expect(fromFixed(quotient)).toBe(shown(expected, mode));
      }),
      { numRuns: 2_000 },
    );
  });

  test('rounding to fewer places', () => {
    fc.assert(
      fc.property(figure, fc.integer({ min: 0, max: 18 }), rounding, (one, places, mode) => {
        expect(fromFixed(roundFixed(toFixed(one), places, mode))).toBe(shown(new Peer(one), mode, places));
      }),
      { numRuns: 1_000 },
    );
  });
});
