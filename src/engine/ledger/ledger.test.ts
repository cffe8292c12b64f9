// Checks what a ledger of columns stores, row by row and in bulk.

import { describe, expect, test } from 'vitest';

import { compareTransactions } from '../../../tests/setup/engine/transaction-order.ts';
import { cashInstrument } from './position-key.ts';
import { Ledger } from './ledger.ts';
import { DecimalColumn } from '../amounts/decimal-column.ts';
import { LedgerBuilder } from './ledger-builder.ts';
import type { LedgerChunk } from './columns/ledger-chunk.ts';
import { LedgerError } from './ledger-error.ts';
import type { LedgerTransaction } from './transaction.ts';

const one = 10n ** 18n;

const buy: LedgerTransaction = {
  row: 1,
  kind: 'trade',
  day: 20_000,
  time: null,
  settlement: 20_002,
  account: 'main',
  depository: 'vault',
  instrument: 'ACME',
  quantity: 100n * one,
  amount: -1_234_560_000_000_000_000_000n,
  currency: 'CHF',
  price: 12_345_600_000_000_000_000n,
  value: 1_234_560_000_000_000_000_000n,
  details: null,
};

function buys(
  count: number,
  change: (index: number) => Partial<LedgerTransaction> = () => ({}),
): readonly LedgerTransaction[] {
  return Array.from({ length: count }, (_, index) => ({ ...buy, row: index + 1, ...change(index) }));
}

function rowsOf(ledger: Ledger): readonly number[] {
  return [...ledger.transactions()].map(({ row }) => row);
}

describe('a stored row reads back unchanged', () => {
  test.each<[string, Partial<LedgerTransaction>]>([
    ['with 20 digits before and 18 after the decimal point', { amount: 10n ** 38n - 1n, value: -(10n ** 38n) + 1n }],
    ['with amounts of the smallest unit', { quantity: 1n, amount: -1n, price: 1n }],
    ['with a price of zero', { price: 0n }],
    ['without a price', { price: null }],
    ['without a settlement day', { settlement: null }],
    ['settled before 1970', { day: -1, settlement: -1 }],
    ['executed at midnight', { time: 0 }],
    ['executed in a leap second', { time: 86_400_000 }],
    ['with cash only at a depository', { kind: 'fee', instrument: null, quantity: 0n, price: null }],
    ['booked once for all holders', { kind: 'corporate-action', account: null, depository: null, currency: 'USD' }],
    ['with the largest booking number', { row: 2 ** 53 - 1 }],
    ['with details', { details: { accrued: 5n, named: [{ row: 3, ordinal: 0, quantity: one }] } }],
  ])('%s', (_, change) => {
    const row = { ...buy, ...change };
    expect([...Ledger.from([row]).transactions()]).toEqual([row]);
    const among = Ledger.from(buys(5, (index) => ({ row: 1_000 + index }))).add(row);
    expect(among.find(row)).toEqual(row);
  });
});

test('an empty ledger has no rows, no positions and no bytes', () => {
  const ledger = Ledger.from([]);
  expect([ledger.size, ledger.chunks, ledger.positions, ledger.bytes()]).toEqual([0, [], [], 0]);
  expect([ledger.countUntil(20_000), [...ledger.transactions()], ledger.find(buy)]).toEqual([0, [], undefined]);
  expect(rowsOf(ledger.add(buy))).toEqual([1]);
  expect(ledger.add(buy).remove(buy).chunks).toEqual([]);
});

test('within a day the order is actions, inflows, buys, income, sells and outflows, then booking number', () => {
  const day: readonly LedgerTransaction[] = [
    { ...buy, row: 1, kind: 'flow', quantity: -one },
    { ...buy, row: 2, quantity: -one },
    { ...buy, row: 3, kind: 'dividend' },
    { ...buy, row: 9 },
    { ...buy, row: 4 },
    { ...buy, row: 5, time: 1 },
    { ...buy, row: 6, kind: 'flow', amount: one },
    {
      ...buy,
      row: 7,
      kind: 'flow',
      amount: -one,
      details: { counterCash: { account: 'b', currency: 'CHF', amount: one } },
    },
    { ...buy, row: 8, kind: 'corporate-action' },
  ];
  expect(rowsOf(Ledger.from(day))).toEqual([8, 6, 4, 9, 7, 5, 3, 2, 1]);
});

