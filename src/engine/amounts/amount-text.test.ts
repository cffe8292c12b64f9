// Checks the text of amounts in a column against the text of the same bigints, whatever their size.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixedText, roundedText } from '../../kit/fixed.ts';
import { AmountColumn } from './amount-column.ts';
import { amountText } from './amount-text.ts';

const amount = fc.oneof(
  fc.bigInt({ min: -(10n ** 45n), max: 10n ** 45n }),
  fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
  fc.bigInt({ min: -1_000_000n, max: 1_000_000n }).map((cents) => cents * 10n ** 16n),
  fc.constantFrom(0n, 1n, -1n, 10n ** 14n, -(10n ** 14n), 10n ** 14n - 1n, 10n ** 18n, -(10n ** 18n)),
);

test('an amount in a column has the same text as the same bigint', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), (amounts) => {
      const texts = amountText(AmountColumn.from(amounts), null);
      expect(amounts.map((_, index) => texts(index))).toEqual(amounts.map(fixedText));
    }),
  );
});

/** Amounts at and beside the middle between two rounded ones. */
const middle = fc
  .record({
    half: fc.bigInt({ min: -(10n ** 7n), max: 10n ** 7n }),
    places: fc.integer({ min: 0, max: 17 }),
    beside: fc.constantFrom(0n, 1n, -1n),
  })
  .map(({ half, places, beside }) => half * 5n * 10n ** BigInt(17 - places) + beside);

test('a rounded amount in a column has the same text as the same bigint, also halfway and for every number of digits', () => {
  const digits = fc.integer({ min: 0, max: 18 });
  fc.assert(
    fc.property(fc.array(fc.oneof(amount, middle), { minLength: 1, maxLength: 20 }), digits, (amounts, count) => {
      const texts = amountText(AmountColumn.from(amounts), count);
      expect(amounts.map((_, index) => texts(index))).toEqual(amounts.map((one) => roundedText(one, count)));
    }),
    { numRuns: 400 },
  );
});

test('a sum whose parts have opposite signs has the text of its total', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
      fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
      (one, other) => {
        const column = AmountColumn.from([one]);
        column.addColumn(AmountColumn.from([other]));
        column.subtractColumn(AmountColumn.from([one + other - 1n]));
        column.addColumn(AmountColumn.from([one]));
        expect(amountText(column, null)(0)).toBe(fixedText(one + 1n));
      },
    ),
  );
});

test('amounts around zero and halves are written as exact ones are rounded, with any number of digits', () => {
  const half = 5n * 10n ** 13n;
  const near = [
    0n,
    1n,
    half - 1n,
    half,
    half + 1n,
    2n * half,
    3n * half,
    5n * 10n ** 17n,
    15n * 10n ** 17n,
    10n ** 20n - 1n,
  ];
  const amounts = [...near, ...near.map((amount) => -amount)];
  const column = AmountColumn.from(amounts);
  for (const digits of [0, 1, 2, 3, 4, 5, 18]) {
    const text = amountText(column, digits);
    expect(amounts.map((_, index) => text(index))).toEqual(amounts.map((amount) => roundedText(amount, digits)));
  }
});

test('sums are written as exact ones are, whatever their parts carry over', () => {
  const amounts = [99n, 51n, 50n, 1n]
    .flatMap((part) => [part, -part])
    .map((part) => 3n * 10n ** 14n + part * 10n ** 12n);
  const column = AmountColumn.from(amounts);
  column.addColumn(column.copy());
  for (const digits of [0, 2, 3, 4]) {
    const text = amountText(column, digits);
    expect(amounts.map((_, index) => text(index))).toEqual(amounts.map((amount) => roundedText(2n * amount, digits)));
  }
});
