// Checks the accruals of loans, fees and zero-coupon bonds against worked examples.

import { describe, expect, test } from 'vitest';

import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { fromFixed, toFixed, type Fixed } from '../../kit/fixed.ts';
import { accretedCost, accruedFee, accruedLoanInterest } from './accrued-interest.ts';
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

describe('a loan', () => {
  const principal = points(['2026-01-10', '1000'], ['2026-03-01', '600'], ['2026-06-01', '0']);

  test('accrues simple interest on the outstanding principal', () => {
    const loan = { principal, rate: fixed('0.06'), convention: 'ACT/365' as const, since: day('2026-01-01') };
    const { parts, amount } = accruedLoanInterest(loan, day('2026-07-01'));
    expect(parts.map(({ start, end, days, nominal }) => [start, end, days, fromFixed(nominal)])).toEqual([
      [day('2026-01-10'), day('2026-03-01'), 50, '1000'],
      [day('2026-03-01'), day('2026-06-01'), 92, '600'],
    ]);
    expect(fromFixed(amount)).toBe('17.293150684931506849'); // 0.06 × (1000 × 50 + 600 × 92) / 365
  });

  test('with a floating rate accrues at each rate point from its day', () => {
    const rate = { points: points(['2026-01-01', '0.05'], ['2026-02-09', '0.04']), spread: fixed('0.01') };
    const loan = { principal, rate, convention: 'ACT/360' as const, since: day('2026-01-10') };
    expect(fromFixed(accruedLoanInterest(loan, day('2026-03-11')).amount)).toBe('8.611111111111111111'); // 30 × 60 + 20 × 50 + 10 × 30, ÷ 360
  });

  test('under ICMA divides by years from its start, or by its payment periods', () => {
    const loan = { principal, rate: fixed('0.06'), convention: 'ACT/ACT-ICMA' as const, since: day('2026-01-10') };
    const schedule = { maturity: day('2028-01-10'), frequency: 4 as const };
    const denominators = [loan, { ...loan, schedule }].map((each) =>
      accruedLoanInterest(each, day('2026-06-01')).parts.map(({ denominator }) => denominator),
    );
    expect(denominators).toEqual([
      [365, 365],
      [360, 360, 364],
    ]);
  });

  test('accrues nothing before it begins', () => {
    const loan = { principal, rate: fixed('0.06'), convention: 'ACT/360' as const, since: day('2026-01-10') };
    expect(accruedLoanInterest(loan, day('2026-01-09'))).toMatchObject({ amount: 0n, state: 'not-begun', parts: [] });
    expect(accruedLoanInterest(loan, day('2026-01-10'))).toMatchObject({ amount: 0n, state: 'accruing', parts: [] });
  });
});

test('a running fee is negative: rate × basis since the last booked fee', () => {
  const fee = {
    rate: fixed('0.0085'),
    basis: fixed('2500000'),
    convention: 'ACT/365' as const,
    since: day('2026-03-31'),
  };
  const accrual = accruedFee(fee, day('2026-05-15'));
  expect(fromFixed(accrual.amount)).toBe('-2619.863013698630136986'); // 0.0085 × 2,500,000 × 45/365
  expect(accruedFee(fee, day('2026-03-30')).state).toBe('not-begun');
});

describe('a zero-coupon bond', () => {
  const zero = {
    cost: fixed('850'),
    par: fixed('1000'),
    acquired: day('2024-01-31'),
    maturity: day('2026-07-31'),
    convention: 'ACT/365' as const,
  };

  test.each([
    ['2024-01-30', 'not-begun', '850'],
    ['2024-01-31', 'accruing', '850'],
    ['2025-01-31', 'accruing', '910.197368421052631579'], // 850 + 150 × 366/912
    ['2026-07-30', 'accruing', '999.835526315789473684'],
    ['2026-07-31', 'ended', '1000'],
    ['2027-01-01', 'ended', '1000'],
  ])('on %s is %s at %s', (on, state, value) => {
    const accretion = accretedCost(zero, day(on));
    expect([accretion.state, fromFixed(accretion.amount)]).toEqual([state, value]);
  });

  test('lists the parts of its value', () => {
    const { cost, par, elapsed, whole } = accretedCost({ ...zero, convention: 'ACT/ACT-ICMA' }, day('2024-10-31'));
    expect([cost, par]).toEqual([fixed('850'), fixed('1000')]);
    expect(elapsed.terms).toEqual([
      { days: 182, denominator: 366 },
      { days: 92, denominator: 365 },
    ]);
    expect([whole.days, whole.terms.length]).toEqual([912, 3]);
    const after = accretedCost({ ...zero, convention: 'ACT/ACT-ICMA' }, day('2027-01-01'));
    expect(after.elapsed).toEqual(after.whole);
  });

  test('bought when the convention counts no days to maturity stays at cost until maturity', () => {
    const last = { ...zero, acquired: day('2026-07-30'), convention: '30/360-BOND' as const };
    expect([day('2026-07-30'), day('2026-07-31')].map((on) => accretedCost(last, on).amount)).toEqual([
      zero.cost,
      zero.par,
    ]);
    expect(accretedCost({ ...zero, acquired: day('2026-08-01') }, day('2026-08-02')).amount).toBe(zero.par);
  });
});
