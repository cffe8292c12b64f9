// Holds the quick pass to the lot book: the same to the last place wherever it answers, and no answer where it must not.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { oneFixed, type Fixed } from '../kit/fixed.ts';
import { LotBook } from './lot-book.ts';
import { untilFirstAnniversary } from './lot-book/realisation.ts';
import type { CostMethod, Lot } from './lot.ts';
import { RemovedCosts, quickLots, type QuickColumn, type QuickLedger } from './quick-lots.ts';

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

function columnOf(values: readonly number[], scale: number): QuickColumn {
  return { values: Float64Array.from(values), scale };
}

function ledgerOf(rows: readonly Row[], scales: Scales = cents): QuickLedger {
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

function bookOf(method: CostMethod, lots: readonly Lot[] = []): LotBook {
  return new LotBook({ method, longAfter: untilFirstAnniversary }, lots);
}

/** The same rows through the lot book; gives what the units of each row had cost. */
function playSlowly(book: LotBook, rows: readonly (Row & { readonly row: number })[], scales: Scales) {
  return rows.map(({ row, day, ...trade }) => {
    const quantity = fixedOf(trade.quantity, scales.quantity);
    const cost = fixedOf(trade.cost, scales.cost);
    const referenceCost = fixedOf(trade.referenceCost, scales.referenceCost);
    const proceeds = { proceeds: cost, referenceProceeds: referenceCost, rate: oneFixed };
    const { realised } =
      quantity > 0n
        ? book.acquire({ row, day, quantity, cost, referenceCost })
        : book.dispose({ row, day, quantity: -quantity, ...proceeds });
    return {
      cost: realised.reduce((sum, part) => sum + part.cost, 0n),
      referenceCost: realised.reduce((sum, part) => sum + part.referenceCost, 0n),
    };
  });
}

/** No sell beyond what is held: sells are cut to it, and left out where there is nothing. */
function withoutShorts(rows: readonly Row[], held: number[]): Row[] {
  return rows.flatMap((row) => {
    const before = held[row.position]!;
    const quantity = row.quantity > 0 ? row.quantity : Math.max(row.quantity, -before);
    held[row.position] = before + quantity;
    return quantity === 0 ? [] : [{ ...row, quantity }];
  });
}

/** All that was ever bought stays within the bounds: then there must be an answer. */
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

/** Small, beyond what 32 bits hold, and close to the bounds. */
const cases = fc.oneof(
  caseArbitrary(50, 100_000),
  caseArbitrary(2 ** 33, 10 ** 9),
  caseArbitrary(2 ** 29 - 1, 10 ** 8),
  caseArbitrary(2 ** 44, 2 ** 40),
);

const none: readonly Lot[][] = [[], [], []];

describe('wherever it answers', () => {
  test('lots, totals and the cost of what was sold are the lot book’s, bit for bit', () => {
    fc.assert(
      fc.property(cases, ({ rows, scales, method }) => {
        const removed = new RemovedCosts(rows.length);
        const rules = { method, longAfter: untilFirstAnniversary };
        const quick = quickLots(ledgerOf(rows, scales), { rules, openings: none, removed });
        for (const position of [0, 1, 2]) {
          const book = bookOf(method);
          const own = rows.map((each, row) => ({ ...each, row })).filter((each) => each.position === position);
          const costs = playSlowly(book, own, scales);
          const answer = quick[position];
          expect(answer !== undefined || !isSmall(own, scales)).toBe(true);
          if (answer === undefined) continue;
          expect(answer.total).toEqual(book.total);
          expect(answer.book().snapshot()).toEqual(book.snapshot());
          expect(own.map(({ row }) => removed.get(row))).toEqual(costs);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  test('it can begin from open lots and go over chosen rows', () => {
    const cut = fc.nat(60);
    fc.assert(
      fc.property(cases, cut, ({ rows, scales, method }, at) => {
        const rules = { method, longAfter: untilFirstAnniversary };
        const numbered = rows.map((each, row) => ({ ...each, row }));
        const books = none.map((_, position) => {
          const book = bookOf(method);
          playSlowly(
            book,
            numbered.filter((each) => each.position === position && each.row < at),
            scales,
          );
          return book;
        });
        const openings = books.map((book) => book.snapshot().lots);
        const later = Uint32Array.from(numbered.slice(at), ({ row }) => row);
        const quick = quickLots(ledgerOf(rows, scales), { rules, openings, rows: later });
        for (const [position, book] of books.entries()) {
          playSlowly(
            book,
            numbered.filter((each) => each.position === position && each.row >= at),
            scales,
          );
          const answer = quick[position];
          expect(
            answer !== undefined ||
              !isSmall(
                numbered.filter((each) => each.position === position),
                scales,
              ),
          ).toBe(true);
          if (answer === undefined) continue;
          expect(answer.total).toEqual(book.total);
          expect(answer.book().snapshot()).toEqual(book.snapshot());
        }
      }),
      { numRuns: 800 },
    );
  });

  test.each(['FIFO', 'AVERAGE'] as const)('%s: one column for both currencies is as good as two', (method) => {
    const rows = [buy(0, 7, 1_000), buy(1, 5, 2_000), sell(2, 3), sell(3, 5), buy(4, 1, 1), sell(5, 2)];
    const ledger = ledgerOf(rows);
    const rules = { method, longAfter: untilFirstAnniversary };
    const answers = [ledger, { ...ledger, referenceCost: ledger.cost }].map((each) => {
      const removed = new RemovedCosts(rows.length);
      const [answer] = quickLots(each, { rules, openings: [[]], removed });
      return [answer!.total, answer!.lots(), rows.map((_, row) => removed.get(row))];
    });
    expect(answers[1]).toEqual(answers[0]);
  });

  test.each([
    [2, 2 ** 43],
    [5, 2 ** 52],
  ])('one column of scale %d for both currencies may turn over any amount', (scale, cost) => {
    const rows = [0, 2, 4, 6].flatMap((day) => [buy(day, 7, cost), sell(day + 1, 6), sell(day + 1, 1)]);
    const ledger = ledgerOf(rows, { quantity: 0, cost: scale, referenceCost: scale });
    const rules = { method: 'AVERAGE' as const, longAfter: untilFirstAnniversary };
    const [answer] = quickLots({ ...ledger, referenceCost: ledger.cost }, { rules, openings: [[]] });
    expect(answer?.total).toEqual({ quantity: 0n, cost: 0n, referenceCost: 0n });
  });

  test('a total of lots is exact beyond what a double holds', () => {
    const rows = Array.from({ length: 1_500 }, () => buy(0, 1, 2 ** 43 + 1));
    expect(fifo(ledgerOf(rows))?.total.cost).toBe(1_500n * (2n ** 43n + 1n) * 10n ** 16n);
  });

  test('rows of no position are passed over, and without positions all rows are of the first', () => {
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

function fifo(ledger: QuickLedger, openings: readonly (readonly Lot[])[] = [[]]) {
  return quickLots(ledger, { rules: { method: 'FIFO', longAfter: untilFirstAnniversary }, openings })[0];
}

describe('it gives no answer', () => {
  const cases: readonly (readonly [what: string, rows: readonly Row[]])[] = [
    ['a sell of more than is held', [buy(0, 5, 100), sell(1, 6)]],
    ['a row without units', [buy(0, 5, 100), sell(1, 0)]],
    ['a quantity that did not fit its column', [buy(0, Number.NaN, 100)]],
    ['a cost that did not fit its column', [buy(0, 5, Number.NaN)]],
    ['a reference cost that did not fit its column', [{ ...buy(0, 5, 100), referenceCost: Number.NaN }]],
    ['a cost beyond 2^50 ten-thousandths', [buy(0, 5, 2 ** 50), sell(1, 1)]],
    ['a reference cost beyond that', [{ ...buy(0, 5, 1), referenceCost: 2 ** 50 }, sell(1, 1)]],
    ['units beyond 2^50', [buy(0, 2 ** 50, 1), buy(1, 1, 1)]],
    [
      'units beyond 2^53 that are gone again',
      [buy(0, 2 ** 52 + 1, 1), buy(1, 2 ** 52 + 1, 1), buy(2, 1, 1), sell(3, 2 ** 52 + 1), sell(4, 2 ** 52 + 1)],
    ],
    ['units beyond 2^50 at any time', [buy(0, 2 ** 50 + 1, 1), buy(1, 1, 1), sell(2, 2 ** 50)]],
  ];

  test.each(cases)('for %s', (_what, rows) => {
    for (const method of ['FIFO', 'AVERAGE'] as const) {
      const rules = { method, longAfter: untilFirstAnniversary };
      expect(quickLots(ledgerOf(rows), { rules, openings: [[]] })).toEqual([undefined]);
    }
  });

  test('for one position does not keep it from answering for another', () => {
    const rows = [buy(0, 5, 100), { ...buy(0, 5, 100), position: 1 }, sell(1, 6), { ...sell(1, 2), position: 1 }];
    const rules = { method: 'FIFO' as const, longAfter: untilFirstAnniversary };
    const answers = quickLots(ledgerOf(rows), { rules, openings: [[], []] });
    expect(answers.map((answer) => answer?.total.quantity)).toEqual([undefined, 3n * oneFixed]);
  });

  test('for a sell of lots whose cost together does not fit where it is to be noted', () => {
    const rows = [...Array.from({ length: 9 }, () => buy(0, 1, 2 ** 43)), sell(1, 9)];
    const rules = { method: 'FIFO' as const, longAfter: untilFirstAnniversary };
    expect(quickLots(ledgerOf(rows), { rules, openings: [[]] })[0]?.total.quantity).toBe(0n);
    expect(quickLots(ledgerOf(rows), { rules, openings: [[]], removed: new RemovedCosts(10) })).toEqual([undefined]);
  });

  test('under AVERAGE for lots whose cost together is beyond 2^50 ten-thousandths', () => {
    const rows = [buy(0, 1, 2 ** 43), buy(0, 1, 2 ** 43), sell(1, 1)];
    const answers = (['FIFO', 'AVERAGE'] as const).map((method) => {
      return quickLots(ledgerOf(rows), { rules: { method, longAfter: untilFirstAnniversary }, openings: [[]] })[0];
    });
    expect(answers.map((answer) => answer?.total.quantity)).toEqual([oneFixed, undefined]);
  });

  test('where lots are named', () => {
    const rules = { method: 'SPECIFIC_ID' as const, longAfter: untilFirstAnniversary };
    expect(quickLots(ledgerOf([buy(0, 5, 100)]), { rules, openings: [[]] })).toEqual([undefined]);
  });

  const lot: Lot = {
    row: 0,
    ordinal: 0,
    acquired: 5,
    quantity: oneFixed,
    cost: 1n,
    referenceCost: 1n,
    isEstimated: false,
  };

  test.each([
    ['a short', { quantity: -oneFixed }],
    ['one finer than the column', { quantity: oneFixed / 3n }],
    ['one that costs too much', { cost: 2n ** 51n * 10n ** 14n }],
    ['one acquired after the first row', { acquired: 11 }],
  ])('where a lot was open that it cannot hold: %s', (_what, changes) => {
    expect(fifo(ledgerOf([buy(10, 5, 100)]), [[lot]])?.total.quantity).toBe(6n * oneFixed);
    expect(fifo(ledgerOf([buy(10, 5, 100)]), [[{ ...lot, ...changes }]])).toBeUndefined();
  });

  test('where open lots cost too much, one by one or together', () => {
    const big = { ...lot, cost: 2n ** 50n * 10n ** 14n };
    const rules = { method: 'AVERAGE' as const, longAfter: untilFirstAnniversary };
    const quantities = [
      [big],
      [big, big],
      [
        { ...big, cost: 2n * big.cost },
        { ...big, cost: -2n * big.cost },
      ],
    ].map((lots) => quickLots(ledgerOf([sell(10, 1)]), { rules, openings: [lots] })[0]?.total.quantity);
    expect(quantities).toEqual([0n, undefined, undefined]);
  });

  test('where a lot was open with two costs and the column is one', () => {
    const ledger = ledgerOf([buy(10, 5, 100)]);
    const oneCurrency = { ...ledger, referenceCost: ledger.cost };
    expect(fifo(oneCurrency, [[lot]])?.total.cost).toBe(oneFixed + 1n);
    expect(fifo(oneCurrency, [[{ ...lot, referenceCost: 2n }]])).toBeUndefined();
  });
});
