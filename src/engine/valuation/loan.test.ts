import { describe, expect, test } from 'vitest';
import { fromFixed } from '../../kit/fixed.ts';
import {
  day,
  fixed,
  flagsOn,
  instrument,
  points,
  valuationOn,
  valueTextOn,
} from '../../../tests/setup/engine/valued-holding.ts';
import type { ValuationCase, HoldingStateText, InstrumentText } from '../../../tests/setup/engine/valued-holding.ts';
import type { LoanTerms } from '../instruments/instrument.ts';

const terms: LoanTerms = {
  type: 'loan',
  principal: fixed('20000'),
  rate: fixed('0.0365'),
  convention: 'ACT/365',
  start: day('2025-01-01'),
  maturity: null,
};

function loan(
  held: Partial<HoldingStateText>,
  more: Partial<LoanTerms> = {},
  text: InstrumentText = {},
): ValuationCase {
  return {
    instrument: instrument({ ...terms, ...more }, text),
    holdingState: { quantity: '10000', quantities: { '2025-01-01': '10000' }, ...held },
  };
}

describe('a loan', () => {
  test('is worth the outstanding principal plus the interest since it began', () => {
    const { value, accrued, source, day: point } = valuationOn(loan({}), '2025-01-31');
    expect([fromFixed(value), fromFixed(accrued), source, point]).toEqual(['10030', '30', 'principal', null]);
    expect(flagsOn(loan({}), '2025-01-31')).toBe('');
  });

  test('accrues from the last booked interest and ignores rows of later days', () => {
    const coupons = ['2025-01-11', '2025-01-21', '2025-02-10'];
    expect(['2025-01-20', '2025-01-21', '2025-01-31'].map((date) => valueTextOn(loan({ coupons }), date))).toEqual([
      '10009',
      '10000',
      '10010',
    ]);
    expect(valueTextOn(loan({ coupons: ['2024-12-01'] }), '2025-01-31')).toBe('10030');
  });

  test('accrues on the principal outstanding on each day', () => {
    const repaid = {
      quantity: '4000',
      quantities: { '2024-06-01': '20000', '2025-01-11': '10000', '2025-01-21': '4000' },
    };
    expect(valueTextOn(loan(repaid), '2025-01-31')).toBe('4034'); // 20 + 10 + 4 of interest for ten days each
    expect(valueTextOn(loan({ ...repaid, coupons: ['2025-01-16'] }), '2025-01-31')).toBe('4009');
    expect(valueTextOn(loan({ quantities: { '2025-01-21': '10000' } }), '2025-01-31')).toBe('10010');
  });

  test('is worth its principal before interest begins', () => {
    expect(valueTextOn(loan({}, { start: day('2025-02-01') }), '2025-01-31')).toBe('10000');
  });

  test('that is owed is negative, including its interest', () => {
    expect(valueTextOn(loan({ quantity: '-10000', quantities: { '2025-01-01': '-10000' } }), '2025-01-31')).toBe(
      '-10030',
    );
  });

  test('with a floating rate follows its reference rate', () => {
    const rate = { points: points({ '2025-01-01': '0.0265', '2025-01-11': '0.0630' }), spread: fixed('0.01') };
    expect(valueTextOn(loan({}, { rate }), '2025-01-31')).toBe('10050'); // 10 days of 1, 20 of 2
  });

  test('under ICMA divides by years up to its maturity, else from its start', () => {
    const icma = { convention: 'ACT/ACT-ICMA', rate: fixed('0.0366') } as const;
    const denominators = [day('2028-02-01'), null].map((maturity) => {
      const { parts } = valuationOn(loan({ coupons: ['2025-06-01'] }, { ...icma, maturity }), '2025-07-01');
      return parts
        .flatMap((part) => (part.kind === 'accrued' ? part.accrual.parts : []))
        .map((each) => each.denominator);
    });
    expect(denominators).toEqual([[365], [365]]);
    const leap = (maturity: number | null) =>
      valueTextOn(
        loan({ quantities: { '2024-01-15': '10000' } }, { ...icma, maturity, start: day('2024-01-15') }),
        '2024-01-25',
      );
    expect([leap(day('2028-02-01')), leap(null)]).toEqual(['10010.027397260273972603', '10010']); // of 365, of 366
    const since = { quantities: { '2023-07-01': '10000' } };
    expect(valueTextOn(loan(since, { ...icma, maturity: null, start: day('2023-07-01') }), '2023-07-11')).toBe('10010');
  });

  test('continues to accrue after its maturity and is flagged', () => {
    const late = loan({}, { maturity: day('2025-01-21') });
    expect([flagsOn(late, '2025-01-20'), flagsOn(late, '2025-01-21'), valueTextOn(late, '2025-01-31')]).toEqual([
      '',
      'matured',
      '10030',
    ]);
  });

  test('is worth its nominal × price from the day a price per 1 of nominal is stated', () => {
    const impaired = loan({}, {}, { prices: { '2025-01-31': '0.6' } });
    expect([valueTextOn(impaired, '2025-01-30'), valueTextOn(impaired, '2025-01-31')]).toEqual(['10029', '6030']);
    expect(valuationOn(impaired, '2025-01-31')).toMatchObject({ source: 'price', accrued: fixed('30') });
    expect([flagsOn(impaired, '2025-05-31'), flagsOn(impaired, '2025-06-01')]).toEqual(['', 'stale']);
  });

  test('does not follow the price of its last trade', () => {
    expect(valueTextOn(loan({ lastTrade: ['2025-01-01', '0.9'] }), '2025-01-31')).toBe('10030');
  });

  test('that was uploaded keeps the stated price and interest and accrues from there', () => {
    const upload = { day: '2025-01-21', quantity: '10000', marketValue: '8000', accrued: '7' };
    const stated = { quantity: '5000', quantities: { '2025-01-01': '10000', '2025-01-26': '5000' }, upload };
    expect([valueTextOn(loan(stated), '2025-01-21'), valueTextOn(loan(stated), '2025-01-31')]).toEqual([
      '8007',
      '4014.5',
    ]);
    expect(fromFixed(valuationOn(loan(stated), '2025-01-31').accrued)).toBe('14.5'); // 7 + 5 × 1 + 5 × 0.5
    expect(valueTextOn(loan({ ...stated, coupons: ['2025-01-21'] }), '2025-01-31')).toBe('4014.5');
    expect(valueTextOn(loan({ ...stated, coupons: ['2025-01-28'] }), '2025-01-31')).toBe('4001.5');
  });

  test.each([
    ['0', 'implied accrued'],
    ['0.000000000000000001', 'implied accrued carried'],
  ])('that was uploaded with %s of interest has the parts %s', (accrued, kinds) => {
    const upload = { day: '2025-01-21', quantity: '10000', marketValue: '8000', accrued };
    const { parts } = valuationOn(loan({ upload }), '2025-01-31');
    expect(parts.map(({ kind }) => kind).join(' ')).toBe(kinds);
  });

  test.each([
    ['since interest was last booked', { coupons: ['2025-01-11'] }, '10026'], // 20 and 6
    ['since it began', {}, '10039'], // 30 and 9
    [
      'since an upload states what has accrued',
      { upload: { day: '2025-01-21', quantity: '10000', marketValue: '8000', accrued: '7' } },
      '8021', // 7, 10 and 4
    ],
    [
      'since an upload that was stated before interest was booked, since then',
      {
        coupons: ['2025-01-11'],
        upload: { day: '2025-01-10', quantity: '10000', marketValue: '8000', accrued: '7' },
      },
      '8026',
    ],
  ])('includes the accrued interest that was bought %s', (_what, held, expected) => {
    const boughtInterest = { '2025-01-11': '3', '2025-01-12': '2', '2025-01-25': '4', '2025-02-01': '8' };
    expect(valueTextOn(loan({ boughtInterest, ...held }), '2025-01-31')).toBe(expected);
  });
});
