// Dated amounts at the rates of their days. Knows not what they were paid for.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { AmountParts } from '../amounts/amount-column.ts';
import type { DailyRates } from './daily-rates.ts';
import { convertedAmount } from '../currencies/exchange-rates.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import { findValueScale } from './converted-value.ts';
import { fixedAt, type DatedColumn } from './dated-column.ts';
import { evenRun } from './unit-runs.ts';
import { passRun, type ValuePass } from './value-pass.ts';

export interface FlowRequest {
  /** Those outside the window of the rates are left out. */
  readonly flows: DatedColumn;
  readonly rates: DailyRates;
}

export interface ConvertedFlows {
  /** Of each, its day counted from the window's first. */
  readonly days: Int32Array;
  /** How many before the window were left out. */
  readonly start: number;
  readonly parts: AmountParts;
  /** Those that did not fit, where parts are zero. */
  readonly long: readonly LongFlow[];
}

export interface LongFlow {
  readonly index: number;
  readonly amount: Fixed;
}

/** Each is rounded by itself. None is further from zero than the reach. */
export function convertedFlows({ flows, rates }: FlowRequest, reach: number): ConvertedFlows {
  const { first, last } = rates.window;
  const start = lastOnOrBefore(flows.days, first - 1) + 1;
  const days = countedFrom(first, flows.days.subarray(start, lastOnOrBefore(flows.days, last) + 1));
  const prices = { values: flows.values.subarray(start, start + days.length), reach };
  const parts = { high: new Float64Array(days.length), low: new Float64Array(days.length) };
  const scale = findValueScale(flows.scale)!;
  const left: number[] = [];
  const pass = { prices, rates: ratesOf(rates, days), ratePlaces: days, parts, left };
  passRun(pass, evenRun({ units: scale.highPerOne, scale }, { start: 0, end: days.length }));
  const long = left
    .filter((index) => prices.values[index] !== 0)
    .map((index) => {
      const conversion = rates.get(first + days[index]!);
      return { index, amount: convertedAmount(fixedAt(flows, start + index), conversion) };
    });
  return { days, start, parts, long };
}

function countedFrom(first: Day, days: Int32Array): Int32Array {
  const counted = days.slice();
  for (let index = 0; index < counted.length; index++) counted[index]! -= first;
  return counted;
}

/** By row instead of by day, but for those that few rows need. */
function ratesOf(rates: DailyRates, days: Int32Array): ValuePass['rates'] {
  const { isOne, by, per } = rates;
  return {
    isOne,
    by,
    per,
    split: (places) => {
      const { rate, rest, reach } = rates.split(places);
      return { rate: picked(rate, days), rest: picked(rest, days), reach };
    },
  };
}

function picked(all: Float64Array, days: Int32Array): Float64Array {
  const count = days.length;
  const some = new Float64Array(count);
  for (let row = 0; row < count; row++) some[row] = all[days[row]!]!;
  return some;
}
