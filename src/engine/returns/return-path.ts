// Summarises daily returns over a window.

import type { Day } from '../../kit/day.ts';
import type { AmountColumn } from '../amounts/amount-column.ts';
import { maximumDrawdown, unknownDrawdown, type MaximumDrawdown } from './maximum-drawdown.ts';
import type { NoReturnReason } from './no-return-reason.ts';
import { annualisedReturn, cumulativeReturns, tradingDaysPerYear, volatility } from './return-statistics.ts';
import type { AnnualisedReturn, ReturnSeries, Volatility } from './return-statistics.ts';

export type { NoReturnReason };

/** Both days included. */
export interface ReturnWindow {
  readonly start: Day;
  readonly end: Day;
}

export function windowDays({ start, end }: ReturnWindow): Int32Array {
  if (end < start) throw new RangeError('The window ends before it starts.');
  return Int32Array.from({ length: end - start + 1 }, (_, index) => start + index);
}

/** Takes values by end of day, starting with the day before the window. Returns the day after the window if there are none. */
export function firstValueDay(values: AmountColumn, { start, end }: ReturnWindow): Day {
  for (let index = 0; index < values.length; index++) {
    if (!values.isZero(index)) return Math.max(start, start + index - 1);
  }
  return end + 1;
}

interface ReturnPathParts {
  readonly days: Int32Array;
  readonly ratios: Float64Array;
  /** The first day that ended with a value, or the first day if there was one before. */
  readonly firstValue: Day;
  /** Days per year that turn the deviation of daily returns into a yearly one; 252 by default. */
  readonly volatilityDays?: number | undefined;
  readonly noReturn?: NoReturnReason | null;
}

export class ReturnPath implements ReturnSeries {
  readonly #parts: ReturnPathParts;
  #cumulative: Float64Array | undefined;

  constructor(parts: ReturnPathParts) {
    this.#parts = parts;
  }

  get days(): Int32Array {
    return this.#parts.days;
  }

  get ratios(): Float64Array {
    return this.#parts.ratios;
  }

  /** Π (1 + r) − 1 after each day. */
  get cumulative(): Float64Array {
    return (this.#cumulative ??= cumulativeReturns(this.ratios));
  }

  get volatilityDays(): number {
    return this.#parts.volatilityDays ?? tradingDaysPerYear;
  }

  /** Why there is no return; then the ratios of days mean nothing. */
  get noReturn(): NoReturnReason | null {
    return this.#parts.noReturn ?? null;
  }

  /** Null if there is none. */
  get cumulativeReturn(): number | null {
    return this.noReturn === null ? this.cumulative.at(-1)! : null;
  }

  annualised(): AnnualisedReturn {
    const { days, firstValue } = this.#parts;
    const found = annualisedReturn(this.cumulative.at(-1)!, { start: days[0]!, end: days.at(-1)!, firstValue });
    return this.noReturn === null ? found : { ...found, ratio: null, reason: this.noReturn };
  }

  volatility(): Volatility {
    const found = volatility(this, this.volatilityDays);
    return this.noReturn === null
      ? found
      : { ...found, ratio: null, deviation: null, mean: null, reason: this.noReturn };
  }

  maximumDrawdown(): MaximumDrawdown {
    return this.noReturn === null ? maximumDrawdown(this) : unknownDrawdown;
  }
}
