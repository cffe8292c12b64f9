// Tests which days a report covers: those that were requested, from the first on which anything is held, and which of them are carried.

import { expect, test } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { fromDayNumber, toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import type { ReportBasis } from './report-basis.ts';
import { reportWindow } from './report-window.ts';

const dayOf = (date: string): number => toDayNumber(date as CalendarDate);
const dateOf = (day: number | null): string | null => (day === null ? null : fromDayNumber(day));

const history = historyOfText(`A share that was held twice
client EUR FIFO
account A EUR
instrument X listed EUR
price X 2024-03-20 110
price X 2024-06-28 120
price X 2024-07-08 130
2024-01-03 deposit A 100
2024-01-03 buy A X 1 @ 100
2024-02-01 sell A X 1 @ 100
2024-02-01 withdraw A 100
2024-03-01 deposit A 100
2024-03-01 buy A X 1 @ 100
`);

function windowOf(from: string | undefined, to: string | undefined, covers: () => boolean): unknown[] {
  const basis = { today: dayOf('2024-07-05'), history, places: { covers }, currency: 'EUR' } as unknown as ReportBasis;
  const { requestedStart, start, end, carriedFrom, isCovered } = reportWindow({ from, to } as never, basis);
  return [...[requestedStart, start, end].map(dateOf), dateOf(carriedFrom), isCovered];
}

test.each([
  ['none: the year until today', undefined, undefined, ['2024-01-01', '2024-01-03', '2024-07-05', '2024-06-29', true]],
  ['from the first booking', '2024-01-03', undefined, ['2024-01-03', '2024-01-03', '2024-07-05', '2024-06-29', true]],
  ['from the day after it', '2024-01-04', undefined, ['2024-01-04', '2024-01-04', '2024-07-05', '2024-06-29', true]],
  ['to the last price', undefined, '2024-06-28', ['2024-01-01', '2024-01-03', '2024-06-28', null, true]],
  ['a day more', undefined, '2024-06-29', ['2024-01-01', '2024-01-03', '2024-06-29', '2024-06-29', true]],
  ['after today', undefined, '2024-07-10', ['2024-01-01', '2024-01-03', '2024-07-10', '2024-07-09', true]],
  ['of another year', '2022-05-01', '2024-02-01', ['2022-05-01', '2024-01-03', '2024-02-01', null, true]],
  ['days after the data', '2024-07-01', '2024-07-02', ['2024-07-01', '2024-07-01', '2024-07-02', '2024-07-01', true]],
  ['from after today', '2024-07-06', undefined, ['2024-07-06', '2024-07-06', '2024-07-06', '2024-07-06', true]],
  ['until another year', undefined, '2023-06-30', ['2023-01-01', '2023-06-30', '2023-06-30', null, false]],
  ['until the next year', undefined, '2025-01-02', ['2024-01-01', '2024-01-03', '2025-01-02', '2024-07-09', true]],
  ['before anything happened', '2023-11-30', '2024-01-02', ['2023-11-30', '2024-01-02', '2024-01-02', null, false]],
  ['while nothing was held', '2024-02-02', '2024-02-29', ['2024-02-02', '2024-02-29', '2024-02-29', null, false]],
  ['until it is held again', '2024-02-02', '2024-03-01', ['2024-02-02', '2024-03-01', '2024-03-01', null, true]],
])('the days of a report, requested: %s', (_what, from, to, days) => {
  expect(windowOf(from, to, () => true)).toEqual(days);
});

test('if nothing ever happened, no day is covered', () => {
  expect(windowOf('2024-02-01', undefined, () => false)).toEqual([
    '2024-02-01',
    '2024-07-05',
    '2024-07-05',
    null,
    false,
  ]);
});
