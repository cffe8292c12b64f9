// An amount that changes on some days and is constant in between: units of a position, a balance.

import { fixedPlaces, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { ScaledColumn } from '../amounts/number-columns.ts';
import { lastOnOrBefore } from '../amounts/series.ts';

/** Each value holds from its day on, oldest first. */
export class StepFunction {
  readonly days: Int32Array;
  readonly #integers: ScaledColumn | null;
  readonly #amounts: readonly Fixed[] | null;
  /** The unit of the integers. */
  readonly #unit: Fixed;

  private constructor(days: Int32Array, integers: ScaledColumn | null, amounts: readonly Fixed[] | null) {
    this.days = days;
    this.#integers = integers;
    this.#amounts = amounts;
    this.#unit = 10n ** BigInt(fixedPlaces - (integers?.scale ?? 0));
  }

  static fromIntegers(days: Int32Array, integers: ScaledColumn): StepFunction {
    return new StepFunction(days, integers, null);
  }

  static fromAmounts(days: readonly Day[], amounts: readonly Fixed[]): StepFunction {
    return new StepFunction(Int32Array.from(days), null, amounts);
  }

  get length(): number {
    return this.days.length;
  }

  valueAt(index: number): Fixed {
    if (this.#amounts !== null) return this.#amounts[index]!;
    return BigInt(this.#integers!.values[index]!) * this.#unit;
  }

  /** Zero before the first day. */
  valueOn(day: Day): Fixed {
    const index = lastOnOrBefore(this.days, day);
    return index < 0 ? 0n : this.valueAt(index);
  }

  /** As integers with a common scale; undefined if an amount does not fit into a double. */
  findIntegers(): ScaledColumn | undefined {
    if (this.#integers !== null) return this.#integers;
    const scale = commonDecimalScale(this.#amounts!);
    const unit = 10n ** BigInt(fixedPlaces - scale);
    const values = Float64Array.from(this.#amounts!, (amount) => Number(amount / unit));
    return values.every((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER) ? { values, scale } : undefined;
  }
}

/** The digits after the point that all of them need. */
function commonDecimalScale(amounts: readonly Fixed[]): number {
  let scale = 0;
  let unit = 10n ** BigInt(fixedPlaces);
  for (const amount of amounts) {
    while (amount % unit !== 0n) {
      unit /= 10n;
      scale++;
    }
  }
  return scale;
}
