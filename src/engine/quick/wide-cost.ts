// Keeps costs to 18 places in two integer doubles, and computes the exact share that leaves with some of the units.

import type { Fixed } from '../../kit/fixed.ts';
import { amountFromParts } from '../amounts/amount-parts.ts';
import { productError, sumError } from '../amounts/rounding-error.ts';

/**
 * A cost lies in an array as high, low: high × 10^-4 + low × 10^-18. Functions called in the inner loop take the array, an index
 * and plain numbers: an object per call would cost more than the work. For the same reason constants are not exported: an
 * exported one would be read again each time.
 */
export type WideCosts = Float64Array;

const highScale = 4;
const lowScale = 18;
const lowUnit = 1e14;
const lowUnitMod32 = lowUnit | 0;

/** How far low may be from zero before it is carried over into high. A rarely taken branch costs little. */
const lowMax = 5 * lowUnit;

/** Up to here a quotient computed in doubles is off by less than 3/8, because it went through three roundings of 2^-53. */
const highMax = 2 ** 50;

/** Adding and subtracting it rounds a double within ±2^51 to the nearest integer. */
const roundingConstant = 3 * 2 ** 51;

export function getWideCost(costs: WideCosts, at: number): Fixed {
  return amountFromParts(costs[at]!, costs[at + 1]!);
}

export function addWideCost(costs: WideCosts, at: number, high: number, low: number): void {
  costs[at]! += high;
  costs[at + 1]! += low;
  if (Math.abs(costs[at + 1]!) > lowMax) carryLow(costs, at);
}

function carryLow(costs: WideCosts, at: number): void {
  const units = Math.floor(costs[at + 1]! / lowUnit);
  costs[at]! += units;
  costs[at + 1]! -= units * lowUnit;
}

/**
 * Takes away cost × quantity / held, half-even at 18 places. Quantity is at most held, and held at most 2^31.
 *
 * Long division in two steps: high × quantity = first × held + rest, then rest × 10^14 + low × quantity = second × held +
 * remainder. The dividends are too long for doubles, so the quotients come from their rounded values, the nearest integer or one
 * beside it; the remainders are exact, and the last one puts the last quotient right. Here they are exact modulo 2^32, which
 * is enough: integer multiplication drops what lies above, and they lie within ±7/8 of held.
 */
export function subtractShare(costs: WideCosts, at: number, quantity: number, held: number): void {
  const high = costs[at]!;
  const low = costs[at + 1]!;
  const inverse = 1 / held;
  const first = high * quantity * inverse + roundingConstant - roundingConstant;
  const rest = (Math.imul(high | 0, quantity | 0) - Math.imul(first | 0, held | 0)) | 0;
  let second = (rest * lowUnit + low * quantity) * inverse + roundingConstant - roundingConstant;
  const dividend = (Math.imul(rest, lowUnitMod32) + Math.imul(low | 0, quantity | 0)) | 0;
  const doubled = 2 * ((dividend - Math.imul(second | 0, held | 0)) | 0);
  if (doubled >= held) second += doubled > held ? 1 : second & 1;
  else if (doubled <= -held) second -= doubled < -held ? 1 : second & 1;
  const lowLeft = low - second;
  costs[at] = high - first;
  costs[at + 1] = lowLeft;
  if (lowLeft > lowMax || lowLeft < -lowMax) carryLow(costs, at);
}

/** The same for held up to 2^50, with remainders from the rounding errors of products, which are doubles themselves. */
export function subtractLargeShare(costs: WideCosts, at: number, quantity: number, held: number): void {
  const high = costs[at]!;
  const low = costs[at + 1]!;
  const product = high * quantity;
  const inverse = 1 / held;
  const first = product * inverse + roundingConstant - roundingConstant;
  const rest = product - first * held + (productError(high, quantity) - productError(first, held));
  const upper = rest * lowUnit;
  const lower = low * quantity;
  let second = (upper + lower) * inverse + roundingConstant - roundingConstant;
  const error = sumError(upper, lower) + productError(rest, lowUnit) + productError(low, quantity);
  const doubled = 2 * (upper + lower - second * held + (error - productError(second, held)));
  if (doubled >= held) second += doubled > held ? 1 : second & 1;
  else if (doubled <= -held) second -= doubled < -held ? 1 : second & 1;
  costs[at] = high - first;
  costs[at + 1] = 0;
  addWideCost(costs, at, 0, low - second);
}

/** Up to here an amount divided by a power of ten is rounded down to the right integer. */
const amountMaxFine = 2 ** 52;

/** Amounts in a column as integers × 10^-scale. */
export class AmountScale {
  readonly #unit: Fixed;
  readonly #onesPerHigh: number;
  readonly #lowPerOne: number;
  /** High units per one; 0 if one is less than a high unit. */
  readonly highPerOne: number;
  /** A larger amount does not fit. */
  readonly amountMax: number;

  constructor(scale: number) {
    const isFine = scale > highScale;
    this.#unit = 10n ** BigInt(lowScale - scale);
    this.#onesPerHigh = isFine ? powerOfTen(scale - highScale) : 0;
    this.#lowPerOne = Number(this.#unit);
    this.highPerOne = isFine ? 0 : powerOfTen(highScale - scale);
    this.amountMax = isFine ? amountMaxFine : highMax / this.highPerOne;
  }

  toFixed(amount: number): Fixed {
    return BigInt(amount) * this.#unit;
  }

  addTo(costs: WideCosts, at: number, amount: number): void {
    if (this.highPerOne > 0) {
      costs[at]! += amount * this.highPerOne;
      return;
    }
    const high = Math.floor(amount / this.#onesPerHigh);
    addWideCost(costs, at, high, (amount - high * this.#onesPerHigh) * this.#lowPerOne);
  }
}

function powerOfTen(exponent: number): number {
  return Number(10n ** BigInt(exponent));
}
