// Checks laws that hold for the lot book after any history of events, under every cost method.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { lotId } from '../../../tests/setup/engine/lot-id.ts';
import { divideRounded, magnitude, type Fixed } from '../../kit/fixed.ts';
import { LotBook } from './lot-book.ts';
import { oneYearHoldingPeriod } from './realisation.ts';
import type { CostMethod, LotOutcome, NamedLot, Realisation } from './lot.ts';

const methods = ['FIFO', 'AVERAGE', 'SPECIFIC_ID'] as const;

interface Event {
  readonly kind: 'buy' | 'sell' | 'split' | 'return' | 'checkpoint';
  readonly day: number;
  readonly quantity: Fixed;
  readonly money: Fixed;
  readonly referenceMoney: Fixed;
  readonly rate: Fixed;
  /** The open lots that a sale names, as indexes modulo the number of lots. */
  readonly picks: readonly number[];
  readonly ratio: { readonly numerator: bigint; readonly denominator: bigint };
}

/** Whole units, fractions and the smallest fractions there are. */
const quantityArbitrary = fc.oneof(
  fc.bigInt({ min: 1n, max: 1_000n }).map((units) => units * 10n ** 18n),
  fc.bigInt({ min: 1n, max: 10n ** 24n }),
  fc.bigInt({ min: 1n, max: 9n }),
);
const moneyArbitrary = fc.bigInt({ min: 0n, max: 10n ** 26n });

function eventArbitrary(kinds: readonly Event['kind'][]): fc.Arbitrary<Event> {
  return fc.record({
    kind: fc.constantFrom(...kinds),
    day: fc.integer({ min: 0, max: 900 }),
    quantity: quantityArbitrary,
    money: moneyArbitrary,
    referenceMoney: moneyArbitrary,
    rate: fc.bigInt({ min: 1n, max: 3n * 10n ** 18n }),
    picks: fc.array(fc.nat(20), { maxLength: 3 }),
    ratio: fc.record({
      numerator: fc.bigInt({ min: 1n, max: 30n }),
      denominator: fc.bigInt({ min: 1n, max: 30n }),
    }),
  });
}

function historyArbitrary(...kinds: readonly Event['kind'][]): fc.Arbitrary<readonly Event[]> {
  return fc
    .array(eventArbitrary(kinds), { minLength: 1, maxLength: 25 })
    .map((events) => events.toSorted((one, other) => one.day - other.day));
}

function bookOf(method: CostMethod): LotBook {
  return new LotBook({ method, longAfter: oneYearHoldingPeriod });
}

function namesOf(book: LotBook, { picks, quantity }: Event): NamedLot[] {
  const { lots } = book.snapshot();
  return picks.map((pick) => {
    const lot = lots[pick % (lots.length + 1)] ?? { row: 10_000 + pick, ordinal: 0 };
    return { row: lot.row, ordinal: lot.ordinal, quantity: quantity / 2n + 1n };
  });
}

function apply(book: LotBook, row: number, event: Event): LotOutcome {
  const { kind, day, quantity, money, referenceMoney, rate, ratio } = event;
  const quantityAndCost = { quantity, cost: money, referenceCost: referenceMoney };
  switch (kind) {
    case 'buy':
      return book.acquire({ row, day, ...quantityAndCost });
    case 'sell': {
      const proceeds = { proceeds: money, referenceProceeds: referenceMoney };
      return book.dispose({ row, day, quantity, ...proceeds, rate, named: namesOf(book, event) });
    }
    case 'split':
      return book.split({ row, day, ratio });
    case 'return':
      return book.reduceCost({ row, day, amount: money, referenceAmount: referenceMoney, rate });
    default:
      return book.checkpoint({ row, day, ...quantityAndCost });
  }
}

function play(book: LotBook, events: readonly Event[]): LotOutcome[] {
  return events.map((event, row) => apply(book, row, event));
}

function sum<T>(items: readonly T[], value: (item: T) => Fixed): Fixed {
  return items.reduce((total, item) => total + value(item), 0n);
}

function gainsOf(outcomes: readonly LotOutcome[]): Realisation[] {
  return outcomes.flatMap(({ realised }) => realised);
}

/** The total of the buys less the total of the sells. */
function netOf(events: readonly Event[], value: (event: Event) => Fixed): Fixed {
  return sum(events, (event) => (event.kind === 'buy' ? value(event) : event.kind === 'sell' ? -value(event) : 0n));
}

function checkLaw(
  arbitrary: fc.Arbitrary<readonly Event[]>,
  law: (events: readonly Event[], method: CostMethod) => void,
) {
  fc.assert(fc.property(arbitrary, fc.constantFrom(...methods), law), { numRuns: 400 });
}

const allKinds = ['buy', 'sell', 'split', 'return', 'checkpoint'] as const;

