// The days of the demo: its first and last day, and the days that have prices.

import { fromDayNumber, parseCalendarDate, toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { dayFromCivil, weekdayOf, type Day } from '../../kit/day.ts';

export const firstDay: Day = toDayNumber(parseCalendarDate('2016-01-01'));
export const lastDay: Day = toDayNumber(parseCalendarDate('2026-10-30'));

/** From this day on, every weekday has a price. */
const dailyFrom = toDayNumber(parseCalendarDate('2024-11-01'));

const friday = weekdayOf(firstDay);

function isWeekday(day: Day): boolean {
  const distance = (weekdayOf(day) - friday + 7) % 7;
  return distance === 0 || distance >= 3;
}

/** Every Friday, and every weekday of the last two years. */
export const priceDays: readonly Day[] = Array.from(
  { length: lastDay - firstDay + 1 },
  (_, index) => firstDay + index,
).filter((day) => (day < dailyFrom ? weekdayOf(day) === friday : isWeekday(day)));

/** The ends of quarters. */
export const quarterEnds: readonly Day[] = datesEachYear([
  [3, 31],
  [6, 30],
  [9, 30],
  [12, 31],
]);

/** These days of every year, as far as they lie within the demo. */
export function datesEachYear(dates: readonly (readonly [month: number, day: number])[]): readonly Day[] {
  const days = Array.from({ length: 11 }, (_, index) => 2016 + index).flatMap((year) =>
    dates.map(([month, day]) => dayFromCivil({ year, month, day })),
  );
  return days.filter((day) => day <= lastDay);
}

export function dateOf(day: Day): CalendarDate {
  return fromDayNumber(day);
}
