// Checks columns of amounts against the same operations on bigints, up to and beyond what two doubles can hold.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseDecimal } from '../../kit/decimal.ts';
import { toFixed, type Fixed } from '../../kit/fixed.ts';
import { AmountColumn } from './amount-column.ts';
import { amountFromParts, highPart, lowPart, amountAsDouble } from './amount-parts.ts';

const lowUnit = 10n ** 14n;
const fitMax = 2n ** 51n * lowUnit;

const amountArbitrary: fc.Arbitrary<Fixed> = fc.oneof(
  fc.constant(0n),
  fc.bigInt({ min: -(10n ** 26n), max: 10n ** 26n }),
  fc.bigInt({ min: -(10n ** 10n), max: 10n ** 10n }).map((cents) => cents * 10n ** 16n),
  fc.bigInt({ min: -3n * lowUnit, max: 3n * lowUnit }),
  fc.bigInt({ min: -5n, max: 5n }).chain((units) => fc.bigInt({ min: -2n, max: 2n }).map((by) => units * lowUnit + by)),
);
const largeArbitrary = fc.oneof(
  fc.bigInt({ min: -fitMax, max: fitMax }),
  fc.bigInt({ min: fitMax - 2n * lowUnit, max: fitMax + 2n * lowUnit }),
  fc.bigInt({ min: -fitMax - 2n * lowUnit, max: -fitMax + 2n * lowUnit }),
  fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }),
);

const length = 17;
const indexArbitrary = fc.integer({ min: 0, max: length - 1 });
const columnArbitrary = fc.oneof(
  fc.array(amountArbitrary, { minLength: length, maxLength: length }),
  fc.tuple(indexArbitrary, amountArbitrary, indexArbitrary, amountArbitrary).map(([one, first, other, second]) =>
    Array.from({ length }, () => 0n)
      .with(one, first)
      .with(other, second),
  ),
);

type Step = (column: AmountColumn, integers: Fixed[]) => void;

function putSteps(amount: fc.Arbitrary<Fixed>): fc.Arbitrary<Step>[] {
  return [
    fc.tuple(indexArbitrary, amount).map(([index, put]): Step => (column, integers) => {
      column.set(index, put);
      integers[index] = put;
    }),
    fc.tuple(indexArbitrary, amount).map(([index, put]): Step => (column, integers) => {
      column.add(index, put);
      integers[index]! += put;
    }),
  ];
}

const part = fc.oneof(
  fc.integer({ min: -(2 ** 51), max: 2 ** 51 }),
  fc.integer({ min: -100, max: 100 }),
  fc.constantFrom(-1e14, 1e14),
);
const partSteps: fc.Arbitrary<Step>[] = [
  fc.tuple(indexArbitrary, part, part).map(([index, high, low]): Step => (column, integers) => {
    column.setParts(index, high, low);
    integers[index] = BigInt(high) * lowUnit + BigInt(low);
  }),
  fc.tuple(indexArbitrary, part, part).map(([index, high, low]): Step => (column, integers) => {
    column.addParts(index, high, low);
    integers[index]! += BigInt(high) * lowUnit + BigInt(low);
  }),
];

const sumSteps: fc.Arbitrary<Step>[] = [
  fc.tuple(columnArbitrary, fc.integer({ min: 1, max: 100 })).map(([terms, times]): Step => (column, integers) => {
    const other = AmountColumn.from(terms);
    for (let time = 0; time < times; time++) column.addColumn(other);
    for (const [index, term] of terms.entries()) integers[index]! += term * BigInt(times);
  }),
  fc.tuple(columnArbitrary, fc.integer({ min: 1, max: 100 })).map(([terms, times]): Step => (column, integers) => {
    const other = AmountColumn.from(terms);
    for (let time = 0; time < times; time++) column.subtractColumn(other);
    for (const [index, term] of terms.entries()) integers[index]! -= term * BigInt(times);
  }),
  fc.constant<Step>((column, integers) => {
    column.addColumn(column);
    for (const index of integers.keys()) integers[index]! *= 2n;
  }),
  fc.constant<Step>((column, integers) => {
    column.clear();
    integers.fill(0n);
  }),
  fc.constant<Step>((column, integers) => {
    const mirror = column.copy();
    mirror.subtractColumn(column);
    mirror.subtractColumn(column);
    column.subtractColumn(mirror);
    for (const index of integers.keys()) integers[index]! *= 2n;
  }),
];

