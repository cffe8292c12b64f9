// What a ledger of columns holds, row by row and in bulk.

import { describe, expect, test } from 'vitest';

import { compareTransactions } from '../../../tests/setup/engine/transaction-order.ts';
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

describe('a row comes out as it went in', () => {
  test.each<[string, Partial<LedgerTransaction>]>([
    ['of 20 digits before and 18 after the point', { amount: 10n ** 38n - 1n, value: -(10n ** 38n) + 1n }],
    ['of the finest units there are', { quantity: 1n, amount: -1n, price: 1n }],
    ['with a price of nothing', { price: 0n }],
    ['without a price', { price: null }],
    ['without a settlement day', { settlement: null }],
    ['settled before 1970', { day: -1, settlement: -1 }],
    ['executed as the day begins', { time: 0 }],
    ['executed in a leap second', { time: 86_400_000 }],
    ['of money alone at a depository', { kind: 'fee', instrument: null, quantity: 0n, price: null }],
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

test('within a day stand actions, inflows, buys, income, sells and outflows, then the booking number decides', () => {
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
  test('have the places that the rows need, and some that they may come to need', () => {
    expect(Ledger.from([buy]).scales).toEqual({ quantity: 2, amount: 2, price: 4, value: 2 });
    const fine = { ...buy, quantity: 123_456_780_000_000n, price: 10n ** 11n };
    expect(Ledger.from([fine]).scales).toEqual({ quantity: 11, amount: 2, price: 7, value: 2 });
  });

  test('are those of most rows where not all fit', () => {
    const ledger = Ledger.from(buys(100, (index) => (index === 50 ? { amount: one / 3n } : { amount: 10n ** 30n })));
    expect(ledger.scales.amount).toBe(2);
    expect(ledger.chunks[0]!.amount.wide).toEqual(new Map([[50, one / 3n]]));
  });

  test('give way to amounts so large that there is no room for places', () => {
    expect(Ledger.from([{ ...buy, amount: 9_007_199_254_740_991n * one }]).scales.amount).toBe(0);
  });

  test('stay when a finer row is added, until the ledger is rebuilt', () => {
    const fine = { ...buy, row: 11, quantity: one / 1_000n };
    const ledger = Ledger.from(buys(10)).add(fine);
    expect([ledger.scales.quantity, ledger.chunks[0]!.quantity.values[10]]).toEqual([2, NaN]);
    const rebuilt = ledger.rebuild();
    expect([rebuilt.scales.quantity, rebuilt.chunks[0]!.quantity.values[10]]).toEqual([3, 1]);
    expect([...rebuilt.transactions()]).toEqual([...buys(10), fine]);
  });

  test('are chosen anew when a ledger at least doubles', () => {
    const fine = buys(10, (index) => ({ row: 100 + index, quantity: one / 1_000n }));
    expect(Ledger.from(buys(10)).add(fine).scales.quantity).toBe(3);
    expect(Ledger.from(buys(11)).add(fine).scales.quantity).toBe(2);
  });
});

describe('positions', () => {
  test('keep their numbers in every version and are known only to versions that came after them', () => {
    const first = Ledger.from(buys(3));
    const known = [
      { account: 'main', depository: 'vault', instrument: 'ACME' },
      { account: 'main', depository: null, instrument: 'cash:CHF' },
    ];
    const more = { account: 'other', depository: null, instrument: 'BOND' };
    const second = first.add({ ...buy, row: 4, ...more });
    expect(first.positions).toEqual(known);
    expect(second.positions).toEqual([...known, more, { ...more, instrument: 'cash:CHF' }]);
    expect([first.findPosition(more), second.findPosition(more)]).toEqual([undefined, 2]);
    expect(second.findPosition({ ...more, depository: 'vault' })).toBeUndefined();
  });

  test('have the same numbers in two ledgers that came from one', () => {
    const first = Ledger.from(buys(3));
    const left = first.add({ ...buy, row: 4, instrument: 'LEFT' });
    const right = first.add({ ...buy, row: 4, instrument: 'RIGHT' });
    expect(left.positions.map(({ instrument }) => instrument)).toEqual(['ACME', 'cash:CHF', 'LEFT']);
    expect([left.find({ ...buy, row: 4 })!.instrument, right.find({ ...buy, row: 4 })!.instrument]).toEqual([
      'LEFT',
      'RIGHT',
    ]);
    const both = right.add({ ...buy, row: 5, instrument: 'LEFT' });
    expect(both.findPosition({ ...buy, instrument: 'LEFT' })).toBe(left.findPosition({ ...buy, instrument: 'LEFT' }));
  });

  test('are not listed anew for a version that brought none', () => {
    const first = Ledger.from(buys(3));
    expect(first.add({ ...buy, row: 4 }).positions).toBe(first.positions);
  });
});

describe('chunks of 2 to 8 rows', () => {
  const bounds = { min: 2, aim: 4, max: 8 };

  /** Nine rows make chunks of 4 and 5; rows are added or removed by their numbers, which are tens. */
  function lengthsAfter(count: number, changes: readonly number[]): readonly number[] {
    const rows = buys(count, (index) => ({ row: 10 * (index + 1) }));
    const ledger = changes.reduce(
      (before, row) => (row % 10 === 0 ? before.remove({ row, day: buy.day }) : before.add({ ...buy, row })),
      Ledger.from(rows, bounds),
    );
    return ledger.chunks.map(({ length }) => length);
  }

  test.each<[string, number, readonly number[], readonly number[]]>([
    ['are one where they fit', 8, [], [8]],
    ['are even where they do not', 9, [], [4, 5]],
    ['are split when one is full', 8, [11], [4, 5]],
    ['stay at the least size', 9, [10, 20], [2, 5]],
    ['are joined below it', 9, [10, 20, 30], [6]],
    ['are joined below it at the end', 9, [50, 60, 70, 80], [5]],
    ['are evened out where both are too many for one', 9, [51, 52, 53, 10, 20, 30], [4, 5]],
    ['in the middle are joined with the one before where it is smaller', 12, [121, 50, 60, 70], [5, 5]],
    ['in the middle are joined with the one after where it is smaller', 12, [11, 50, 60, 70], [5, 5]],
    ['in the middle are joined with the one before where both are alike', 12, [121, 122, 11, 12, 50, 60, 70], [7, 6]],
  ])('%s', (_, count, changes, lengths) => {
    expect(lengthsAfter(count, changes)).toEqual(lengths);
  });
});

describe('what cannot be', () => {
  const ledger = Ledger.from(buys(10));
  test.each<[string, () => unknown, string]>([
    ['two rows of one number', () => Ledger.from([buy, { ...buy, day: 3 }]), 'Two rows have the booking number 1.'],
    ['a number that is taken', () => ledger.add({ ...buy, row: 7, day: 3 }), 'There is a row 7 already.'],
    ['twins in an addition', () => ledger.add(buys(2, () => ({ row: 20 }))), 'Two rows have the booking number 20.'],
    [
      'a taken number in an addition',
      () => ledger.add(buys(2, (index) => ({ row: 10 + index }))),
      'There is a row 10 already.',
    ],
    ['a taken number in a large addition', () => ledger.add(buys(20)), 'Two rows have the booking number 1.'],
    ['to remove what is not there', () => ledger.remove({ row: 11, day: buy.day }), 'There is no row 11 on its day.'],
    ['to remove on another day', () => ledger.remove({ row: 1, day: buy.day + 1 }), 'There is no row 1 on its day.'],
    ['to amend into a taken number', () => ledger.replace(buy, { ...buy, row: 2 }), 'There is a row 2 already.'],
    ['a broken booking number', () => Ledger.from([{ ...buy, row: 1.5 }]), '1.5 is no booking number.'],
    ['a number beyond 2^53', () => Ledger.from([{ ...buy, row: 2 ** 53 }]), '9007199254740992 is no booking number.'],
    ['a broken day', () => Ledger.from([{ ...buy, day: 0.5 }]), 'Row 1: 0.5 is no day and no time of a day.'],
    ['a broken time', () => Ledger.from([{ ...buy, time: 0.5 }]), 'Row 1: 0.5 is no day and no time of a day.'],
    [
      'a settlement out of range',
      () => Ledger.from([{ ...buy, settlement: -(2 ** 31) }]),
      'Row 1: -2147483648 is no day and no time of a day.',
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

  test('holds them in chunks of 1,024 to 4,096, whatever order they came in', () => {
    expect([...ledger.transactions()]).toEqual(rows);
    expect([...Ledger.from(rows.toReversed()).transactions()]).toEqual(rows);
    for (const { length } of ledger.chunks) expect(length >= 1_024 && length <= 4_096).toBe(true);
  });

  test('takes 71 bytes for each, all columns counted', () => {
    expect(ledger.bytes()).toBe(71 * count);
    expect(ledger.chunks.reduce((sum, chunk) => sum + bufferBytes(chunk), 0)).toBe(71 * count);
    expect(ledger.chunks.reduce((sum, chunk) => sum + sparseCount(chunk), 0)).toBe(0);
  });

  test.each([
    ['front', { ...buy, row: count + 1, day: 1 }],
    ['middle', { ...buy, row: count + 1, day: 21_000 }],
    ['end', { ...buy, row: count + 1, day: 30_000 }],
  ])('copies one chunk for a row more at the %s', (_, row) => {
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

  test('comes from a builder as from a list', () => {
    const builder = new LedgerBuilder();
    for (const row of rows) builder.append(row);
    expect(builder.build().chunks).toEqual(Ledger.from(rows).chunks);
  });
});

test('a builder may go on after it has given a ledger', () => {
  const builder = new LedgerBuilder();
  builder.append(buy);
  const before = builder.build();
  builder.append({ ...buy, row: 2, instrument: 'BOND' });
  expect([rowsOf(before), before.positions.length]).toEqual([[1], 2]);
  expect([rowsOf(builder.build()), builder.build().positions.length]).toEqual([[1, 2], 3]);
});

/** The whole of every buffer that the chunk's columns hold on to. */
function bufferBytes(chunk: LedgerChunk): number {
  const columns = Object.values(chunk).map((column) => (column instanceof DecimalColumn ? column.values : column));
  return columns.filter((column) => ArrayBuffer.isView(column)).reduce((sum, view) => sum + view.buffer.byteLength, 0);
}

function sparseCount({ quantity, amount, price, value, details }: LedgerChunk): number {
  return quantity.wide.size + amount.wide.size + price.wide.size + value.wide.size + details.size;
}
