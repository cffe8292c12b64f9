// Checks coupon dates against published calendars and against a month-by-month walk back from maturity.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { fromDayNumber, parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import { civilFromDay, dayFromCivil, daysInMonth, isEndOfMonth, type Day } from '../../kit/day.ts';
import { findCouponPeriod, findNextCouponDate } from './coupon-schedule.ts';
import { couponFrequency, listCouponDates, yearBasis } from './coupon-schedule.ts';
import type { CouponFrequency, CouponSchedule } from './coupon-schedule.ts';

function day(text: string): Day {
  return toDayNumber(parseCalendarDate(text));
}

function text(date: Day | undefined): string | undefined {
  return date === undefined ? undefined : fromDayNumber(date);
}

/** `2026-02-28, frequency 2, dated 2017-01-17, first 2017-08-31, ex 7`: the maturity, then the other terms. */
function schedule(terms: string): CouponSchedule {
  const [maturity = '', ...rest] = terms.split(', ');
  const given = new Map(rest.map((each) => each.split(' ') as [string, string]));
  const date = (name: string) => (given.has(name) ? day(given.get(name)!) : undefined);
  return {
    maturity: day(maturity),
    frequency: given.has('frequency') ? (Number(given.get('frequency')) as CouponFrequency) : undefined,
    datedDate: date('dated'),
    firstCouponDate: date('first'),
    exDividendDays: given.has('ex') ? Number(given.get('ex')) : undefined,
  };
}

/** `2025-05-30..2026-11-30`, excluding the first day. */
function couponDates(terms: string, span: string): string {
  const [start = '', end = ''] = span.split('..');
  return listCouponDates(schedule(terms), { start: day(start), end: day(end) })
    .map(fromDayNumber)
    .join(' ');
}

describe('coupon dates roll back from maturity', () => {
  test.each([
    ['yearly by default', '2028-05-15', '2026-05-15..2028-12-31', '2027-05-15 2028-05-15'],
    ['half-yearly', '2027-08-15, frequency 2', '2026-08-14..2027-08-15', '2026-08-15 2027-02-15 2027-08-15'],
    ['quarterly', '2026-11-03, frequency 4', '2026-05-03..2026-12-31', '2026-08-03 2026-11-03'],
    ['monthly', '2026-03-10, frequency 12', '2026-01-10..2026-04-10', '2026-02-10 2026-03-10'],
    [
      'on the 30th, except in February',
      '2026-05-30, frequency 4',
      '2025-08-30..2026-05-30',
      '2025-11-30 2026-02-28 2026-05-30',
    ],
    [
      'on the 29th, in leap and common years',
      '2026-08-29, frequency 2',
      '2023-12-31..2025-03-31',
      '2024-02-29 2024-08-29 2025-02-28',
    ],
    [
      'month end: May to November',
      '2026-11-30, frequency 2',
      '2025-11-29..2026-11-30',
      '2025-11-30 2026-05-31 2026-11-30',
    ],
    [
      'month end: February to August',
      '2026-02-28, frequency 2',
      '2024-01-01..2025-03-01',
      '2024-02-29 2024-08-31 2025-02-28',
    ],
  ])('%s', (_name, terms, span, expected) => {
    expect(couponDates(terms, span)).toBe(expected);
  });

  test('on the 30th of June and December, or of February and August, if the first coupon is on a 30th', () => {
    const june = '2026-06-30, frequency 2, first 2024-12-30';
    expect(couponDates(june, '2024-01-01..2026-06-30')).toBe('2024-12-30 2025-06-30 2025-12-30 2026-06-30');
    const february = '2026-02-28, frequency 2, first 2023-08-30';
    expect(couponDates(february, '2023-01-01..2025-03-01')).toBe('2023-08-30 2024-02-29 2024-08-30 2025-02-28');
  });

  // 31 CFR 356, appendix B, table 1: days of the half-years that begin and end on a month's last day.
  test.each([
    ['2027-07-31', '2027-01-31', 181],
    ['2028-07-31', '2028-01-31', 182],
    ['2027-08-31', '2027-02-28', 184],
    ['2028-08-31', '2028-02-29', 184],
    ['2027-09-30', '2027-03-31', 183],
    ['2027-10-31', '2027-04-30', 184],
    ['2027-11-30', '2027-05-31', 183],
    ['2027-12-31', '2027-06-30', 184],
    ['2028-01-31', '2027-07-31', 184],
    ['2027-02-28', '2026-08-31', 181],
    ['2028-02-29', '2027-08-31', 182],
    ['2027-03-31', '2026-09-30', 182],
    ['2028-03-31', '2027-09-30', 183],
  ])('a treasury half-year up to %s begins on %s and has %d days', (maturity, start, days) => {
    const period = findCouponPeriod(schedule(`${maturity}, frequency 2`), day(maturity) - 1)!;
    expect([text(period.start), period.end - period.start, period.kind]).toEqual([start, days, 'regular']);
  });
});

