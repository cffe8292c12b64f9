// Computes units × price × by ÷ per to 18 places in integer doubles, rounded half-even: exactly, or not at all.

import type { AmountParts } from '../amounts/amount-parts.ts';
import { productError } from '../amounts/rounding-error.ts';
import { powersOfTen } from '../amounts/powers-of-ten.ts';
import type { SplitRates } from './split-rates.ts';

// Results are high × 10^-4 + low × 10^-18 with |low| < 10^14. The loops call nothing and keep their constants next to them:
// inlined code would take twice as long.

const highScale = 4;
const scaleMax = 18;
const lowUnit = 1e14;

/** Up to here, a quotient that went through three roundings of 2^-53 is off by less than 3/8. */
const highMax = 2 ** 50;

/** Products up to here, and their multiples of powers of ten, are exact doubles. */
const exactMax = 2 ** 52;

/** The rest of a division by at most this, below 7/8 of it, is a double, and so is twice the rest. */
const divisorMax = 2 ** 51;

/** Adding and subtracting it rounds a double within ±2^51 to the nearest integer. */
const roundingMagic = 3 * 2 ** 51;

/** How products of units and prices with a given number of places are split into high and low. */
export interface ValueScale {
  /** High units per one; 1 if one is less than a high unit. Units must be multiplied by it beforehand. */
  readonly highPerOne: number;
  /** Ones per high unit: a power of ten. */
  readonly onesPerHigh: number;
  readonly finerPlaces: number;
  /** Low units per one. */
  readonly lowPerOne: number;
}

function buildValueScale(places: number): ValueScale {
  const finerPlaces = Math.max(0, places - highScale);
  return {
    highPerOne: powersOfTen[Math.max(0, highScale - places)]!,
    onesPerHigh: powersOfTen[finerPlaces]!,
    finerPlaces,
    lowPerOne: powersOfTen[scaleMax - highScale - finerPlaces]!,
  };
}

const valueScales = Array.from({ length: scaleMax + 1 }, (_, places) => buildValueScale(places));

/** Undefined beyond 18 places. */
export function findValueScale(places: number): ValueScale | undefined {
  return valueScales[places];
}

/**
 * Units by day: each start holds until the next one or the end. Units are integers below 2^53, prepared for the scale. Days
 * without units are not written.
 */
export interface UnitRun {
  readonly starts: Int32Array;
  readonly units: Float64Array;
  /** The largest distance of units from zero. */
  readonly maxAbs: number;
  /** The first day after the run. */
  readonly end: number;
  readonly scale: ValueScale;
}

export interface PricedDays {
  /** By day: integers below 2^53, or NaN. */
  readonly values: Float64Array;
  /** The largest distance of a price from zero. */
  readonly maxAbs: number;
}

/** Whether writeValues applies. */
export function isShortProduct({ maxAbs, scale }: UnitRun, prices: PricedDays): boolean {
  return maxAbs * prices.maxAbs <= Math.min(exactMax, highMax * scale.onesPerHigh);
}

/**
 * Writes units × price and returns the days without a price. A quotient is off by less than 1/4, so low stays within 3/4 of
 * 10^14.
 */
export function writeValues(parts: AmountParts, { values }: PricedDays, run: UnitRun): number[] {
  const { high, low } = parts;
  const { starts, units: all, end: runEnd } = run;
  const { onesPerHigh, lowPerOne } = run.scale;
  const [inverse, magic, count] = [1 / onesPerHigh, roundingMagic, starts.length];
  const uncertain: number[] = [];
  for (let step = 0; step < count; step++) {
    const units = all[step]!;
    if (units === 0) continue;
    const end = step + 1 < count ? starts[step + 1]! : runEnd;
    for (let at = starts[step]!; at < end; at++) {
      const value = units * values[at]!;
      const rounded = value * inverse + magic - magic;
      high[at] = rounded;
      low[at] = (value - rounded * onesPerHigh) * lowPerOne;
      if (Number.isNaN(value)) uncertain.push(at);
    }
  }
  return uncertain;
}

/** In high units: up to the first the conversion is certain enough, up to the second it is more so. */
const convertedMax = 2 ** 48;
const tightToleranceMax = 2 ** 40;

/** Whether writeConvertedValues applies. */
export function isMediumProduct({ maxAbs }: UnitRun, prices: PricedDays, rates: SplitRates): boolean {
  return maxAbs * prices.maxAbs * rates.maxAbs <= convertedMax;
}

