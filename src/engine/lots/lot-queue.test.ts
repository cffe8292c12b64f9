// Compares the queue of lots with a plain list, and counts what finding named lots takes.

import fc from 'fast-check';
import { expect, test } from 'vitest';

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
