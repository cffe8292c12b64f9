// Checks what uploads do to a history: the stated units are held, and a change that no row explains is a flow.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  allEvents,
  eventWith,
  factsOfTransactions,
  firstEventDay,
  lastEventDay,
  withRowNumbers,
  generatedMarket,
  type UnnumberedTransaction,
  type GeneratedMarket,
} from '../../../tests/setup/engine/generated-facts.ts';
import { multiply, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { ExchangeRates } from '../currencies/exchange-rates.ts';
import type { UnitsUpload, Upload } from './facts.ts';
import { findings } from './findings.ts';
import { History } from './history.ts';
import { holdings, lotSnapshotOf } from './holdings.ts';
import { performance } from '../returns/performance/performance.ts';
import { Series } from '../amounts/series.ts';

const covers = () => true;
const units = (count: number): Fixed => BigInt(count) * oneFixed;

function historyOf(
  some: GeneratedMarket,
  events: readonly UnnumberedTransaction[],
  uploads: readonly Upload[],
): History {
  return new History({ ...factsOfTransactions(some, withRowNumbers(events)), uploads });
}

function upload(parts: Partial<UnitsUpload> & { day: Day; quantity: Fixed; marketValue: Fixed }): UnitsUpload {
  return { kind: 'units', depository: 'north', instrument: 'alpha', accrued: 0n, exchange: null, ...parts };
}

const noPoints = new Series([]);
const plain: GeneratedMarket = {
  instruments: new Map(
    ['alpha', 'gamma'].map((id) => [
      id,
      {
        id,
        currency: 'EUR',
        priceUnit: '1',
        terms: { type: 'listed' },
        prices: noPoints,
        netAssetValues: noPoints,
        indexFactors: noPoints,
      },
    ]),
  ),
  rates: new ExchangeRates([{ base: 'EUR', quote: 'USD', points: [{ day: firstEventDay - 9, value: 2n * oneFixed }] }]),
};

/** north serves two accounts, so its uploads belong to the depository and to no account. */
const euro = { account: 'euro', depository: 'north', instrument: 'alpha' } as const;

function heldOn(history: History, day: Day) {
  return holdings(history, { day, covers }).map(({ account, instrument, quantity, marketValue }) => [
    account,
    instrument,
    quantity / oneFixed,
    marketValue / oneFixed,
  ]);
}

describe('a depository that serves several accounts', () => {
  test('holds the uploaded total: its accounts hold the units of their rows, and the rest has no account', () => {
    const buy = eventWith({ kind: 'trade', day: firstEventDay, ...euro, quantity: units(30), value: units(300) });
    const stated = upload({ day: firstEventDay + 5, quantity: units(100), marketValue: units(1_200) });
    const history = historyOf(plain, [{ ...buy, price: units(10) }], [stated]);
    expect(heldOn(history, firstEventDay + 5)).toEqual([
      [null, 'alpha', 70n, 840n],
      ['euro', 'alpha', 30n, 360n],
    ]);
  });
});

describe('a statement', () => {
  const january = [
    upload({ day: firstEventDay, quantity: units(10), marketValue: units(100) }),
    upload({ day: firstEventDay, instrument: 'gamma', quantity: units(5), marketValue: units(50) }),
  ];
  const february = upload({ day: firstEventDay + 30, quantity: units(10), marketValue: units(110) });

  test('removes holdings that an earlier statement of the depository listed and this one does not', () => {
    const history = historyOf(plain, [], [...january, february]);
    expect(heldOn(history, firstEventDay + 29)).toHaveLength(2);
    expect(heldOn(history, firstEventDay + 30)).toEqual([[null, 'alpha', 10n, 110n]]);
  });

  test('does not remove holdings that come only from the ledger', () => {
    const buy = eventWith({ kind: 'trade', day: firstEventDay + 1, ...euro, instrument: 'gamma', quantity: units(7) });
    const history = historyOf(plain, [{ ...buy, price: units(1), value: units(7) }], [january[0]!, february]);
    expect(heldOn(history, firstEventDay + 30)).toContainEqual(['euro', 'gamma', 7n, 7n]);
  });

  test('is a flow at its value when the holding first appears, and a flagged flow for later changes', () => {
    const history = historyOf(plain, [], [...january, { ...february, quantity: units(11) }]);
    const { whole } = performance(history, {
      window: { start: firstEventDay, end: firstEventDay + 30 },
      method: 'start-end-of-day',
      axes: [],
      covers,
      fees: 'net',
      segmentsOf: () => ({}),
    });
    expect(whole.flows.at(1)).toBe(units(150));
    // One of eleven alphas is new: 110 / 11. The gammas leave at the last uploaded price.
    expect(whole.flows.at(31)).toBe(units(10) - units(50));
    const flagged = findings(history, { day: lastEventDay, covers }).filter(({ kind }) => kind === 'implied-flow');
    expect(flagged).toMatchObject([{ quantity: units(1) }, { quantity: units(-5) }]);
  });
});

test('a row that was traded before an upload and settled after it is a finding', () => {
  const buy = eventWith({
    kind: 'trade',
    day: firstEventDay,
    ...euro,
    depository: 'south',
    account: 'second',
    quantity: units(1),
  });
  const late = { ...buy, settlement: firstEventDay + 3, price: units(1), value: units(1) };
  const inTime = { ...late, settlement: firstEventDay + 1 };
  const stated = upload({ day: firstEventDay + 1, depository: 'only', quantity: units(1), marketValue: units(1) });
  const facts = {
    ...factsOfTransactions(
      plain,
      withRowNumbers([
        { ...late, depository: 'only' },
        { ...inTime, depository: 'only' },
      ]),
    ),
  };
  const accounts = new Map([['second', { currency: 'EUR', depositories: ['only'] }]]);
  const history = new History({ ...facts, accounts, uploads: [stated] });
  const found = findings(history, { day: lastEventDay, covers }).filter(({ kind }) => kind === 'settles-after-upload');
  expect(found).toMatchObject([{ row: 1, settlement: firstEventDay + 3 }]);
});

const someUpload = fc
  .record({
    day: fc.integer({ min: firstEventDay, max: lastEventDay }),
    depository: fc.constantFrom('north', 'south'),
    instrument: fc.constantFrom('alpha', 'beta', 'bond'),
    quantity: fc.integer({ min: 1, max: 90 }).map(units),
    marketValue: fc.integer({ min: 1, max: 900 }).map(units),
    accrued: fc.integer({ min: 0, max: 9 }).map(units),
    exchange: fc.constantFrom(null, { rate: oneFixed / 2n, currency: 'EUR' }),
  })
  .map((parts): UnitsUpload => ({ kind: 'units', ...parts }));

const uploads = fc.array(someUpload, { minLength: 1, maxLength: 8 });

describe('after any history', () => {
  test('the depository holds the uploaded units on that day, and the lots add up to them', () => {
    fc.assert(
      fc.property(generatedMarket, allEvents, uploads, (some, events, stated) => {
        const history = historyOf(some, events, stated);
        const last = new Map(stated.map((one) => [JSON.stringify([one.day, one.depository, one.instrument]), one]));
        for (const { day, depository, instrument, quantity } of last.values()) {
          const held = holdings(history, { day, covers }).filter(
            (one) => one.depository === depository && one.instrument === instrument,
          );
          expect(held.reduce((sum, one) => sum + one.quantity, 0n)).toBe(quantity);
          for (const one of held) {
            const { lots } = lotSnapshotOf(history, one, day);
            expect(lots.reduce((sum, lot) => sum + lot.quantity, 0n)).toBe(one.quantity);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test('an upload that matches the ledger implies no flow and changes no lot', () => {
    const only = new Map([['euro', { currency: 'EUR', depositories: ['only'] }]]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (bought, worth) => {
        const buy = eventWith({
          kind: 'trade',
          day: firstEventDay,
          ...euro,
          depository: 'only',
          quantity: units(bought),
        });
        const rows = withRowNumbers([{ ...buy, value: units(77), price: units(1) }]);
        const stated = upload({
          day: firstEventDay + 3,
          depository: 'only',
          quantity: units(bought),
          marketValue: units(worth),
        });
        const history = new History({ ...factsOfTransactions(plain, rows), accounts: only, uploads: [stated] });
        const [held] = holdings(history, { day: firstEventDay + 3, covers });
        expect(held).toMatchObject({ marketValue: units(worth), cost: units(77) });
        expect(history.legs(held!.position)).toEqual([]);
        expect(multiply(held!.quantity, oneFixed)).toBe(units(bought));
      }),
    );
  });
});

test('an uploaded cash balance is the balance of its day, later rows change it, and the difference is a flow', () => {
  const events = [
    eventWith({ kind: 'flow', day: firstEventDay, account: 'euro', amount: units(100) }),
    eventWith({ kind: 'interest', day: firstEventDay + 6, account: 'euro', amount: units(3) }),
  ];
  const stated: Upload = { kind: 'cash', day: firstEventDay + 5, account: 'euro', balance: units(140) };
  const history = historyOf(plain, events, [stated]);
  const balances = [0, 4, 5, 6].map((after) => heldOn(history, firstEventDay + after)[0]![2]);
  expect(balances).toEqual([100n, 100n, 140n, 143n]);
  const { position } = holdings(history, { day: lastEventDay, covers })[0]!;
  expect(history.legs(position)).toMatchObject([{ amount: units(40), day: firstEventDay + 5 }]);
});

test('fees owed lower the value, their growth is a cost, and paying them is not', () => {
  const paid = eventWith({ kind: 'fee', day: firstEventDay + 20, account: 'euro', amount: units(-30) });
  const events = [eventWith({ kind: 'flow', day: firstEventDay, account: 'euro', amount: units(1_000) }), paid];
  const owed = (day: Day, amount: number): Upload => ({ kind: 'fees', day, account: 'euro', owed: units(amount) });
  const history = historyOf(plain, events, [owed(firstEventDay + 5, 10), owed(firstEventDay + 10, 25)]);
  const { whole } = performance(history, {
    window: { start: firstEventDay, end: firstEventDay + 20 },
    method: 'start-end-of-day',
    axes: [],
    covers,
    fees: 'net',
    segmentsOf: () => ({}),
  });
  const gains = [1, 5, 10, 20].map((after) => whole.gains.at(after + 1) / oneFixed);
  // 10 owed, then 15 more; 25 of the 30 paid were already owed.
  expect(gains).toEqual([0n, -10n, -15n, -5n]);
  expect(whole.totals()).toMatchObject({ begin: 0n, end: units(970), flow: units(1_000) });
});
