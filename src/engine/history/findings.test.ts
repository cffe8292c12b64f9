// What is found about positions as they stand: of those that are held and of no others, and without asking what they cost.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  allEvents,
  event,
  factsOf,
  firstDay,
  lastDay,
  numbered,
  world,
  type World,
} from '../../../tests/setup/engine/generated-facts.ts';
import { oneFixed } from '../../kit/fixed.ts';
import { ExchangeRates, RateMissing } from '../currencies/exchange-rates.ts';
import { findings, type Finding } from './findings.ts';
import { History } from './history.ts';
import { holdings } from './holdings.ts';
import { findSynthetic } from '../ledger/position-key.ts';
import { Series } from '../amounts/series.ts';

const covers = () => true;

function positionsWith(kind: Finding['kind'], history: History, day: number): number[] {
  return findings(history, { day, covers })
    .filter((finding) => finding.kind === kind)
    .map(({ position }) => position);
}

test('values are looked at where something is held, and nowhere else', () => {
  let found = 0;
  fc.assert(
    fc.property(world, allEvents, fc.integer({ min: firstDay, max: lastDay + 40 }), (some, events, day) => {
      const history = new History(factsOf(some, numbered(events)));
      const held = holdings(history, { day, covers }).filter(
        ({ instrument }) => findSynthetic(instrument) === undefined,
      );
      const stale = held.filter(({ valuation }) => valuation.isStale).map(({ position }) => position);
      const estimated = held.filter(({ valuation }) => valuation.isEstimated).map(({ position }) => position);
      expect(positionsWith('stale-value', history, day)).toEqual(stale);
      expect(positionsWith('estimated-value', history, day)).toEqual(estimated);
      found += stale.length + estimated.length;
    }),
  );
  expect(found).toBeGreaterThan(10);
});

test('what no rate is known for at its acquisition has no cost, and yet its value is looked at', () => {
  const [units, rate] = [10n * oneFixed, 2n * oneFixed];
  const none = new Series([]);
  const beta = {
    id: 'beta',
    currency: 'USD',
    priceUnit: '1',
    terms: { type: 'listed' },
    prices: new Series([{ day: firstDay, value: oneFixed }]),
    netAssetValues: none,
    indexFactors: none,
  } as const;
  const some: World = {
    instruments: new Map([['beta', beta]]),
    rates: new ExchangeRates([{ base: 'EUR', quote: 'USD', points: [{ day: firstDay + 1, value: rate }] }]),
  };
  const place = { account: 'dollar', depository: 'south', instrument: 'beta' };
  const buy = event({ kind: 'trade', day: firstDay, ...place, quantity: units, amount: -units, value: units });
  const history = new History(factsOf(some, numbered([buy])));
  expect(() => holdings(history, { day: lastDay, covers })).toThrow(RateMissing);
  expect(positionsWith('stale-value', history, lastDay)).toHaveLength(1);
});