function expectSame(column: AmountColumn, integers: readonly Fixed[]): void {
  expectRoughParts(column, integers);
  for (const [index, amount] of integers.entries()) {
    expect(column.at(index)).toBe(amount);
    expect(column.doubleAt(index)).toBe(Number(amount));
    expect(column.sign(index)).toBe(amount < 0n ? -1 : amount > 0n ? 1 : 0);
    expect(column.isZero(index)).toBe(amount === 0n);
  }
  expect(column.sum()).toBe(integers.reduce((sum, amount) => sum + amount, 0n));
  expect(integers.map((_, index) => column.copy().at(index))).toEqual(integers);
  expectParts(column, integers);
}

function expectRoughParts(column: AmountColumn, integers: readonly Fixed[]): void {
  const parts = column.findUnnormalisedParts();
  if (parts === undefined) return;
  for (const [index, amount] of integers.entries()) {
    expect(amountFromParts(parts.high[index]!, parts.low[index]!)).toBe(amount);
    expect(Math.abs(parts.low[index]!)).toBeLessThanOrEqual(2 ** 50);
    expect(Math.abs(parts.high[index]!)).toBeLessThanOrEqual(2 ** 51 + 50);
  }
}

function expectParts(column: AmountColumn, integers: readonly Fixed[]): void {
  const parts = column.findParts();
  if (parts === undefined) return;
  for (const [index, amount] of integers.entries()) {
    expect(BigInt(parts.high[index]!) * lowUnit + BigInt(parts.low[index]!)).toBe(amount);
    expect(Math.abs(parts.low[index]!)).toBeLessThan(1e14);
    expect(Math.abs(parts.high[index]!)).toBeLessThanOrEqual(2 ** 51 + 50);
  }
}

function checkSequences(steps: fc.Arbitrary<Step>[]): void {
  const law = fc.property(fc.array(fc.oneof(...steps), { maxLength: 12 }), (chosen) => {
    const column = new AmountColumn(length);
    const integers = Array.from({ length }, () => 0n);
    for (const step of chosen) {
      step(column, integers);
      expectSame(column, integers);
    }
  });
  fc.assert(law, { numRuns: 200 });
}

function amountsOf(column: AmountColumn): bigint[] {
  return Array.from({ length: column.length }, (_, index) => column.at(index));
}

test.each([
  ['of realistic size', [...putSteps(amountArbitrary), ...sumSteps]],
  [
    'at and beyond the limits of two doubles',
    [...putSteps(amountArbitrary), ...putSteps(largeArbitrary), ...partSteps, ...sumSteps],
  ],
])('any mix of operations on amounts %s gives the same result as on bigints', (_size, steps) => {
  expect(() => checkSequences(steps)).not.toThrow();
});

