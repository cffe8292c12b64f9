// Checks laws that hold for a ledger after any history of bookings, deletions and amendments.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { compareTransactions } from '../../../tests/setup/engine/transaction-order.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { noSettlementDay } from './columns/ledger-chunk.ts';
import type { DictionaryColumn, TransactionColumns } from './columns/transaction-columns.ts';
import { LedgerBuilder } from './ledger-builder.ts';
import { Ledger } from './ledger.ts';
import { cashInstrument } from './position-key.ts';
import { transactionKinds, type LedgerTransaction, type TransactionDetails } from './transaction.ts';

const bounds = { min: 2, aim: 4, max: 8 };

const decimalArbitrary: fc.Arbitrary<Fixed> = fc.oneof(
  fc.bigInt({ min: -10_000n, max: 10_000n }).map((cents) => cents * 10n ** 16n),
  fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
  fc.bigInt({ min: -9n, max: 9n }),
  fc.constantFrom(0n, 9_007_199_254_740_991n * 10n ** 16n, 9_007_199_254_740_992n * 10n ** 16n),
);

const detailsArbitrary: fc.Arbitrary<TransactionDetails | null> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  fc.record({ accrued: decimalArbitrary }),
  fc.record({
    counterCash: fc.record({ account: fc.constant('b'), currency: fc.constant('USD'), amount: decimalArbitrary }),
  }),
  fc.constant({ action: { action: 'split', ratio: { numerator: 2n, denominator: 1n } } } as const),
);

function transactionArbitrary(row: number): fc.Arbitrary<LedgerTransaction> {
  return fc.record({
    row: fc.constant(row),
    kind: fc.constantFrom(...transactionKinds),
    day: fc.integer({ min: -3, max: 3 }),
    time: fc.constantFrom(null, null, 0, 1, 86_399_999, 86_400_000),
    settlement: fc.constantFrom(null, -3, 0, 5),
    account: fc.constantFrom(null, 'a', 'b'),
    depository: fc.constantFrom(null, 'a', 'd'),
    instrument: fc.constantFrom(null, 'x', 'y', cashInstrument('EUR')),
    quantity: decimalArbitrary,
    amount: decimalArbitrary,
    currency: fc.constantFrom('EUR', 'USD'),
    price: fc.option(decimalArbitrary),
    value: decimalArbitrary,
    details: detailsArbitrary,
  });
}

/** A booking number; the numbers have gaps and are not in booking order. */
function bookingNumber(index: number): number {
  return (index * 37) % 101 === 0 ? 2 ** 53 - 1 - index : (index * 37) % 101;
}

const countMax = 60;
const bookingsArbitrary = fc
  .integer({ min: 0, max: countMax })
  .chain((count) =>
    fc.tuple(...Array.from({ length: count }, (_, index) => transactionArbitrary(bookingNumber(index)))),
  );

function sorted(transactions: Iterable<LedgerTransaction>): readonly LedgerTransaction[] {
  return [...transactions].toSorted(compareTransactions);
}

interface Picture {
  readonly rows: readonly LedgerTransaction[];
  readonly size: number;
  readonly areChunksBounded: boolean;
  readonly areStartsRight: boolean;
}

function pictureOf(ledger: Ledger): Picture {
  const lengths = ledger.chunks.map((chunk) => chunk.length);
  const min = lengths.length === 1 ? 1 : bounds.min;
  const starts = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, length) => sum + length, 0));
  return {
    rows: [...ledger.transactions()],
    size: ledger.size,
    areChunksBounded: lengths.every((length) => length >= min && length <= bounds.max),
    areStartsRight: starts.every((start, index) => start === ledger.starts[index]),
  };
}

function pictureOfRows(transactions: Iterable<LedgerTransaction>): Picture {
  const rows = sorted(transactions);
  return { rows, size: rows.length, areChunksBounded: true, areStartsRight: true };
}

type Step =
  | { readonly step: 'add'; readonly count: number }
  | { readonly step: 'remove'; readonly pick: number }
  | { readonly step: 'amend'; readonly pick: number };

const stepsArbitrary: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ step: fc.constant('add' as const), count: fc.integer({ min: 0, max: 12 }) }),
    fc.record({ step: fc.constant('add' as const), count: fc.constant(1) }),
    fc.record({ step: fc.constantFrom('remove' as const, 'amend' as const), pick: fc.nat(countMax) }),
  ),
  { maxLength: 40 },
);

