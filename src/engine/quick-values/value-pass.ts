// A pass over the days of a window, in stretches on which the units are the same: a value for each day. Knows not whose they are.

import type { AmountParts } from '../amount-column.ts';
import type { DailyPrices } from '../daily-prices.ts';
import type { DailyRates } from '../daily-rates.ts';
import { lastOnOrBefore } from '../series.ts';
import {
  areMedium,
  areShort,
  putConverted,
  putExactly,
  putValues,
  type PricedDays,
  type Stretch,
} from './converted-value.ts';
import { dayCount } from './daily-points.ts';
import type { DatedColumn } from './dated-column.ts';
import { findReady } from './ready-units.ts';

export interface ValueRequest {
  /** From each day on there are so many, and before the first none; of several on one day the last counts. */
  readonly units: DatedColumn;
  readonly prices: DailyPrices;
  /** Out of the currency of the prices, over the same window. */
  readonly rates: DailyRates;
}

/** By day, or whatever the index counts. */
export interface ValuePass {
  readonly prices: PricedDays;
  readonly rates: Pick<DailyRates, 'isOne' | 'by' | 'per' | 'split'>;
  readonly parts: AmountParts;
  /** Those for which nothing could be put. */
  readonly left: number[];
}

/** Puts a value on each day that has units and a point. */
export function passDays({ units, prices, rates }: ValueRequest, parts: AmountParts, left: number[]): void {
  const { days, values } = units;
  const { first } = rates.window;
  const places = units.scale + prices.scale;
  const firstPriced = prices.firstPriced - first;
  const windowEnd = dayCount(rates.window);
  const steps = lastOnOrBefore(days, rates.window.last) + 1;
  for (let step = Math.max(0, lastOnOrBefore(days, first)); step < steps; step++) {
    const start = Math.max(firstPriced, days[step]! - first);
    const end = step + 1 < steps ? days[step + 1]! - first : windowEnd;
    if (start >= end || values[step] === 0) continue;
    const ready = findReady(values[step]!, places);
    if (ready) passStretch({ prices, rates, parts, left }, { start, end, ...ready });
    else for (let at = start; at < end; at++) left.push(at);
  }
}

/** The quickest way first, and what that is not sure of by division. */
export function passStretch(pass: ValuePass, stretch: Stretch): void {
  const { prices, rates, parts, left } = pass;
  const { values } = prices;
  const { units, scale } = stretch;
  for (const at of unsureOf(pass, stretch)) {
    const factors = { units, price: values[at]!, by: rates.by[at]!, per: rates.per[at]! };
    if (putExactly(parts, at, factors, scale)) continue;
    parts.high[at] = 0;
    parts.low[at] = 0;
    left.push(at);
  }
}

function unsureOf({ prices, rates, parts }: ValuePass, stretch: Stretch): number[] {
  if (rates.isOne && areShort(stretch, prices)) return putValues(parts, prices, stretch);
  const split = rates.split(stretch.scale.finerPlaces);
  if (areMedium(stretch, prices, split)) return putConverted(parts, prices, split, stretch);
  return Array.from({ length: stretch.end - stretch.start }, (_, index) => stretch.start + index);
}
