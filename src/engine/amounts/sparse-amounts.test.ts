// Checks sparse amounts against sums of bigints.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Fixed } from '../../kit/fixed.ts';
import { AmountColumn } from './amount-column.ts';
import { SparseAmounts } from './sparse-amounts.ts';
import { highPart, lowPart } from './amount-parts.ts';

const length = 30;
const highMax = 2 ** 51;

interface Entry {
  readonly place: number;
  readonly amount: Fixed;
}

function findSparse(entries: readonly Entry[]): SparseAmounts | undefined {
  const sorted = entries.toSorted((one, other) => one.place - other.place);
  return SparseAmounts.find(length, {
    indexes: Int32Array.from(sorted, ({ place }) => place),
    high: Float64Array.from(sorted, ({ amount }) => highPart(amount)),
    low: Float64Array.from(sorted, ({ amount }) => lowPart(amount)),
  });
}

function amountsOf(column: AmountColumn | SparseAmounts): Fixed[] {
  return Array.from({ length }, (_, index) => column.at(index));
}

function sumsOf(entries: readonly Entry[]): Fixed[] {
  const sums = Array.from({ length }, () => 0n);
  for (const { place, amount } of entries) sums[place]! += amount;
  return sums;
}

const amountArbitrary: fc.Arbitrary<Fixed> = fc.oneof(
  fc.bigInt({ min: -(10n ** 26n), max: 10n ** 26n }),
  fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
  fc.constantFrom(10n ** 14n - 1n, 1n - 10n ** 14n, 0n),
);
const entriesArbitrary = fc.array(
  fc.record({ place: fc.integer({ min: 0, max: length - 1 }), amount: amountArbitrary }),
  { maxLength: 40 },
);

test('amounts of the same day are added up, and all other days are zero', () => {
  fc.assert(
    fc.property(entriesArbitrary, (entries) => {
      const found = findSparse(entries)!;
      expect(amountsOf(found)).toEqual(sumsOf(entries));
      expect(found.count).toBe(new Set(entries.map(({ place }) => place)).size);
      expect(found.isEmpty).toBe(entries.length === 0);
      expect(found.sum()).toBe(entries.reduce((sum, { amount }) => sum + amount, 0n));
      expect(found.parts.low.every((low) => Math.abs(low) < 1e14)).toBe(true);
      expect(found.parts.high.every((high) => Math.abs(high) <= found.highMaxAbs)).toBe(true);
    }),
  );
});

const fitMax = BigInt(highMax) * 10n ** 14n;

test('adding sparse amounts to a column gives the same sums as bigints', () => {
  const large = fc.oneof(amountArbitrary, fc.bigInt({ min: -fitMax, max: fitMax }));
  const columnArbitrary = fc.array(large, { minLength: length, maxLength: length });
  const single = fc.record({ place: fc.integer({ min: 0, max: length - 1 }), amount: large });
  const singles = fc.uniqueArray(single, { selector: ({ place }) => place, maxLength: 5 });
  const timesArbitrary = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant(4_096));
  fc.assert(
    fc.property(columnArbitrary, singles, timesArbitrary, (amounts, entries, times) => {
      const [column, found, sums] = [AmountColumn.from(amounts), findSparse(entries)!, sumsOf(entries)];
      for (let time = 0; time < times; time++) column.addSparse(found);
      expect(amountsOf(column)).toEqual(amounts.map((amount, index) => amount + sums[index]! * BigInt(times)));
    }),
  );
});

test('amounts that fit stay in doubles, however often they are added and subtracted', () => {
  const column = new AmountColumn(length);
  const [paid, taken] = [fitMax / 2n - 1n, 1n - fitMax / 2n].map((amount) => findSparse([{ place: 3, amount }])!);
  for (let time = 0; time < 200; time++) {
    column.addSparse(paid!);
    column.addSparse(taken!);
  }
  expect(column.findParts()).toEqual({ high: new Float64Array(length), low: new Float64Array(length) });
});

describe('an amount that does not fit two doubles', () => {
  test('is declined, as a single amount or as the sum of a day', () => {
    expect(findSparse([{ place: 1, amount: fitMax }])).toBeDefined();
    expect(findSparse([{ place: 1, amount: fitMax + 10n ** 14n }])).toBeUndefined();
    expect(findSparse([fitMax, 10n ** 14n].map((amount) => ({ place: 1, amount })))).toBeUndefined();
  });

  test('is declined even if it is only an intermediate sum', () => {
    const amounts = [fitMax - 1n, fitMax - 1n, fitMax - 1n, 1n - fitMax, 1n - fitMax, 1n - fitMax];
    expect(findSparse(amounts.map((amount) => ({ place: 1, amount })))).toBeUndefined();
  });

  test('is stored by a column as a bigint', () => {
    const column = AmountColumn.from(Array.from({ length }, () => fitMax));
    column.addSparse(findSparse([{ place: 4, amount: fitMax }])!);
    expect([column.at(3), column.at(4)]).toEqual([fitMax, 2n * fitMax]);
  });
});

test('sparse amounts cannot be added to a column of another length', () => {
  const entries = findSparse([{ place: 0, amount: 1n }])!;
  expect(() => new AmountColumn(length - 1).addSparse(entries)).toThrow(RangeError);
});

test('empty sparse amounts are zero on every day', () => {
  const none = SparseAmounts.empty(length);
  const column = new AmountColumn(length);
  column.addSparse(none);
  expect(amountsOf(none)).toEqual(sumsOf([]));
  expect(column.isEmpty).toBe(true);
});
