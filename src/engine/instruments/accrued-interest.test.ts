// Checks the accrued interest of bonds against published figures and worked examples.

import { describe, expect, test } from 'vitest';

import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { fromFixed, toFixed, type Fixed } from '../../kit/fixed.ts';
import { accruedInterest, accruedLoanInterest, findCouponAmount } from './accrued-interest.ts';
import type { Accrual, Bond, InterestRate } from './accrued-interest.ts';
import type { CouponFrequency, CouponSchedule } from './coupon-schedule.ts';
import { dayCountConventions, findDayCountConvention, type DayCountConvention } from './day-count.ts';
import type { Point } from '../amounts/series.ts';

function day(text: string): Day {
  return toDayNumber(parseCalendarDate(text));
}

function fixed(text: string): Fixed {
  return toFixed(parseDecimal(text));
}

function points(...values: [string, string][]): Point[] {
  return values.map(([date, value]) => ({ day: day(date), value: fixed(value) }));
}

function named(name: string): DayCountConvention {
  const convention = findDayCountConvention(name);
  if (!convention) throw new Error(`${name} is not a day count convention`);
  return convention;
}

interface Terms {
  readonly rate: string | InterestRate;
  readonly convention: string;
  readonly maturity: string;
  readonly frequency?: CouponFrequency;
  readonly datedDate?: string;
  readonly firstCouponDate?: string;
  readonly exDividendDays?: number;
}

function bond({ rate, convention, maturity, datedDate, firstCouponDate, ...rest }: Terms): Bond {
  const schedule: CouponSchedule = {
    ...rest,
    maturity: day(maturity),
    datedDate: datedDate === undefined ? undefined : day(datedDate),
    firstCouponDate: firstCouponDate === undefined ? undefined : day(firstCouponDate),
  };
  return { schedule, convention: named(convention), rate: typeof rate === 'string' ? fixed(rate) : rate };
}

function accruedOn(terms: Terms, on: string, nominal = '100'): Accrual {
  return accruedInterest(bond(terms), { day: day(on), nominal: fixed(nominal) });
}

function toNumber(amount: Fixed): number {
  return Number(fromFixed(amount));
}

const gilt: Terms = {
  rate: '0.08',
  convention: 'act/act ICMA',
  maturity: '2021-06-07',
  frequency: 2,
  exDividendDays: 8,
};
const australian: Terms = { ...gilt, rate: '0.06', maturity: '2017-02-15', exDividendDays: 7 };
const agency: Terms = { rate: '0.015', convention: '30/360 US', maturity: '2018-08-13', frequency: 2 };
const longFirst: Terms = {
  rate: '0.04',
  convention: 'act/act ICMA',
  maturity: '2026-02-28',
  frequency: 2,
  datedDate: '2017-01-17',
  firstCouponDate: '2017-08-31',
};

describe('published figures', () => {
  // id or source, terms, day, accrued per 100, tolerance. QuantLib's bonds.cpp, checked there against Bloomberg.
  test.each<[string, Terms, string, number, number]>([
    ['accrued-gilt-ex', gilt, '2013-05-30', -0.1758242, 1e-6],
    ['the gilt a day before, cum dividend', gilt, '2013-05-29', 3.8021978, 1e-6],
    ['the gilt a day later', gilt, '2013-05-31', -0.1538462, 1e-6],
    ['accrued-agb-ex', australian, '2014-08-08', -0.116, 1e-3],
    ['the Australian bond cum dividend', australian, '2014-08-07', 2.867, 1e-3],
    ['the Australian bond three days later', australian, '2014-08-11', -0.066, 1e-3],
    ['accrued-us-agency-31st', agency, '2017-07-31', 0.7, 1e-6],
    ['QuantLib, first notional period of a long first period', longFirst, '2017-01-29', 4 * 0.03314917127071823, 1e-9],
    // Adams & Smith, Fixed Income Analysis: 42 days of 180.
    ['a corporate', { ...agency, rate: '0.04375', maturity: '2024-05-15' }, '2015-06-27', 0.510417, 1e-6],
    // MathWorks, acrubond: 29 of 181 days, month end to month end.
    ['acrubond', { ...gilt, rate: '0.1', maturity: '2003-07-31' }, '1993-03-01', 0.8011, 1e-4],
  ])('%s', (_id, terms, on, expected, tolerance) => {
    expect(Math.abs(toNumber(accruedOn(terms, on).amount) - expected)).toBeLessThan(tolerance);
  });

  // id, convention as published, issue, settlement, accrued per 1000 at 10 %, tolerance: formula.js and Microsoft's ACCRINT.
  test.each([
    ['accrued-formulajs-act365F', 'act/365F', '2012-02-02', '2013-12-04', 183.83561643835617, 1e-9],
    ['accrued-excel-accrint-1993', '30/360 US', '1993-02-28', '1993-05-01', 16.94444, 1e-4],
    ['accrued-formulajs-30E360', '30E/360', '2012-02-02', '2013-12-04', 183.88888888888889, 1e-9],
    ['accrued-formulajs-30360US', '30/360 US', '2012-02-02', '2013-12-04', 183.88888888888889, 1e-9],
  ])(
    '%s, from the issue date, as a long first period and as a loan',
    (_id, name, issue, settlement, expected, tolerance) => {
      const maturity = '2020-02-02';
      const issued = { rate: '0.1', convention: name, maturity, datedDate: issue, firstCouponDate: maturity };
      const principal = points([issue, '1000']);
      const loan = { principal, rate: fixed('0.1'), convention: named(name), since: day(issue) };
      const asBond = accruedOn(issued, settlement, '1000').amount;
      expect(Math.abs(toNumber(asBond) - expected)).toBeLessThan(tolerance);
      expect(accruedLoanInterest(loan, day(settlement)).amount).toBe(asBond);
    },
  );
});