describe('after any history', () => {
  test('the lots have one sign, are sorted by day, have distinct ids and add up to the total', () => {
    checkLaw(historyArbitrary(...allKinds), (events, method) => {
      const book = bookOf(method);
      play(book, events);
      const { lots, quantity, cost, referenceCost } = book.snapshot();
      expect([sum(lots, (lot) => lot.quantity), sum(lots, (lot) => lot.cost)]).toEqual([quantity, cost]);
      expect(sum(lots, (lot) => lot.referenceCost)).toBe(referenceCost);
      expect(lots.every((lot) => lot.quantity !== 0n && lot.quantity < 0n === quantity < 0n)).toBe(true);
      expect(lots.map((lot) => lot.acquired)).toEqual(lots.map((lot) => lot.acquired).toSorted((a, b) => a - b));
      expect(new Set(lots.map(lotId)).size).toBe(lots.length);
      expect(quantity !== 0n || (cost === 0n && referenceCost === 0n)).toBe(true);
    });
  });

  test('every gain is proceeds less cost, and its price and currency parts add up to it', () => {
    checkLaw(historyArbitrary(...allKinds), (events, method) => {
      for (const part of gainsOf(play(bookOf(method), events))) {
        expect(part.gain).toBe(part.proceeds - part.cost);
        expect(part.referenceGain).toBe(part.referenceProceeds - part.referenceCost);
        expect(part.pricePart + part.currencyPart).toBe(part.referenceGain);
      }
    });
  });

  test('the same history gives the same result twice', () => {
    checkLaw(historyArbitrary(...allKinds), (events, method) => {
      const [one, other] = [bookOf(method), bookOf(method)];
      expect(play(one, events)).toEqual(play(other, events));
      expect(one.snapshot()).toEqual(other.snapshot());
    });
  });

  test('a copy made at any time continues like the original and does not change it', () => {
    const split = fc.tuple(historyArbitrary(...allKinds), fc.nat(25));
    fc.assert(
      fc.property(split, fc.constantFrom(...methods), ([events, at], method) => {
        const [whole, book] = [bookOf(method), bookOf(method)];
        play(whole, events);
        events.slice(0, at).forEach((event, row) => apply(book, row, event));
        const before = book.snapshot();
        const [one, other] = [book.copy(), book.copy()];
        events.slice(at).forEach((event, index) => {
          apply(one, at + index, event);
          apply(other, at + index, event);
        });
        expect([one.snapshot(), other.snapshot()]).toEqual([whole.snapshot(), whole.snapshot()]);
        expect(book.snapshot()).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });
});

describe('after any trades', () => {
  const trades = historyArbitrary('buy', 'sell');

  test('units bought less units sold are held', () => {
    checkLaw(trades, (events, method) => {
      const book = bookOf(method);
      play(book, events);
      expect(book.total.quantity).toBe(netOf(events, ({ quantity }) => quantity));
    });
  });

  test('the cost paid is the cost removed plus the cost held, to the last place, in both currencies', () => {
    checkLaw(trades, (events, method) => {
      const book = bookOf(method);
      const gains = gainsOf(play(book, events));
      expect(book.total.cost).toBe(netOf(events, ({ money }) => money) + sum(gains, ({ gain }) => gain));
      const reference = netOf(events, ({ referenceMoney }) => referenceMoney);
      expect(book.total.referenceCost).toBe(reference + sum(gains, ({ referenceGain }) => referenceGain));
    });
  });

  test('the proceeds of a sale are fully divided among the lots it closed and the short it opened', () => {
    checkLaw(trades, (events, method) => {
      const book = bookOf(method);
      events.forEach((event, row) => {
        const before = book.total;
        const { realised } = apply(book, row, event);
        if (event.kind !== 'sell') return;
        const shortBefore = before.quantity < 0n ? before.cost : 0n;
        const opened = book.total.quantity < 0n ? shortBefore - book.total.cost : 0n;
        expect(sum(realised, ({ proceeds }) => proceeds) + opened).toBe(event.money);
        const closed = before.quantity < event.quantity ? before.quantity : event.quantity;
        expect(sum(realised, ({ quantity }) => quantity)).toBe(closed > 0n ? closed : 0n);
      });
    });
  });

  test('realised plus unrealised gain is the same under every method, at any price', () => {
    fc.assert(
      fc.property(trades, fc.bigInt({ min: 0n, max: 10n ** 22n }), (events, price) => {
        const totals = methods.map((method) => {
          const book = bookOf(method);
          const gains = gainsOf(play(book, events));
          const value = divideRounded(book.total.quantity * price, 10n ** 18n);
          return [
            sum(gains, ({ gain }) => gain) + value - book.total.cost,
            sum(gains, ({ referenceGain }) => referenceGain) + value - book.total.referenceCost,
          ];
        });
        expect(totals[1]).toEqual(totals[0]);
        expect(totals[2]).toEqual(totals[0]);
      }),
      { numRuns: 400 },
    );
  });

  test('under AVERAGE the removed cost is total × sold / held, rounded half-even, whatever the lots', () => {
    fc.assert(
      fc.property(trades, (events) => {
        const book = bookOf('AVERAGE');
        events.forEach((event, row) => {
          const { quantity, cost } = book.total;
          const { realised } = apply(book, row, event);
          if (event.kind !== 'sell' || quantity <= event.quantity) return;
          const removed = halfEven(cost * event.quantity, quantity);
          expect(sum(realised, (part) => part.cost)).toBe(removed);
        });
      }),
      { numRuns: 400 },
    );
  });
});

/** Written independently of the engine, so that both cannot have the same mistake. */
function halfEven(dividend: bigint, divisor: bigint): bigint {
  const floor = dividend / divisor;
  const rest = dividend % divisor;
  if (rest * 2n === divisor) return floor % 2n === 0n ? floor : floor + 1n;
  return rest * 2n > divisor ? floor + 1n : floor;
}

describe('a split of any position', () => {
  const ratioArbitrary = fc.record({
    numerator: fc.bigInt({ min: 1n, max: 1_000n }),
    denominator: fc.bigInt({ min: 1n, max: 1_000n }),
  });

  test('gives the rounded total of units and changes no cost, and each lot is within one smallest unit', () => {
    fc.assert(
      fc.property(
        historyArbitrary('buy', 'sell'),
        ratioArbitrary,
        fc.constantFrom(...methods),
        (events, ratio, method) => {
          const book = bookOf(method);
          play(book, events);
          const before = book.snapshot();
          const { realised } = book.split({ row: 999, day: 999, ratio });
          const after = book.snapshot();
          const units = magnitude(before.quantity);
          const expected = halfEven(units * ratio.numerator, ratio.denominator);
          expect(magnitude(after.quantity)).toBe(expected);
          expect(after.cost - sum(realised, ({ gain }) => gain)).toBe(before.cost);
          expect(realised.length > 0).toBe(before.cost !== after.cost || before.referenceCost !== after.referenceCost);
          expect(expected === 0n || realised.length === 0).toBe(true);
          for (const lot of after.lots) {
            const old = before.lots.find((one) => lotId(one) === lotId(lot))!;
            const exact = old.quantity * ratio.numerator;
            expect(magnitude(lot.quantity * ratio.denominator - exact) <= ratio.denominator).toBe(true);
            expect(lot.acquired).toBe(old.acquired);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('a move between books', () => {
  test('keeps the units and cost of both books together, except for what is realised', () => {
    const quantity = fc.bigInt({ min: 1n, max: 10n ** 21n });
    const history = historyArbitrary('buy', 'sell');
    const method = fc.constantFrom(...methods);
    fc.assert(
      fc.property(history, history, quantity, method, method, (events, others, units, fromMethod, toMethod) => {
        const [from, to] = [bookOf(fromMethod), bookOf(toMethod)];
        play(from, events);
        play(to, others);
        const before = [from.total, to.total];
        const quantityAndCost = { quantity: units, cost: 7n * units, referenceCost: 6n * units };
        const { lots } = from.withdraw({ row: 999, day: 999, ...quantityAndCost });
        const { realised } = to.deposit({ row: 999, day: 999, lots });
        expect(sum(lots, (lot) => lot.quantity)).toBe(units);
        expect(from.total.quantity).toBe(before[0]!.quantity - units);
        expect(to.total.quantity).toBe(before[1]!.quantity + units);
        const costBefore = sum(before, (total) => total.cost);
        expect(from.total.cost + to.total.cost).toBe(costBefore + sum(realised, ({ gain }) => gain));
      }),
      { numRuns: 300 },
    );
  });

  test('in a spin-off or a merger keeps the cost of both instruments together', () => {
    const share = fc.bigInt({ min: 0n, max: 10n ** 18n });
    const ratio = fc.record({
      numerator: fc.bigInt({ min: 1n, max: 9n }),
      denominator: fc.bigInt({ min: 1n, max: 9n }),
    });
    const method = fc.constantFrom(...methods);
    fc.assert(
      fc.property(historyArbitrary('buy', 'sell'), share, ratio, method, (events, moved, terms, each) => {
        const [parent, child, target] = [bookOf(each), bookOf(each), bookOf(each)];
        play(parent, events);
        const { cost, referenceCost } = parent.total;
        parent.moveShareOfCost(child, { row: 999, day: 999, share: moved, ratio: terms });
        expect(parent.total.cost + child.total.cost).toBe(cost);
        expect(parent.total.referenceCost + child.total.referenceCost).toBe(referenceCost);
        const dates = parent.snapshot().lots.map((lot) => lot.acquired);
        const { realised } = parent.exchange(target, { row: 1_000, day: 999, ratio: terms });
        expect(child.total.cost + target.total.cost - sum(realised, ({ gain }) => gain)).toBe(cost);
        expect(new Set(dates).isSupersetOf(new Set(target.snapshot().lots.map((lot) => lot.acquired)))).toBe(true);
        expect(parent.total).toEqual({ quantity: 0n, cost: 0n, referenceCost: 0n });
      }),
      { numRuns: 300 },
    );
  });
});
