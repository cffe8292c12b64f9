import { expect, test } from 'vitest';
import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { dayOfMoment, endOfDay, momentOfAnswer } from './report-day.ts';

test('the moment of an answer is when it was read, but on the day on which it began', () => {
  const at = (text: string): number => Date.parse(text);
  const moment = (begun: string, read: string): string => {
    const work = { begunAt: at(begun), readAt: at(read), timeZone: 'Europe/Zurich' };
    return new Date(momentOfAnswer(work)).toISOString();
  };
  expect(moment('2026-11-18T08:00:00.000Z', '2026-11-18T08:00:00.250Z')).toBe('2026-11-18T08:00:00.250Z');
  expect(moment('2026-11-18T22:59:59.900Z', '2026-11-18T23:00:00.100Z')).toBe('2026-11-18T22:59:59.999Z');
});

const dayOf = (date: string): number => toDayNumber(date as CalendarDate);

test.each([
  ['a day', '2026-11-18', 'UTC', '2026-11-18T23:59:59.999Z'],
  ['the shortest day of a year', '2026-03-29', 'Europe/Zurich', '2026-03-29T21:59:59.999Z'],
  ['the longest', '2026-10-25', 'Europe/Zurich', '2026-10-25T22:59:59.999Z'],
])('%s ends a millisecond before the next', (_what, date, timeZone, end) => {
  const last = endOfDay(dayOf(date), timeZone);
  expect(new Date(last).toISOString()).toBe(end);
  expect([dayOfMoment(last, timeZone), dayOfMoment(last + 1, timeZone)]).toEqual([dayOf(date), dayOf(date) + 1]);
});