describe('a bond', () => {
  test('lists the parts of its accrued interest', () => {
    expect(accruedOn(gilt, '2013-05-30', '1000')).toEqual({
      amount: fixed('-1.758241758241758242'),
      state: 'ex-dividend',
      period: {
        start: day('2012-12-07'),
        end: day('2013-06-07'),
        kind: 'regular',
        exDividendFrom: day('2013-05-30'),
      },
      parts: [
        {
          start: day('2013-05-30'),
          end: day('2013-06-07'),
          days: -8,
          denominator: 2 * 182,
          rate: fixed('0.08'),
          nominal: fixed('1000'),
          rateDay: undefined,
        },
      ],
      index: undefined,
      isEstimated: false,
    });
  });

  test.each<[string, Terms, string, string, number]>([
    ['before the dated date', longFirst, '2017-01-16', 'not-begun', 0],
    ['on the dated date', longFirst, '2017-01-17', 'accruing', 0],
    ['on a coupon date', longFirst, '2017-08-31', 'accruing', 0],
    ['the day before maturity', longFirst, '2026-02-27', 'accruing', 1],
    ['on maturity', longFirst, '2026-02-28', 'ended', 0],
    ['after maturity', longFirst, '2026-03-01', 'ended', 0],
  ])('%s', (_name, terms, on, state, parts) => {
    const accrual = accruedOn(terms, on);
    expect([accrual.state, accrual.parts.length]).toEqual([state, parts]);
    expect(accrual.amount === 0n).toBe(parts === 0);
  });

  test('a long first period counts each notional half-year by its own days', () => {
    const { parts, amount } = accruedOn(longFirst, '2017-07-29', '1000');
    expect(parts.map(({ days, denominator }) => [days, denominator])).toEqual([
      [42, 2 * 181],
      [151, 2 * 184],
    ]);
    expect(fromFixed(amount)).toBe('21.053927456161422051'); // 40 × (42/362 + 151/368)
  });

  // 4 % on 1,000 from the half-year 2027-09-15 to 2028-03-15, of 182 days, up to 2028-02-29 after 167.
  test.each([
    ['30/360-US', '18.222222222222222222'], // 164/360
    ['30/360-BOND', '18.222222222222222222'],
    ['30E/360', '18.222222222222222222'],
    ['ACT/360', '18.555555555555555556'], // 167/360
    ['ACT/365', '18.301369863013698630'], // 167/365
    ['ACT/ACT-ICMA', '18.351648351648351648'], // 167/364
    ['ACT/ACT-ISDA', '18.283703870050153455'], // 108/365 + 59/366
  ])('under %s', (convention, expected) => {
    const terms = { rate: '0.04', convention, maturity: '2030-03-15', frequency: 2 as const };
    expect(accruedOn(terms, '2028-02-29', '1000').amount).toBe(fixed(expected));
  });

  test('linked to an index accrues on nominal × factor ÷ base factor, rounded once', () => {
    const index = { factor: fixed('131.7'), baseFactor: fixed('103.1') };
    const holding = { day: day('2013-03-07'), nominal: fixed('100'), index };
    const accrual = accruedInterest(bond({ ...gilt, rate: '0.0125' }), holding);
    expect(fromFixed(accrual.amount)).toBe('0.394801004039607337'); // 1.25 × 90/364 × 131.7/103.1
    expect(accrual.index).toEqual(index);
  });
});

