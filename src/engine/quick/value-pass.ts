// A pass over the days of a window: a value for each day. Knows not whose they are.

import type { AmountParts } from '../amounts/amount-column.ts';
import type { DailyPrices } from './daily-prices.ts';
import type { DailyRates } from './daily-rates.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import {
  areMedium,
  areShort,
  putConverted,
  putExactly,
  putValues,
  type PricedDays,
  type UnitRun,
} from './converted-value.ts';
import type { DatedColumn } from './dated-column.ts';
import { evenRun, findReady, findReadyRun, unitSteps } from './unit-runs.ts';

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
  /** Of each index, where its rate is among all that `by` and `per` have; none where that is the index itself. */
  readonly ratePlaces?: Int32Array;
  readonly parts: AmountParts;
  /** Those for which nothing could be put. */
  readonly left: number[];
}

/** Puts a value on each day that has units and a point. All at once where that is quick, else from step to step. */
export function passDays({ units, prices, rates }: ValueRequest, reach: number, pass: ValuePass): void {
  const places = units.scale + prices.scale;
  const steps = unitSteps(units, rates.window, prices.firstPriced - rates.window.first);
  const run = findReadyRun(steps, reach, places);
  if (run !== undefined && isQuick(pass, run)) {
    passRun(pass, run);
    return;
  }
  for (const [step, start] of steps.starts.entries()) {
    const end = steps.starts[step + 1] ?? steps.end;
    if (start >= end || steps.units[step] === 0) continue;
    const ready = findReady(steps.units[step]!, places);
    if (ready) passRun(pass, evenRun(ready, { start, end }));
    else for (let at = start; at < end; at++) pass.left.push(at);
  }
}

/** The quickest way first, and what that is not sure of by division. */
export function passRun(pass: ValuePass, run: UnitRun): void {
  const { prices, rates, ratePlaces, parts, left } = pass;
  const { values } = prices;
  const { by, per } = rates;
  divide(unsureOf(pass, run), { values, by, per, ratePlaces, run, parts, left });
}

interface Division extends Pick<ValuePass, 'parts' | 'left'> {
  readonly ratePlaces: Int32Array | undefined;
  readonly values: Float64Array;
  readonly by: Float64Array;
  readonly per: Float64Array;
  readonly run: UnitRun;
}

function divide(unsure: readonly number[], { values, by, per, ratePlaces, run, parts, left }: Division): void {
  const { high, low } = parts;
  const { starts, units, scale } = run;
  for (const at of unsure) {
    const place = ratePlaces === undefined ? at : ratePlaces[at]!;
    const factors = { units: units[lastOnOrBefore(starts, at)]!, price: values[at]!, by: by[place]!, per: per[place]! };
    if (putExactly(parts, at, factors, scale)) continue;
    high[at] = 0;
    low[at] = 0;
    left.push(at);
  }
}

function isQuick({ prices, rates }: ValuePass, run: UnitRun): boolean {
  return (rates.isOne && areShort(run, prices)) || areMedium(run, prices, rates.split(run.scale.finerPlaces));
}

function unsureOf({ prices, rates, parts }: ValuePass, run: UnitRun): number[] {
  if (rates.isOne && areShort(run, prices)) return putValues(parts, prices, run);
  const split = rates.split(run.scale.finerPlaces);
  if (areMedium(run, prices, split)) return putConverted(parts, prices, split, run);
  return Array.from({ length: run.end - run.starts[0]! }, (_, index) => run.starts[0]! + index);
}