describe('sums of columns', () => {
  test.each([
    ['the last decimal place carries over', '0.000099999999999999', 1_000, '0.099999999999999'],
    ['negative amounts carry over too', '-0.000099999999999999', 1_000, '-0.099999999999999'],
    ['ten thousand large amounts', '99999999.999999999999999999', 10_000, '999999999999.99999999999999'],
    ['two thousand very large amounts', '99999999999.99', 2_000, '199999999999980'],
  ])('%s', (_fact, term, times, sum) => {
    const column = new AmountColumn(1);
    const other = AmountColumn.from([toFixed(parseDecimal(term))]);
    for (let time = 0; time < times; time++) column.addColumn(other);
    expect(column.at(0)).toBe(toFixed(parseDecimal(sum)));
  });

  test('amounts that fit stay in doubles, however often they are added and subtracted', () => {
    const column = new AmountColumn(1);
    const other = AmountColumn.from([fitMax / 2n - 1n]);
    for (let time = 0; time < 200; time++) {
      column.addColumn(other);
      column.subtractColumn(other);
    }
    expect(column.findParts()).toEqual({ high: Float64Array.of(0), low: Float64Array.of(0) });
    column.addColumn(other);
    column.addColumn(other);
    expect(column.findParts()).toBeDefined();
    column.addColumn(other);
    expect(column.findParts()).toBeUndefined();
    expect(column.at(0)).toBe(3n * (fitMax / 2n - 1n));
  });

  test.each([
    ['large amounts', fitMax - 1n],
    ['large negative amounts', 1n - fitMax],
    ['small amounts', lowUnit - 1n],
  ])('%s of a thousand days are summed exactly', (_what, amount) => {
    expect(AmountColumn.from(Array.from({ length: 1_000 }, () => amount)).sum()).toBe(amount * 1_000n);
  });

  test('columns of different lengths cannot be added', () => {
    expect(() => new AmountColumn(1).addColumn(AmountColumn.from([1n, 2n]))).toThrow(RangeError);
  });

  test('a column is empty until an amount is set, even an amount of zero', () => {
    const column = new AmountColumn(2);
    column.addColumn(new AmountColumn(2));
    expect(column.isEmpty).toBe(true);
    column.set(1, 0n);
    expect(column.isEmpty).toBe(false);
  });
});

test.each([
  ['doubles', 5n],
  ['integers', 10n ** 38n],
])('a cleared column of %s equals a new one', (_kind, amount) => {
  const column = AmountColumn.from([amount, -amount]);
  column.clear();
  expect(column.isEmpty).toBe(true);
  expect(column.findParts()).toEqual({ high: new Float64Array(2), low: new Float64Array(2) });
});

test('two parts convert to the double nearest to the amount', () => {
  const high = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
  const low = fc.integer({ min: -(2 ** 52), max: 2 ** 52 });
  fc.assert(
    fc.property(fc.oneof(high, part), low, (one, other) => {
      expect(amountAsDouble(one, other)).toBe(Number(BigInt(one) * lowUnit + BigInt(other)));
      expect(amountAsDouble(one / 2, other)).toBe(Number((BigInt(one) * lowUnit) / 2n + BigInt(other)));
    }),
    { numRuns: 2_000 },
  );
});

test('splitting an amount into parts and joining them gives the same amount', () => {
  const amount = fc.oneof(amountArbitrary, fc.bigInt({ min: -2n * fitMax, max: 2n * fitMax }));
  fc.assert(
    fc.property(amount, (whole) => {
      expect(amountFromParts(highPart(whole), lowPart(whole))).toBe(whole);
    }),
  );
});

test.each([1, 2, 3, 4, 5, 6])(
  'columns of %d entries add up and subtract entry by entry, and are zero when cleared',
  (length) => {
    const one = Array.from({ length }, (_, index) => BigInt(index + 1) * 10n ** 14n + 6n * 10n ** 13n);
    const other = one.map((amount, index) => (index % 2 === 0 ? -amount : amount) + 1n);
    const sum = AmountColumn.from(one);
    sum.addColumn(AmountColumn.from(other));
    expect(amountsOf(sum)).toEqual(one.map((amount, index) => amount + other[index]!));
    sum.subtractColumn(AmountColumn.from(one));
    expect(amountsOf(sum)).toEqual(other);
    sum.clear();
    expect(amountsOf(sum)).toEqual(one.map(() => 0n));
    expect(sum.isEmpty).toBe(true);
  },
);

test.each([
  ['just full', [10n ** 14n - 1n, 1n], [1, 0]],
  ['just full below zero', [1n - 10n ** 14n, -1n], [-1, 0]],
  ['over-full', [6n * 10n ** 13n, 6n * 10n ** 13n], [1, 2e13]],
  ['over-full below zero', [-6n * 10n ** 13n, -6n * 10n ** 13n], [-1, -2e13]],
  ['not full', [4n * 10n ** 13n, 4n * 10n ** 13n], [0, 8e13]],
])('low parts that are %s together are carried over', (_fact, amounts, parts) => {
  const column = new AmountColumn(1);
  for (const amount of amounts) column.add(0, amount);
  expect([column.findParts()!.high[0], column.findParts()!.low[0]]).toEqual(parts);
  expect(column.at(0)).toBe(amounts.reduce((sum, amount) => sum + amount, 0n));
});

