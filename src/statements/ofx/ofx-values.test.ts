// Numbers and moments as OFX files write them.

import { expect, test } from 'vitest';
import { readOfxDate, readOfxMoment, readOfxNumber } from './ofx-values.ts';

test.each([
  ['1234.5', '1234.5'],
  ['-1234,5', '-1234.5'],
  ['+7', '7'],
  ['1,234.50', '1234.5'],
  ['-12,345,678.', '-12345678'],
  ['1,234', '1.234'],
  ['1,23,4.5', undefined],
  ['1234,567.8', undefined],
  ['1.2.3', undefined],
  ['12a', undefined],
])('the number %s is %s', (text, expected) => {
  expect(readOfxNumber(text)).toBe(expected);
});

test.each([
  ['20240131', '2024-01-31T00:00:00.000Z'],
  ['202401311530', '2024-01-31T15:30:00.000Z'],
  ['20240131153045', '2024-01-31T15:30:45.000Z'],
  ['20240131153045.250[-5:EST]', '2024-01-31T20:30:45.000Z'],
  ['20240131153045[+1]', '2024-01-31T14:30:45.000Z'],
  ['20240131153045[5.5:IST]', '2024-01-31T10:00:45.000Z'],
  ['20240131153045[5.2]', '2024-01-31T10:18:45.000Z'],
  ['20240131153045[5.50:IST]', '2024-01-31T10:00:45.000Z'],
  ['20240131153045[5.75:NPT]', '2024-01-31T09:45:45.000Z'],
  ['20240131153045[-3.30:NST]', '2024-01-31T19:00:45.000Z'],
  ['20240131153045[12.45]', '2024-01-31T02:45:45.000Z'],
  ['2024-01-31', undefined],
  ['20240230153045', undefined],
])('the moment %s is %s', (text, expected) => {
  expect(readOfxMoment(text)).toBe(expected);
});

test('the day is that of the zone that is stated', () => {
  expect([readOfxDate(' 20240131230000[-5:EST] '), readOfxDate('20240230'), readOfxDate('soon')]).toEqual([
    '2024-01-31',
    undefined,
    undefined,
  ]);
});
