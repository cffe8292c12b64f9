import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactAt, integerColumn, scaledColumn } from './integer-column.ts';

const one = 10n ** 18n;

test.each([
  ['whole numbers need no decimal places', [one, 20n * one], 0, [1, 20]],
  ['the scale is that of the value with the most decimal places', [one, (5n * one) / 4n], 2, [100, 125]],
  [
    'a value that does not fit the scale is stored separately',
    [one, (5n * one) / 4n, one / 3n],
    2,
    [100, 125, Number.NaN],
  ],
  ['zeros need no decimal places', [0n, 0n], 0, [0, 0]],
  ['ten decimal places are found', [one / 2n ** 10n, -one], 10, [9_765_625, -10_000_000_000]],
  ['a value that fits no scale is stored separately', [123n * one + 1n], 0, [Number.NaN]],
  [
    'if a large and a fine value do not fit one scale, the smaller scale is used',
    [10n ** 15n * one, one / 100n],
    0,
    [1e15, Number.NaN],
  ],
] as const)('%s', (_title, values, scale, expected) => {
  const maxAbs = Math.max(...expected.filter((value) => !Number.isNaN(value)).map((value) => Math.abs(value)), 0);
  const wide = new Map(
    values.map((value, index) => [index, value] as const).filter(([index]) => Number.isNaN(expected[index])),
  );
  expect(integerColumn(values)).toEqual({ scale, values: Float64Array.from(expected), maxAbs, wide });
});

test('every value is exact or NaN, and the scale is one that fits the most values', () => {
  const value = fc
    .tuple(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), fc.integer({ min: 0, max: 24 }))
    .map(([digits, zeros]) => digits * 10n ** BigInt(zeros));
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const column = integerColumn(values);
      const fitting = (scale: number): number => {
        const unit = 10n ** BigInt(18 - scale);
        return values.filter((each) => each % unit === 0n && Number.isSafeInteger(Number(each / unit))).length;
      };
      const back = values.map((each, index) => {
        const held = column.values[index]!;
        return Number.isNaN(held) ? each : BigInt(held) * 10n ** BigInt(18 - column.scale);
      });
      expect(back).toEqual(values);
      expect(values.map((_, index) => exactAt(column, index))).toEqual(values);
      const held = column.values.filter((each) => !Number.isNaN(each)).length;
      expect(held).toBe(Math.max(...Array.from({ length: 19 }, (_, scale) => fitting(scale))));
    }),
  );
});

test('a column built from digits and decimal places equals the column built from the values', () => {
  const decimal = fc.tuple(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.integer({ min: 0, max: 18 }));
  fc.assert(
    fc.property(fc.array(decimal), fc.array(fc.bigInt({ min: 10n ** 30n, max: 10n ** 37n })), (short, long) => {
      const shortest = short.map(([digits, places]) => {
        let [left, shown] = [digits, places];
        for (; shown > 0 && left % 10 === 0; shown--) left /= 10;
        return { digits: left + 0, places: shown };
      });
      const column = scaledColumn({
        digits: Float64Array.from([...shortest.map(({ digits }) => digits), ...long.map(() => Number.NaN)]),
        places: Uint8Array.from([...shortest.map(({ places }) => places), ...long.map(() => 0)]),
        wide: new Map(long.map((value, index) => [short.length + index, value * 10n + 1n])),
      });
      const values = shortest.map(({ digits, places }) => BigInt(digits) * 10n ** BigInt(18 - places));
      expect(column).toEqual(integerColumn([...values, ...long.map((value) => value * 10n + 1n)]));
    }),
  );
});
