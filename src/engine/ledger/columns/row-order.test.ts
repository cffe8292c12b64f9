import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareRows, newPlainColumns } from './ledger-chunk.ts';
import { findBookingOrder, rowOrder } from './row-order.ts';

test.each([
  ['rising', [5, 6, 9], [0, 1, 2]],
  ['in any order', [9, 5, 6], [1, 2, 0]],
  ['of one row', [1e15], [0]],
  ['of no row', [], undefined],
  ['with a duplicate', [5, 6, 5], undefined],
  ['too far apart for a counting sort', [1, 1_000, 1_000_000], undefined],
])('the order of booking numbers %s', (_title, numbers, expected) => {
  const order = findBookingOrder(Float64Array.from(numbers));
  expect(order && [...order]).toEqual(expected);
});

test('rows in any order are sorted into ledger order, however far apart their booking numbers are', () => {
  const row = fc.record({
    day: fc.integer({ min: 0, max: 3 }),
    rank: fc.integer({ min: 0, max: 7 }),
    time: fc.option(fc.integer({ min: 0, max: 3 })),
  });
  const rows = fc.array(row, { minLength: 1 });
  fc.assert(
    fc.property(rows, fc.constantFrom(1, 3, 1_000_000), fc.infiniteStream(fc.nat()), (some, step, random) => {
      const columns = newPlainColumns(some.length + 1); // one extra row at the end, which is not sorted
      const numbers = some.map((_, index) => ({ number: 1 + index * step, place: random.next().value! }));
      numbers.sort((one, other) => one.place - other.place);
      for (const [index, { day, rank, time }] of some.entries()) {
        columns.row[index] = numbers[index]!.number;
        columns.day[index] = day;
        columns.rank[index] = rank;
        columns.isTimed[index] = time === null ? 0 : 1;
        columns.time[index] = time ?? rank;
      }
      const byComparing = [...some.keys()].toSorted((one, other) => compareRows(columns, one, columns, other));
      expect([...rowOrder(columns, some.length)]).toEqual(byComparing);
    }),
  );
});
