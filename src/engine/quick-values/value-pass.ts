// A pass over the days of a window, in stretches on which the units are the same: a value for each day. Knows not whose they are.

import type { AmountParts } from '../amount-column.ts';
import type { DailyPrices } from '../daily-prices.ts';
import type { DailyRates } from '../daily-rates.ts';
import { lastOnOrBefore } from '../series.ts';
import { convertedMax, exactMax, putConverted, putExactly, putValue } from './converted-value.ts';
import { dayCount } from './daily-points.ts';
import type { DatedColumn } from './dated-column.ts';
import { findReady, type ReadyUnits } from './ready-units.ts';

export interface ValueRequest {
  /** From each day on there are so many, and before the first none; of several on one day the last counts. */
  readonly units: DatedColumn;
  readonly prices: DailyPrices;
  /** Out of the currency of the prices, over the same window. */
  readonly rates: DailyRates;
}

export interface ValuePass extends ValueRequest {
  readonly parts: AmountParts;
  /** The days, by their index in the window, on which nothing could be put. */
  readonly left: number[];
}

/** Puts a value on each day that has units and a point. */
export function passDays(pass: ValuePass): void {
  const { units, prices, rates } = pass;
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
    if (ready) passStretch(pass, ready, start, end);
    else for (let at = start; at < end; at++) pass.left.push(at);
  }
}

function passStretch(pass: ValuePass, ready: ReadyUnits, start: number, end: number): void {
  const isShort = pass.rates.isOne && Math.abs(ready.units) * pass.prices.reach <= exactMax;
  if (isShort) passValues(pass, ready, start, end);
  else passConverted(pass, ready, start, end);
}

function passValues(
  { prices, parts, left }: ValuePass,
  { units, scale }: ReadyUnits,
  start: number,
  end: number,
): void {
  const { values } = prices;
  for (let at = start; at < end; at++) if (!putValue(parts, at, units, values[at]!, scale)) left.push(at);
}

function passConverted(pass: ValuePass, { units, scale }: ReadyUnits, start: number, end: number): void {
  const { prices, rates, parts } = pass;
  const { values } = prices;
  const { high, low } = parts;
  const { rate, rest, reach } = rates.split(scale.finerPlaces);
  const isWithin = Math.abs(units) * prices.reach * reach <= convertedMax;
  const unsure: number[] = [];
  if (!isWithin) for (let at = start; at < end; at++) unsure.push(at);
  else
    for (let at = start; at < end; at++) {
      if (!putConverted(high, low, at, units, values[at]!, rate[at]!, rest[at]!)) unsure.push(at);
    }
  for (let i = 0; i < unsure.length; i++) {
    const at = unsure[i]!;
    if (!putExactly(parts, at, { units, price: values[at]!, by: rates.by[at]!, per: rates.per[at]! }, scale)) leave(pass, at);
  }
}

/** What was put without being sure of it is taken back. */
function leave({ parts: { high, low }, left }: ValuePass, at: number): void {
  high[at] = 0;
  low[at] = 0;
  left.push(at);
}
