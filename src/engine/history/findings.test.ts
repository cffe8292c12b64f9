// Checks that findings cover the positions held on a day and no others, that they do not need the cost of a position, and that they are the
// same however often and in which order they are asked for.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  allEvents,
  eventWith,
  factsOfTransactions,
  firstEventDay,
  lastEventDay,
  withRowNumbers,
  generatedMarket,
  type GeneratedMarket,
} from '../../../tests/setup/engine/generated-facts.ts';
import { generatedCase, historyOfCase } from '../../../tests/setup/engine/generated-history.ts';
import { oneFixed } from '../../kit/fixed.ts';
import { ExchangeRates, MissingRateError } from '../currencies/exchange-rates.ts';
import { findings, type Finding } from './findings.ts';
import { History } from './history.ts';
import { holdings } from './holdings.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';
import { Series, type Point } from '../amounts/series.ts';

const covers = () => true;

function positionsWith(kind: Finding['kind'], history: History, day: number): number[] {
  return findings(history, { day, covers })
    .filter((finding) => finding.kind === kind)
    .map(({ position }) => position);
}

test('values are checked for positions that are held, and for no others', () => {
  let found = 0;
  fc.assert(
    fc.property(
      generatedMarket,
      allEvents,
      fc.integer({ min: firstEventDay, max: lastEventDay + 40 }),
      (some, events, day) => {
        const history = new History(factsOfTransactions(some, withRowNumbers(events)));
        const held = holdings(history, { day, covers }).filter(
          ({ instrument }) => findSyntheticInstrument(instrument) === undefined,
        );
        const stale = held.filter(({ valuation }) => valuation.isStale).map(({ position }) => position);
        const estimated = held.filter(({ valuation }) => valuation.isEstimated).map(({ position }) => position);
        expect(positionsWith('stale-value', history, day)).toEqual(stale);
        expect(positionsWith('estimated-value', history, day)).toEqual(estimated);
        found += stale.length + estimated.length;
      },
    ),
  );
  expect(found).toBeGreaterThan(10);
});

const place = { account: 'dollar', depository: 'south', instrument: 'beta' };

/** One share in dollars with a single price, and this rate to euros. */
function marketWith(rate: Point): GeneratedMarket {
  const none = new Series([]);
  const beta = {
    id: 'beta',
    currency: 'USD',
    priceUnit: '1',
    terms: { type: 'listed' },
    prices: new Series([{ day: firstEventDay, value: oneFixed }]),
    netAssetValues: none,
    indexFactors: none,
  } as const;
  return {
    instruments: new Map([['beta', beta]]),
    rates: new ExchangeRates([{ base: 'EUR', quote: 'USD', points: [rate] }]),
  };
}

test('a holding without a rate at its acquisition has no cost, but its value is still checked', () => {
  const [units, rate] = [10n * oneFixed, 2n * oneFixed];
  const some = marketWith({ day: firstEventDay + 1, value: rate });
  const buy = eventWith({ kind: 'trade', day: firstEventDay, ...place, quantity: units, amount: -units, value: units });
  const history = new History(factsOfTransactions(some, withRowNumbers([buy])));
  expect(() => holdings(history, { day: lastEventDay, covers })).toThrow(MissingRateError);
  expect(positionsWith('stale-value', history, lastEventDay)).toHaveLength(1);
});

test('units that cost nothing are checked like any others, and those that have left are not', () => {
  const units = 10n * oneFixed;
  const some = marketWith({ day: firstEventDay, value: oneFixed });
  const lots = [{ acquired: firstEventDay, quantity: units, cost: 0n, referenceCost: 0n, isEstimated: false }];
  const gift = eventWith({ kind: 'flow', day: firstEventDay, ...place, quantity: units, details: { lots } });
  const sale = eventWith({
    kind: 'trade',
    day: firstEventDay + 9,
    ...place,
    quantity: -units,
    amount: units,
    value: units,
  });
  const staleAfter = (...events: (typeof gift)[]): number =>
    positionsWith('stale-value', new History(factsOfTransactions(some, withRowNumbers(events))), lastEventDay).length;
  expect([staleAfter(gift), staleAfter(gift, sale)]).toEqual([1, 0]);
});

test('units that were sold without being held are found, whether they are bought back or not', () => {
  const some = marketWith({ day: firstEventDay, value: oneFixed });
  const trade = (day: number, units: bigint) =>
    eventWith({ kind: 'trade', day, ...place, quantity: units, amount: -units, value: units < 0n ? -units : units });
  const shortOf = (...events: ReturnType<typeof trade>[]): number =>
    positionsWith('short-opened', new History(factsOfTransactions(some, withRowNumbers(events))), lastEventDay).length;
  const units = 10n * oneFixed;
  const [sale, purchase] = [trade(firstEventDay, -units), trade(firstEventDay + 1, units)];
  const second = trade(firstEventDay + 2, -3n * units);
  expect([shortOf(sale), shortOf(sale, purchase), shortOf(sale, purchase, second)]).toEqual([1, 1, 2]);
  expect(shortOf(trade(firstEventDay, units), trade(firstEventDay + 1, -units))).toBe(0);
});

test('are the same for a history that was asked about other days before', () => {
  const someDay = fc.integer({ min: firstEventDay - 5, max: lastEventDay + 40 });
  const window = fc.record({ from: fc.option(someDay, { nil: undefined }), day: someDay });
  const counts = new Map<string, number>();
  fc.assert(
    fc.property(generatedCase, fc.array(window, { minLength: 2, maxLength: 5 }), (some, windows) => {
      const history = historyOfCase(some);
      for (const one of windows) {
        const found = findings(history, { ...one, covers });
        expect(found).toEqual(findings(historyOfCase(some), { ...one, covers }));
        for (const { kind } of found) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    }),
  );
  for (const kind of ['unexplained-value-change', 'amount-far-from-price', 'short']) {
    expect([kind, (counts.get(kind) ?? 0) > 10]).toEqual([kind, true]);
  }
});
