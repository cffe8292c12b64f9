// Compares day numbers with a calendar that is counted day by day from 1900 to 2200.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { addMonths, civilFromDay, dayFromCivil, daysInMonth, isEndOfMonth, isLeapYear, weekdayOf } from './day.ts';
import type { CivilDate, Day } from './day.ts';

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
// 1800, 1900, 2100 and 2200 are the years divisible by four that have no leap day.
const centuriesWithoutLeapDay = new Set([1800, 1900, 2100, 2200]);

function lengthOf(year: number, month: number): number {
  return month === 2 && year % 4 === 0 && !centuriesWithoutLeapDay.has(year) ? 29 : monthLengths[month - 1]!;
}

interface CalendarDay extends CivilDate {
  readonly number: Day;
  readonly weekday: number;
}

/** Counts from 1900-01-01, a Monday, 70 years before the epoch with 17 leap days in between. */
function countDays(): CalendarDay[] {
  const all: CalendarDay[] = [];
  let number = -(70 * 365 + 17);
  let weekday = 1;
  for (let year = 1900; year <= 2200; year++) {
    for (let month = 1; month <= 12; month++) {
      for (let day = 1; day <= lengthOf(year, month); day++) {
        all.push({ year, month, day, number, weekday });
        number += 1;
        weekday = weekday === 7 ? 1 : weekday + 1;
      }
    }
  }
  return all;
}

const calendar = countDays();

describe('every day from 1900 to 2200', () => {
  test('there are 109,938 days, and the last has the same number as on the platform', () => {
    expect(calendar.length).toBe(301 * 365 + 73);
    expect(calendar.at(-1)!.number).toBe(Date.UTC(2200, 11, 31) / 86_400_000);
  });

  test('the number of a date is the number of days since 1970-01-01', () => {
    expect(calendar.filter(({ number, year, month, day }) => dayFromCivil({ year, month, day }) !== number)).toEqual(
      [],
    );
    expect(dayFromCivil({ year: 1970, month: 1, day: 1 })).toBe(0);
  });

  test('a number is converted back to its date', () => {
    const wrong = calendar.filter(({ number, year, month, day }) => {
      const civilDate = civilFromDay(number);
      return civilDate.year !== year || civilDate.month !== month || civilDate.day !== day;
    });
    expect(wrong).toEqual([]);
  });

  test('weekdays are numbered from Monday', () => {
    expect(calendar.filter(({ number, weekday }) => weekdayOf(number) !== weekday)).toEqual([]);
  });

  test('a day is the end of a month if the next day is the first of a month', () => {
    const wrong = calendar.filter(({ number }, index) => {
      const next = calendar[index + 1];
      return isEndOfMonth(number) !== (next === undefined || next.day === 1);
    });
    expect(wrong).toEqual([]);
  });

  test('months have the right number of days, and leap years have 366', () => {
    const days = new Map<number, number>();
    for (const { year } of calendar) days.set(year, (days.get(year) ?? 0) + 1);
    for (let year = 1900; year <= 2200; year++) {
      expect([year, isLeapYear(year)]).toEqual([year, days.get(year) === 366]);
      for (let month = 1; month <= 12; month++) expect(daysInMonth(year, month)).toBe(lengthOf(year, month));
    }
  });

  test.each([
    [1900, false],
    [2000, true],
    [2024, true],
    [2026, false],
    [2100, false],
    [2400, true],
  ])('is %d a leap year: %s', (year, isLeap) => {
    expect(isLeapYear(year)).toBe(isLeap);
    expect(dayFromCivil({ year, month: 3, day: 1 }) - dayFromCivil({ year, month: 2, day: 28 })).toBe(isLeap ? 2 : 1);
  });
});

function date(text: string): Day {
  return Date.parse(`${text}T00:00:00Z`) / 86_400_000;
}

describe('adding months', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-01-15', -1, '2025-12-15'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-01-31', -13, '2024-12-31'],
    ['2026-05-31', 0, '2026-05-31'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', -48, '2020-02-29'],
    ['1901-01-01', -12, '1900-01-01'],
  ])('%s plus %d months is %s', (from, months, to) => {
    expect(addMonths(date(from), months)).toBe(date(to));
  });

  test.each([
    ['2026-02-28', 1, 31, '2026-03-31'],
    ['2026-02-28', 2, 31, '2026-04-30'],
    ['2026-02-28', -12, 30, '2025-02-28'],
    ['2026-02-28', -24, 30, '2024-02-29'],
    ['2026-02-28', 6, 30, '2026-08-30'],
    ['2026-02-28', 0, 15, '2026-02-15'],
  ])('%s plus %d months on day %d is %s', (from, months, dayOfMonth, to) => {
    expect(addMonths(date(from), months, dayOfMonth)).toBe(date(to));
  });

  const calendarDay = fc.nat({ max: calendar.length - 1 }).map((index) => calendar[index]!);
  const months = fc.integer({ min: -1_200, max: 1_200 });

  test('the day of the month stays, or is the last day of a shorter month', () => {
    fc.assert(
      fc.property(calendarDay, months, ({ number, year, month, day }, count) => {
        const to = civilFromDay(addMonths(number, count));
        expect(to.year * 12 + to.month).toBe(year * 12 + month + count);
        expect(to.day).toBe(Math.min(day, daysInMonth(to.year, to.month)));
      }),
      { numRuns: 2_000 },
    );
  });

  test('adding and subtracting the same number of months gives the same day, if its day of the month is passed', () => {
    fc.assert(
      fc.property(calendarDay, months, ({ number, day }, count) => {
        expect(addMonths(addMonths(number, count), -count, day)).toBe(number);
      }),
    );
  });
});
