// Lists the conversion from one currency to another on each day of a window, as fractions of integer doubles.

import { greatestOf } from '../../kit/memory/long-list.ts';
import type { Day } from '../../kit/day.ts';
import type { Conversion, IsoCurrency, ExchangeRates, ConversionStep } from '../currencies/exchange-rates.ts';
import { dailyPoints, windowLength, type DayWindow } from './daily-points.ts';
import { powersOfTen } from '../amounts/powers-of-ten.ts';
import { splitRates, type SplitRates } from './split-rates.ts';

export type { DayWindow };

interface CurrencyPair {
  readonly from: IsoCurrency;
  readonly to: IsoCurrency;
}

/**
 * By day, 1 of `from` is by / per of `to`, with a positive per. NaN if there is no rate yet or if it does not fit doubles; `get`
 * returns those too, or reports that the rate is missing.
 */
export class DailyRates {
  readonly pair: CurrencyPair;
  readonly window: DayWindow;
  readonly by: Float64Array;
  readonly per: Float64Array;
  readonly #rates: ExchangeRates;
  readonly #offset: number;
  readonly #conversions = new Map<Day, Conversion>();
  readonly #split: SplitRates[] = [];

  /** With `nextDay`, each day has the rate of the day after it. */
  constructor(rates: ExchangeRates, pair: CurrencyPair, window: DayWindow, rateDay: 'sameDay' | 'nextDay' = 'sameDay') {
    this.pair = pair;
    this.window = window;
    this.#offset = rateDay === 'nextDay' ? 1 : 0;
    this.by = new Float64Array(windowLength(window)).fill(this.isOne ? 1 : Number.NaN);
    this.per = this.by.slice();
    this.#rates = rates;
    if (!this.isOne) for (const span of listPathSpans(rates, pair, this.#rateDays)) this.#fillSpan(span);
  }

  /** True if both currencies are the same. */
  get isOne(): boolean {
    return this.pair.from === this.pair.to;
  }

  /** Returns the exact conversion, whether it fits or not. */
  get(day: Day): Conversion {
    const cached = this.#conversions.get(day);
    if (cached) return cached;
    const conversion = this.#rates.get({ ...this.pair, day: day + this.#offset });
    this.#conversions.set(day, conversion);
    return conversion;
  }

  /** Returns the rates × 10^places, as two doubles each. */
  split(places: number): SplitRates {
    return (this.#split[places] ??= splitRates(this, places));
  }

  get #rateDays(): DayWindow {
    return { first: this.window.first + this.#offset, last: this.window.last + this.#offset };
  }

  #fillSpan({ first, last, path }: PathSpan): void {
    const start = first - this.#rateDays.first;
    const end = start + windowLength({ first, last });
    fillFractions(path, { first, last }, { by: this.by.subarray(start, end), per: this.per.subarray(start, end) });
  }
}

interface Fractions {
  readonly by: Float64Array;
  readonly per: Float64Array;
}

/** Multiplies the rates of the pairs. Powers of ten that cancel out are omitted. */
function fillFractions(path: readonly ConversionStep[], window: DayWindow, { by, per }: Fractions): void {
  const places = path.reduce((sum, { series, isInverse }) => sum + (isInverse ? -1 : 1) * series.column.scale, 0);
  by.fill(places < 0 ? powersOfTen[-places]! : 1);
  per.fill(places < 0 ? 1 : powersOfTen[places]!);
  for (const { series, isInverse } of path) multiplyBy(isInverse ? per : by, dailyPoints(series, window));
  for (let index = 0; index < per.length; index++) {
    const isExact = Number.isSafeInteger(by[index]) && Number.isSafeInteger(per[index]) && per[index]! > 0;
    if (!isExact) by[index] = per[index] = Number.NaN;
  }
}

function multiplyBy(products: Float64Array, factors: Float64Array): void {
  const count = products.length;
  for (let index = 0; index < count; index++) products[index]! *= factors[index]!;
}

/** Days on which one path counts. */
interface PathSpan extends DayWindow {
  readonly path: readonly ConversionStep[];
}

/** A preferred path counts as soon as it begins: each ends where a better one begins, and only the best lasts. */
function listPathSpans(rates: ExchangeRates, { from, to }: CurrencyPair, { first, last }: DayWindow): PathSpan[] {
  const spans: PathSpan[] = [];
  let end = last;
  for (const path of rates.listPaths(from, to)) {
    const start = Math.max(first, greatestOf(path.map(({ series }) => series.first()?.day ?? Infinity)));
    if (start > end) continue;
    spans.push({ first: start, last: end, path });
    end = start - 1;
  }
  return spans;
}
