// Holds exact amounts with 18 places by index (by day of a window, for instance) as columns of integer doubles.

import type { Fixed } from '../../kit/fixed.ts';
import type { SparseAmounts, SparseParts } from './sparse-amounts.ts';
import {
  amountAsDouble,
  amountFromParts,
  highMax,
  highPart,
  lowMax,
  lowPart,
  lowUnit,
  sumParts,
  type AmountParts,
} from './amount-parts.ts';

const lowUnitInverse = 1e-14;

/** Adding and subtracting it rounds a double within ±2^51 to the nearest integer. */
const roundingConstant = 3 * 2 ** 51;

/** The largest low with which three columns can be summed without normalising. */
const unnormalisedLowMax = 2 ** 50;

const emptyArray = new Float64Array(0);

/**
 * Sums of columns check no single entry: the column knows how far its entries can be from zero, and normalises when a sum could
 * go too far. Once an entry does not fit, the whole column turns into integers of any length; results stay the same, only slower.
 */
export class AmountColumn {
  readonly length: number;
  #high: Float64Array;
  #low: Float64Array;
  #integers: Fixed[] | null = null;
  /** Bounds on the distance from zero, of every high and of every low. */
  #highMaxAbs = 0;
  #lowMaxAbs = 0;

  constructor(length: number) {
    this.length = length;
    this.#high = new Float64Array(length);
    this.#low = new Float64Array(length);
  }

  static from(amounts: readonly Fixed[]): AmountColumn {
    const column = new AmountColumn(amounts.length);
    for (const [index, amount] of amounts.entries()) column.set(index, amount);
    return column;
  }

  copy(): AmountColumn {
    const copy = new AmountColumn(this.length);
    copy.addColumn(this);
    return copy;
  }

