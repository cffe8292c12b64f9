// Cuts a window into calendar months, quarters or years, with the figures of each. The first and the last may be shorter.

import { civilFromDay, dayFromCivil, type Day } from '../../../kit/day.ts';
import type { Fixed } from '../../../kit/fixed.ts';
import type { AmountColumn } from '../../../engine/amounts/amount-column.ts';
import { cumulativeReturns } from '../../../engine/returns/return-statistics.ts';
import type { SegmentReturn } from '../../../engine/returns/segments/segment-return.ts';
import type { CalendarPeriod } from '../../../model/report/calendar-period.ts';

export interface PeriodFigures {
  readonly every: CalendarPeriod;
  readonly start: Day;
  readonly end: Day;
  readonly beginMarketValue: Fixed;
  readonly endMarketValue: Fixed;
  readonly netCashFlow: Fixed;
  readonly gain: Fixed;
  readonly income: Fixed;
  readonly fees: Fixed;
  readonly twr: number | null;
}

/** The same figures as a report over each period alone, as far as its days have the same returns. */
export function segmentPeriods(returns: SegmentReturn, kinds: readonly CalendarPeriod[]): readonly PeriodFigures[] {
  return kinds.flatMap((every) => periodsOf(returns, every));
}

function periodsOf(returns: SegmentReturn, every: CalendarPeriod): readonly PeriodFigures[] {
  const { path, values, flows, income, fees } = returns;
  return periodRanges(path.days, every).map(({ from, to }) => {
    // Amount columns start with the day before the window.
    const [begin, end, flow] = [values.at(from), values.at(to), sumOf(flows, from, to)];
    return {
      every,
      start: path.days[from]!,
      end: path.days[to - 1]!,
      beginMarketValue: begin,
      endMarketValue: end,
      netCashFlow: flow,
      gain: end - begin - flow,
      income: sumOf(income, from, to),
      fees: sumOf(fees, from, to),
      twr: path.noReturn === null ? cumulativeReturns(path.ratios.subarray(from, to)).at(-1)! : null,
    };
  });
}

interface PeriodRange {
  /** The index of its first day. */
  readonly from: number;
  /** The index after its last day. */
  readonly to: number;
}

function periodRanges(days: Int32Array, every: CalendarPeriod): readonly PeriodRange[] {
  const ranges: PeriodRange[] = [];
  for (let from = 0; from < days.length;) {
    const last = lastDayOf(days[from]!, every);
    const to = Math.min(days.length, from + last - days[from]! + 1);
    ranges.push({ from, to });
    from = to;
  }
  return ranges;
}

/** The last day of the period that a day is in. */
export function lastDayOf(day: Day, every: CalendarPeriod): Day {
  const { year, month } = civilFromDay(day);
  const months = { month: 1, quarter: 3, year: 12 }[every];
  const next = Math.floor((month - 1) / months) * months + months;
  return dayFromCivil({ year: year + Math.floor(next / 12), month: (next % 12) + 1, day: 1 }) - 1;
}

function sumOf(column: AmountColumn, from: number, to: number): Fixed {
  let sum = 0n;
  for (let index = from + 1; index <= to; index++) if (!column.isZero(index)) sum += column.at(index);
  return sum;
}
