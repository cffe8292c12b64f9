// Tests which spellings of a number or a word mean the same.

import { describe, expect, test } from 'vitest';
import { foldNumber, foldWord, isBankCode, isIban, numberKeys, spellingsWithoutZeros } from './folded-words.ts';

describe('account numbers', () => {
  test('an IBAN is the same in any spacing and case', () => {
    for (const spelling of ['CH93 0076 2011 6238 5295 7', 'ch9300762011623852957', 'IBAN CH93-0076-2011-6238-5295-7'])
      expect(foldNumber(spelling)).toBe('CH9300762011623852957');
  });

  test('zeros and signs of other numbers count', () => {
    expect(foldNumber('0012 345')).toBe('0012345');
    expect(foldNumber('12-345')).not.toBe(foldNumber('12345'));
    expect(foldNumber('CH93 0076 2011 6238 5295 8')).toBe('CH9300762011623852958');
  });

  test('a German bank code with an account number is the IBAN they make', () => {
    expect(foldNumber('37040044/532013000')).toBe('DE89370400440532013000');
    expect(numberKeys('DE89 3704 0044 0532 0130 00')).toEqual(
      expect.arrayContaining(['DE89370400440532013000', '370400440532013000', '37040044532013000']),
    );
    expect(numberKeys('37040044/532013000')).toContain('37040044532013000');
  });

  test('zeros of a number may be left out at a German bank, and nowhere else', () => {
    expect(spellingsWithoutZeros('51230800', '0007055')).toEqual([
      '0000007055',
      '000007055',
      '00007055',
      '0007055',
      '007055',
      '07055',
      '7055',
    ]);
    expect(spellingsWithoutZeros('5123080', '0007055')).toEqual([]);
    expect(spellingsWithoutZeros('51230800', '00000007055')).toEqual([]);
    expect(spellingsWithoutZeros('51230800', '70-55')).toEqual([]);
    expect([isBankCode('512 308 00'), isBankCode('UBSWCHZH')]).toEqual([true, false]);
  });

  test('an IBAN with a wrong check digit is none', () => {
    expect(isIban('GB82WEST12345698765432')).toBe(true);
    expect(isIban('GB83WEST12345698765432')).toBe(false);
  });
});

test('words are compared without spaces and case', () => {
  expect(foldWord(' Roche  Holding ag')).toBe('ROCHEHOLDINGAG');
});
