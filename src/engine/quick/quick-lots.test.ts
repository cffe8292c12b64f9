// Checks the quick pass against the lot book: its answers are the same to the last place, and it declines where it must.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { oneFixed, type Fixed } from '../../kit/fixed.ts';
import { LotBook } from '../lots/lot-book.ts';
import { oneYearHoldingPeriod } from '../lots/realisation.ts';
import type { CostMethod } from '../lots/lot.ts';
import { AmountColumn } from '../amounts/amount-column.ts';
import type { ScaledColumn } from '../amounts/number-columns.ts';
import type { TradeColumns } from './lot-pass-state.ts';
import { quickLots } from './quick-lots.ts';

interface Row {
  readonly position: number;
  readonly day: number;
  readonly quantity: number;
  readonly cost: number;
  readonly referenceCost: number;
}

interface Scales {
  readonly quantity: number;
  readonly cost: number;
  readonly referenceCost: number;
}

const cents: Scales = { quantity: 0, cost: 2, referenceCost: 2 };

function columnOf(values: readonly number[], scale: number): ScaledColumn {
  return { values: Float64Array.from(values), scale };
}

function ledgerOf(rows: readonly Row[], scales: Scales = cents): TradeColumns {
  return {
    positions: Int32Array.from(rows, ({ position }) => position),
    days: Int32Array.from(rows, ({ day }) => day),
    quantity: columnOf(
      rows.map(({ quantity }) => quantity),
      scales.quantity,
    ),
    cost: columnOf(
      rows.map(({ cost }) => cost),
      scales.cost,
    ),
    referenceCost: columnOf(
      rows.map(({ referenceCost }) => referenceCost),
      scales.referenceCost,
    ),
  };
}

function fixedOf(value: number, scale: number): Fixed {
  return BigInt(value) * 10n ** BigInt(18 - scale);
}

function bookOf(method: CostMethod): LotBook {
  return new LotBook({ method, longAfter: oneYearHoldingPeriod });
}

/** Applies the same rows to the lot book. */
function applyToLotBook(book: LotBook, rows: readonly (Row & { readonly row: number })[], scales: Scales): void {
  for (const { row, day, ...trade } of rows) {
    const quantity = fixedOf(trade.quantity, scales.quantity);
    const cost = fixedOf(trade.cost, scales.cost);
    const referenceCost = fixedOf(trade.referenceCost, scales.referenceCost);
    const proceeds = { proceeds: cost, referenceProceeds: referenceCost, rate: oneFixed };
    if (quantity > 0n) book.acquire({ row, day, quantity, cost, referenceCost });
    else book.dispose({ row, day, quantity: -quantity, ...proceeds });
  }
}

/** Limits sells to the units held, and drops them when nothing is held. */
function withoutShorts(rows: readonly Row[], held: number[]): Row[] {
  return rows.flatMap((row) => {
    const before = held[row.position]!;
    const quantity = row.quantity > 0 ? row.quantity : Math.max(row.quantity, -before);
    held[row.position] = before + quantity;
    return quantity === 0 ? [] : [{ ...row, quantity }];
  });
}

/** Whether all buys together stay within the limits, so that there must be an answer. */
function isSmall(rows: readonly Row[], scales: Scales): boolean {
  const bought = rows.filter(({ quantity }) => quantity > 0);
  const highs = (['cost', 'referenceCost'] as const).map((column) =>
    bought.reduce((sum, row) => sum + Math.abs(row[column]) * 10 ** (4 - scales[column]), 0),
  );
  return [...highs, bought.reduce((sum, { quantity }) => sum + quantity, 0)].every((total) => total < 2 ** 50);
}

interface Case {
  readonly rows: readonly Row[];
  readonly scales: Scales;
  readonly method: 'FIFO' | 'AVERAGE';
}

function caseArbitrary(quantityBound: number, costBound: number): fc.Arbitrary<Case> {
  const units = fc.integer({ min: 1, max: quantityBound });
  const money = fc.integer({ min: -Math.trunc(costBound / 8), max: costBound });
  const row = fc.record({
    position: fc.integer({ min: 0, max: 2 }),
    day: fc.nat(1_000),
    quantity: fc.oneof(
      units,
      units.map((quantity) => -quantity),
      fc.constantFrom(-1, -2, -3),
    ),
    cost: money,
    referenceCost: money,
  });
  return fc.record({
    rows: fc.array(row, { minLength: 1, maxLength: 60 }).map((rows) =>
      withoutShorts(
        rows.toSorted((one, other) => one.day - other.day),
        [0, 0, 0],
      ),
    ),
    scales: fc.record({
      quantity: fc.constantFrom(0, 2, 4, 8, 18),
      cost: fc.constantFrom(0, 2, 4, 5, 8),
      referenceCost: fc.constantFrom(0, 2, 4, 6, 12),
    }),
    method: fc.constantFrom('FIFO' as const, 'AVERAGE' as const),
  });
}

