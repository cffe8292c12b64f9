// Computes the returns of an index or a price over a window, to be shown beside those of a portfolio.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { dailyReturn, type DayFlag } from './daily-return.ts';
import { convertedAmount, type Conversion } from '../currencies/exchange-rates.ts';
import { windowDays, ReturnPath, type ReturnWindow } from './return-path.ts';
import type { Point, Series } from '../amounts/series.ts';

interface BenchmarkRequest {
  readonly window: ReturnWindow;
  readonly series: Series;
  /** Converts to the report's currency at the end of a day; without it, the series is used as it is. */
  readonly conversionOn?: (day: Day) => Conversion;
  /** Days per year that turn the deviation of daily returns into a yearly one; 252 by default. */
  readonly volatilityDays?: number;
}

/** The level at the end of a day. */
export interface BenchmarkLevel {
  /** The latest point on or before the day. */
  readonly point: Point;
  readonly conversion: Conversion | undefined;
  /** The point's value, converted if needed. */
  readonly amount: Fixed;
}

/** `no-point`: there was none yet at the start of the day, so the day has no return. */
type BenchmarkFlag = DayFlag | 'no-point';

/** ratio = end / begin − 1; 0 if it begins with nothing. */
export interface BenchmarkDay {
  readonly day: Day;
  readonly begin: BenchmarkLevel | undefined;
  readonly end: BenchmarkLevel | undefined;
  readonly ratio: number;
  readonly flag: BenchmarkFlag | null;
}

interface BenchmarkReturn {
  readonly days: readonly BenchmarkDay[];
  readonly path: ReturnPath;
}

export function benchmarkReturn(request: BenchmarkRequest): BenchmarkReturn {
  const dayNumbers = windowDays(request.window);
  const days: BenchmarkDay[] = [];
  let begin = findLevel(request, request.window.start - 1);
  for (const day of dayNumbers) {
    const end = findLevel(request, day);
    days.push({ day, begin, end, ...dayChange(begin, end) });
    begin = end;
  }
  const { start, end } = request.window;
  const firstValue = Math.max(start, request.series.first()?.day ?? end + 1);
  const ratios = Float64Array.from(days, ({ ratio }) => ratio);
  return {
    days,
    path: new ReturnPath({ days: dayNumbers, ratios, firstValue, volatilityDays: request.volatilityDays }),
  };
}

function findLevel({ series, conversionOn }: BenchmarkRequest, day: Day): BenchmarkLevel | undefined {
  const point = series.find(day);
  if (point === undefined) return undefined;
  const conversion = conversionOn?.(day);
  return { point, conversion, amount: conversion ? convertedAmount(point.value, conversion) : point.value };
}

function dayChange(
  begin: BenchmarkLevel | undefined,
  end: BenchmarkLevel | undefined,
): Pick<BenchmarkDay, 'ratio' | 'flag'> {
  if (begin === undefined || end === undefined) return { ratio: 0, flag: 'no-point' };
  const { ratio, flag } = dailyReturn('start-end-of-day', { begin: begin.amount, end: end.amount, flow: 0n });
  return { ratio, flag };
}
