// Tests how a window is cut into months, quarters and years, and that each has the sums of its own days.

import { expect, test } from 'vitest';
import { fromDayNumber, toDayNumber, type CalendarDate } from '../../../kit/calendar-date.ts';
import type { SegmentReturn } from '../../../engine/returns/segments/segment-return.ts';
import { lastDayOf, segmentPeriods } from './segment-periods.ts';

const dayOf = (date: string): number => toDayNumber(date as CalendarDate);

const monthsOf = { month: 1, quarter: 3, year: 12 } as const;

/** What all days of a period have in common, by the text of their date. */
function periodName(day: number, every: keyof typeof monthsOf): string {
  const [year, month] = fromDayNumber(day).split('-').map(Number) as [number, number];
  return `${year} ${Math.ceil(month / monthsOf[every])}`;
}

test.each(['month', 'quarter', 'year'] as const)('the last day of a %s is followed by another one', (every) => {
  const [first, last] = [dayOf('1999-12-01'), dayOf('2001-01-31')];
  for (let day = first; day <= last; day++) {
    const end = lastDayOf(day, every);
    expect(end).toBeGreaterThanOrEqual(day);
    expect(periodName(end, every)).toBe(periodName(day, every));
    expect(periodName(end + 1, every)).not.toBe(periodName(day, every));
  }
});

/** Begins with the day before the window. */
const columnOf = (amounts: readonly bigint[]) => ({
  at: (index: number) => amounts[index]!,
  isZero: (index: number) => amounts[index] === 0n,
});

test('periods have the amounts of their days down to the smallest unit, and the values before their first and on their last', () => {
  const days = Int32Array.from({ length: 4 }, (_, index) => dayOf('2023-12-30') + index);
  const returns = {
    path: { days, ratios: Float64Array.of(0.5, 0, 0.1, 0.2), noReturn: null },
    values: columnOf([10n, 11n, 12n, 15n, 20n]),
    flows: columnOf([100n, 1n, 0n, 1n, 2n]),
    income: columnOf([100n, 0n, 1n, 0n, 1n]),
    fees: columnOf([100n, 0n, 0n, 0n, 0n]),
  } as unknown as SegmentReturn;
  const lines = segmentPeriods(returns, ['year', 'month']).map((one) => [
    `${one.every} ${fromDayNumber(one.start)} ${fromDayNumber(one.end)}`,
    [one.beginMarketValue, one.endMarketValue, one.netCashFlow, one.gain, one.income, one.fees],
    one.twr!.toFixed(4),
  ]);
  const [before, after] = [
    [[10n, 12n, 1n, 1n, 1n, 0n], '0.5000'],
    [[12n, 20n, 3n, 5n, 1n, 0n], '0.3200'],
  ];
  expect(lines).toEqual([
    ['year 2023-12-30 2023-12-31', ...before],
    ['year 2024-01-01 2024-01-02', ...after],
    ['month 2023-12-30 2023-12-31', ...before],
    ['month 2024-01-01 2024-01-02', ...after],
  ]);
});
