// The WebAssembly code that writes doubles as the language does: the digits of the shortest decimal that reads back as the same double,
// and an exponent where that is shorter than zeros.

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
  isAboveSigned,
  isAtMost,
  isAtMostSigned,
  isBelow,
  isBelowSigned,
  load8,
  multiply,
  negate,
  or,
  remainder,
  repeatWhile,
  shiftRight,
  shiftRightSigned,
  store16,
  store64,
  store8,
  subtract,
  toI32,
  toI64,
  when,
  type Local,
  type Statement,
  type Value,
} from '../../wasm/code.ts';
import type { WasmFunction, WasmModule } from '../../wasm/module.ts';
import { characters, zerosWord, type DigitCode } from './digit-code.ts';
import { defineShortest } from './shortest-code.ts';

/** Writes a double, given as its bits. Plain: without an exponent, whatever its size. */
export type PutDouble = WasmFunction<{ bits: 'i64'; at: 'i32'; isPlain: 'i32' }, 'i32'>;

const doubleParameters = { bits: 'i64', at: 'i32', isPlain: 'i32' } as const;

const signBit = 1n << 63n;
const fractionLength = 52;
const hiddenBit = 1n << BigInt(fractionLength);
const infinityBits = 0x7ffn << BigInt(fractionLength);

/** The table of powers is at the address. */
export function definePutDouble(module: WasmModule, digitCode: DigitCode, powers: number): PutDouble {
  const shortest = defineShortest(module, powers);
  const putPlaced = definePutPlaced(module, digitCode);
  const putEndless = definePutEndless(module);
  return module.define(
    { name: 'putDouble', parameters: doubleParameters, result: 'i32' },
    ({ bits, at, isPlain }, newLocal) => {
      const [size, significand, fraction] = [newLocal('i64'), newLocal('i64'), newLocal('i64')];
      const [power, isAtPowerOfTwo, exponent] = [newLocal('i32'), newLocal('i32'), newLocal('i32')];
      return [
        size.set(and(bits, signBit - 1n)),
        when(equals(size, 0), [store8(at, characters.zero), giveBack(add(at, 1))]),
        when(isAtMost(i64(infinityBits), size), [giveBack(putEndless({ bits, at, isPlain }))]),
        when(differs(bits, size), [store8(at, characters.minus), at.set(add(at, 1))]),
        fraction.set(and(size, hiddenBit - 1n)),
        power.set(toI32(shiftRight(size, fractionLength))),
        // Below a power of two, the next double is only half as far as above it.
        isAtPowerOfTwo.set(and(equals(fraction, 0), isAbove(power, 1))),
        significand.set(choose(equals(power, 0), fraction, or(fraction, hiddenBit))),
        power.set(subtract(choose(equals(power, 0), i32(1), power), 1_075)),
        // ⌊log10 of 2^power⌋, or of three quarters of it.
        exponent.set(
          shiftRightSigned(subtract(multiply(power, 1_262_611), choose(isAtPowerOfTwo, i32(524_031), 0)), 22),
        ),
        giveBack(
          putPlaced({ digits: shortest({ significand, power, exponent, isAtPowerOfTwo }), exponent, at, isPlain }),
        ),
      ];
    },
  );
}

/** What is not finite: a text, or where a number is written, null, since JSON has none for it. */
function definePutEndless(module: WasmModule): PutDouble {
  const word = (text: string): bigint =>
    [...text].reduceRight((bits, character) => (bits << 8n) | BigInt(character.charCodeAt(0)), 0n);
  return module.define({ name: 'putEndless', parameters: doubleParameters, result: 'i32' }, ({ bits, at, isPlain }) => [
    when(equals(isPlain, 0), [store64(at, word('null')), giveBack(add(at, 4))]),
    when(differs(and(bits, hiddenBit - 1n), 0), [store64(at, word('NaN')), giveBack(add(at, 3))]),
    when(differs(and(bits, signBit), 0), [store8(at, characters.minus), at.set(add(at, 1))]),
    store64(at, word('Infinity')),
    giveBack(add(at, 8)),
  ]);
}

type PutPlaced = WasmFunction<{ digits: 'i64'; exponent: 'i32'; at: 'i32'; isPlain: 'i32' }, 'i32'>;

/** The language writes an exponent where the point is further to the left or right of the first digit. */
const [pointMin, pointMax] = [-6, 21];

