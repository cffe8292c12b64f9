// Lists the price of an instrument on each day of a window, as integer doubles.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import { dailyPoints, windowLength, type DayWindow } from './daily-points.ts';
import { findQuote, type QuoteUnit, type Quote, type QuotedSeries } from '../instruments/quote.ts';
import { lastOnOrBefore } from '../amounts/series.ts';

/**
 * By day, the latest point on or before it × 10^-scale: the value of one unit. NaN if there is none yet, if it does not fit a
 * double, or if it is for units from before a split; `get` returns those too.
 */
export class DailyPrices {
  readonly quoted: QuotedSeries;
  readonly priceUnit: QuoteUnit;
  readonly window: DayWindow;
  readonly values: Float64Array;
  readonly scale: number;
  /** The largest distance of a value from zero. */
  readonly maxAbs: number;

  constructor(quoted: QuotedSeries, priceUnit: QuoteUnit, window: DayWindow) {
    const { series, changes } = quoted;
    this.quoted = quoted;
    this.priceUnit = priceUnit;
    this.window = window;
    this.values = dailyPoints(series, window);
    this.scale = series.column.scale + (priceUnit === '1' ? 0 : 2);
    for (const { exDay } of changes) this.#clearDays({ first: exDay, last: this.#nextPoint(exDay) - 1 });
    this.maxAbs = series.column.maxAbs;
  }

  /** The first day of the window that has a point, or the day after its last. */
  get firstPricedDay(): Day {
    const { first, last } = this.window;
    return Math.min(last + 1, Math.max(first, this.quoted.series.first()?.day ?? Infinity));
  }

  /** Requires a day that has a point. */
  get(day: Day): Quote {
    return defined(findQuote(this.quoted, day), 'the day has a point');
  }

  /** Lists the days of the window on which the point is stale. */
  listStale(): DayWindow[] {
    const { series, staleness } = this.quoted;
    const { first, last } = this.window;
    const spans: DayWindow[] = [];
    for (let at = Math.max(0, lastOnOrBefore(series.days, first)); at < series.length; at++) {
      const from = Math.max(first, series.days[at]! + staleness.daysMax + 1);
      const to = Math.min(last, (series.days[at + 1] ?? Infinity) - 1);
      if (from <= to) spans.push({ first: from, last: to });
    }
    return spans;
  }

  /** Returns the first day on or after `day` that has a point of its own. */
  #nextPoint(day: Day): Day {
    const { days } = this.quoted.series;
    return days[lastOnOrBefore(days, day - 1) + 1] ?? Infinity;
  }

  #clearDays({ first, last }: DayWindow): void {
    const start = Math.max(0, first - this.window.first);
    const end = Math.min(windowLength(this.window), last - this.window.first + 1);
    if (start < end) this.values.fill(Number.NaN, start, end);
  }
}
