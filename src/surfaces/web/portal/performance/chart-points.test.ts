// Tests which days a chart shows, and how far each is below the highest so far.

import { expect, test } from 'vitest';
import { chartDays, drawdowns } from './chart-points.ts';

const daysOf = (count: number) => Array.from({ length: count }, (_, index) => ({ date: String(index) }));
const shown = (count: number, keep: readonly (string | null)[] = []): string =>
  chartDays(daysOf(count), keep)
    .map(({ date }) => date)
    .join(' ');

test('up to 130 days are all shown; of more, the first, the last and those between at equal steps', () => {
  expect(chartDays(daysOf(130))).toEqual(daysOf(130));
  expect(chartDays(daysOf(131))).toHaveLength(66);
  expect(shown(131).slice(0, 6)).toBe('0 2 4 ');
  expect(shown(132).slice(0, 6)).toBe('0 1 3 ');
  expect(shown(132).endsWith(' 129 131')).toBe(true);
  expect([shown(0), shown(1)]).toEqual(['', '0']);
});

test('days that must not be missing are shown besides', () => {
  expect(shown(131, ['3', null, 'another']).slice(0, 8)).toBe('0 2 3 4 ');
});

test('the fall is from the highest so far, not from the beginning, and days without a return are left out', () => {
  const returns = ['0', '1', null, '0', '-0.5', '1', '3'];
  const days = returns.map((cumulative_twr, index) => ({ date: `2026-01-0${index + 1}`, cumulative_twr }));
  expect(drawdowns(days)).toEqual([
    { date: '2026-01-01', value: '0' },
    { date: '2026-01-02', value: '0' },
    { date: '2026-01-04', value: '-0.5' },
    { date: '2026-01-05', value: '-0.75' },
    { date: '2026-01-06', value: '0' },
    { date: '2026-01-07', value: '0' },
  ]);
  // What falls on the first day falls from what was invested.
  expect(drawdowns([{ date: '2026-01-01', cumulative_twr: '-0.25' }])).toEqual([
    { date: '2026-01-01', value: '-0.25' },
  ]);
});
