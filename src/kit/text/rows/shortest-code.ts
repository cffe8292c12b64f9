// The WebAssembly code that finds the shortest decimal that reads back as the same double, and of several the nearest. The method is
// Schubfach (Raffaele Giulietti, "The Schubfach way to render doubles", 2020).

import {
  add,
  and,
  choose,
  differs,
  divide,
  equals,
  giveBack,
  i32,
  i64,
  isAbove,
  isAtMost,
  isBelow,
  load64,
  multiply,
  negate,
  or,
  shiftLeft,
  shiftRight,
  shiftRightSigned,
  subtract,
  toI32,
  toI64,
  when,
  type Local,
  type Statement,
  type Value,
} from '../../wasm/code.ts';
import type { WasmFunction, WasmModule } from '../../wasm/module.ts';

/** Every power of ten that a double is multiplied with. */
const [powerMin, powerMax] = [-292, 324];
const powerLength = 16;

/** The first bits of 10^exponent, so many that the first of them is set; the rest is rounded up. */
function powerBits(exponent: number): bigint {
  const bits = 128n;
  if (exponent < 0) {
    const divisor = 10n ** BigInt(-exponent);
    const shift = BigInt(divisor.toString(2).length) + bits - 1n;
    return ((1n << shift) + divisor - 1n) / divisor;
  }
  const power = 10n ** BigInt(exponent);
  const surplus = BigInt(power.toString(2).length) - bits;
  return surplus <= 0n ? power << -surplus : (power + (1n << surplus) - 1n) >> surplus;
}

/** How many bytes the table of powers takes. */
export const powerTableLength = (powerMax - powerMin + 1) * powerLength;

export function fillPowerTable(view: DataView, address: number): void {
  for (let exponent = powerMin; exponent <= powerMax; exponent++) {
    const [at, bits] = [address + (exponent - powerMin) * powerLength, powerBits(exponent)];
    view.setBigUint64(at, BigInt.asUintN(64, bits), true);
    view.setBigUint64(at + 8, bits >> 64n, true);
  }
}

export type Shortest = WasmFunction<
  { significand: 'i64'; power: 'i32'; exponent: 'i32'; isAtPowerOfTwo: 'i32' },
  'i64'
>;

/** The upper half of the product of two integers. */
function defineUpperProduct(module: WasmModule): WasmFunction<{ one: 'i64'; other: 'i64' }, 'i64'> {
  const declaration = { name: 'upperProduct', parameters: { one: 'i64', other: 'i64' }, result: 'i64' } as const;
  return module.define(declaration, ({ one, other }, newLocal) => {
    const [oneUpper, otherUpper, oneLower, otherLower] = [
      newLocal('i64'),
      newLocal('i64'),
      newLocal('i64'),
      newLocal('i64'),
    ];
    const [inner, outer] = [newLocal('i64'), newLocal('i64')];
    const lower = (value: Value<'i64'>): Value<'i64'> => and(value, 0xffff_ffffn);
    return [
      oneUpper.set(shiftRight(one, 32)),
      otherUpper.set(shiftRight(other, 32)),
      oneLower.set(lower(one)),
      otherLower.set(lower(other)),
      inner.set(add(multiply(oneUpper, otherLower), shiftRight(multiply(oneLower, otherLower), 32))),
      outer.set(add(multiply(oneLower, otherUpper), lower(inner))),
      giveBack(add(add(multiply(oneUpper, otherUpper), shiftRight(inner, 32)), shiftRight(outer, 32))),
    ];
  });
}

/** An integer of 192 bits in three variables, the lowest bits first. */
type Long = readonly [Local<'i64'>, Local<'i64'>, Local<'i64'>];

/** A product without its lower 128 bits; the last bit says whether these are more than nothing. */
function rounded(middle: Value<'i64'>, upper: Value<'i64'>): Value<'i64'> {
  // The power of ten was rounded up: one too much in the middle is nothing.
  return or(upper, toI64(isAbove(middle, 1)));
}

/** A power of ten: its lower and its upper half. */
type Power = readonly [lower: Local<'i64'>, upper: Local<'i64'>];

/** Sets a long integer to a power of ten × 2^shift, for shifts below 64 and above 0. */
function setShifted([lowest, middle, highest]: Long, [lower, upper]: Power, shift: Value<'i64'>): readonly Statement[] {
  const carried = (half: Value<'i64'>): Value<'i64'> => shiftRight(half, subtract(i64(64), shift));
  return [
    lowest.set(shiftLeft(lower, shift)),
    middle.set(or(shiftLeft(upper, shift), carried(lower))),
    highest.set(carried(upper)),
  ];
}

