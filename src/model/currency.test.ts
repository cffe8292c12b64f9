import { describe, expect, test } from 'vitest';
import { FieldFault, snakeCaseStrings } from '../kit/field.ts';
import { currencyCode, currentCurrencyCode, isCurrencyCode } from './currency.ts';
import { currencies, currentCurrencies } from './iso-4217.ts';

const known = Intl.supportedValuesOf('currency');

describe('compared with Intl', () => {
  test('every currency is known; those that are no more have the month of their end', () => {
    expect(known.filter((code) => !currencies.has(code))).toEqual([]);
    expect(known.filter((code) => currencies.get(code)?.withdrawn !== undefined)).toEqual(
      expect.arrayContaining(['ANG', 'CUC', 'HRK', 'SLL', 'ZWL']),
    );
  });

  test('digits are the same, except where Intl omits or invents minor units', () => {
    const differing = [...currentCurrencies].filter(([code, { digits }]) => {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
      return known.includes(code) && format.resolvedOptions().maximumFractionDigits !== digits;
    });
    const omitted = 'AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR SOS SYP YER';
    const invented = 'XDR XSU';
    expect(differing.map(([code]) => code).toSorted()).toEqual(`${omitted} ${invented}`.split(' ').toSorted());
    // As ISO 4217 has them: money is counted in them, whatever is printed on coins.
    for (const code of omitted.split(' '))
      expect([code, currencies.get(code)!.digits]).toEqual([code, code === 'IQD' ? 3 : 2]);
  });
});

describe('digits', () => {
  test.each([
    ['EUR', 2],
    ['USD', 2],
    ['GBP', 2],
    ['CHF', 2],
    ['SEK', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['CLP', 0],
    ['VND', 0],
    ['XAF', 0],
    ['KWD', 3],
    ['BHD', 3],
    ['TND', 3],
    ['JOD', 3],
    ['IQD', 3],
    ['CLF', 4],
    ['UYW', 4],
    ['HUF', 2],
    ['TWD', 2],
    ['MGA', 2],
    ['XAU', null],
    ['XAG', null],
    ['XPT', null],
    ['XPD', null],
    ['XDR', null],
  ])('%s has %o', (code, digits) => {
    expect(currencies.get(code)?.digits).toBe(digits);
  });
});

describe('the table', () => {
  test('is sorted without duplicates, and every code has three capitals and a name', () => {
    const codes = [...currencies.keys()];
    expect(codes).toEqual(codes.toSorted());
    expect(codes.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
    expect([...currencies.values()].filter(({ name }) => name.trim() === '')).toEqual([]);
    expect(codes.length).toBeGreaterThan(170);
  });
});

describe('codes', () => {
  test.each(['EUR', 'XCG', 'ZWG', 'VED', 'CNH', 'DEM', 'ITL', 'HRK'])('%s is a currency', (code) => {
    expect(isCurrencyCode(code)).toBe(true);
    expect(currencyCode.read(code)).toBe(code);
    expect(currencyCode.write(currencyCode.read(code), snakeCaseStrings)).toBe(code);
  });

  test.each(['eur', 'EURO', 'XXX', 'XTS', 'ABC', '', ' EUR', 'EUR ', '__proto__', 'constructor'])(
    '%s is not a currency',
    (code) => {
      expect(isCurrencyCode(code)).toBe(false);
      expect(() => currencyCode.read(code)).toThrow(new FieldFault('must be an ISO 4217 currency code, such as EUR'));
    },
  );

  test.each([null, true, [], ['EUR'], {}])('%o is not a currency', (value) => {
    expect(() => currencyCode.read(value)).toThrow(FieldFault);
  });
});

describe('withdrawn currencies', () => {
  test.each([
    ['DEM', 2],
    ['FRF', 2],
    ['ATS', 2],
    ['BEF', 2],
    ['NLG', 2],
    ['ITL', 0],
    ['ESP', 0],
    ['PTE', 0],
    ['CNH', 2],
    ['XEU', 2],
  ])('%s has %i digits', (code, digits) => {
    expect(currencies.get(code)?.digits).toBe(digits);
  });

  test('are none of today, with the month in which each was withdrawn', () => {
    expect(currentCurrencyCode.read('CNH')).toBe('CNH');
    expect(() => currentCurrencyCode.read('DEM')).toThrow('must be a currency of today: DEM was withdrawn in 2002-03');
    expect(() => currentCurrencyCode.read('ABC')).toThrow('must be an ISO 4217 currency code, such as EUR');
    const months = [...currencies.values()].flatMap(({ withdrawn }) => withdrawn ?? []);
    expect(months.filter((month) => !/^(?:19[89]|20[0-2])\d-(?:0[1-9]|1[0-2])$/.test(month))).toEqual([]);
    expect(currencies.size).toBe(currentCurrencies.size + months.length);
  });
});
