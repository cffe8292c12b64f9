// Tests which days a report covers: those that were requested, as far as there is data, from the first on which anything happened.

import { expect, test } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { fromDayNumber, toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import type { ReportBasis } from './report-basis.ts';
import { reportWindow } from './report-window.ts';

const dayOf = (date: string): number => toDayNumber(date as CalendarDate);

const history = historyOfText(`One deposit
client EUR FIFO
account A EUR
2024-01-03 deposit A 10
`);

function windowOf(from: string | undefined, to: string | undefined, covers: () => boolean): unknown[] {
  const days = { today: dayOf('2024-07-05'), latestDay: dayOf('2024-06-30') };
  const basis = { ...days, history, places: { covers } } as unknown as ReportBasis;
  const { requestedStart, start, end, endsEarly } = reportWindow({ from, to } as never, basis);
  return [...[requestedStart, start, end].map(fromDayNumber), endsEarly];
}

test.each([
  ['none: the year so far', undefined, undefined, ['2024-01-01', '2024-01-03', '2024-06-30', null]],
  ['from the first booking', '2024-01-03', undefined, ['2024-01-03', '2024-01-03', '2024-06-30', null]],
  ['from the day after it', '2024-01-04', undefined, ['2024-01-04', '2024-01-04', '2024-06-30', null]],
  ['to the last day with data', undefined, '2024-06-30', ['2024-01-01', '2024-01-03', '2024-06-30', null]],
  ['a day more', undefined, '2024-07-01', ['2024-01-01', '2024-01-03', '2024-06-30', 'at-latest-day']],
  ['of another year', '2022-05-01', '2024-02-01', ['2022-05-01', '2024-01-03', '2024-02-01', null]],
  ['the last day with data', '2024-06-30', undefined, ['2024-06-30', '2024-06-30', '2024-06-30', null]],
  ['the day after it', '2024-07-01', '2024-07-02', ['2024-07-01', '2024-07-01', '2024-07-01', 'beyond-latest-day']],
  ['days before anything happened', '2023-11-30', '2024-01-02', ['2023-11-30', '2024-01-02', '2024-01-02', null]],
])('the days of a report, requested: %s', (_what, from, to, days) => {
  expect(windowOf(from, to, () => true)).toEqual(days);
});

test('where nothing ever happened, one day is left', () => {
  expect(windowOf('2024-02-01', undefined, () => false)).toEqual(['2024-02-01', '2024-06-30', '2024-06-30', null]);
});
