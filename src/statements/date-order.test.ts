// Tests how the dates of a file tell in which order they are written.

import { expect, test } from 'vitest';
import { parseCalendarDate } from '../kit/calendar-date.ts';
import { DateOrderEvidence, readOrderedDate, type DateOrder, type OrderCandidates } from './date-order.ts';

function findingOf(...texts: readonly string[]) {
  return findingAmong({}, texts);
}

function findingAmong(candidates: OrderCandidates, texts: readonly string[]) {
  const evidence = new DateOrderEvidence(candidates);
  texts.forEach((text, index) => evidence.add(text, index + 1));
  return evidence.finding;
}

test.each([
  ['a day after the twelfth, first', ['03/04/2025', '31/12/2025'], 'day-month-year'],
  ['a day after the twelfth, second', ['03/04/2025', '12/31/2025 10:15:00'], 'month-day-year'],
  [
    'a day that its month does not have in the other order',
    ['02/30/2025', '04/02/2025', '02/29/2025', '01/30/2025'],
    'month-day-year',
  ],
  ['a year of two digits that is no day', ['99-12-31'], 'year-month-day'],
  ['one digit, with spaces', ['1. 2. 2025', '25. 1. 2025'], 'day-month-year'],
  ['only days that are the same in both orders', ['05/05/2025', '7/7/2025'], 'day-month-year'],
] as const)('the order of dates is certain by %s', (_title, texts, order) => {
  expect(findingOf(...texts)).toEqual({ outcome: 'certain', order });
});

test('days up to the twelfth leave the order open, with a value to ask about', () => {
  expect(findingOf('05/05/2025', '03/04/2025', '01/02/2025')).toEqual({
    outcome: 'open',
    orders: ['day-month-year', 'month-day-year'],
    example: '03/04/2025',
  });
});

test('years of two digits may also come first', () => {
  expect(findingOf('10/11/12')).toMatchObject({
    outcome: 'open',
    orders: ['year-month-day', 'day-month-year', 'month-day-year'],
  });
  expect(findingOf('10/11/12', '01/02/35')).toMatchObject({ orders: ['day-month-year', 'month-day-year'] });
});

test('a day that cannot be in the future tells years of two digits from days', () => {
  const latest = parseCalendarDate('2026-01-31');
  const certain = (order: DateOrder) => ({ outcome: 'certain', order });
  expect(findingAmong({ latest }, ['05/11/25', '28/11/25'])).toEqual(certain('day-month-year'));
  expect(findingAmong({ latest }, ['25-11-05', '25-11-28'])).toEqual(certain('year-month-day'));
  expect(findingAmong({ latest }, ['31/01/26'])).toEqual(certain('day-month-year'));
  expect(findingAmong({}, ['05/11/25', '28/11/25'])).toMatchObject({ outcome: 'open' });
  const orders = ['day-month-year', 'month-day-year'] as const;
  expect(findingAmong({ orders }, ['05/11/25', '28/11/25'])).toEqual(certain('day-month-year'));
});

test('values that exclude each other name both places', () => {
  expect(findingOf('03/04/2025', '31/12/2025', '12/31/2025', '13/13/2025')).toEqual({
    outcome: 'contradictory',
    line: 3,
    detail:
      '"12/31/2025" can only be month, day, year, but "31/12/2025" in line 2 cannot be: the file writes its dates in two orders.',
  });
});

test('dates that say their order themselves, and texts that are no date in any order, prove nothing', () => {
  expect(
    findingOf('2025-12-31', '20251231', '31-Dec-2025', '99/99/2025', '31/02/2025', '12/2025', '', '1/2/2025/3'),
  ).toMatchObject({
    outcome: 'open',
    example: '1/2/2025/3',
  });
  expect(findingOf('2025-12-31', '2025.31.12', 'MULTI')).toEqual({ outcome: 'none' });
});

test.each<[string, DateOrder, string | undefined]>([
  ['03/04/2025', 'day-month-year', '2025-04-03'],
  ['03/04/2025;101500', 'month-day-year', '2025-03-04'],
  ['3.4.85', 'day-month-year', '1985-04-03'],
  ['25/04/03', 'year-month-day', '2025-04-03'],
  ['2025/04/03', 'day-month-year', '2025-04-03'],
  ['31/12/2025', 'month-day-year', undefined],
  ['03/04/2025', 'year-month-day', undefined],
  ['29.02.2025', 'day-month-year', undefined],
  ['03/04/20255', 'day-month-year', undefined],
])('%s in the order %s is %s', (text, order, day) => {
  expect(readOrderedDate(text, order)).toBe(day);
});
