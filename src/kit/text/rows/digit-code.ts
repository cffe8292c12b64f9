// The WebAssembly code that writes integers and fixed decimals as digits. Every function gives back the address after what it wrote, and
// may overwrite seven bytes behind it.

import {
  add,
  and,
  countLeadingZeros,
  countTrailingZeros,
  divide,
  equals,
  giveBack,
  isBelow,
  isBelowSigned,
  multiply,
  negate,
  or,
  remainder,
  shiftLeft,
  shiftRight,
  store8,
  store64,
  subtract,
  toI32,
  when,
  type Statement,
  type Value,
} from '../../wasm/code.ts';
import type { WasmFunction, WasmModule } from '../../wasm/module.ts';

/** Writes a number at an address. */
export type PutNumber = WasmFunction<{ value: 'i64'; at: 'i32' }, 'i32'>;

export const characters = { minus: 45, plus: 43, point: 46, zero: 48, e: 101 } as const;

/** Eight zeros. */
export const zerosWord = 0x3030_3030_3030_3030n;

const eight = 100_000_000n;
const wordLength = 8;

const putNumber = { parameters: { value: 'i64', at: 'i32' }, result: 'i32' } as const;

export interface DigitCode {
  /** An integer below 10^24 without leading zeros. */
  readonly putInteger: PutNumber;
  /** × 10^18: at most 18 digits, without zeros at their end. Not for zero. */
  readonly putFraction: PutNumber;
}

export function digitCode(module: WasmModule): DigitCode {
  const eightDigits = defineEightDigits(module);
  const putFirst = module.define({ name: 'putFirst', ...putNumber }, ({ value, at }, newLocal) => {
    const [digits, zeros] = [newLocal('i64'), newLocal('i64')];
    return [
      digits.set(eightDigits({ value })),
      zeros.set(leadingZeroDigits(digits)),
      store64(at, shiftRight(or(digits, zerosWord), multiply(zeros, 8))),
      giveBack(subtract(add(at, wordLength), toI32(zeros))),
    ];
  });
  const putEight = (value: Value<'i64'>, at: Value<'i32'>): Statement =>
    store64(at, or(eightDigits({ value }), zerosWord));
  const putInteger = module.define({ name: 'putInteger', ...putNumber }, ({ value, at }, newLocal) => {
    const [upper, first] = [newLocal('i64'), newLocal('i64')];
    return [
      when(isBelow(value, eight), [giveBack(putFirst({ value, at }))]),
      upper.set(divide(value, eight)),
      when(
        isBelow(upper, eight),
        [at.set(putFirst({ value: upper, at }))],
        [
          first.set(divide(upper, eight)),
          at.set(putFirst({ value: first, at })),
          putEight(subtract(upper, multiply(first, eight)), at),
          at.set(add(at, wordLength)),
        ],
      ),
      putEight(subtract(value, multiply(upper, eight)), at),
      giveBack(add(at, wordLength)),
    ];
  });
  return { putInteger, putFraction: definePutFraction(module, eightDigits) };
}

type EightDigits = WasmFunction<{ value: 'i64' }, 'i64'>;

/** The digits of an integer below 10^8, the first in the lowest byte: all of them at once, four, two and one at a time. */
function defineEightDigits(module: WasmModule): EightDigits {
  const declaration = { name: 'eightDigits', parameters: { value: 'i64' }, result: 'i64' } as const;
  return module.define(declaration, ({ value }, newLocal) => {
    const [upper, fours, twos, tens] = [newLocal('i64'), newLocal('i64'), newLocal('i64'), newLocal('i64')];
    return [
      upper.set(divide(value, 10_000)),
      fours.set(or(upper, shiftLeft(subtract(value, multiply(upper, 10_000)), 32))),
      // 10,486 ÷ 2^20 is a hundredth, for integers below 10,000; 103 ÷ 2^10 is a tenth, for those below 100.
      tens.set(and(shiftRight(multiply(fours, 10_486), 20), 0x0000_007f_0000_007fn)),
      twos.set(or(tens, shiftLeft(subtract(fours, multiply(tens, 100)), 16))),
      tens.set(and(shiftRight(multiply(twos, 103), 10), 0x000f_000f_000f_000fn)),
      giveBack(or(tens, shiftLeft(subtract(twos, multiply(tens, 10)), 8))),
    ];
  });
}

/** Of zero all but one. */
function leadingZeroDigits(digits: Value<'i64'>): Value<'i64'> {
  return shiftRight(countTrailingZeros(or(digits, 1n << 56n)), 3);
}

function trailingZeroDigits(digits: Value<'i64'>): Value<'i32'> {
  return toI32(shiftRight(countLeadingZeros(digits), 3));
}

function definePutFraction(module: WasmModule, eightDigits: EightDigits): PutNumber {
  return module.define({ name: 'putFraction', ...putNumber }, ({ value, at }, newLocal) => {
    const [first, rest, second, digits] = [newLocal('i64'), newLocal('i64'), newLocal('i64'), newLocal('i64')];
    const putEnd = (length: number): Statement => giveBack(subtract(add(at, length), trailingZeroDigits(digits)));
    return [
      first.set(divide(value, 10n ** 10n)),
      rest.set(subtract(value, multiply(first, 10n ** 10n))),
      digits.set(eightDigits({ value: first })),
      store64(at, or(digits, zerosWord)),
      when(equals(rest, 0), [putEnd(8)]),
      second.set(divide(rest, 100)),
      rest.set(subtract(rest, multiply(second, 100))),
      digits.set(eightDigits({ value: second })),
      store64(add(at, 8), or(digits, zerosWord)),
      when(equals(rest, 0), [putEnd(16)]),
      // The last two, moved to the front of their word.
      digits.set(shiftRight(eightDigits({ value: rest }), 48)),
      store64(add(at, 16), or(digits, zerosWord)),
      putEnd(24),
    ];
  });
}

export type PutDecimal = WasmFunction<{ high: 'i64'; low: 'i64'; at: 'i32' }, 'i32'>;

const highPerWhole = 10_000;
const lowUnit = 10n ** 14n;

/** Writes high × 10^-4 + low × 10^-18, whose signs may differ; both are within ±2^53, and low within ±10^14. */
export function definePutDecimal(module: WasmModule, { putInteger, putFraction }: DigitCode): PutDecimal {
  const declaration = {
    name: 'putDecimal',
    parameters: { high: 'i64', low: 'i64', at: 'i32' },
    result: 'i32',
  } as const;
  return module.define(declaration, ({ high, low, at }, newLocal) => {
    const [whole, fraction] = [newLocal('i64'), newLocal('i64')];
    const isNegative = or(isBelowSigned(high, 0), and(equals(high, 0), isBelowSigned(low, 0)));
    return [
      when(isNegative, [
        store8(at, characters.minus),
        at.set(add(at, 1)),
        high.set(negate(high)),
        low.set(negate(low)),
      ]),
      when(isBelowSigned(low, 0), [high.set(subtract(high, 1)), low.set(add(low, lowUnit))]),
      whole.set(divide(high, highPerWhole)),
      fraction.set(add(multiply(remainder(high, highPerWhole), lowUnit), low)),
      at.set(putInteger({ value: whole, at })),
      when(equals(fraction, 0), [giveBack(at)]),
      store8(at, characters.point),
      giveBack(putFraction({ value: fraction, at: add(at, 1) })),
    ];
  });
}
