import { describe, expect, test } from 'vitest';
import { parseCalendarDate } from '../kit/calendar-date.ts';
import type { Decimal } from '../kit/decimal.ts';
import { laterDate, negated, readDecimal, readExactMoment, readIsoDate, readMoment } from './stated-values.ts';

describe('a number', () => {
  test.each([
    ['12.50', '12.5'],
    ['+12.5', '12.5'],
    ['-0012.50', '-12.5'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    ['+0', '0'],
    ['-0', '0'],
    ['-000.000', '0'],
    ['', undefined],
    ['.', undefined],
    ['-', undefined],
    ['+-5', undefined],
    ['1,5', undefined],
    ['1e3', '1000'],
    [' 5', undefined],
  ])('%j is %j', (text, expected) => {
    expect(readDecimal(text)).toBe(expected);
  });

  test.each([
    ['12.5', '-12.5'],
    ['-12.5', '12.5'],
    ['0', '0'],
  ])('%s with the other sign is %s', (value, expected) => {
    expect(negated(value as Decimal)).toBe(expected);
  });
});

describe('a day', () => {
  test.each([
    ['2024-02-29', '2024-02-29'],
    ['2024-02-29Z', '2024-02-29'],
    ['2024-02-29+01:00', '2024-02-29'],
    ['2024-02-29T23:59:59-05:00', '2024-02-29'],
    ['2024-02-29T', '2024-02-29'],
    ['2023-02-29', undefined],
    ['2024-02-29 23:59', undefined],
    ['20240229', undefined],
    ['on 2024-02-29', undefined],
  ])('%j is %j', (text, expected) => {
    expect(readIsoDate(text)).toBe(expected);
  });

  test('the later of two is the second where there is no first', () => {
    const [first, second] = [parseCalendarDate('2024-02-28'), parseCalendarDate('2024-02-29')];
    expect([laterDate(undefined, first), laterDate(first, second), laterDate(second, first)]).toEqual([
      first,
      second,
      second,
    ]);
  });
});

describe('a moment', () => {
  test.each([
    ['2024-02-29T10:00:00+01:00', '2024-02-29T09:00:00.000Z', '2024-02-29T09:00:00.000Z'],
    ['2024-02-29T10:00:00z', '2024-02-29T10:00:00.000Z', '2024-02-29T10:00:00.000Z'],
    ['2024-02-29T10:00:00', '2024-02-29T10:00:00.000Z', undefined],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', undefined],
    ['2024-02-30', undefined, undefined],
    ['', undefined, undefined],
    ['soon', undefined, undefined],
  ])('%j is %j, and without an offset of its own %j', (text, expected, exact) => {
    expect([readMoment(text), readExactMoment(text)]).toEqual([expected, exact]);
  });
});