test('sums of columns keep their last place however often they are doubled', () => {
  const column = AmountColumn.from([6n * 10n ** 13n + 1n, 0n, -(10n ** 14n) + 1n]);
  const expected = amountsOf(column).map((amount) => amount << 12n);
  for (let times = 0; times < 12; times++) {
    column.addColumn(column.copy());
    expect([...column.findUnnormalisedParts()!.low].every((part) => Math.abs(part) <= 2 ** 50)).toBe(true);
  }
  expect(amountsOf(column)).toEqual(expected);
  const { high, low } = column.findParts()!;
  expect([...low].every((part) => Math.abs(part) < 1e14)).toBe(true);
  expect([high[1], low[1]]).toEqual([0, 0]);
  expect(column.sum()).toBe(expected.reduce((sum, amount) => sum + amount, 0n));
});

test.each([1, 2, 3, 4, 5, 6])(
  'so do columns of %d entries, one of which no double holds, and single entries of them',
  (length) => {
    const great = 10n ** 40n;
    const one = Array.from({ length }, (_, index) => (index === length - 1 ? great : BigInt(index + 1)));
    const column = AmountColumn.from(one);
    column.addColumn(AmountColumn.from(one.toReversed()));
    column.addColumn(AmountColumn.from(one.map(() => 3n)));
    column.subtractColumn(AmountColumn.from(one.toReversed()));
    column.subtractColumn(AmountColumn.from(one.map(() => 1n)));
    const expected = one.map((amount) => amount + 2n);
    expect(amountsOf(column)).toEqual(expected);
    expect(amountsOf(column.copy())).toEqual(expected);
    expect(column.sum()).toBe(expected.reduce((sum, amount) => sum + amount, 0n));
    expect([column.findParts(), column.findUnnormalisedParts()]).toEqual([undefined, undefined]);
    expect(column.doubleAt(length - 1)).toBe(Number(great + 2n));
    column.add(0, 5n);
    column.addParts(0, 2, 7);
    expect(column.at(0)).toBe(expected[0]! + 5n + 2n * lowUnit + 7n);
    column.set(0, 4n);
    expect([column.at(0), column.isZero(0), column.sign(0)]).toEqual([4n, false, 1]);
    column.setParts(0, 0, -6);
    expect([column.at(0), column.sign(0)]).toEqual([-6n, -1]);
    const added = AmountColumn.from(one.with(length - 1, 1n));
    added.add(length - 1, great);
    expect(added.at(length - 1)).toBe(great + 1n);
  },
);

test('an empty column is zero', () => {
  const column = new AmountColumn(2);
  expect([column.isEmpty, column.sum(), column.isZero(1), column.sign(1), column.doubleAt(1)]).toEqual([
    true,
    0n,
    true,
    0,
    0,
  ]);
  column.set(1, 1n);
  expect([column.isEmpty, column.sum(), column.isZero(1), column.sign(1), column.doubleAt(1)]).toEqual([
    false,
    1n,
    false,
    1,
    1,
  ]);
});

test('so do sums of hundreds of columns', () => {
  const one = AmountColumn.from([10n ** 14n - 1n, 1n - 10n ** 14n, 6n * 10n ** 13n + 1n]);
  const column = new AmountColumn(3);
  for (let times = 0; times < 301; times++) column.addColumn(one);
  expect(amountsOf(column)).toEqual(amountsOf(one).map((amount) => 301n * amount));
});

test('an entry that grows beyond what a double holds stays exact', () => {
  const column = new AmountColumn(1);
  for (let times = 0; times < 9; times++) column.addParts(0, 2 ** 51 - 1, 1);
  expect(column.at(0)).toBe(9n * ((2n ** 51n - 1n) * lowUnit + 1n));
});