describe('scales', () => {
  test('have the decimal places that the rows need, and a few spare ones', () => {
    expect(Ledger.from([buy]).scales).toEqual({ quantity: 2, amount: 2, price: 4, value: 2 });
    const fine = { ...buy, quantity: 123_456_780_000_000n, price: 10n ** 11n };
    expect(Ledger.from([fine]).scales).toEqual({ quantity: 11, amount: 2, price: 7, value: 2 });
  });

  test('fit as many rows as possible if not all fit', () => {
    const ledger = Ledger.from(buys(100, (index) => (index === 50 ? { amount: one / 3n } : { amount: 10n ** 30n })));
    expect(ledger.scales.amount).toBe(2);
    expect(ledger.chunks[0]!.amount.wide).toEqual(new Map([[50, one / 3n]]));
  });

  test('have no decimal places if the amounts are too large', () => {
    expect(Ledger.from([{ ...buy, amount: 9_007_199_254_740_991n * one }]).scales.amount).toBe(0);
  });

  test('do not change when a row with more decimal places is added, until the ledger is rebuilt', () => {
    const fine = { ...buy, row: 11, quantity: one / 1_000n };
    const ledger = Ledger.from(buys(10)).add(fine);
    expect([ledger.scales.quantity, ledger.chunks[0]!.quantity.values[10]]).toEqual([2, NaN]);
    const rebuilt = ledger.rebuild();
    expect([rebuilt.scales.quantity, rebuilt.chunks[0]!.quantity.values[10]]).toEqual([3, 1]);
    expect([...rebuilt.transactions()]).toEqual([...buys(10), fine]);
  });

  test('are chosen again when a ledger at least doubles', () => {
    const fine = buys(10, (index) => ({ row: 100 + index, quantity: one / 1_000n }));
    expect(Ledger.from(buys(10)).add(fine).scales.quantity).toBe(3);
    expect(Ledger.from(buys(11)).add(fine).scales.quantity).toBe(2);
  });
});

describe('positions', () => {
  test('keep their numbers in every version and do not exist in earlier versions', () => {
    const first = Ledger.from(buys(3));
    const known = [
      { account: 'main', depository: 'vault', instrument: 'ACME' },
      { account: 'main', depository: null, instrument: cashInstrument('CHF') },
    ];
    const more = { account: 'other', depository: null, instrument: 'BOND' };
    const second = first.add({ ...buy, row: 4, ...more });
    expect(first.positions).toEqual(known);
    expect(second.positions).toEqual([...known, more, { ...more, instrument: cashInstrument('CHF') }]);
    expect([first.findPosition(more), second.findPosition(more)]).toEqual([undefined, 2]);
    expect(second.findPosition({ ...more, depository: 'vault' })).toBeUndefined();
  });

  test('have the same numbers in two ledgers derived from one', () => {
    const first = Ledger.from(buys(3));
    const left = first.add({ ...buy, row: 4, instrument: 'LEFT' });
    const right = first.add({ ...buy, row: 4, instrument: 'RIGHT' });
    expect(left.positions.map(({ instrument }) => instrument)).toEqual(['ACME', cashInstrument('CHF'), 'LEFT']);
    expect([left.find({ ...buy, row: 4 })!.instrument, right.find({ ...buy, row: 4 })!.instrument]).toEqual([
      'LEFT',
      'RIGHT',
    ]);
    const both = right.add({ ...buy, row: 5, instrument: 'LEFT' });
    expect(both.findPosition({ ...buy, instrument: 'LEFT' })).toBe(left.findPosition({ ...buy, instrument: 'LEFT' }));
  });

  test('are not listed again for a version that adds none', () => {
    const first = Ledger.from(buys(3));
    expect(first.add({ ...buy, row: 4 }).positions).toBe(first.positions);
  });
});

describe('chunks of 2 to 8 rows', () => {
  const bounds = { min: 2, aim: 4, max: 8 };

  /** Nine rows make chunks of 4 and 5; multiples of ten remove the row with that number, other numbers add a row. */
  function lengthsAfter(count: number, changes: readonly number[]): readonly number[] {
    const rows = buys(count, (index) => ({ row: 10 * (index + 1) }));
    const ledger = changes.reduce(
      (before, row) => (row % 10 === 0 ? before.remove({ row, day: buy.day }) : before.add({ ...buy, row })),
      Ledger.from(rows, bounds),
    );
    return ledger.chunks.map(({ length }) => length);
  }

  test.each<[string, number, readonly number[], readonly number[]]>([
    ['are one if all rows fit', 8, [], [8]],
    ['have even sizes if not all rows fit', 9, [], [4, 5]],
    ['are split when one is full', 8, [11], [4, 5]],
    ['may shrink to the minimum size', 9, [10, 20], [2, 5]],
    ['are joined below the minimum size', 9, [10, 20, 30], [6]],
    ['are joined below the minimum size at the end', 9, [50, 60, 70, 80], [5]],
    ['are balanced if two together are too large for one', 9, [51, 52, 53, 10, 20, 30], [4, 5]],
    ['in the middle are joined with the previous one if it is smaller', 12, [121, 50, 60, 70], [5, 5]],
    ['in the middle are joined with the next one if it is smaller', 12, [11, 50, 60, 70], [5, 5]],
    [
      'in the middle are joined with the previous one if both are of equal size',
      12,
      [121, 122, 11, 12, 50, 60, 70],
      [7, 6],
    ],
  ])('%s', (_, count, changes, lengths) => {
    expect(lengthsAfter(count, changes)).toEqual(lengths);
  });
});

