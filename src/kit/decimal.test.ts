// Compares decimals with exact BigInt arithmetic over generated texts.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { DecimalFault, isDecimal, parseDecimal } from './decimal.ts';
import type { DecimalFaultReason } from './decimal.ts';

function reasonOf(text: string): DecimalFaultReason | 'accepted' {
  try {
    parseDecimal(text);
    return 'accepted';
  } catch (error) {
    if (error instanceof DecimalFault) return error.reason;
    throw error;
  }
}

const digitsOf = (lengthMax: number) =>
  fc.oneof(
    fc.stringMatching(new RegExp(`^[0-9]{1,${lengthMax}}$`)),
    fc.stringMatching(new RegExp(`^[01]{1,${lengthMax}}$`)),
    fc.stringMatching(new RegExp(`^0{0,${lengthMax - 3}}[0-9]{1,2}0{0,${lengthMax - 3}}$`)),
  );
const writtenNumber = fc.record({
  minus: fc.constantFrom('', '-'),
  integer: digitsOf(24).map((digits) => digits.replace(/^0+(?=.)/, '')),
  fraction: fc.option(digitsOf(24), { nil: '' }),
  exponent: fc.option(fc.oneof(fc.integer({ min: -30, max: 30 }), fc.integer({ min: -99, max: 99 })), { nil: 0 }),
});

/** The number in units of 10^-200; every generated text is a whole number of these units. */
function inUnits({ integer, fraction, exponent }: { integer: string; fraction: string; exponent: number }): bigint {
  return BigInt(integer + fraction) * 10n ** BigInt(200 - fraction.length + exponent);
}

function expected(minus: string, units: bigint): string {
  if (units >= 10n ** 220n) return 'too-large';
  if (units % 10n ** 182n !== 0n) return 'too-fine';
  const fraction = String(units % 10n ** 200n).padStart(200, '0');
  const magnitude = `${units / 10n ** 200n}.${fraction}`.replace(/\.?0+$/, '');
  return units === 0n ? '0' : minus + magnitude;
}

describe('reading', () => {
  test('any number is read exactly, or refused with more than 20 digits before the point or 18 after', () => {
    fc.assert(
      fc.property(writtenNumber, fc.constantFrom('e', 'E', 'e+'), (number, letter) => {
        const mark = number.exponent < 0 ? 'e' : letter;
        const power = number.exponent === 0 ? '' : `${mark}${number.exponent}`;
        const text = number.minus + number.integer + (number.fraction && `.${number.fraction}`) + power;
        const reason = reasonOf(text);
        expect(reason === 'accepted' ? parseDecimal(text) : reason).toBe(expected(number.minus, inUnits(number)));
      }),
      { numRuns: 5_000 },
    );
  });

  test('the result is canonical, and reading it again gives the same text', () => {
    fc.assert(
      fc.property(writtenNumber, ({ minus, integer, fraction }) => {
        const text = minus + integer.slice(0, 20) + (fraction && `.${fraction.slice(0, 18)}`);
        const decimal = parseDecimal(text);
        expect(isDecimal(decimal)).toBe(true);
        expect(parseDecimal(decimal)).toBe(decimal);
      }),
    );
  });

  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.00e5', '0'],
    ['0e99', '0'],
    ['1.5e3', '1500'],
    ['25e-2', '0.25'],
    ['1E+01', '10'],
    ['-100.010', '-100.01'],
    ['1.0000000000000000000000', '1'],
    ['12345678901234567890.123456789012345678', '12345678901234567890.123456789012345678'],
    ['1234567890123456789012345678e-18', '1234567890.123456789012345678'],
    ['0.000000000000000001', '0.000000000000000001'],
  ])('%s is %s', (text, decimal) => {
    expect(parseDecimal(text)).toBe(decimal);
  });
});

describe('refusals', () => {
  const notDecimals = [
    '',
    ' ',
    ' 1',
    '1 ',
    '1\n',
    '+1',
    '-',
    '1.',
    '.5',
    '-.5',
    '01',
    '-01',
    '1e',
    '1e+',
    '1.e5',
    '1,5',
  ];
  const otherNotations = ['0x10', '0b1', '1_000', '1n', 'NaN', 'Infinity', '-Infinity', 'abc', '٣', '１'];
  test.each([...notDecimals, ...otherNotations])('%j is not a decimal', (text) => {
    expect(reasonOf(text)).toBe('not-a-decimal');
    expect(isDecimal(text)).toBe(false);
  });

  test.each<[string, DecimalFaultReason]>([
    ['123456789012345678901', 'too-large'],
    ['1e20', 'too-large'],
    ['1e99', 'too-large'],
    ['0.0000000000000000001', 'too-fine'],
    ['1e-19', 'too-fine'],
    ['1e100', 'exponent-too-long'],
    ['1e001', 'exponent-too-long'],
    ['1'.padEnd(400, '0'), 'too-large'],
    ['1'.padEnd(401, '0'), 'too-long'],
    [`0.${'0'.repeat(400)}`, 'too-long'],
  ])('%s is %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  // Converting ten million digits to a number takes minutes; counting them does not.
  test('huge exponents and very long numbers are refused without being converted', () => {
    expect(reasonOf('1e90000000')).toBe('exponent-too-long');
    expect(reasonOf('1'.repeat(10_000_000))).toBe('too-long');
  });
});

test.each(['1.0', '-0', '1e3', '007', '0.10', '1.', '123456789012345678901'])('%s is not canonical', (text) => {
  expect(isDecimal(text)).toBe(false);
});
