import { expect, test } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { fromDayNumber, toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { reportDay } from './latest-day.ts';
import type { ReportBasis } from './report-basis.ts';

const dayOf = (date: string): number => toDayNumber(date as CalendarDate);

test('a report is of the day that is requested, else of the latest day with data up to today', () => {
  const history = historyOfText(`A share with later prices
client EUR FIFO
account A EUR
instrument X listed EUR
price X 2026-11-13 101
price X 2026-11-20 102
2026-11-02 deposit A 100
2026-11-02 buy A X 1 @ 100
`);
  const onDay = (requested: string | undefined, today: string, covers = () => true): string => {
    const basis = { today: dayOf(today), history, places: { covers }, currency: 'EUR' } as unknown as ReportBasis;
    return fromDayNumber(reportDay(requested as CalendarDate | undefined, basis));
  };
  expect(onDay(undefined, '2026-11-18')).toBe('2026-11-13');
  expect(onDay(undefined, '2026-11-20')).toBe('2026-11-20');
  expect(onDay('2026-11-17', '2026-11-18')).toBe('2026-11-17');
  expect(onDay('2027-01-01', '2026-11-18')).toBe('2027-01-01');
  expect(onDay(undefined, '2026-11-18', () => false)).toBe('2026-11-18');
});