/** Applies one step to the ledger and to a plain map of its rows. */
function stepped(before: Version, step: Step, waiting: LedgerTransaction[]): Version {
  const rows = new Map(before.rows);
  if (step.step === 'add') {
    const added = waiting.splice(0, step.count);
    for (const transaction of added) rows.set(transaction.row, transaction);
    return { ledger: before.ledger.add(added.length === 1 ? added[0]! : added), rows };
  }
  const old = [...rows.values()][step.pick % rows.size];
  if (old === undefined) return before;
  rows.delete(old.row);
  if (step.step === 'remove') return { ledger: before.ledger.remove({ row: old.row, day: old.day }), rows };
  const next = waiting.at(-1);
  const amended = next === undefined ? { ...old, day: 1 - old.day } : { ...next, row: old.row };
  return { ledger: before.ledger.replace(old, amended), rows: rows.set(old.row, amended) };
}

interface Version {
  readonly ledger: Ledger;
  readonly rows: ReadonlyMap<number, LedgerTransaction>;
}

test('a ledger has the rows that its bookings, deletions and amendments leave, and earlier versions do not change', () => {
  fc.assert(
    fc.property(bookingsArbitrary, stepsArbitrary, (bookings, steps) => {
      const waiting = [...bookings];
      const versions: Version[] = [{ ledger: Ledger.from([], bounds), rows: new Map() }];
      for (const step of steps) versions.push(stepped(versions.at(-1)!, step, waiting));
      for (const { ledger, rows } of versions) expect(pictureOf(ledger)).toEqual(pictureOfRows(rows.values()));
    }),
    { numRuns: 300 },
  );
});

test('the order of a ledger does not depend on the order in which its rows were booked', () => {
  fc.assert(
    fc.property(
      bookingsArbitrary.chain((bookings) =>
        fc.tuple(fc.constant(bookings), fc.shuffledSubarray(bookings, { minLength: bookings.length })),
      ),
      ([bookings, shuffled]) => {
        const oneByOne = shuffled.reduce((ledger, transaction) => ledger.add(transaction), Ledger.from([], bounds));
        for (const ledger of [Ledger.from(bookings, bounds), Ledger.from(shuffled, bounds), oneByOne])
          expect(pictureOf(ledger)).toEqual(pictureOfRows(bookings));
      },
    ),
  );
});

test('adding a row replaces one chunk, and removing it replaces that chunk and at most one neighbour', () => {
  fc.assert(
    fc.property(bookingsArbitrary, fc.nat(countMax), (bookings, pick) => {
      fc.pre(bookings.length > 2);
      const one = bookings[pick % bookings.length]!;
      const without = Ledger.from(
        bookings.filter((each) => each !== one),
        bounds,
      );
      const added = without.add(one);
      const gone = without.chunks.filter((chunk) => !added.chunks.includes(chunk));
      expect(gone.length).toBe(1);
      expect(added.chunks.filter((chunk) => !without.chunks.includes(chunk)).length).toBe(
        gone[0]!.length === bounds.max ? 2 : 1,
      );
      const removed = added.remove(one);
      expect(added.chunks.filter((chunk) => !removed.chunks.includes(chunk)).length).toBeLessThanOrEqual(2);
    }),
  );
});

test('a ledger keeps its chunk bounds and its rows while it is emptied in any order', () => {
  fc.assert(
    fc.property(
      bookingsArbitrary.chain((bookings) => fc.shuffledSubarray(bookings, { minLength: bookings.length })),
      (bookings) => {
        let ledger = Ledger.from(bookings, bounds);
        for (const [index, booking] of bookings.entries()) {
          ledger = ledger.remove(booking);
          expect(pictureOf(ledger)).toEqual(pictureOfRows(bookings.slice(index + 1)));
        }
      },
    ),
  );
});

test('the rows up to a day, of a span of days and of one number are those that a full scan finds', () => {
  const dayArbitrary = fc.integer({ min: -5, max: 5 });
  fc.assert(
    fc.property(bookingsArbitrary, dayArbitrary, dayArbitrary, (bookings, from, to) => {
      const ledger = Ledger.from(bookings, bounds);
      expect(ledger.countUntil(to)).toBe(bookings.filter(({ day }) => day <= to).length);
      expect([...ledger.transactions({ from, to })]).toEqual(
        sorted(bookings.filter(({ day }) => day >= from && day <= to)),
      );
      expect([...ledger.transactions({ from })]).toEqual(sorted(bookings.filter(({ day }) => day >= from)));
      for (const booking of bookings) {
        expect(ledger.find({ row: booking.row, day: booking.day })).toEqual(booking);
        expect(ledger.find({ row: booking.row, day: booking.day + 1 })).toBeUndefined();
      }
    }),
  );
});