  /** Sets every entry to zero. */
  clear(): void {
    if (this.#integers) [this.#high, this.#low] = [new Float64Array(this.length), new Float64Array(this.length)];
    this.#integers = null;
    this.#high.fill(0);
    this.#low.fill(0);
    [this.#highMaxAbs, this.#lowMaxAbs] = [0, 0];
  }

  at(index: number): Fixed {
    return this.#integers ? this.#integers[index]! : amountFromParts(this.#high[index]!, this.#low[index]!);
  }

  set(index: number, amount: Fixed): void {
    if (this.#integers) this.#integers[index] = amount;
    else if (Math.abs(highPart(amount)) < highMax) this.setParts(index, highPart(amount), lowPart(amount));
    else this.#convertToIntegers()[index] = amount;
  }

  add(index: number, amount: Fixed): void {
    if (this.#integers) this.#integers[index]! += amount;
    else if (Math.abs(highPart(amount)) < highMax) this.addParts(index, highPart(amount), lowPart(amount));
    else this.#convertToIntegers()[index]! += amount;
  }

  /** Both parts must be integers: high within ±7 × 10^15, low within ±2^53. */
  setParts(index: number, high: number, low: number): void {
    if (this.#integers) {
      this.#integers[index] = amountFromParts(high, low);
      return;
    }
    const carry = Math.abs(low) >= lowUnit ? Math.trunc(low / lowUnit) : 0;
    const size = Math.abs(high + carry);
    this.#high[index] = high + carry;
    this.#low[index] = low - carry * lowUnit;
    this.#lowMaxAbs = Math.max(this.#lowMaxAbs, lowUnit);
    if (size > this.#highMaxAbs) this.#highMaxAbs = size;
    if (size > highMax) this.#convertToIntegers();
  }

  /** Both parts must be integers within ±2^51. */
  addParts(index: number, high: number, low: number): void {
    if (this.#integers) {
      this.#integers[index]! += amountFromParts(high, low);
      return;
    }
    this.setParts(index, this.#high[index]! + high, this.#low[index]! + low);
  }

  addColumn(other: AmountColumn): void {
    if (other.isEmpty) return;
    if (this.#canAddExactly(other)) {
      addEach(this.#parts, other.#parts);
    } else {
      const integers = this.#convertToIntegers();
      for (let index = 0; index < this.length; index++) integers[index]! += other.at(index);
    }
  }

  addSparse(sparse: SparseAmounts): void {
    if (sparse.isEmpty) return;
    this.#checkLength(sparse);
    if (!this.#fits(sparse.highMaxAbs, lowUnit)) this.#normalise();
    if (this.#integers === null && this.#fits(sparse.highMaxAbs, lowUnit)) {
      this.#raiseMaxAbs(sparse.highMaxAbs, lowUnit);
      addAtIndexes(this.#parts, sparse.parts);
    } else {
      const integers = this.#convertToIntegers();
      for (const target of sparse.parts.indexes) integers[target]! += sparse.at(target);
    }
  }

  subtractColumn(other: AmountColumn): void {
    if (other.isEmpty) return;
    if (this.#canAddExactly(other)) {
      subtractEach(this.#parts, other.#parts);
    } else {
      const integers = this.#convertToIntegers();
      for (let index = 0; index < this.length; index++) integers[index]! -= other.at(index);
    }
  }

  /** True while nothing was ever put in. */
  get isEmpty(): boolean {
    return this.#integers === null && this.#lowMaxAbs === 0;
  }

  isZero(index: number): boolean {
    return this.doubleAt(index) === 0;
  }

  /** −1, 0 or 1. */
  sign(index: number): number {
    return Math.sign(this.doubleAt(index));
  }

  /** The double nearest to the amount × 10^18. */
  doubleAt(index: number): number {
    return this.#integers ? Number(this.#integers[index]!) : amountAsDouble(this.#high[index]!, this.#low[index]!);
  }

  sum(): Fixed {
    if (this.isEmpty) return 0n;
    const parts = this.findParts();
    if (parts === undefined) return this.#integers!.reduce((sum, amount) => sum + amount, 0n);
    return sumParts(parts);
  }

  /**
   * Undefined if an amount does not fit. Highs stay within ±(2^51 + 50) and lows below 10^14, so that a zero amount is 0 in both.
   * Valid until the next change.
   */
  findParts(): AmountParts | undefined {
    if (this.#integers) return undefined;
    if (this.#lowMaxAbs > lowUnit) this.#normalise();
    return this.#parts;
  }

  /**
   * Undefined if an amount does not fit. Highs stay within ±(2^51 + 50) and lows within ±2^50; a zero amount need not be 0 in
   * both. Valid until the next change.
   */
  findUnnormalisedParts(): AmountParts | undefined {
    if (this.#integers) return undefined;
    if (this.#lowMaxAbs > unnormalisedLowMax) this.#normalise();
    return this.#parts;
  }

  get #parts(): AmountParts {
    return { high: this.#high, low: this.#low };
  }

  /** Normalises both columns if needed, and tells whether they can then be added entry by entry without loss. */
  #canAddExactly(other: AmountColumn): boolean {
    this.#checkLength(other);
    if (this.#integers || other.#integers) return false;
    if (!this.#fits(other.#highMaxAbs, other.#lowMaxAbs)) this.#normalise();
    if (!this.#fits(other.#highMaxAbs, other.#lowMaxAbs)) other.#normalise();
    if (!this.#fits(other.#highMaxAbs, other.#lowMaxAbs)) return false;
    this.#raiseMaxAbs(other.#highMaxAbs, other.#lowMaxAbs);
    return true;
  }

  #checkLength({ length }: { readonly length: number }): void {
    if (length !== this.length) throw new RangeError('Columns of different lengths do not add up.');
  }

  #fits(high: number, low: number): boolean {
    return this.#highMaxAbs + high <= highMax && this.#lowMaxAbs + low <= lowMax;
  }

  #raiseMaxAbs(high: number, low: number): void {
    this.#highMaxAbs += high;
    this.#lowMaxAbs += low;
  }

  #normalise(): void {
    this.#highMaxAbs = normaliseParts(this.#high, this.#low);
    this.#lowMaxAbs = Math.min(this.#lowMaxAbs, lowUnit);
  }

  #convertToIntegers(): Fixed[] {
    this.#integers ??= Array.from(this.#high, (high, index) => amountFromParts(high, this.#low[index]!));
    [this.#high, this.#low] = [emptyArray, emptyArray];
    return this.#integers;
  }
}

/**
 * Unrolled on purpose: a smaller loop would be inlined by V8's mid-tier compiler into its callers, where it stays several times
 * slower for long.
 */
function addEach(sums: AmountParts, terms: AmountParts): void {
  const { high, low } = sums;
  const { high: termHigh, low: termLow } = terms;
  const last = high.length - 1;
  for (let index = 0; index < last; index += 2) {
    high[index]! += termHigh[index]!;
    low[index]! += termLow[index]!;
    high[index + 1]! += termHigh[index + 1]!;
    low[index + 1]! += termLow[index + 1]!;
  }
  if (last % 2 !== 0) return;
  high[last]! += termHigh[last]!;
  low[last]! += termLow[last]!;
}

function addAtIndexes({ high, low }: AmountParts, { indexes, high: termHigh, low: termLow }: SparseParts): void {
  const { length } = indexes;
  for (let index = 0; index < length; index++) {
    const target = indexes[index]!;
    high[target]! += termHigh[index]!;
    low[target]! += termLow[index]!;
  }
}

function subtractEach({ high, low }: AmountParts, terms: AmountParts): void {
  for (let index = 0; index < high.length; index++) {
    high[index]! -= terms.high[index]!;
    low[index]! -= terms.low[index]!;
  }
}

/** Carries the lows into the highs and returns the largest distance of a high from zero. */
function normaliseParts(high: Float64Array, low: Float64Array): number {
  let maxAbs = 0;
  for (let index = 0; index < high.length; index++) {
    const carry = low[index]! * lowUnitInverse + roundingConstant - roundingConstant;
    const normalised = high[index]! + carry;
    high[index] = normalised;
    low[index]! -= carry * lowUnit;
    if (Math.abs(normalised) > maxAbs) maxAbs = Math.abs(normalised);
  }
  return maxAbs;
}
