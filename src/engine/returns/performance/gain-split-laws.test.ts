// Checks laws of the parts of a gain over generated ledgers, and what currencies brought against a day by day computation.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  allEvents,
  factsOfTransactions,
  firstEventDay,
  generatedMarket,
  lastEventDay,
  withRowNumbers,
  type GeneratedMarket,
  type UnnumberedTransaction,
} from '../../../../tests/setup/engine/generated-facts.ts';
import type { Day } from '../../../kit/day.ts';
import type { Fixed } from '../../../kit/fixed.ts';
import { convertedAmount } from '../../currencies/exchange-rates.ts';
import { History } from '../../history/history.ts';
import { holdings } from '../../history/holdings.ts';
import { unrealisedParts } from '../../returns/unrealised-parts.ts';
import { findSyntheticInstrument } from '../../ledger/position-key.ts';
import type { SegmentReturn } from '../segments/segment-return.ts';
import { performance, type PerformanceRequest } from './performance.ts';

const runs = { numRuns: 100 };
const covers = () => true;
const partNames = ['price', 'income', 'currency'] as const;

function historyOf(some: GeneratedMarket, events: readonly UnnumberedTransaction[]): History {
  return new History(factsOfTransactions(some, withRowNumbers(events)));
}

interface SplitWindow {
  readonly start: Day;
  readonly end: Day;
  readonly currency?: string;
  readonly fees?: 'net' | 'gross';
}

function split(history: History, { start, end, currency = 'EUR', fees = 'net' }: SplitWindow) {
  const request: PerformanceRequest<'instruments' | 'depositories' | 'positions'> = {
    window: { start, end },
    method: 'start-end-of-day',
    axes: ['instruments', 'depositories', 'positions'],
    covers,
    fees,
    currency,
    splitsGain: true,
    segmentsOf: (key) => ({
      instruments: [key.instrument],
      depositories: [key.depository ?? 'none'],
      positions: [String(history.table.find(key))],
    }),
  };
  return performance(history, request);
}

function total(amounts: readonly Fixed[]): Fixed {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

const wholeWindow = { start: firstEventDay, end: lastEventDay };
const currency = fc.constantFrom('EUR', 'USD', 'CHF');
const fees = fc.constantFrom('net', 'gross');

test('price, income and currency add up to the gain, and those of a partition to those of the whole', () => {
  fc.assert(
    fc.property(generatedMarket, allEvents, currency, fees, (some, events, reported, treatment) => {
      const found = split(historyOf(some, events), {
        ...wholeWindow,
        currency: reported,
        fees: treatment as 'net' | 'gross',
      });
      for (const segments of Object.values(found.axes)) {
        const parts = [...segments.values()].map((segment) => segment.gainParts());
        for (const name of partNames) expect(total(parts.map((one) => one[name]))).toBe(found.whole.gainParts()[name]);
      }
      for (const segment of [found.whole, ...found.axes.instruments.values()]) {
        const { price, income, currency: exchange } = segment.gainParts();
        expect(price + income + exchange).toBe(segment.totals().gain);
      }
    }),
    runs,
  );
});

test('the parts of two windows that follow each other add up to those of both', () => {
  const border = fc.integer({ min: firstEventDay, max: lastEventDay - 1 });
  fc.assert(
    fc.property(generatedMarket, allEvents, border, (some, events, end) => {
      const history = historyOf(some, events);
      const [first, second, both] = [
        split(history, { start: firstEventDay, end }),
        split(history, { start: end + 1, end: lastEventDay }),
        split(history, wholeWindow),
      ].map(({ whole }) => whole.gainParts());
      for (const name of partNames) expect(first![name] + second![name]).toBe(both![name]);
    }),
    runs,
  );
});

/** What was there every evening, in its own currency, at the next day's rates, less its value. */
function currencyGain(history: History, position: number, to: string): Fixed {
  const { rates } = history.facts;
  let gain = 0n;
  for (let day = firstEventDay - 1; day < lastEventDay; day++) {
    const { valuation, value } = history.value(position, day);
    const inEuro = convertedAmount(valuation.value, rates.get({ from: valuation.currency, to: 'EUR', day: day + 1 }));
    const before = convertedAmount(value, rates.get({ from: 'EUR', to, day }));
    gain += convertedAmount(inEuro, rates.get({ from: 'EUR', to, day: day + 1 })) - before;
  }
  return gain;
}

function eachPosition(history: History, segments: ReadonlyMap<string, SegmentReturn>) {
  return [...segments].map(([key, segment]) => {
    const position = Number(key);
    const { currency: own, id } = history.instrument(position);
    return { position, segment, own, money: findSyntheticInstrument(id)?.kind };
  });
}

test('what a currency brought is the same as computed day by day, to the last place, in any report currency', () => {
  fc.assert(
    fc.property(generatedMarket, allEvents, currency, (some, events, to) => {
      const history = historyOf(some, events);
      const { positions } = split(history, { ...wholeWindow, currency: to }).axes;
      for (const { position, segment, own, money } of eachPosition(history, positions)) {
        if (money === 'cash') continue;
        expect(segment.gainParts().currency).toBe(own === to ? 0n : currencyGain(history, position, to));
      }
    }),
    runs,
  );
});

test('cash has no price: only fees are there, and its own interest is its income', () => {
  fc.assert(
    fc.property(generatedMarket, allEvents, (some, events) => {
      const history = historyOf(some, events);
      const cash = eachPosition(history, split(history, wholeWindow).axes.positions).filter(
        ({ money }) => money === 'cash',
      );
      for (const { segment } of cash) {
        const { income, fees: charged } = segment.totals();
        expect(segment.gainParts()).toMatchObject({ price: -charged, income });
      }
    }),
    runs,
  );
});

test('without a change of rates no currency brings anything', () => {
  const still = fc.integer({ min: firstEventDay, max: lastEventDay });
  fc.assert(
    fc.property(generatedMarket, allEvents, still, (some, events, day) => {
      const history = historyOf(some, events);
      const [quoted] = history.facts.rates.get({ from: 'USD', to: 'EUR', day }).quoted;
      fc.pre(quoted!.day !== day);
      const positions = eachPosition(history, split(history, { start: day, end: day }).axes.positions);
      const brought = positions
        .filter(({ money }) => money !== 'cash')
        .map(({ segment }) => segment.gainParts().currency);
      expect(brought.every((gain) => gain === 0n)).toBe(true);
    }),
    runs,
  );
});

test('the unrealised gain of a holding is what the price and what the currency brought', () => {
  fc.assert(
    fc.property(generatedMarket, allEvents, (some, events) => {
      const history = historyOf(some, events);
      for (const holding of holdings(history, { day: lastEventDay, covers })) {
        const parts = unrealisedParts(history, holding);
        expect(parts.price + parts.currency).toBe(holding.unrealised);
        const isMoney = findSyntheticInstrument(holding.instrument) !== undefined;
        const own = history.instrument(holding.position).currency;
        const rate = history.facts.rates.get({ from: own, to: 'EUR', day: lastEventDay });
        const expected = isMoney ? 0n : convertedAmount(holding.cost, rate) - holding.referenceCost;
        expect(parts.currency).toBe(expected);
      }
    }),
    runs,
  );
});
