// What a file says whose dates may be of two days: what is the same in both orders is certain, and the rest waits with both readings.

import type { DateReadings, StatementItem, StatementProblem } from '../model/custody/statement.ts';
import { stated } from './stated-fields.ts';

/** The orders in which each row is read where none is proved. */
export const bothOrders = ['day-month-year', 'month-day-year'] as const;

/** `others` is undefined where the order is known. */
export function inBothOrders(
  items: readonly StatementItem[],
  others: readonly StatementItem[] | undefined,
): readonly StatementItem[] {
  if (others === undefined || JSON.stringify(items) === JSON.stringify(others)) return items;
  return items.map((dayFirst, index): StatementItem => {
    const monthFirst = others[index];
    if (JSON.stringify(dayFirst) === JSON.stringify(monthFirst)) return dayFirst;
    if (dayFirst.item === 'problem' || monthFirst === undefined || monthFirst.item === 'problem') return dayFirst;
    return waiting({ 'day-month-year': dayFirst, 'month-day-year': monthFirst });
  });
}

function waiting(readings: DateReadings): StatementProblem {
  const { place, account, ...one } = readings['day-month-year'];
  const other = readings['month-day-year'];
  const days =
    'date' in one && 'date' in other ? `Its day may be ${one.date} or ${other.date}` : 'Its days may be of two orders';
  const detail = `${days}, and no date of the file says whether it writes the day or the month first. Say the order, and book.`;
  return stated<StatementProblem>({ item: 'problem', place, account, detail, needs: 'date-order', readings });
}
