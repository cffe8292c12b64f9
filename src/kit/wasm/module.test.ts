// Checks that the code of functions computes what it says, against big integers.

import { expect, test } from 'vitest';
import * as code from './code.ts';
import { pageLength, WasmModule } from './module.ts';

const { add, and, choose, divide, equals, giveBack, i32, i64, isBelow, load64, load8, multiply, negate } = code;
const { or, remainder, repeatWhile, shiftLeft, shiftRight, shiftRightSigned, store64, subtract, toI32, when } = code;

type Binary = (one: code.Value<'i64'>, other: code.Value<'i64'>) => code.Value<'i64'>;

const unsigned = (value: bigint): bigint => BigInt.asUintN(64, value);
const signed = (value: bigint): bigint => BigInt.asIntN(64, value);
const ofBoolean =
  (compare: (one: code.Value<'i64'>, other: code.Value<'i64'>) => code.Value<'i32'>): Binary =>
  (one, other) =>
    code.toI64(compare(one, other));

const binaries: readonly [name: string, Binary, (one: bigint, other: bigint) => bigint][] = [
  ['add', add, (one, other) => one + other],
  ['subtract', subtract, (one, other) => one - other],
  ['multiply', multiply, (one, other) => one * other],
  ['divide', divide, (one, other) => one / (other || 1n)],
  ['remainder', remainder, (one, other) => one % (other || 1n)],
  ['and', and, (one, other) => one & other],
  ['or', or, (one, other) => one | other],
  ['shiftLeft', shiftLeft, (one, other) => one << (other % 64n)],
  ['shiftRight', shiftRight, (one, other) => one >> (other % 64n)],
  ['shiftRightSigned', shiftRightSigned, (one, other) => signed(one) >> (other % 64n)],
  ['equals', ofBoolean(equals), (one, other) => BigInt(one === other)],
  ['differs', ofBoolean(code.differs), (one, other) => BigInt(one !== other)],
  ['isBelow', ofBoolean(isBelow), (one, other) => BigInt(one < other)],
  ['isAbove', ofBoolean(code.isAbove), (one, other) => BigInt(one > other)],
  ['isAtMost', ofBoolean(code.isAtMost), (one, other) => BigInt(one <= other)],
  ['isBelowSigned', ofBoolean(code.isBelowSigned), (one, other) => BigInt(signed(one) < signed(other))],
  ['isAboveSigned', ofBoolean(code.isAboveSigned), (one, other) => BigInt(signed(one) > signed(other))],
  ['isAtMostSigned', ofBoolean(code.isAtMostSigned), (one, other) => BigInt(signed(one) <= signed(other))],
];

const operands = [0n, 1n, 2n, 3n, 63n, 64n, 127n, 128n, 10n ** 18n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];

test.each(binaries)('%s of two integers', (name, compute, expected) => {
  const module = new WasmModule();
  module.define({ name, parameters: { one: 'i64', other: 'i64' }, result: 'i64' }, ({ one, other }) => [
    when(equals(other, 0), ['divide', 'remainder'].includes(name) ? [other.set(1)] : []),
    giveBack(compute(one, other)),
  ]);
  const { call } = module.instantiate();
  for (const one of operands)
    for (const other of operands)
      expect(unsigned(BigInt(call[name]!(one, other)))).toBe(unsigned(expected(one, other)));
});

test('constants of every length, and integers of 32 bits', () => {
  const values = operands.flatMap((one) => [one, -one]);
  const module = new WasmModule();
  for (const [index, value] of values.entries()) {
    module.define({ name: `wide${index}`, parameters: {}, result: 'i64' }, () => [giveBack(i64(value))]);
    module.define({ name: `narrow${index}`, parameters: {}, result: 'i32' }, () => [
      giveBack(or(toI32(i64(value)), i32(0))),
    ]);
  }
  const { call } = module.instantiate();
  for (const [index, value] of values.entries()) {
    expect(BigInt(call[`wide${index}`]!())).toBe(signed(value));
    expect(BigInt(call[`narrow${index}`]!())).toBe(BigInt.asIntN(32, value));
  }
});

test('loops, choices, memory, and functions that call each other', () => {
  const module = new WasmModule();
  const square = module.define({ name: 'square', parameters: { value: 'i32' }, result: 'i32' }, ({ value }) => [
    when(isBelow(value, 2), [giveBack(value)], [value.set(multiply(value, value))]),
    giveBack(value),
  ]);
  module.define({ name: 'sumOfSquares', parameters: { count: 'i32' }, result: 'i32' }, ({ count }, newLocal) => {
    const sum = newLocal('i32');
    return [
      repeatWhile(isBelow(i32(0), count), [sum.set(add(sum, square({ value: count }))), count.set(subtract(count, 1))]),
      giveBack(choose(equals(sum, 0), negate(i32(1)), sum)),
    ];
  });
  module.define({ name: 'secondByte', parameters: { value: 'i64' }, result: 'i32' }, ({ value }) => [
    store64(i32(3), value),
    store64(i32(11), load64(i32(3))),
    giveBack(load8(i32(11), 1)),
  ]);
  const { call, memory } = module.instantiate();
  expect([call['sumOfSquares']!(10), call['sumOfSquares']!(0)]).toEqual([385, -1]);
  expect(call['secondByte']!(0x0304n)).toBe(3);
  expect([...new Uint8Array(memory.buffer, 3, 3)]).toEqual([4, 3, 0]);
  memory.grow(2);
  expect(memory.buffer.byteLength).toBe(3 * pageLength);
});
