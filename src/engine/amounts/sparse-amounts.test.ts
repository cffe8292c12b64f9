// Holds entries of a column to integers of any length.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Fixed } from '../../kit/fixed.ts';
import { AmountColumn } from './amount-column.ts';
import { AmountEntries } from './sparse-amounts.ts';
import { highOf, lowOf } from './amount-parts.ts';

const length = 30;
const highMax = 2 ** 51;

interface Entry {
  readonly place: number;
  readonly amount: Fixed;
}

function findEntries(entries: readonly Entry[]): AmountEntries | undefined {
  const sorted = entries.toSorted((one, other) => one.place - other.place);
  return AmountEntries.find(length, {
    places: Int32Array.from(sorted, ({ place }) => place),
    high: Float64Array.from(sorted, ({ amount }) => highOf(amount)),
    low: Float64Array.from(sorted, ({ amount }) => lowOf(amount)),
  });
}

function amountsOf(column: AmountColumn | AmountEntries): Fixed[] {
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

test('amounts of one day add up, and all other days have none', () => {
  fc.assert(
    fc.property(entriesArbitrary, (entries) => {
      const found = findEntries(entries)!;
      expect(amountsOf(found)).toEqual(sumsOf(entries));
      expect(found.count).toBe(new Set(entries.map(({ place }) => place)).size);
      expect(found.isBlank).toBe(entries.length === 0);
      expect(found.sum()).toBe(entries.reduce((sum, { amount }) => sum + amount, 0n));
      expect(found.parts.low.every((low) => Math.abs(low) < 1e14)).toBe(true);
      expect(found.parts.high.every((high) => Math.abs(high) <= found.highReach)).toBe(true);
    }),
  );
});

const fitMax = BigInt(highMax) * 10n ** 14n;

test('added to a column they are what integers of any length are', () => {
  const great = fc.oneof(amountArbitrary, fc.bigInt({ min: -fitMax, max: fitMax }));
  const columnArbitrary = fc.array(great, { minLength: length, maxLength: length });
  const single = fc.record({ place: fc.integer({ min: 0, max: length - 1 }), amount: great });
  const singles = fc.uniqueArray(single, { selector: ({ place }) => place, maxLength: 5 });
  const timesArbitrary = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant(4_096));
  fc.assert(
    fc.property(columnArbitrary, singles, timesArbitrary, (amounts, entries, times) => {
      const [column, found, sums] = [AmountColumn.from(amounts), findEntries(entries)!, sumsOf(entries)];
      for (let time = 0; time < times; time++) column.addEntries(found);
      expect(amountsOf(column)).toEqual(amounts.map((amount, index) => amount + sums[index]! * BigInt(times)));
    }),
  );
});

test('what fits stays in doubles, however often it comes and goes', () => {
  const column = new AmountColumn(length);
  const [paid, taken] = [fitMax / 2n - 1n, 1n - fitMax / 2n].map((amount) => findEntries([{ place: 3, amount }])!);
  for (let time = 0; time < 200; time++) {
    column.addEntries(paid!);
    column.addEntries(taken!);
  }
  expect(column.findParts()).toEqual({ high: new Float64Array(length), low: new Float64Array(length) });
});

describe('what does not fit two doubles', () => {
  test('is declined, alone or together', () => {
    expect(findEntries([{ place: 1, amount: fitMax }])).toBeDefined();
    expect(findEntries([{ place: 1, amount: fitMax + 10n ** 14n }])).toBeUndefined();
    expect(findEntries([fitMax, 10n ** 14n].map((amount) => ({ place: 1, amount })))).toBeUndefined();
  });

  test('is declined too where it only lies on the way', () => {
    const amounts = [fitMax - 1n, fitMax - 1n, fitMax - 1n, 1n - fitMax, 1n - fitMax, 1n - fitMax];
    expect(findEntries(amounts.map((amount) => ({ place: 1, amount })))).toBeUndefined();
  });

  test('a column takes as an integer', () => {
    const column = AmountColumn.from(Array.from({ length }, () => fitMax));
    column.addEntries(findEntries([{ place: 4, amount: fitMax }])!);
    expect([column.at(3), column.at(4)]).toEqual([fitMax, 2n * fitMax]);
  });
});

test('entries of another length do not add up with a column', () => {
  const entries = findEntries([{ place: 0, amount: 1n }])!;
  expect(() => new AmountColumn(length - 1).addEntries(entries)).toThrow(RangeError);
});

test('where nothing flows there is nothing on any day', () => {
  const none = AmountEntries.none(length);
  const column = new AmountColumn(length);
  column.addEntries(none);
  expect(amountsOf(none)).toEqual(sumsOf([]));
  expect(column.isBlank).toBe(true);
});
