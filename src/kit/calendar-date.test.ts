// Compares calendar dates with the platform's Date, for every day of the range.

import { describe, expect, test } from 'vitest';

import { DateFault, fromDayNumber, parseCalendarDate, toDayNumber } from './calendar-date.ts';

const two = (value: number) => String(value).padStart(2, '0');
const dayMs = 86_400_000;
const firstDay = Date.UTC(1900, 0, 1) / dayMs;
const lastDay = Date.UTC(2200, 11, 31) / dayMs;

function platformDates(): string[] {
  const count = lastDay - firstDay + 1;
  return Array.from({ length: count }, (_, index) => new Date((firstDay + index) * dayMs).toISOString().slice(0, 10));
}

function reasonOf(read: () => unknown): string {
  try {
    read();
    return 'accepted';
  } catch (error) {
    if (error instanceof DateFault) return error.reason;
    throw error;
  }
}

describe('day numbers', () => {
  test('every day of the range has the same number as on the platform, and is converted back to the same date', () => {
    const wrong = platformDates().filter((date, index) => {
      const number = toDayNumber(parseCalendarDate(date));
      return number !== firstDay + index || fromDayNumber(number) !== date;
    });
    expect(wrong).toEqual([]);
  });

  test('the epoch is day 0', () => {
    expect(toDayNumber(parseCalendarDate('1970-01-01'))).toBe(0);
    expect(fromDayNumber(-1)).toBe('1969-12-31');
  });

  test.each([firstDay - 1, lastDay + 1, 0.5, Number.NaN, Infinity])('%d is not a valid day number', (dayNumber) => {
    expect(reasonOf(() => fromDayNumber(dayNumber))).toBe('out-of-range');
  });
});

describe('reading', () => {
  test('exactly the texts of existing days are accepted', () => {
    const accepted: string[] = [];
    for (let year = 1898; year <= 2202; year++) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const text = `${year}-${two(month)}-${two(day)}`;
          if (reasonOf(() => parseCalendarDate(text)) === 'accepted') accepted.push(text);
        }
      }
    }
    expect(accepted).toEqual(platformDates());
  });

  test.each([
    ['1900-02-29', 'no-such-day'],
    ['2000-02-29', 'accepted'],
    ['2024-02-29', 'accepted'],
    ['2026-02-29', 'no-such-day'],
    ['2100-02-29', 'no-such-day'],
    ['2026-04-31', 'no-such-day'],
    ['2026-13-01', 'no-such-day'],
    ['1899-12-31', 'out-of-range'],
    ['2201-01-01', 'out-of-range'],
  ])('%s is %s', (text, reason) => {
    expect(reasonOf(() => parseCalendarDate(text))).toBe(reason);
  });

  test.each([
    '',
    '2026-1-5',
    '20260105',
    '2026-01-05 ',
    '2026-01-05\n',
    '2026-01-05T00:00:00Z',
    '+002026-01-05',
    '２０２６-01-05',
  ])('%j is not a date', (text) => {
    expect(reasonOf(() => parseCalendarDate(text))).toBe('not-a-date');
  });
});
