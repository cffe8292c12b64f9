// Keeps rates as two doubles each, to nearly 104 bits, so that products with them are almost exact.

import { productError } from '../amounts/rounding-error.ts';
import { powersOfTen } from '../amounts/powers-of-ten.ts';

export interface SplitRates {
  /** The nearest doubles and what they lost; NaN if there is no rate. */
  readonly rate: Float64Array;
  readonly rest: Float64Array;
  /** The largest distance of a rate from zero. */
  readonly maxAbs: number;
}

interface Fractions {
  readonly by: Float64Array;
  readonly per: Float64Array;
}

/**
 * by / per / 10^places. The remainder of a division is a double, so a quotient and its rest are off by 2^-106 of it; with the
 * roundings of the product, rate and rest together by at most ten times that, less than 2^-102 of the rate.
 */
export function splitRates({ by, per }: Fractions, places: number): SplitRates {
  return splitQuotients(by, per, places);
}

function splitQuotients(by: Float64Array, per: Float64Array, places: number): SplitRates {
  const count = by.length;
  const power = powersOfTen[places]!;
  const inversePower = 1 / power;
  const inversePowerError = quotientError(1, power, inversePower);
  const [rates, rests] = [new Float64Array(count), new Float64Array(count)];
  let maxAbs = 0;
  for (let index = 0; index < count; index++) {
    const quotient = by[index]! / per[index]!;
    const quotientLoss = quotientError(by[index]!, per[index]!, quotient);
    const product = quotient * inversePower;
    const loss = productError(quotient, inversePower) + (quotient * inversePowerError + quotientLoss * inversePower);
    const rate = product + loss;
    rates[index] = rate;
    rests[index] = loss - (rate - product);
    if (Math.abs(rate) > maxAbs) maxAbs = Math.abs(rate);
  }
  return { rate: rates, rest: rests, maxAbs };
}

/** Returns what a quotient lost to rounding. */
function quotientError(dividend: number, divisor: number, quotient: number): number {
  return (dividend - quotient * divisor - productError(quotient, divisor)) / divisor;
}