/**
 * Puts units × price × rate, rounded to the nearest; gives the days on which it is not sure of that. The rates are in high units.
 *
 * Products are made with what they lose to rounding (Veltkamp, Dekker 1971; written out, as it has to be quick). The product, up to
 * 2^48, is rounded to an integer, high, and what that is short of becomes low. Before it is multiplied by 10^14 it is off by what
 * the rates are (2^-102 of the product); by the product of the two losses, which is left out (2^-58); by the rounding of the two
 * products that come in (2^-59 each) and of the sums with them (2^-58 and 2^-57); and by that of the last sum, which is below 0.7
 * (2^-54): in all by less than 5/4 of 2^-53, which is 0.014 of a low unit. The last product is below 2^46 and off by
 * 2^-8. So low is less than 0.02 off; and up to 2^40, where all but the last sum and the last product are 2^-8 of that, less than
 * 0.01. So far from the middle between two integers it is sure to which side it belongs.
 */
export function writeConvertedValues(
  { high, low }: AmountParts,
  { values, maxAbs }: PricedDays,
  { rate: rates, rest: rests, maxAbs: rateMaxAbs }: SplitRates,
  { starts, units: all, maxAbs: unitMaxAbs, end: runEnd }: UnitRun,
): number[] {
  const [splitter, magic, unit, count] = [2 ** 27 + 1, roundingMagic, lowUnit, starts.length];
  const tolerance = unitMaxAbs * maxAbs * rateMaxAbs <= tightToleranceMax ? 0.49 : 0.48;
  const isLong = unitMaxAbs * maxAbs > exactMax;
  const uncertain: number[] = [];
  for (let step = 0; step < count; step++) {
    const units = all[step]!;
    if (units === 0) continue;
    const unitsUpper = splitter * units - (splitter * units - units);
    const unitsLower = units - unitsUpper;
    const end = step + 1 < count ? starts[step + 1]! : runEnd;
    for (let at = starts[step]!; at < end; at++) {
      const price = values[at]!;
      const rate = rates[at]!;
      const value = units * price;
      let loss = 0;
      if (isLong) {
        const upper = splitter * price - (splitter * price - price);
        const lower = price - upper;
        loss = unitsUpper * upper - value + unitsUpper * lower + unitsLower * upper + unitsLower * lower;
      }
      const valueUpper = splitter * value - (splitter * value - value);
      const valueLower = value - valueUpper;
      const rateUpper = splitter * rate - (splitter * rate - rate);
      const rateLower = rate - rateUpper;
      const product = value * rate;
      const error =
        valueUpper * rateUpper - product + valueUpper * rateLower + valueLower * rateUpper + valueLower * rateLower;
      const rounded = product + magic - magic;
      const exactLow = (product - rounded + (error + (value * rests[at]! + loss * rate))) * unit;
      const roundedLow = exactLow + magic - magic;
      high[at] = rounded;
      low[at] = roundedLow;
      if (!(Math.abs(exactLow - roundedLow) <= tolerance)) uncertain.push(at);
    }
  }
  return uncertain;
}

/**
 * Puts units × price × by / per, rounded half-even, or says that it does not fit.
 *
 * Long division in two steps: units × price × by = high × divisor + rest, where divisor is per × onesPerHigh, and then
 * rest × lowPerOne = low × per + remainder. The products are too long for doubles. So the quotients come from their rounded
 * values: high is off by 1/2 + 3/8 at most, low by hardly more than 1/2. Rest and remainder are exact, for what products lose to
 * rounding is a double itself, and the remainder puts low right. What units × price loses is 2^-53 of it at most, so that times by
 * it is below 2^50 and loses nothing more.
 */
export function writeByDivision(
  parts: AmountParts,
  at: number,
  { units, price, by, per }: Factors,
  { onesPerHigh, lowPerOne }: ValueScale,
): boolean {
  const divisor = per * onesPerHigh;
  const value = units * price;
  const product = value * by;
  const quotient = product / divisor;
  if (!(divisor <= divisorMax && Math.abs(quotient) <= highMax)) return false;
  const high = quotient + roundingMagic - roundingMagic;
  const error = productError(value, by) + productError(units, price) * by;
  const remainderHigh = product - high * divisor + (error - productError(high, divisor));
  const dividend = remainderHigh * lowPerOne;
  const low = dividend / per + roundingMagic - roundingMagic;
  const remainder = dividend - low * per + (productError(remainderHigh, lowPerOne) - productError(low, per));
  parts.high[at] = high;
  parts.low[at] = roundHalfEven(low, 2 * remainder, per);
  return true;
}

/** Integers below 2^53; per is positive. */
export interface Factors {
  readonly units: number;
  readonly price: number;
  readonly by: number;
  readonly per: number;
}

function roundHalfEven(low: number, doubledRemainder: number, per: number): number {
  if (doubledRemainder >= per) return low + (doubledRemainder > per ? 1 : low & 1);
  if (doubledRemainder <= -per) return low - (doubledRemainder < -per ? 1 : low & 1);
  return low;
}