/** Sets `rest` to one less the other, rounded. */
function setDifference(rest: Local<'i64'>, one: Long, other: Long, scratch: Local<'i64'>): readonly Statement[] {
  const borrowed = toI64(isBelow(one[0], other[0]));
  return [
    scratch.set(subtract(one[1], other[1])),
    rest.set(subtract(subtract(one[2], other[2]), toI64(isBelow(one[1], other[1])))),
    rest.set(subtract(rest, toI64(isBelow(scratch, borrowed)))),
    rest.set(rounded(subtract(scratch, borrowed), rest)),
  ];
}

/** Sets `sum` to the sum of two, rounded. */
function setSum(sum: Local<'i64'>, one: Long, other: Long, scratch: Local<'i64'>): readonly Statement[] {
  const carried = toI64(isBelow(add(one[0], other[0]), other[0]));
  return [
    scratch.set(add(one[1], other[1])),
    sum.set(add(add(one[2], other[2]), toI64(isBelow(scratch, other[1])))),
    scratch.set(add(scratch, carried)),
    sum.set(add(sum, toI64(isBelow(scratch, carried)))),
    sum.set(rounded(scratch, sum)),
  ];
}

/** The digits of the shortest decimal in units of 10^exponent, perhaps with zeros at their end, for a double of significand × 2^power. */
export function defineShortest(module: WasmModule, powers: number): Shortest {
  const upperProduct = defineUpperProduct(module);
  const parameters = { significand: 'i64', power: 'i32', exponent: 'i32', isAtPowerOfTwo: 'i32' } as const;
  return module.define({ name: 'shortest', parameters, result: 'i64' }, (double, newLocal) => {
    const { significand, power, exponent, isAtPowerOfTwo } = double;
    const long = (): Long => [newLocal('i64'), newLocal('i64'), newLocal('i64')];
    const [product, step, ten]: [Long, Long, Power] = [long(), long(), [newLocal('i64'), newLocal('i64')]];
    const [address, shift, factor, scratch] = [newLocal('i32'), newLocal('i64'), newLocal('i64'), newLocal('i64')];
    const [least, most, value] = [newLocal('i64'), newLocal('i64'), newLocal('i64')];
    const binary = shiftRightSigned(multiply(negate(exponent), 1_741_647), 19); // ⌊log2 of 10^−exponent⌋
    return [
      address.set(add(multiply(subtract(i32(-powerMin), exponent), powerLength), powers)),
      ...ten.map((half, index) => half.set(load64(address, index * 8))),
      shift.set(toI64(add(add(power, binary), 1))),
      // In quarters of the unit.
      factor.set(shiftLeft(significand, add(shift, 2))),
      scratch.set(upperProduct({ one: ten[0], other: factor })),
      product[0].set(multiply(ten[0], factor)),
      product[1].set(add(multiply(ten[1], factor), scratch)),
      product[2].set(add(upperProduct({ one: ten[1], other: factor }), toI64(isBelow(product[1], scratch)))),
      value.set(rounded(product[1], product[2])),
      // The bounds between which decimals read back as the double: half the way to the next ones.
      ...setShifted(step, ten, add(shift, 1)),
      ...setSum(most, product, step, scratch),
      when(isAtPowerOfTwo, setShifted(step, ten, shift)),
      ...setDifference(least, product, step, scratch),
      // They belong to it where its significand is even.
      scratch.set(and(significand, 1)),
      ...chooseDecimal({ least: add(least, scratch), most: subtract(most, scratch), value }, newLocal),
    ];
  });
}

interface DecimalBounds {
  readonly least: Value<'i64'>;
  readonly most: Value<'i64'>;
  readonly value: Value<'i64'>;
}

/** All are in quarters of the unit. Of the decimals within the bounds, one with a zero at its end, else the nearest. */
function chooseDecimal(
  { least, most, value }: DecimalBounds,
  newLocal: (type: 'i64') => Local<'i64'>,
): readonly Statement[] {
  const [down, downTens, twiceMiddle] = [newLocal('i64'), newLocal('i64'), newLocal('i64')];
  /** The one below or above where only one of them is within. */
  const whereOnlyOne = (below: Value<'i64'>, unit: number): Statement => {
    const [isBelowWithin, isAboveWithin] = [
      isAtMost(least, multiply(below, 4)),
      isAtMost(add(multiply(below, 4), 4 * unit), most),
    ];
    return when(differs(isBelowWithin, isAboveWithin), [giveBack(choose(isAboveWithin, add(below, unit), below))]);
  };
  return [
    down.set(shiftRight(value, 2)),
    when(isAtMost(i64(10), down), [downTens.set(multiply(divide(down, 10), 10)), whereOnlyOne(downTens, 10)]),
    whereOnlyOne(down, 1),
    twiceMiddle.set(add(multiply(down, 4), 2)),
    giveBack(add(down, toI64(or(isAbove(value, twiceMiddle), and(equals(value, twiceMiddle), toI32(and(down, 1))))))),
  ];
}
