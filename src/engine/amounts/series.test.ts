import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastOnOrBefore, Series } from './series.ts';

const points = [
  { day: 30, value: 3n },
  { day: 10, value: 1n },
  { day: 20, value: 2n },
];

test.each([
  [9, undefined],
  [10, 10],
  [19, 10],
  [20, 20],
  [29, 20],
  [30, 30],
  [1_000, 30],
])('on day %i the point of day %s counts', (day, of) => {
  expect(new Series(points).find(day)).toEqual(points.find((point) => point.day === of));
});

test('points are sorted by day, whatever order they are given in', () => {
  const series = new Series(points);
  expect(Array.from({ length: series.length }, (_, index) => series.at(index).day)).toEqual([10, 20, 30]);
  expect(series.first()).toEqual({ day: 10, value: 1n });
});

test('if two points share a day, the later one in the list is used', () => {
  const series = new Series([...points, { day: 20, value: 5n }]);
  expect(series.length).toBe(3);
  expect(series.find(25)).toEqual({ day: 20, value: 5n });
});

test('a series without points finds nothing', () => {
  expect([new Series([]).find(0), new Series([]).first()]).toEqual([undefined, undefined]);
});

test('the search finds the same point as a scan of all points', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 })), fc.integer({ min: -60, max: 60 }), (some, day) => {
      // Once nearly even, once with gaps that grow.
      for (const spread of [(one: number) => one, (one: number) => one ** 3]) {
        const days = Int32Array.from(
          [...new Set(some)].toSorted((one, other) => one - other),
          spread,
        );
        const at = spread(day);
        expect(lastOnOrBefore(days, at)).toBe(days.findLastIndex((each) => each <= at));
      }
    }),
  );
});

test('a series built from sorted columns equals the series built from points', () => {
  const wide = 12_345_678_901_234_567_890n * 10n ** 18n + 1n;
  const points = [10, 12, 15].map((day) => ({ day, value: BigInt(day) * 10n ** 17n }));
  const series = Series.fromColumns({
    days: Int32Array.of(10, 12, 15, 20),
    values: { digits: Float64Array.of(1, 12, 15, NaN), places: Uint8Array.of(0, 1, 1, 0), wide: new Map([[3, wide]]) },
  });
  const same = new Series([...points, { day: 20, value: wide }]);
  expect([series.length, series.first(), series.find(9), series.find(14), series.find(20)]).toEqual([
    4,
    points[0],
    undefined,
    points[1],
    { day: 20, value: wide },
  ]);
  expect([series.days, series.column, series.bytes]).toEqual([same.days, same.column, same.bytes]);
});

test('a series takes twelve bytes for each point that fits a double, and more for every other point', () => {
  const bytesOf = (values: bigint[]): number => new Series(values.map((value, day) => ({ day, value }))).bytes;
  const none = bytesOf([]);
  expect(bytesOf(Array.from({ length: 100 }, () => 7n)) - none).toBe(1_200);
  expect(bytesOf(Array.from({ length: 100 }, () => 10n ** 30n + 1n)) - none).toBe(11_200);
});
