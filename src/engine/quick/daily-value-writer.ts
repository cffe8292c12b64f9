// Writes a value for each day of a window.

import type { AmountParts } from '../amounts/amount-parts.ts';
import type { DailyPrices } from './daily-prices.ts';
import type { DailyRates } from './daily-rates.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import {
  isMediumProduct,
  isShortProduct,
  writeConvertedValues,
  writeByDivision,
  writeValues,
  type PricedDays,
  type UnitRun,
} from './converted-value.ts';
import type { DatedColumn } from './dated-column.ts';
import { constantRun, findScaledUnits, findScaledRun, unitSteps } from './scaled-units.ts';

export interface DailyValueRequest {
  /** Each day's units hold from that day on; there are none before the first. Of several on one day the last counts. */
  readonly units: DatedColumn;
  readonly prices: DailyPrices;
  /** From the currency of the prices, over the same window. */
  readonly rates: DailyRates;
}

/** By day, or by whatever the index counts. */
export interface ValueComputation {
  readonly prices: PricedDays;
  readonly rates: Pick<DailyRates, 'isOne' | 'by' | 'per' | 'split'>;
  /** For each index, where its rate is in `by` and `per`; undefined if that is the index itself. */
  readonly rateIndexes?: Int32Array;
  readonly parts: AmountParts;
  /** Indexes for which nothing could be written. */
  readonly skipped: number[];
}

/** Writes a value on each day that has units and a point: all at once if that is fast, else step by step. */
export function writeDailyValues(
  { units, prices, rates }: DailyValueRequest,
  maxAbs: number,
  computation: ValueComputation,
): void {
  const places = units.scale + prices.scale;
  const steps = unitSteps(units, rates.window, prices.firstPricedDay - rates.window.first);
  const run = findScaledRun(steps, maxAbs, places);
  if (run !== undefined && isQuickRun(computation, run)) {
    writeRun(computation, run);
    return;
  }
  for (const [step, start] of steps.starts.entries()) {
    const end = steps.starts[step + 1] ?? steps.end;
    if (start >= end || steps.units[step] === 0) continue;
    const scaledUnits = findScaledUnits(steps.units[step]!, places);
    if (scaledUnits) writeRun(computation, constantRun(scaledUnits, { start, end }));
    else for (let at = start; at < end; at++) computation.skipped.push(at);
  }
}

/** Tries the fastest way first and divides where that is not certain. */
export function writeRun(computation: ValueComputation, run: UnitRun): void {
  const { prices, rates, rateIndexes, parts, skipped } = computation;
  const { values } = prices;
  const { by, per } = rates;
  divideUncertain(writeQuickly(computation, run), { values, by, per, rateIndexes, run, parts, skipped });
}

interface Division extends Pick<ValueComputation, 'parts' | 'skipped'> {
  readonly rateIndexes: Int32Array | undefined;
  readonly values: Float64Array;
  readonly by: Float64Array;
  readonly per: Float64Array;
  readonly run: UnitRun;
}

/** Divides on the days on which the value is not certain. */
export function divideUncertain(
  uncertain: readonly number[],
  { values, by, per, rateIndexes, run, parts, skipped }: Division,
): void {
  const { high, low } = parts;
  const { starts, units, scale } = run;
  for (const at of uncertain) {
    const rateIndex = rateIndexes === undefined ? at : rateIndexes[at]!;
    const factors = {
      units: units[lastOnOrBefore(starts, at)]!,
      price: values[at]!,
      by: by[rateIndex]!,
      per: per[rateIndex]!,
    };
    if (writeByDivision(parts, at, factors, scale)) continue;
    high[at] = 0;
    low[at] = 0;
    skipped.push(at);
  }
}

function isQuickRun({ prices, rates }: ValueComputation, run: UnitRun): boolean {
  return (
    (rates.isOne && isShortProduct(run, prices)) || isMediumProduct(run, prices, rates.split(run.scale.finerPlaces))
  );
}

function writeQuickly({ prices, rates, parts }: ValueComputation, run: UnitRun): number[] {
  if (rates.isOne && isShortProduct(run, prices)) return writeValues(parts, prices, run);
  const split = rates.split(run.scale.finerPlaces);
  if (isMediumProduct(run, prices, split)) return writeConvertedValues(parts, prices, split, run);
  return Array.from({ length: run.end - run.starts[0]! }, (_, index) => run.starts[0]! + index);
}