/** Small numbers, numbers beyond 32 bits, and numbers close to the limits. */
const cases = fc.oneof(
  caseArbitrary(50, 100_000),
  caseArbitrary(2 ** 33, 10 ** 9),
  caseArbitrary(2 ** 29 - 1, 10 ** 8),
  caseArbitrary(2 ** 44, 2 ** 40),
);

describe('when the quick pass answers', () => {
  test('lots and totals equal those of the lot book, bit for bit', () => {
    fc.assert(
      fc.property(cases, ({ rows, scales, method }) => {
        const rules = { method, longAfter: oneYearHoldingPeriod };
        const quick = quickLots(ledgerOf(rows, scales), { rules, positionCount: 3 });
        for (const position of [0, 1, 2]) {
          const book = bookOf(method);
          const own = rows.map((each, row) => ({ ...each, row })).filter((each) => each.position === position);
          applyToLotBook(book, own, scales);
          const result = quick[position];
          expect(result !== undefined || !isSmall(own, scales)).toBe(true);
          if (result === undefined) continue;
          expect(result.total).toEqual(book.total);
          expect(result.book().snapshot()).toEqual(book.snapshot());
        }
      }),
      { numRuns: 1_500 },
    );
  });

  test.each(['FIFO', 'AVERAGE'] as const)(
    '%s: one column for both currencies gives the same result as two',
    (method) => {
      const rows = [buy(0, 7, 1_000), buy(1, 5, 2_000), sell(2, 3), sell(3, 5), buy(4, 1, 1), sell(5, 2)];
      const ledger = ledgerOf(rows);
      const rules = { method, longAfter: oneYearHoldingPeriod };
      const results = [ledger, { ...ledger, referenceCost: ledger.cost }].map((each) => {
        const [result] = quickLots(each, { rules, positionCount: 1 });
        return [result!.total, result!.lots()];
      });
      expect(results[1]).toEqual(results[0]);
    },
  );

  test.each(['FIFO', 'AVERAGE'] as const)(
    '%s: converted costs of 18 places, and booking numbers, are kept',
    (method) => {
      const bookings = [
        [0, 70, 10n ** 15n + 1n],
        [1, 30, 7n],
        [0, -20, 0n],
        [0, 50, 3n * 10n ** 14n - 1n],
        [1, 9, 10n ** 20n + 3n],
        [1, -33, 0n],
        [0, -61, 0n],
        [0, 1, -5n],
      ] as const;
      const rows = bookings.map(([position, quantity], day) => ({ ...buy(day, quantity, 100 * day), position }));
      const ledger: TradeColumns = {
        ...ledgerOf(rows),
        referenceCost: AmountColumn.from(bookings.map(([, , referenceCost]) => referenceCost)),
        numbers: Float64Array.from(rows, ({ day }) => 100 + day),
      };
      const rules = { method, longAfter: oneYearHoldingPeriod };
      for (const [position, result] of quickLots(ledger, { rules, positionCount: 2 }).entries()) {
        const book = bookOf(method);
        for (const [day, [of, units, referenceCost]] of bookings.entries()) {
          if (of !== position) continue;
          const [row, quantity, cost] = [100 + day, fixedOf(Math.abs(units), 0), fixedOf(100 * day, 2)];
          if (units > 0) book.acquire({ row, day, quantity, cost, referenceCost });
          else book.dispose({ row, day, quantity, proceeds: 0n, referenceProceeds: 0n, rate: oneFixed });
        }
        expect(result!.book().snapshot()).toEqual(book.snapshot());
        expect(result!.total).toEqual(book.total);
      }
    },
  );

  test.each([
    [2, 2 ** 43],
    [5, 2 ** 52],
  ])('one column of scale %d for both currencies allows any turnover', (scale, cost) => {
    const rows = [0, 2, 4, 6].flatMap((day) => [buy(day, 7, cost), sell(day + 1, 6), sell(day + 1, 1)]);
    const ledger = ledgerOf(rows, { quantity: 0, cost: scale, referenceCost: scale });
    const rules = { method: 'AVERAGE' as const, longAfter: oneYearHoldingPeriod };
    const [result] = quickLots({ ...ledger, referenceCost: ledger.cost }, { rules, positionCount: 1 });
    expect(result?.total).toEqual({ quantity: 0n, cost: 0n, referenceCost: 0n });
  });

  test('a total of lots is exact beyond the precision of a double', () => {
    const rows = Array.from({ length: 1_500 }, () => buy(0, 1, 2 ** 43 + 1));
    expect(fifo(ledgerOf(rows))?.total.cost).toBe(1_500n * (2n ** 43n + 1n) * 10n ** 16n);
  });

  test('rows without a position are skipped, and without a position column all rows belong to the first', () => {
    const rows = [buy(0, 7, 1_000), { ...buy(1, 5, 2_000), position: -1 }, sell(2, 3)];
    const ledger = ledgerOf(rows);
    expect(fifo(ledger)?.total.quantity).toBe(4n * oneFixed);
    const { positions: _positions, ...bare } = ledger;
    expect(fifo(bare)?.total.quantity).toBe(9n * oneFixed);
  });
});