describe('a coupon', () => {
  function couponOn(terms: Terms, on: string) {
    return findCouponAmount(bond(terms), { couponDate: day(on), nominal: fixed('1000') });
  }

  // 31 CFR 356, appendix B: one half of one year's interest, regardless of the days in the half-year.
  test.each(dayCountConventions)('at 8 per cent for a regular half-year is 40 under %s', (convention) => {
    const note = { rate: '0.08', convention, maturity: '2027-08-31', frequency: 2 as const };
    expect(['2026-08-31', '2027-02-28'].map((on) => fromFixed(couponOn(note, on)!.amount))).toEqual(['40', '40']);
    expect(couponOn(note, '2027-02-28')).toMatchObject({ state: 'due', parts: [{ days: 181, denominator: 362 }] });
  });

  test('for an odd first period is paid by its days', () => {
    const coupon = couponOn({ ...longFirst, rate: '0.1' }, '2017-08-31')!;
    expect(Math.abs(toNumber(coupon.amount) - 61.60220994)).toBeLessThan(1e-8); // QuantLib: 0.6160220994 of a year
    expect(fromFixed(couponOn({ ...longFirst, convention: '30/360' }, '2017-08-31')!.amount)).toBe(
      '24.888888888888888889',
    ); // 224/360
  });

  test('at a floating rate is paid by its days, each at its own rate', () => {
    const rate = { points: points(['2026-01-15', '0.02'], ['2026-04-15', '0.03'], ['2026-07-15', '0.09']), spread: 0n };
    const coupon = couponOn({ rate, convention: 'ACT/360', maturity: '2030-01-15', frequency: 2 }, '2026-07-15')!;
    expect(fromFixed(coupon.amount)).toBe('12.583333333333333333'); // 90 days at 2 %, 91 at 3 %
  });

  test('is due on coupon dates only', () => {
    const requested = ['2017-02-28', '2017-08-30', '2017-09-01', '2026-03-01', '2026-08-31'];
    expect(requested.map((on) => couponOn(longFirst, on))).toEqual(requested.map(() => undefined));
    expect(couponOn(longFirst, '2026-02-28')?.amount).toBe(fixed('20'));
    const oneDay = { ...longFirst, convention: 'ACT/365', datedDate: '2017-08-30' };
    expect(couponOn(oneDay, '2017-08-31')?.parts).toMatchObject([{ days: 1, denominator: 365 }]);
  });
});

describe('a floating rate', () => {
  const rate = {
    points: points(['2025-12-30', '0.02'], ['2026-02-15', '0.03'], ['2026-03-15', '0.01']),
    spread: fixed('0.005'),
  };
  const note: Terms = { rate, convention: 'ACT/360', maturity: '2028-01-15', frequency: 4 };

  test('accrues each day at the latest point on or before it, plus the spread', () => {
    const { parts, amount, isEstimated } = accruedOn(note, '2026-03-01', '1000');
    expect(parts.map(({ days, rate, rateDay }) => [days, fromFixed(rate), rateDay])).toEqual([
      [31, '0.025', day('2025-12-30')],
      [14, '0.035', day('2026-02-15')],
    ]);
    expect(fromFixed(amount)).toBe('3.513888888888888889'); // 1000 × (31 × 0.025 + 14 × 0.035) / 360
    expect(isEstimated).toBe(false);
  });

  test('before its first point accrues at that point and is marked as estimated', () => {
    const late = { points: points(['2026-02-15', '0.03']), spread: 0n };
    const accrual = accruedOn({ ...note, rate: late }, '2026-03-01', '1000');
    expect([fromFixed(accrual.amount), accrual.isEstimated]).toEqual(['3.75', true]); // 45 days at 3 %
  });

  test('without a point on or before the day accrues nothing and gives the reason', () => {
    const unknown = { points: points(['2026-03-02', '0.03']), spread: fixed('0.01') };
    expect(accruedOn({ ...note, rate: unknown }, '2026-03-01')).toMatchObject({
      amount: 0n,
      state: 'rate-missing',
      parts: [],
      period: { start: day('2026-01-15'), end: day('2026-04-15') },
    });
  });

  test('in the ex-dividend window counts the days to the coupon at the rate of the day', () => {
    const { parts, amount } = accruedOn({ ...note, exDividendDays: 40 }, '2026-03-10', '1000');
    expect(parts.map(({ days, rate }) => [days, fromFixed(rate)])).toEqual([[-36, '0.035']]);
    expect(fromFixed(amount)).toBe('-3.5');
  });
});