describe('first periods', () => {
  const treasury = '2026-02-28, frequency 2, dated 2017-01-17';
  const corporate = '2026-06-15, frequency 2, dated 2024-01-10';

  test.each([
    // QuantLib's testActualActualWithSchedule: issued 2017-01-17, first coupon 2017-08-31.
    ['long', `${treasury}, first 2017-08-31`, '2017-03-01', '2017-01-17 2017-08-31 odd'],
    ['short, to the first date of the roll', treasury, '2017-02-01', '2017-01-17 2017-02-28 odd'],
    ['then regular', treasury, '2017-02-28', '2017-02-28 2017-08-31 regular'],
    ['dated on the roll', '2026-02-28, frequency 2, dated 2016-08-31', '2017-01-17', '2016-08-31 2017-02-28 regular'],
    ['undated', '2026-02-28, frequency 2, first 2017-08-31', '2017-03-01', '2017-02-28 2017-08-31 regular'],
    [
      'undated, short month',
      '2026-05-30, frequency 4, first 2024-02-29',
      '2023-12-01',
      '2023-11-30 2024-02-29 regular',
    ],
    ['long from the roll', '2026-02-28, dated 2016-02-29, first 2018-02-28', '2016-05-01', '2016-02-29 2018-02-28 odd'],
    ['off the roll', `${corporate}, first 2024-03-20`, '2024-02-01', '2024-01-10 2024-03-20 odd'],
    ['from off the roll onto it', `${corporate}, first 2024-03-20`, '2024-04-01', '2024-03-20 2024-06-15 odd'],
    ['off the roll, undated', '2026-06-15, frequency 2, first 2024-03-20', '2023-10-01', '2023-09-20 2024-03-20 odd'],
    ['first coupon past maturity', `${corporate}, first 2027-01-01`, '2025-01-01', '2024-01-10 2026-06-15 odd'],
    ['first coupon before the dated date', `${corporate}, first 2023-12-15`, '2024-02-01', '2024-01-10 2024-06-15 odd'],
    ['first coupon on the dated date', `${corporate}, first 2024-01-10`, '2024-02-01', '2024-01-10 2024-06-15 odd'],
  ])('%s', (_name, terms, on, expected) => {
    const { start, end, kind } = findCouponPeriod(schedule(terms), day(on))!;
    expect(`${fromDayNumber(start)} ${fromDayNumber(end)} ${kind}`).toBe(expected);
  });

  test('before the dated date and from maturity on, nothing accrues', () => {
    const accrues = (terms: string, on: string) => findCouponPeriod(schedule(terms), day(on)) !== undefined;
    const dated = `${treasury}, first 2017-08-31`;
    expect(['2017-01-16', '2026-02-28', '2026-03-01'].map((on) => accrues(dated, on))).toEqual([false, false, false]);
    expect(['2017-01-17', '2026-02-27'].map((on) => accrues(dated, on))).toEqual([true, true]);
    const undated = '2026-06-15, frequency 2, first 2024-06-15';
    expect(['2023-12-14', '2023-12-15'].map((on) => accrues(undated, on))).toEqual([false, true]);
  });

  test.each([
    ['2016-12-31', '2017-08-31'],
    ['2017-08-30', '2017-08-31'],
    ['2017-08-31', '2018-02-28'],
    ['2018-02-27', '2018-02-28'],
    ['2026-02-27', '2026-02-28'],
    ['2026-02-28', undefined],
    ['2030-01-01', undefined],
  ])('no coupon is before the first or after maturity: on %s the next is %s', (on, next) => {
    const bond = schedule(`${treasury}, first 2017-08-31`);
    expect(text(findNextCouponDate(bond, day(on)))).toBe(next);
  });

  test('the dated date is not a coupon date, and no coupon is before it', () => {
    const bond = schedule('2026-02-28, frequency 2, dated 2016-08-31');
    expect(text(findNextCouponDate(bond, day('2001-01-01')))).toBe('2017-02-28');
    const offRoll = schedule(`${corporate}, first 2024-03-20`);
    expect(text(findCouponPeriod(offRoll, day('2024-04-01'))?.start)).toBe('2024-03-20');
    const ignored = schedule(`${corporate}, first 2024-01-10`);
    expect(text(findNextCouponDate(ignored, day('2024-01-09')))).toBe('2024-06-15');
    const neverAccruing = schedule('2026-02-28, frequency 2, dated 2027-01-01');
    expect(text(findNextCouponDate(neverAccruing, day('2020-01-01')))).toBe('2026-02-28');
  });
});