/** Writes digits × 10^exponent. */
function definePutPlaced(module: WasmModule, digitCode: DigitCode): PutPlaced {
  const { putInteger } = digitCode;
  const putWithPoint = definePutWithPoint(module, digitCode);
  const putScientific = definePutScientific(module, digitCode);
  const putZeros = definePutZeros(module);
  const parameters = { digits: 'i64', exponent: 'i32', at: 'i32', isPlain: 'i32' } as const;
  return module.define(
    { name: 'putPlaced', parameters, result: 'i32' },
    ({ digits, exponent, at, isPlain }, newLocal) => {
      const [count, point] = [newLocal('i32'), newLocal('i32')];
      return [
        when(
          endsWithZeros(digits, 1),
          [16, 8, 4, 2, 1].map((zeros) => removeZeros({ digits, exponent }, zeros)),
        ),
        count.set(digitCount(digits)),
        point.set(add(count, exponent)),
        when(and(equals(isPlain, 0), or(isAtMostSigned(point, pointMin), isAboveSigned(point, pointMax))), [
          giveBack(putScientific({ digits, power: subtract(point, 1), at })),
        ]),
        when(isAtMostSigned(point, 0), [
          store16(at, characters.zero | (characters.point << 8)),
          giveBack(putInteger({ value: digits, at: putZeros({ count: negate(point), at: add(at, 2) }) })),
        ]),
        when(isAtMostSigned(count, point), [
          giveBack(putZeros({ count: exponent, at: putInteger({ value: digits, at }) })),
        ]),
        giveBack(putWithPoint({ digits, point, at })),
      ];
    },
  );
}

function endsWithZeros(digits: Value<'i64'>, zeros: number): Value<'i32'> {
  return equals(remainder(digits, 10n ** BigInt(zeros)), 0);
}

interface PlacedDigits {
  readonly digits: Local<'i64'>;
  readonly exponent: Local<'i32'>;
}

function removeZeros({ digits, exponent }: PlacedDigits, zeros: number): Statement {
  return when(endsWithZeros(digits, zeros), [
    digits.set(divide(digits, 10n ** BigInt(zeros))),
    exponent.set(add(exponent, zeros)),
  ]);
}

const digitsMax = 17;

function digitCount(digits: Value<'i64'>): Value<'i32'> {
  const powers = Array.from({ length: digitsMax - 1 }, (_, index) => 10n ** BigInt(index + 1));
  return powers.reduce((sum, power) => add(sum, isAtMost(i64(power), digits)), i32(1));
}

function definePutZeros(module: WasmModule): WasmFunction<{ count: 'i32'; at: 'i32' }, 'i32'> {
  const declaration = { name: 'putZeros', parameters: { count: 'i32', at: 'i32' }, result: 'i32' } as const;
  return module.define(declaration, ({ count, at }, newLocal) => {
    const end = newLocal('i32');
    return [
      end.set(add(at, count)),
      repeatWhile(isBelow(at, end), [store64(at, zerosWord), at.set(add(at, 8))]),
      giveBack(end),
    ];
  });
}

type PutDigits<Place extends string> = WasmFunction<Record<Place | 'at', 'i32'> & { digits: 'i64' }, 'i32'>;

/** With so many digits before the point, fewer than there are. */
function definePutWithPoint(module: WasmModule, { putInteger }: DigitCode): PutDigits<'point'> {
  const parameters = { digits: 'i64', point: 'i32', at: 'i32' } as const;
  return module.define({ name: 'putWithPoint', parameters, result: 'i32' }, ({ digits, point, at }, newLocal) => {
    const [end, pointAt] = [newLocal('i32'), newLocal('i32')];
    return [
      end.set(putInteger({ value: digits, at: add(at, 1) })),
      pointAt.set(add(at, point)),
      repeatWhile(isBelow(at, pointAt), [store8(at, load8(at, 1)), at.set(add(at, 1))]),
      store8(at, characters.point),
      giveBack(end),
    ];
  });
}

/** As d.ddd × 10^power. */
function definePutScientific(module: WasmModule, { putInteger }: DigitCode): PutDigits<'power'> {
  const parameters = { digits: 'i64', power: 'i32', at: 'i32' } as const;
  return module.define({ name: 'putScientific', parameters, result: 'i32' }, ({ digits, power, at }, newLocal) => {
    const end = newLocal('i32');
    return [
      end.set(putInteger({ value: digits, at: add(at, 1) })),
      store8(at, load8(at, 1)),
      store8(add(at, 1), characters.point),
      when(equals(end, add(at, 2)), [end.set(add(at, 1))]),
      store8(end, characters.e),
      store8(add(end, 1), choose(isBelowSigned(power, 0), i32(characters.minus), characters.plus)),
      when(isBelowSigned(power, 0), [power.set(negate(power))]),
      giveBack(putInteger({ value: toI64(power), at: add(end, 2) })),
    ];
  });
}