describe('a ledger refuses', () => {
  const ledger = Ledger.from(buys(10));
  test.each<[string, () => unknown, string]>([
    [
      'two rows with the same number',
      () => Ledger.from([buy, { ...buy, day: 3 }]),
      'Two rows have the booking number 1.',
    ],
    ['a number that is taken', () => ledger.add({ ...buy, row: 7, day: 3 }), 'There is already a row 7.'],
    [
      'duplicates in an addition',
      () => ledger.add(buys(2, () => ({ row: 20 }))),
      'Two rows have the booking number 20.',
    ],
    [
      'a taken number in an addition',
      () => ledger.add(buys(2, (index) => ({ row: 10 + index }))),
      'There is already a row 10.',
    ],
    ['a taken number in a large addition', () => ledger.add(buys(20)), 'Two rows have the booking number 1.'],
    ['to remove a missing row', () => ledger.remove({ row: 11, day: buy.day }), 'There is no row 11 on its day.'],
    [
      'to remove a row on another day',
      () => ledger.remove({ row: 1, day: buy.day + 1 }),
      'There is no row 1 on its day.',
    ],
    ['to amend to a taken number', () => ledger.replace(buy, { ...buy, row: 2 }), 'There is already a row 2.'],
    ['a fractional booking number', () => Ledger.from([{ ...buy, row: 1.5 }]), '1.5 is not a booking number.'],
    [
      'a number beyond 2^53',
      () => Ledger.from([{ ...buy, row: 2 ** 53 }]),
      '9007199254740992 is not a booking number.',
    ],
    ['a fractional day', () => Ledger.from([{ ...buy, day: 0.5 }]), 'Row 1: 0.5 is neither a day nor a time of day.'],
    ['a fractional time', () => Ledger.from([{ ...buy, time: 0.5 }]), 'Row 1: 0.5 is neither a day nor a time of day.'],
    [
      'a settlement out of range',
      () => Ledger.from([{ ...buy, settlement: -(2 ** 31) }]),
      'Row 1: -2147483648 is neither a day nor a time of day.',
    ],
  ])('%s', (_, action, message) => {
    expect(action).toThrow(new LedgerError(message));
  });
});

describe('a ledger of 100,000 rows', () => {
  const count = 100_000;
  const rows = buys(count, (index) => ({
    day: 20_000 + Math.floor(index / 40),
    instrument: `instrument ${index % 300}`,
    quantity: BigInt(index - 50_000) * 10n ** 17n,
  })).toSorted(compareTransactions);
  const ledger = Ledger.from(rows);

  test('holds them in chunks of 1,024 to 4,096, whatever order they are added in', () => {
    expect([...ledger.transactions()]).toEqual(rows);
    expect([...Ledger.from(rows.toReversed()).transactions()]).toEqual(rows);
    for (const { length } of ledger.chunks) expect(length >= 1_024 && length <= 4_096).toBe(true);
  });

  test('takes 71 bytes per row over all columns', () => {
    expect(ledger.bytes()).toBe(71 * count);
    expect(ledger.chunks.reduce((sum, chunk) => sum + bufferBytes(chunk), 0)).toBe(71 * count);
    expect(ledger.chunks.reduce((sum, chunk) => sum + sparseCount(chunk), 0)).toBe(0);
  });

  test.each([
    ['front', { ...buy, row: count + 1, day: 1 }],
    ['middle', { ...buy, row: count + 1, day: 21_000 }],
    ['end', { ...buy, row: count + 1, day: 30_000 }],
  ])('copies one chunk when a row is added at the %s', (_, row) => {
    const more = ledger.add(row);
    expect(more.chunks.filter((chunk) => !ledger.chunks.includes(chunk)).length).toBe(1);
    expect([more.size, ledger.size, more.find(row)]).toEqual([count + 1, count, row]);
  });

  test('can have all its rows on one day', () => {
    const day = buys(count, (index) => ({ row: count - index }));
    const all = Ledger.from(day);
    expect(rowsOf(all)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect([all.countUntil(19_999), all.countUntil(20_000)]).toEqual([0, count]);
    expect(rowsOf(all.remove({ row: 50_000, day: 20_000 })).includes(50_000)).toBe(false);
  });

  test('is the same from a builder as from a list', () => {
    const builder = new LedgerBuilder();
    for (const row of rows) builder.append(row);
    expect(builder.build().chunks).toEqual(Ledger.from(rows).chunks);
  });
});

test('a builder can add more rows after it has built a ledger', () => {
  const builder = new LedgerBuilder();
  builder.append(buy);
  const before = builder.build();
  builder.append({ ...buy, row: 2, instrument: 'BOND' });
  expect([rowsOf(before), before.positions.length]).toEqual([[1], 2]);
  expect([rowsOf(builder.build()), builder.build().positions.length]).toEqual([[1, 2], 3]);
});

/** The total size of the buffers behind the chunk's columns. */
function bufferBytes(chunk: LedgerChunk): number {
  const columns = Object.values(chunk).map((column) => (column instanceof DecimalColumn ? column.values : column));
  return columns.filter((column) => ArrayBuffer.isView(column)).reduce((sum, view) => sum + view.buffer.byteLength, 0);
}

function sparseCount({ quantity, amount, price, value, details }: LedgerChunk): number {
  return quantity.wide.size + amount.wide.size + price.wide.size + value.wide.size + details.size;
}