describe('ex-dividend', () => {
  function isExDividend(bond: CouponSchedule, on: Day): boolean {
    const period = findCouponPeriod(bond, on);
    return period !== undefined && on >= period.exDividendFrom;
  }

  // Australian government bonds go ex 7 calendar days before a coupon (QuantLib's testExCouponAustralianBond).
  test.each([
    ['2014-08-07', false],
    ['2014-08-08', true],
    ['2014-08-14', true],
    ['2014-08-15', false],
    ['2017-02-14', true],
    ['2017-02-15', false],
    ['2004-02-01', false],
  ])('%s: %s', (on, expected) => {
    expect(isExDividend(schedule('2017-02-15, frequency 2, dated 2004-02-15, ex 7'), day(on))).toBe(expected);
  });

  test('never applies without ex-dividend days or on a coupon date, however wide the window', () => {
    expect(isExDividend(schedule('2026-06-15'), day('2026-06-14'))).toBe(false);
    const monthly = schedule('2026-06-15, frequency 12, ex 40');
    expect([isExDividend(monthly, day('2026-05-15')), isExDividend(monthly, day('2026-05-16'))]).toEqual([false, true]);
  });
});

describe('laws', () => {
  const maturities = fc.integer({ min: day('2000-01-01'), max: day('2150-12-31') });
  const frequencies = fc.constantFrom<CouponFrequency>(1, 2, 4, 12);
  const daysBefore = fc.integer({ min: 1, max: 20_000 });

  /** The last date on or before the day, found by stepping back from maturity through the months. */
  function walkedDate(maturity: Day, frequency: CouponFrequency, until: Day): Day {
    const { day: dayOfMonth, ...from } = civilFromDay(maturity);
    let { year, month } = from;
    let date = maturity;
    while (date > until) {
      for (let step = 0; step < 12 / frequency; step++)
        [year, month] = month === 1 ? [year - 1, 12] : [year, month - 1];
      const last = daysInMonth(year, month);
      date = dayFromCivil({ year, month, day: isEndOfMonth(maturity) ? last : Math.min(dayOfMonth, last) });
    }
    return date;
  }

  test('a period starts where the walk from maturity stops, and the next coupon is the step before it', () => {
    fc.assert(
      fc.property(maturities, frequencies, daysBefore, (maturity, frequency, before) => {
        const requested = maturity - before;
        const walked = walkedDate(maturity, frequency, requested);
        const next = findNextCouponDate({ maturity, frequency }, requested)!;
        expect(findCouponPeriod({ maturity, frequency }, requested)?.start).toBe(walked);
        expect(next).toBeGreaterThan(requested);
        expect(walkedDate(maturity, frequency, next - 1)).toBe(walked);
        expect(walkedDate(maturity, frequency, next)).toBe(next);
      }),
      { numRuns: 1_000 },
    );
  });

  test('periods follow each other without gap or overlap from the dated date to maturity', () => {
    const offsets = fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined });
    fc.assert(
      fc.property(
        maturities,
        frequencies,
        fc.integer({ min: 1, max: 4_000 }),
        offsets,
        (maturity, frequency, life, first) => {
          const datedDate = maturity - life;
          const firstCouponDate = first === undefined ? undefined : datedDate + first;
          const bond = { maturity, frequency, datedDate, firstCouponDate };
          let from = datedDate;
          for (const date of listCouponDates(bond, { start: datedDate, end: maturity })) {
            for (const requested of [from, date - 1])
              expect(findCouponPeriod(bond, requested)).toMatchObject({ start: from, end: date });
            from = date;
          }
          expect(from).toBe(maturity);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('notional periods follow the roll and cover any span', () => {
    fc.assert(
      fc.property(
        maturities,
        frequencies,
        daysBefore,
        fc.integer({ min: 1, max: 2_000 }),
        (maturity, frequency, before, length) => {
          const span = { start: maturity - before, end: maturity - before + length };
          const basis = yearBasis('ACT/ACT-ICMA', { maturity, frequency }, span);
          if (basis.convention !== 'ACT/ACT-ICMA') throw new Error('Expected a basis with coupon periods.');
          expect(basis.frequency).toBe(frequency);
          for (const [index, period] of basis.periods.entries()) {
            expect(index === 0 ? walkedDate(maturity, frequency, span.start) : basis.periods[index - 1]!.end).toBe(
              period.start,
            );
            expect(period.start).toBeLessThan(span.end);
          }
          expect(basis.periods.at(-1)!.end).toBeGreaterThanOrEqual(span.end);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('only ICMA needs periods, and a bond without a frequency pays once a year', () => {
    const bond = schedule('2026-06-15');
    expect(yearBasis('ACT/360', bond, { start: 0, end: 400 })).toEqual({ convention: 'ACT/360' });
    expect(couponFrequency(bond)).toBe(1);
  });
});
