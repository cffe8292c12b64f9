// Values each day of a window and sums on the way what the rates bring: the value of each day at the rate of the next day, less that
// value. Exactly as with big integers, or not at all.

import type { Fixed } from '../../kit/fixed.ts';
import { amountFromParts, lowMax, lowUnit, sumParts, type AmountParts } from '../amounts/amount-parts.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import { writeByDivision, type UnitRun } from './converted-value.ts';
import { windowLength } from './daily-points.ts';
import { divideUncertain, type DailyValueRequest, type ValueComputation } from './daily-value-writer.ts';
import { findScaledRun, unitSteps } from './scaled-units.ts';
import type { SplitRates } from './split-rates.ts';

interface GainSum {
  /** Undefined if it does not fit. */
  readonly rateGain: Fixed | undefined;
}

/** In high units: what two products of each day, and the lows carried over, may add up to. */
const summedMax = 2 ** 52;

/** Up to here products are certain more often; see writeConvertedValues. */
const tightToleranceMax = 2 ** 40;

/** Products up to here are exact doubles. */
const exactMax = 2 ** 52;

/**
 * Leaves out what the rate of the day after the window brings. Returns undefined, and writes nothing, if products are too long to be
 * summed in doubles.
 */
export function writeValuesAndGain(
  { units, prices, rates }: DailyValueRequest,
  maxAbs: number,
  { parts, skipped }: Pick<ValueComputation, 'parts' | 'skipped'>,
): GainSum | undefined {
  const steps = unitSteps(units, rates.window, prices.firstPricedDay - rates.window.first);
  const run = findScaledRun(steps, maxAbs, units.scale + prices.scale);
  if (run === undefined) return undefined;
  const split = rates.split(run.scale.finerPlaces);
  const valueMaxAbs = run.maxAbs * prices.maxAbs;
  const sumMaxAbs = valueMaxAbs * split.maxAbs * 2 * windowLength(rates.window);
  if (!(valueMaxAbs <= exactMax && sumMaxAbs <= summedMax)) return undefined;
  const { values } = prices;
  const { by, per } = rates;
  const tolerance = valueMaxAbs * split.maxAbs <= tightToleranceMax ? 0.49 : 0.48;
  const sum: RunningSum = { high: 0, low: 0, uncertain: [], uncertainNext: [], unchanged: [] };
  for (const [step, held] of run.units.entries()) {
    const end = run.starts[step + 1] ?? run.end;
    if (held !== 0) writeStep(parts, { start: run.starts[step]!, end, units: held, values, tolerance }, split, sum);
  }
  for (const days of [sum.uncertain, sum.unchanged])
    divideUncertain(days, { values, by, per, rateIndexes: undefined, run, parts, skipped });
  if (skipped.length > 0) return { rateGain: undefined };
  const next = findSumOfDivisions({ values, by, per, run }, sum.uncertainNext);
  if (next === undefined) return { rateGain: undefined };
  return { rateGain: amountFromParts(sum.high, sum.low) + next - sumAt(parts, sum.uncertain) };
}

interface RunningSum {
  high: number;
  low: number;
  /** Days on which the value is not certain, and days on which its value at the next rate is not. Neither is in the sum. */
  readonly uncertain: number[];
  readonly uncertainNext: number[];
  /** Days on which the value is not certain, but the rate stays, so that the gain is zero. */
  readonly unchanged: number[];
}

interface PricedStep {
  readonly start: number;
  readonly end: number;
  readonly units: number;
  readonly values: Float64Array;
  /** A low this close to an integer is certain. */
  readonly tolerance: number;
}

const roundingMagic = 3 * 2 ** 51;
const lowUnitInverse = 1e-14;

/**
 * Computes each product as writeConvertedValues does, where the error is explained, and splits each rate once: for its own day and
 * for the day before it.
 */
function writeStep({ high, low }: AmountParts, step: PricedStep, split: SplitRates, sum: RunningSum): void {
  const { start, end, units, values, tolerance } = step;
  const { rate: rates, rest: rests } = split;
  const [splitter, magic, unit, last] = [2 ** 27 + 1, roundingMagic, lowUnit, rates.length - 1];
  let { high: sumHigh, low: sumLow } = sum;
  let rate = rates[start]!;
  let rest = rests[start]!;
  let rateUpper = splitter * rate - (splitter * rate - rate);
  let rateLower = rate - rateUpper;
  for (let at = start; at < end; at++) {
    const value = units * values[at]!;
    const valueUpper = splitter * value - (splitter * value - value);
    const valueLower = value - valueUpper;
    let product = value * rate;
    let error =
      valueUpper * rateUpper - product + valueUpper * rateLower + valueLower * rateUpper + valueLower * rateLower;
    const valueHigh = product + magic - magic;
    let exactLow = (product - valueHigh + (error + value * rest)) * unit;
    const valueLow = exactLow + magic - magic;
    high[at] = valueHigh;
    low[at] = valueLow;
    const isCertain = Math.abs(exactLow - valueLow) <= tolerance;
    const next = at < last ? at + 1 : at;
    if (rates[next] === rate && rests[next] === rest) {
      if (!isCertain) sum.unchanged.push(at);
      continue;
    }
    rate = rates[next]!;
    rest = rests[next]!;
    rateUpper = splitter * rate - (splitter * rate - rate);
    rateLower = rate - rateUpper;
    product = value * rate;
    error = valueUpper * rateUpper - product + valueUpper * rateLower + valueLower * rateUpper + valueLower * rateLower;
    const nextHigh = product + magic - magic;
    exactLow = (product - nextHigh + (error + value * rest)) * unit;
    const nextLow = exactLow + magic - magic;
    const isNextCertain = Math.abs(exactLow - nextLow) <= tolerance;
    if (!isCertain) sum.uncertain.push(at);
    if (!isNextCertain) sum.uncertainNext.push(at);
    sumHigh += (isNextCertain ? nextHigh : 0) - (isCertain ? valueHigh : 0);
    sumLow += (isNextCertain ? nextLow : 0) - (isCertain ? valueLow : 0);
    if (Math.abs(sumLow) < lowMax) continue;
    const carry = sumLow * lowUnitInverse + magic - magic;
    sumHigh += carry;
    sumLow -= carry * unit;
  }
  sum.high = sumHigh;
  sum.low = sumLow;
}

interface NextProducts {
  readonly values: Float64Array;
  readonly by: Float64Array;
  readonly per: Float64Array;
  readonly run: UnitRun;
}

/** At the rates of the next days. Undefined if one does not fit. */
function findSumOfDivisions({ values, by, per, run }: NextProducts, days: readonly number[]): Fixed | undefined {
  const { starts, units, scale } = run;
  const quotients: AmountParts = { high: new Float64Array(days.length), low: new Float64Array(days.length) };
  const last = by.length - 1;
  for (let index = 0; index < days.length; index++) {
    const at = days[index]!;
    const next = at < last ? at + 1 : at;
    const factors = { units: units[lastOnOrBefore(starts, at)]!, price: values[at]!, by: by[next]!, per: per[next]! };
    if (!writeByDivision(quotients, index, factors, scale)) return undefined;
  }
  return sumParts(quotients);
}

function sumAt({ high, low }: AmountParts, days: readonly number[]): Fixed {
  const found: AmountParts = { high: new Float64Array(days.length), low: new Float64Array(days.length) };
  for (let index = 0; index < days.length; index++) {
    found.high[index] = high[days[index]!]!;
    found.low[index] = low[days[index]!]!;
  }
  return sumParts(found);
}
