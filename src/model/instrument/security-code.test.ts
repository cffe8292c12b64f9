// Tests ISINs, CUSIPs and SEDOLs that are in use or published as examples, and their variants with one wrong character.

import { describe, expect, test } from 'vitest';
import { FieldFault } from '../../kit/field.ts';
import { isCusip, isIsin, isin, isinsWith, isSedol, marketCode, sedol, sedolOf } from './security-code.ts';

describe('ISIN', () => {
  // The first four are published examples; their source is the table of oracle cases.
  const valid = [
    'GB0009997999',
    'US0378331005',
    'US5949181045',
    'DE0007664005',
    'CH0012005267',
    'LU0323577923',
    'XS2010029317',
    'IE00B4L5Y983',
  ];

  test.each(valid)('%s is valid', (text) => {
    expect([isIsin(text), isin.read(text)]).toEqual([true, text]);
  });

  test.each(valid)('%s is invalid with any other check digit', (text) => {
    const digits = [...'0123456789'].filter((digit) => digit !== text.at(-1));
    expect(digits.filter((digit) => isIsin(text.slice(0, -1) + digit))).toEqual([]);
  });

  test.each([
    '',
    'US037833100',
    'US03783310055',
    'us0378331005',
    'US037833100X',
    '120378331005',
    ' US0378331005',
    'US-378331005',
  ])('%j is invalid', (text) => {
    expect(isIsin(text)).toBe(false);
    expect(() => isin.read(text)).toThrow(new FieldFault('must be an ISIN of 12 characters, such as CH0012032048'));
  });

  test('an ISIN of the United States or Canada contains a CUSIP, whose check digit must be right too', () => {
    expect([isIsin('US0378331013'), isCusip('037833101')]).toEqual([true, false]);
    expect(() => isin.read('US0378331013')).toThrow('must be an ISIN whose CUSIP has a right check digit');
    expect(isin.read('CA0679011084')).toBe('CA0679011084');
  });
});

describe('CUSIP', () => {
  const valid = ['3130A0X70', '984121CB7', '037833100', '594918104', '38259P508'];

  test.each(valid)('%s is valid', (text) => {
    expect(isCusip(text)).toBe(true);
  });

  test.each(valid)('%s is invalid with any other check digit', (text) => {
    const digits = [...'0123456789'].filter((digit) => digit !== text.at(-1));
    expect(digits.filter((digit) => isCusip(text.slice(0, -1) + digit))).toEqual([]);
  });

  test.each(['', '03783310', '0378331000', '03783310A', '037833 00', '3130a0x70'])('%j is invalid', (text) => {
    expect(isCusip(text)).toBe(false);
  });

  test('letters and symbols have their own values in the check digit', () => {
    expect(['G0177J108', '98765*@#7', '98765*@#1'].map(isCusip)).toEqual([true, true, false]);
  });
});

test.each(['XSWX', 'BATE', '360T'])('the market code %s is accepted', (text) => {
  expect(marketCode.read(text)).toBe(text);
});

test.each(['SIX', 'xswx', 'XSWX1', 'XS-X', ''])('the market code %j is refused', (text) => {
  const sentence = 'must be a market identifier code of four letters or digits, such as XSWX';
  expect(() => marketCode.read(text)).toThrow(sentence);
});

describe('SEDOL', () => {
  /** Vodafone, BP, Nestlé, and the example of the London Stock Exchange. */
  const inUse = ['BH4HKS3', '0798059', '7123870', 'B0YBKJ7'];

  test.each(inUse)('%s is one, and with any other last digit is none', (text) => {
    expect(isSedol(text)).toBe(true);
    const others = [...'0123456789'].filter((digit) => digit !== text.at(-1));
    expect(others.filter((digit) => isSedol(text.slice(0, -1) + digit))).toEqual([]);
  });

  test('has seven characters, no vowels, and a digit at the end', () => {
    expect(['B0YBKJ', 'B0YBKJ77', 'A0YBKJ7', 'b0ybkj7', 'B0YBKJT'].map(isSedol)).toEqual(Array(5).fill(false));
    expect(() => sedol.read('B0YBKJ8')).toThrow('must be a SEDOL with a right check digit');
  });

  test('is part of the ISINs of the British Isles, and of no others', () => {
    expect(['GB00BH4HKS39', 'JE00B4T3BW64', 'US0378331005', 'CH0038863350'].map(sedolOf)).toEqual([
      'BH4HKS3',
      'B4T3BW6',
      undefined,
      undefined,
    ]);
    expect(isinsWith({ sedol: 'BH4HKS3' })).toContain('GB00BH4HKS39');
    expect(isinsWith({ cusip: '037833100' })).toContain('US0378331005');
  });
});
