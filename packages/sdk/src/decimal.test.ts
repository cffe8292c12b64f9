// Exact arithmetic against an independent library, and what must never be taken for a decimal.

import { Decimal } from 'decimal.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal } from './decimal.ts';

const Exact = Decimal.clone({ precision: 200, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -200, toExpPos: 200 });
const digits = fc.tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 38n }), fc.nat({ max: 18 }));
const decimals = digits.map(([isNegative, units, places]) => {
  const text = units.toString().padStart(places + 1, '0');
  const point = text.length - places;
  return `${isNegative ? '-' : ''}${text.slice(0, point)}${places === 0 ? '' : `.${text.slice(point)}`}`;
});

/** A zero has no sign here. */
const text = (value: Decimal): string => (value.isZero() ? '0' : value.toFixed());

describe('decimals', () => {
  test('are added, subtracted, multiplied, divided, rounded and compared to the last digit', () => {
    fc.assert(
      fc.property(decimals, decimals, fc.nat({ max: 20 }), (one, other, places) => {
        const [left, right] = [new Exact(one), new Exact(other)];
        expect(decimal.add(one, other)).toBe(text(left.plus(right)));
        expect(decimal.subtract(one, other)).toBe(text(left.minus(right)));
        expect(decimal.multiply(one, other)).toBe(text(left.times(right)));
        expect(decimal.compare(one, other)).toBe(left.comparedTo(right));
        expect(decimal.round(one, places)).toBe(text(left.toDecimalPlaces(places)));
        const divisor = right.isZero() ? new Exact(3) : right;
        const quotient = left.div(divisor).toDecimalPlaces(places);
        expect(decimal.divide(one, divisor.toFixed(), { places })).toBe(text(quotient));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['0.125', 2, 'half-even', '0.12'],
    ['0.135', 2, 'half-even', '0.14'],
    ['-0.125', 2, 'half-away', '-0.13'],
    ['-0.129', 2, 'down', '-0.12'],
    ['1.999', 0, 'half-even', '2'],
  ] as const)('%s at %i places, %s: %s', (value, places, rounding, rounded) => {
    expect(decimal.round(value, places, rounding)).toBe(rounded);
  });

  test('a sum of doubles that would be wrong is right', () => {
    expect(decimal.sum(['0.1', '0.2'])).toBe('0.3');
    expect(decimal.sum([])).toBe('0');
    expect(decimal.equals('1.10', '1.1')).toBe(true);
    expect(decimal.absolute('-0.50')).toBe('0.5');
    expect(decimal.add(3n, '1e-2')).toBe('3.01');
  });

  test.each(['', ' 1', '1,5', '0x10', 'NaN', 'Infinity', '1.', '.5', '1e400', 1.5, null, undefined])(
    '%j is not one',
    (value) => {
      expect(decimal.isDecimal(value)).toBe(false);
      expect(() => decimal.add(value as string, '1')).toThrow('Not a decimal as text');
    },
  );

  test('nothing is divided by zero', () => {
    expect(() => decimal.divide('1', '0.00')).toThrow('Division by zero.');
  });

  test('are shown with all their digits, or rounded half to even, in the language of the reader', () => {
    expect(decimal.format('12345678901234567890.123456789', { locale: 'en-GB' })).toBe(
      '12,345,678,901,234,567,890.123456789',
    );
    expect(decimal.format('1234.565', { locale: 'de-DE', places: 2 })).toBe('1.234,56');
    expect(decimal.format('1234.5', { locale: 'en-GB', places: 2, currency: 'EUR' })).toBe('€1,234.50');
    expect(decimal.format('0.05255', { locale: 'en-GB', percent: true, places: 2 })).toBe('5.26%');
    expect(decimal.format('0.0525', { locale: 'en-GB', percent: true })).toBe('5.25%');
  });
});