function buy(day: number, quantity: number, cost: number): Row {
  return { position: 0, day, quantity, cost, referenceCost: cost };
}

function sell(day: number, quantity: number): Row {
  return { position: 0, day, quantity: -quantity, cost: 0, referenceCost: 0 };
}

function fifo(ledger: TradeColumns) {
  return quickLots(ledger, { rules: { method: 'FIFO', longAfter: oneYearHoldingPeriod }, positionCount: 1 })[0];
}

describe('the quick pass gives no answer', () => {
  const cases: readonly (readonly [what: string, rows: readonly Row[]])[] = [
    ['a sell of more than is held', [buy(0, 5, 100), sell(1, 6)]],
    ['a row without units', [buy(0, 5, 100), sell(1, 0)]],
    ['a quantity that did not fit its column', [buy(0, Number.NaN, 100)]],
    ['a cost that did not fit its column', [buy(0, 5, Number.NaN)]],
    ['a reference cost that did not fit its column', [{ ...buy(0, 5, 100), referenceCost: Number.NaN }]],
    ['a cost beyond 2^50 ten-thousandths', [buy(0, 5, 2 ** 50), sell(1, 1)]],
    ['a reference cost beyond 2^50 ten-thousandths', [{ ...buy(0, 5, 1), referenceCost: 2 ** 50 }, sell(1, 1)]],
    ['units beyond 2^50', [buy(0, 2 ** 50, 1), buy(1, 1, 1)]],
    [
      'units beyond 2^53 that are sold again',
      [buy(0, 2 ** 52 + 1, 1), buy(1, 2 ** 52 + 1, 1), buy(2, 1, 1), sell(3, 2 ** 52 + 1), sell(4, 2 ** 52 + 1)],
    ],
    ['units beyond 2^50 at any time', [buy(0, 2 ** 50 + 1, 1), buy(1, 1, 1), sell(2, 2 ** 50)]],
  ];

  test.each(cases)('for %s', (_what, rows) => {
    for (const method of ['FIFO', 'AVERAGE'] as const) {
      const rules = { method, longAfter: oneYearHoldingPeriod };
      expect(quickLots(ledgerOf(rows), { rules, positionCount: 1 })).toEqual([undefined]);
    }
  });

  test('for one position but still answers for another', () => {
    const rows = [buy(0, 5, 100), { ...buy(0, 5, 100), position: 1 }, sell(1, 6), { ...sell(1, 2), position: 1 }];
    const rules = { method: 'FIFO' as const, longAfter: oneYearHoldingPeriod };
    const results = quickLots(ledgerOf(rows), { rules, positionCount: 2 });
    expect(results.map((result) => result?.total.quantity)).toEqual([undefined, 3n * oneFixed]);
  });

  test('under AVERAGE for lots whose cost together is beyond 2^50 ten-thousandths', () => {
    const rows = [buy(0, 1, 2 ** 43), buy(0, 1, 2 ** 43), sell(1, 1)];
    const results = (['FIFO', 'AVERAGE'] as const).map((method) => {
      return quickLots(ledgerOf(rows), { rules: { method, longAfter: oneYearHoldingPeriod }, positionCount: 1 })[0];
    });
    expect(results.map((result) => result?.total.quantity)).toEqual([oneFixed, undefined]);
  });

  test('under SPECIFIC_ID, where sales name lots', () => {
    const rules = { method: 'SPECIFIC_ID' as const, longAfter: oneYearHoldingPeriod };
    expect(quickLots(ledgerOf([buy(0, 5, 100)]), { rules, positionCount: 1 })).toEqual([undefined]);
  });
});
