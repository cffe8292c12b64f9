// Converts dated amounts at the rates of their days.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { AmountParts } from '../amounts/amount-parts.ts';
import type { DailyRates } from './daily-rates.ts';
import { convertedAmount } from '../currencies/exchange-rates.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import { findValueScale } from './converted-value.ts';
import { fixedAt, type DatedColumn } from './dated-column.ts';
import { constantRun } from './scaled-units.ts';
import { writeRun, type ValueComputation } from './daily-value-writer.ts';

export interface FlowConversionRequest {
  /** Amounts outside the window of the rates are left out. */
  readonly flows: DatedColumn;
  readonly rates: DailyRates;
}

interface ConvertedFlows {
  /** Each flow's day, counted from the first day of the window. */
  readonly days: Int32Array;
  /** How many flows before the window were left out. */
  readonly start: number;
  readonly parts: AmountParts;
  /** Flows that did not fit; their parts are zero. */
  readonly oversized: readonly OversizedFlow[];
}

interface OversizedFlow {
  readonly index: number;
  readonly amount: Fixed;
}

/** Rounds each amount by itself. No amount is further from zero than `maxAbs`. */
export function convertedFlows({ flows, rates }: FlowConversionRequest, maxAbs: number): ConvertedFlows {
  const { first, last } = rates.window;
  const start = lastOnOrBefore(flows.days, first - 1) + 1;
  const days = dayOffsets(first, flows.days.subarray(start, lastOnOrBefore(flows.days, last) + 1));
  const prices = { values: flows.values.subarray(start, start + days.length), maxAbs };
  const parts = { high: new Float64Array(days.length), low: new Float64Array(days.length) };
  const scale = findValueScale(flows.scale)!;
  const skipped: number[] = [];
  const computation = { prices, rates: ratesByRow(rates, days), rateIndexes: days, parts, skipped };
  writeRun(computation, constantRun({ units: scale.highPerOne, scale }, { start: 0, end: days.length }));
  const oversized = skipped
    .filter((index) => prices.values[index] !== 0)
    .map((index) => {
      const conversion = rates.get(first + days[index]!);
      return { index, amount: convertedAmount(fixedAt(flows, start + index), conversion) };
    });
  return { days, start, parts, oversized };
}

function dayOffsets(first: Day, days: Int32Array): Int32Array {
  const offsets = days.slice();
  for (let index = 0; index < offsets.length; index++) offsets[index]! -= first;
  return offsets;
}

/** Lists rates by row instead of by day, unless only a few rows need one. */
function ratesByRow(rates: DailyRates, days: Int32Array): ValueComputation['rates'] {
  const { isOne, by, per } = rates;
  return {
    isOne,
    by,
    per,
    split: (places) => {
      const { rate, rest, maxAbs } = rates.split(places);
      return { rate: pickByDay(rate, days), rest: pickByDay(rest, days), maxAbs };
    },
  };
}

function pickByDay(all: Float64Array, days: Int32Array): Float64Array {
  const count = days.length;
  const selected = new Float64Array(count);
  for (let row = 0; row < count; row++) selected[row] = all[days[row]!]!;
  return selected;
}