test('the columns of a row name its position and its cash', () => {
  fc.assert(
    fc.property(bookingsArbitrary, (bookings) => {
      const ledger = Ledger.from(bookings, bounds);
      for (const { account, depository, instrument, currency, row, day } of bookings) {
        const chunk = ledger.chunks.find((each) => each.row.includes(row) && each.day.includes(day))!;
        const index = chunk.row.indexOf(row);
        const position = instrument === null ? undefined : { account, depository, instrument };
        expect(ledger.positions[chunk.position[index]!]).toEqual(position);
        const cash = account === null ? undefined : { account, depository: null, instrument: cashInstrument(currency) };
        expect(ledger.positions[chunk.cash[index]!]).toEqual(cash);
        expect(position === undefined ? -1 : ledger.findPosition(position)).toBe(chunk.position[index]);
        expect(ledger.places[chunk.place[index]!]).toEqual({ account, depository });
        expect(ledger.currencies[chunk.currency[index]!]).toBe(currency);
      }
    }),
  );
});

test('a decimal that a column stores as a double is exact', () => {
  fc.assert(
    fc.property(bookingsArbitrary, (bookings) => {
      const ledger = Ledger.from(bookings, bounds);
      for (const chunk of ledger.chunks) {
        for (const name of ['quantity', 'amount', 'price', 'value'] as const) {
          const { values, scale, wide } = chunk[name];
          expect(scale).toBe(ledger.scales[name]);
          for (const [index, value] of values.entries()) {
            const exact = bookings.find(({ row }) => row === chunk.row[index])![name];
            const digits = exact === null ? NaN : Number(exact / 10n ** BigInt(18 - scale));
            const isFitting = Number.isSafeInteger(digits) && BigInt(digits) * 10n ** BigInt(18 - scale) === exact;
            expect(value).toEqual(isFitting ? digits + 0 : NaN);
            expect(wide.get(index)).toBe(isFitting ? undefined : (exact ?? undefined));
          }
        }
      }
    }),
  );
});

function dictionaryOf(texts: readonly (string | null)[]): DictionaryColumn {
  const names = [...new Set(texts.filter((text) => text !== null))];
  return { names, numbers: Int32Array.from(texts, (text) => (text === null ? -1 : names.indexOf(text))) };
}

/** Short values as digits, the others beside them. */
function digitsOf(values: readonly (Fixed | null)[]): TransactionColumns['quantity'] {
  const cent = 10n ** 16n;
  const isShort = (value: Fixed | null): value is Fixed =>
    value !== null && value % cent === 0n && Number.isSafeInteger(Number(value / cent));
  return {
    digits: Float64Array.from(values, (value) => (isShort(value) ? Number(value / cent) : Number.NaN)),
    places: new Uint8Array(values.length).fill(2),
    wide: new Map(values.flatMap((value, row) => (value === null || isShort(value) ? [] : [[row, value] as const]))),
  };
}

/** The rows as a store delivers them. */
function columnsOf(rows: readonly LedgerTransaction[], excludedRows: ReadonlySet<number>): TransactionColumns {
  const names = (name: 'kind' | 'account' | 'depository' | 'instrument' | 'currency'): DictionaryColumn =>
    dictionaryOf(rows.map((row) => row[name]));
  const decimals = (name: 'quantity' | 'amount' | 'price' | 'value'): TransactionColumns['quantity'] =>
    digitsOf(rows.map((row) => row[name]));
  return {
    length: rows.length,
    excludedRows,
    row: Float64Array.from(rows, ({ row }) => row),
    kind: names('kind'),
    day: Int32Array.from(rows, ({ day }) => day),
    time: Int32Array.from(rows, ({ time }) => time ?? -1),
    settlement: Int32Array.from(rows, ({ settlement }) => settlement ?? noSettlementDay),
    account: names('account'),
    depository: names('depository'),
    instrument: names('instrument'),
    currency: names('currency'),
    quantity: decimals('quantity'),
    amount: decimals('amount'),
    price: decimals('price'),
    value: decimals('value'),
    details: new Map(rows.flatMap(({ details }, row) => (details === null ? [] : [[row, details] as const]))),
  };
}

test('rows that come as columns are the same as those that come one by one, without the excluded ones', () => {
  const anyRows = fc
    .integer({ min: 0, max: 12 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_none, index) => transactionArbitrary(index + 1))));
  fc.assert(
    fc.property(anyRows, fc.uniqueArray(fc.nat(12), { maxLength: 3 }), (rows, excluded) => {
      const builder = new LedgerBuilder();
      builder.appendColumns(columnsOf(rows, new Set(excluded)));
      const kept = rows.filter((_row, index) => !excluded.includes(index));
      expect([...builder.build().transactions()]).toEqual([...Ledger.from(kept).transactions()]);
    }),
  );
});
