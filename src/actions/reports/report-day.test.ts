import { expect, test } from 'vitest';
import { momentOfAnswer } from './report-day.ts';

test('the moment of an answer is when it was read, but on the day on which it began', () => {
  const at = (text: string): number => Date.parse(text);
  const moment = (begun: string, read: string): string => {
    const work = { begunAt: at(begun), readAt: at(read), timeZone: 'Europe/Zurich' };
    return new Date(momentOfAnswer(work)).toISOString();
  };
  expect(moment('2026-11-18T08:00:00.000Z', '2026-11-18T08:00:00.250Z')).toBe('2026-11-18T08:00:00.250Z');
  expect(moment('2026-11-18T22:59:59.900Z', '2026-11-18T23:00:00.100Z')).toBe('2026-11-18T22:59:59.999Z');
});
