// Compares the queue of lots with a plain list, and counts what finding named lots takes.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { MissingConversion } from '../currencies/exchange-rates.ts';
import type { CostGap } from './cost-gap.ts';
import { LotQueue } from './lot-queue.ts';
import type { Lot } from './lot.ts';

const gap: CostGap = {
  conversion: new MissingConversion({ from: 'USD', to: 'EUR', day: 0 }),
  lacks: 'both-costs',
};

function lotOf(row: number, quantity: number, hasGap: boolean): Lot {
  const units = { quantity: BigInt(quantity), cost: 0n, referenceCost: 0n };
  return { row, ordinal: 0, acquired: 0, isEstimated: false, ...units, ...(hasGap ? { gap } : {}) };
}

/** Takes some units of a lot, all of them or none of a lot that is gone. */
interface Step {
  readonly kind: 'add' | 'take-first' | 'take-named' | 'copy';
  readonly row: number;
  readonly units: number;
  readonly hasGap: boolean;
}

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('add', 'take-first', 'take-named', 'take-named', 'take-named', 'copy'),
  row: fc.nat(40),
  units: fc.integer({ min: 1, max: 3 }),
  hasGap: fc.boolean(),
});

/** The same as the queue, with a plain list. */
class LotList {
  lots: readonly Lot[] = [];

  take(lot: Lot, rest: Lot | undefined): void {
    this.lots = this.lots.flatMap((one) => (one !== lot ? [one] : rest === undefined ? [] : [rest]));
  }
}

function restOf(lot: Lot, units: number): Lot | undefined {
  const quantity = lot.quantity - BigInt(units);
  return quantity > 0n ? { ...lot, quantity } : undefined;
}

test('a queue of lots has what a plain list has, whichever lots are named, and so do its copies', () => {
  const run = (steps: readonly Step[]): void => {
    let queue = new LotQueue();
    const list = new LotList();
    const [found, wanted]: [(Lot | undefined)[], (Lot | undefined)[]] = [[], []];
    const copies: { readonly queue: LotQueue; readonly lots: readonly Lot[] }[] = [];
    for (const [index, { kind, row, units, hasGap }] of steps.entries()) {
      if (kind === 'add') {
        const lot = lotOf(index, 3, hasGap);
        queue.insert([lot]);
        list.lots = [...list.lots, lot];
      } else if (kind === 'copy') {
        copies.push({ queue, lots: list.lots });
        queue = queue.copy();
      } else {
        const lot = kind === 'take-first' ? queue.first : queue.find({ row, ordinal: 0 });
        found.push(lot);
        wanted.push(kind === 'take-first' ? list.lots[0] : list.lots.find((one) => one.row === row));
        if (lot === undefined) continue;
        const rest = restOf(lot, units);
        queue.replace(lot, rest);
        list.take(lot, rest);
      }
      expect(queue.toArray()).toEqual(list.lots);
      expect(queue.first).toBe(list.lots[0]);
      expect(queue.gap).toBe(list.lots.find((one) => one.gap !== undefined)?.gap);
    }
    expect(found).toEqual(wanted);
    for (const { queue: earlier, lots } of copies) expect(earlier.toArray()).toEqual(lots);
  };
  fc.assert(fc.property(fc.array(stepArbitrary, { minLength: 1, maxLength: 80 }), run));
});

describe('lots of two copies', () => {
  const lotOn = (row: number, acquired: number): Lot => ({ ...lotOf(row, 3, false), acquired });
  const rows = (queue: LotQueue): number[] => queue.toArray().map(({ row }) => row);
  const find = (queue: LotQueue, row: number): number | undefined => queue.find({ row, ordinal: 0 })?.row;

  test('are not those of the other, at the end of the common part', () => {
    const queue = new LotQueue([lotOn(1, 1)]);
    const copy = queue.copy();
    queue.insert([lotOn(2, 2)]);
    copy.replaceFirst(undefined);
    expect([copy.first, rows(copy), copy.gap]).toEqual([undefined, [], undefined]);
    copy.insert([lotOn(3, 3)]);
    expect([rows(queue), rows(copy)]).toEqual([[1, 2], [3]]);
  });

  test('are found in their own part only, however often lots are looked for', () => {
    const queue = new LotQueue(Array.from({ length: 4 }, (_, row) => lotOn(row, row)));
    queue.replaceFirst(undefined);
    const copy = queue.copy();
    queue.insert([lotOn(8, 8)]);
    for (let count = 0; count < 20; count++) {
      expect([0, 1, 3, 8].map((row) => find(copy, row))).toEqual([undefined, 1, 3, undefined]);
      expect([0, 1, 3, 8].map((row) => find(queue, row))).toEqual([undefined, 1, 3, 8]);
    }
  });

  test.each([
    ['one lot', [2]],
    ['two lots', [1, 2]],
    ['the last lot', [3]],
  ])('lack %s that was taken before', (_what, taken) => {
    const queue = new LotQueue(Array.from({ length: 4 }, (_, row) => lotOn(row, row)));
    for (const row of taken) queue.replace(queue.find({ row, ordinal: 0 })!, undefined);
    const left = [0, 1, 2, 3].filter((row) => !taken.includes(row));
    expect([rows(queue), rows(queue.copy())]).toEqual([left, left]);
  });
});

test.each([
  [[1], 2, [1, 2]],
  [[3], 2, [2, 3]],
  [[1, 3], 2, [1, 2, 3]],
  [[2, 2], 2, [2, 2, 2]],
])('to lots of the days %j one of day %i is added by day, behind those of the same day', (days, day, after) => {
  const lotOn = (acquired: number, row: number): Lot => ({ ...lotOf(row, 3, false), acquired });
  const queue = new LotQueue(days.map(lotOn));
  queue.insert([lotOn(day, 9)]);
  expect(queue.toArray().map(({ acquired }) => acquired)).toEqual(after);
  expect(queue.toArray().findLastIndex(({ acquired }) => acquired === day)).toBe(
    queue.toArray().findIndex(({ row }) => row === 9),
  );
});

test('a lot without a known cost that comes before the others is found', () => {
  const queue = new LotQueue([lotOf(1, 3, false), lotOf(2, 3, false)]);
  expect(queue.gap).toBeUndefined();
  queue.insert([{ ...lotOf(3, 3, true), acquired: -1 }]);
  expect(queue.gap).toBe(gap);
});

test('lots that are named one by one are each found without going over all others', () => {
  const count = 5_000;
  let readCount = 0;
  const lots = Array.from({ length: count }, (_, row): Lot => ({
    ...lotOf(row, 3, false),
    get row() {
      readCount++;
      return row;
    },
  }));
  const queue = new LotQueue(lots);
  for (let row = count - 1; row >= 0; row--) queue.replace(queue.find({ row, ordinal: 0 })!, undefined);
  expect(queue.first).toBeUndefined();
  expect(readCount).toBeLessThan(50 * count);
});

test('a lot without a known cost is found without going over the lots before it each time', () => {
  const count = 5_000;
  let readCount = 0;
  const lots = Array.from(
    { length: count },
    (_, row): Lot =>
      ({
        ...lotOf(row, 3, false),
        get gap() {
          readCount++;
          return row === count - 1 ? gap : undefined;
        },
      }) as Lot,
  );
  const queue = new LotQueue(lots);
  for (let taken = 0; taken < count; taken++) {
    expect(queue.gap).toBe(gap);
    queue.replaceFirst(undefined);
  }
  expect(queue.gap).toBeUndefined();
  expect(readCount).toBeLessThan(3 * count);
});
