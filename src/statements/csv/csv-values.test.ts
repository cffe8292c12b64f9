import { describe, expect, test } from 'vitest';
import { readCsvDate, readCsvNumber } from './csv-values.ts';

describe('a number with a decimal point', () => {
  test.each([
    ['1234.50', '1234.5'],
    ["1'234'567.89", '1234567.89'],
    ['1’234.50', '1234.5'],
    ['1,234.50', '1234.5'],
    ['1\u00a0234.50', '1234.5'],
    ['1\u202f234.50', '1234.5'],
    ['-12', '-12'],
    ['+12', '12'],
    ['−12', '-12'],
    ['12-', '-12'],
    ['(1,234.50)', '-1234.5'],
    ['$1,234.50', '1234.5'],
    ['-$1,234.50', '-1234.5'],
    ['$-5', '-5'],
    ['($5.00)', '-5'],
    ['CHF 12.30', '12.3'],
    ['12.30 CHF', '12.3'],
    ['CHF -12.30', '-12.3'],
    ['Fr. 12.–', '12'],
    ['98.5%', '98.5'],
    ['.5', '0.5'],
    ['0012', '12'],
    ['1,234.50 DR', '-1234.5'],
    ['1,234.50 CR', '1234.5'],
    ['-2.637591265E-4', '-0.0002637591265'],
    ['1.25e+3', '1250'],
    ['1.25E1', '12.5'],
  ])('%s is %s', (text, value) => {
    expect(readCsvNumber(text, 'point')).toBe(value);
  });

  test.each([
    '',
    'abc',
    '1,5',
    '1,2345',
    '12,34,567',
    '1.2.3',
    '1 2',
    "1'23",
    '--5',
    '1e5',
    '5$6',
    '9'.repeat(30),
    '.',
    ',',
  ])('%j is none', (text) => {
    expect(readCsvNumber(text, 'point')).toBeUndefined();
  });
});

describe('a number with a decimal comma', () => {
  test.each([
    ['1234,50', '1234.5'],
    ['1.234.567,89', '1234567.89'],
    ['1 234,5', '1234.5'],
    ['-1.234,50', '-1234.5'],
    ['1.234,50-', '-1234.5'],
    ['1.234,50 €', '1234.5'],
    ['1.234,50 S', '-1234.5'],
    ['1.234,50 H', '1234.5'],
    ['1.234', '1234'],
    ['12', '12'],
    ['2,5E-2', '0.025'],
  ])('%s is %s', (text, value) => {
    expect(readCsvNumber(text, 'comma')).toBe(value);
  });

  test.each(['1.5', '12.34', '1,234.50', '1,2,3'])('%j is none', (text) => {
    expect(readCsvNumber(text, 'comma')).toBeUndefined();
  });
});

describe('a date', () => {
  test.each([
    ['31.01.2024', 'day-month-year', '2024-01-31'],
    ['31.01.24', 'day-month-year', '2024-01-31'],
    ['1.2.99', 'day-month-year', '1999-02-01'],
    ['1.2.80', 'day-month-year', '1980-02-01'],
    ['1.2.79', 'day-month-year', '2079-02-01'],
    ['31/01/2024', 'day-month-year', '2024-01-31'],
    ['01/31/2024', 'month-day-year', '2024-01-31'],
    ['1/2/2024', 'month-day-year', '2024-01-02'],
    ['01/31/2024 as of 01/30/2024', 'month-day-year', '2024-01-31'],
    ['2024-01-31', 'day-month-year', '2024-01-31'],
    ['2024-01-31T10:15:00', 'year-month-day', '2024-01-31'],
    ['2024-01-31 10:15', 'year-month-day', '2024-01-31'],
    ['2024/1/5', 'year-month-day', '2024-01-05'],
    ['20240131', 'month-day-year', '2024-01-31'],
    ['24-01-31', 'year-month-day', '2024-01-31'],
    ['31 January 2024', 'month-day-year', '2024-01-31'],
    ['31-Jan-24', 'day-month-year', '2024-01-31'],
    ['Jan 31, 2024', 'day-month-year', '2024-01-31'],
    ['31. März 2024', 'day-month-year', '2024-03-31'],
    ['Mon, 5 Okt 2024', 'day-month-year', '2024-10-05'],
  ] as const)('%s, %s, is %s', (text, order, date) => {
    expect(readCsvDate(text, order)).toBe(date);
  });

  test.each([
    ['31.02.2024', 'day-month-year'],
    ['31/01/2024', 'month-day-year'],
    ['31.01.2024', 'year-month-day'],
    ['2024', 'year-month-day'],
    ['yesterday', 'day-month-year'],
    ['1 Foo 2024', 'day-month-year'],
    ['', 'day-month-year'],
    ['31.01.2024123', 'day-month-year'],
    ['1.1.1', 'day-month-year'],
  ] as const)('%j, %s, is none', (text, order) => {
    expect(readCsvDate(text, order)).toBeUndefined();
  });
});
