// Units × price × by ÷ per to 18 places in integer doubles, half-even, exact or declined. Knows no days and no currencies.

import type { AmountParts } from '../amount-column.ts';
import { productError } from '../rounding-error.ts';
import { powersOfTen } from './powers-of-ten.ts';

// What is put is high × 10^-4 + low × 10^-18, and no low is 10^14 or further from zero. What the inner loops call takes plain numbers:
// an object for each call would cost more than the work.

const highScale = 4;
const scaleMax = 18;
const lowUnit = 1e14;

/** Up to here a quotient that went through three roundings of 2^-53 is less than 3/8 off. */
const highMax = 2 ** 50;

/** Products up to here are doubles, and so are the multiples of powers of ten beside them. */
export const exactMax = 2 ** 52;

/** What is left of a division by it, less than 7/8 of it, is a double, and so is twice that. */
const divisorMax = 2 ** 51;

/** Added and taken away again, it rounds what lies within ±2^51 to the nearest integer. */
const integerMagnet = 3 * 2 ** 51;

/** How products of units and prices with so many places in all are put into high and low. */
export interface ValueScale {
  /** How many high units one is; 1 where it is less than one of them. Units are to be multiplied by it beforehand. */
  readonly highPerOne: number;
  /** How many make a high unit: ten to the power of that. */
  readonly onesPerHigh: number;
  readonly finerPlaces: number;
  /** How many low units one is. */
  readonly lowPerOne: number;
}

function valueScaleOf(places: number): ValueScale {
  const finerPlaces = Math.max(0, places - highScale);
  return {
    highPerOne: powersOfTen[Math.max(0, highScale - places)]!,
    onesPerHigh: powersOfTen[finerPlaces]!,
    finerPlaces,
    lowPerOne: powersOfTen[scaleMax - highScale - finerPlaces]!,
  };
}

const valueScales = Array.from({ length: scaleMax + 1 }, (_, places) => valueScaleOf(places));

/** None beyond 18 places. */
export function findValueScale(places: number): ValueScale | undefined {
  return valueScales[places];
}

/** Puts units × price, or says that it does not fit. The quotient is less than 1/4 off, so low within 3/4 of 10^14. */
export function putValue(parts: AmountParts, at: number, units: number, price: number, scale: ValueScale): boolean {
  const { onesPerHigh, lowPerOne } = scale;
  const value = units * price;
  const quotient = value / onesPerHigh;
  if (!(Math.abs(value) <= exactMax && Math.abs(quotient) <= highMax)) return false;
  const high = quotient + integerMagnet - integerMagnet;
  parts.high[at] = high;
  parts.low[at] = (value - high * onesPerHigh) * lowPerOne;
  return true;
}

/** Up to here putConverted is to be asked for values: in high units, at a rate up to which it is the largest. */
export const convertedMax = 2 ** 48;

/** So far from an integer low may be before it was rounded: nearer to the middle it is not sure to which side it belongs. */
const surelyNearest = 0.48;

/**
 * Puts units × price × (rate + rateRest), rounded to the nearest, or says that it is not sure of it. The two are the rate in high
 * units, rateRest what rate lost in rounding, together less than 2^-103 of it off.
 *
 * The first sum of the products, high, is rounded to an integer, and what it is short of becomes low. Before it is multiplied by 10^14
 * that is off by what the rates are (2^-103 of 2^48), by the rounding of products and sums up to 2^-5 (2^-58 each, five of them), and
 * by that of the last sum, which is below 1 (2^-54): less than 2^-53 in all, or 0.0112 of a low unit. The last product adds
 * 2^-7. So low is less than 0.02 off.
 */
export function putConverted(
  highs: Float64Array,
  lows: Float64Array,
  at: number,
  units: number,
  price: number,
  rate: number,
  rateRest: number,
): boolean {
  const value = units * price;
  const lost = Math.abs(value) <= exactMax ? 0 : productError(units, price);
  const product = value * rate;
  const high = product + integerMagnet - integerMagnet;
  const rest = product - high + (productError(value, rate) + (value * rateRest + lost * rate));
  const exactLow = rest * lowUnit;
  const low = exactLow + integerMagnet - integerMagnet;
  highs[at] = high;
  lows[at] = low;
  return Math.abs(exactLow - low) <= surelyNearest;
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
export function putExactly(
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
  const high = quotient + integerMagnet - integerMagnet;
  const error = productError(value, by) + productError(units, price) * by;
  const rest = product - high * divisor + (error - productError(high, divisor));
  const dividend = rest * lowPerOne;
  const low = dividend / per + integerMagnet - integerMagnet;
  const remainder = dividend - low * per + (productError(rest, lowPerOne) - productError(low, per));
  parts.high[at] = high;
  parts.low[at] = halfEven(low, 2 * remainder, per);
  return true;
}

/** Integers below 2^53; per is positive. */
export interface Factors {
  readonly units: number;
  readonly price: number;
  readonly by: number;
  readonly per: number;
}

function halfEven(low: number, doubledRemainder: number, per: number): number {
  if (doubledRemainder >= per) return low + (doubledRemainder > per ? 1 : low & 1);
  if (doubledRemainder <= -per) return low - (doubledRemainder < -per ? 1 : low & 1);
  return low;
}
