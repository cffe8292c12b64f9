// Checks what units are worth after they moved between places where uploads imply different prices.

import { describe, expect, test } from 'vitest';

import { holdingState, instrument, valuationContext } from '../../../tests/setup/engine/valued-holding.ts';
import type { Day } from '../../kit/day.ts';
import { oneFixed } from '../../kit/fixed.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import { carriedPrices, isPricedByUnit } from './carried-prices.ts';
import type { UploadedValue } from './position-state.ts';

/** What an upload of day 2 or another implies for a unit, by place; a place without one goes by its cost. */
type Prices = Readonly<Record<number, readonly [day: number, price: bigint]>>;

interface Move {
  readonly from: number;
  readonly to: number;
  readonly day: number;
  readonly quantity: bigint;
}

function uploadOf([day, price]: readonly [number, bigint]): UploadedValue {
  const currency = { currency: 'EUR', reportingCurrency: 'EUR', rate: oneFixed };
  return { day, quantity: 1n, marketValue: price, accrued: 0n, ...currency };
}

function carried(prices: Prices, held: readonly bigint[], moves: readonly Move[]) {
  const seen: (readonly Move[])[] = [];
  const known: (Day | null | undefined)[] = [];
  const found = carriedPrices({
    moves,
    heldBefore: (move, earlier) => {
      seen.push(earlier as readonly Move[]);
      return held[moves.findIndex((one) => one === move)]!;
    },
    subject: (position, day, { quantity, carriedPrice }) => {
      known.push(carriedPrice && carriedPrice.day);
      const upload = prices[position] === undefined ? null : uploadOf(prices[position]);
      return {
        instrument: instrument({ type: 'listed' }),
        held: { ...holdingState({ quantity: '0' }), quantity, carriedPrice, upload },
        context: { ...valuationContext('2025-01-01'), day },
      };
    },
  });
  const of = (position: number) =>
    found.of(position).map(({ day, pricedOn, quantity, marketValue, accrued }) => {
      return `${quantity} worth ${marketValue} on ${day}, priced on ${pricedOn}${accrued === 0n ? '' : '!'}`;
    });
  return { of, seen, known, differing: moves.map((move) => found.hasDifference(move)) };
}

describe('units that move to a place with another price', () => {
  const move = { from: 1, to: 2, day: 5, quantity: 2n };
  const prices = { 1: [2, 10n], 2: [3, 4n] } as const;

  test.each([
    ['have an average price with those that are there', 3n, ['5 worth 32 on 5, priced on 2']],
    ['have an average price with the single smallest unit that is there', 1n, ['3 worth 24 on 5, priced on 2']],
    ['keep their price where nothing is there', 0n, ['2 worth 20 on 5, priced on 2']],
    ['leave the price of a short as it is', -1n, []],
  ])('%s', (_what, held, expected) => {
    const found = carried(prices, [held], [move]);
    expect([found.of(2), found.of(1), found.differing]).toEqual([expected, [], [true]]);
  });

  test.each([
    ['both prices are the same', { 1: [2, 4n], 2: [3, 4n] }],
    ['the place that they left has none', { 2: [3, 4n] }],
    ['the place that they come to has none', { 1: [2, 4n] }],
    ['neither has one', {}],
  ] as readonly [string, Prices][])('have no average if %s', (_what, some) => {
    const found = carried(some, [3n], [move]);
    expect([found.of(2), found.differing]).toEqual([[], [false]]);
  });

  test('take the average of an earlier move along, and know of all moves before theirs', () => {
    const moves = [move, { ...move, day: 6, quantity: 1n }, { from: 2, to: 3, day: 7, quantity: 4n }];
    const found = carried({ ...prices, 3: [3, 1n] }, [2n, 4n, 0n], moves);
    expect(found.of(2)).toEqual(['4 worth 28 on 5, priced on 2', '5 worth 38 on 6, priced on 2']);
    expect(found.of(3)).toEqual(['4 worth 30 on 7, priced on 2']);
    // From, to, and what is there, of each move; nothing is there before the last.
    expect(found.known).toEqual([null, null, null, null, 5, 5, 6, null]);
    expect(found.seen).toEqual([[], moves.slice(0, 1), moves.slice(0, 2)]);
  });
});

test.each([
  ['listed', true],
  ['fund', true],
  ['other', true],
  ['private-fund', false],
  ['forward', false],
  ['loan', false],
  ['zero-coupon', false],
])('a %s is worth units × a price: %s', (type, expected) => {
  expect(isPricedByUnit({ type } as InstrumentTerms)).toBe(expected);
});

test('a bond is worth units × a price unless an index raises its nominal', () => {
  expect(isPricedByUnit({ type: 'bond' } as InstrumentTerms)).toBe(true);
  expect(isPricedByUnit({ type: 'bond', index: { baseFactor: null } } as InstrumentTerms)).toBe(false);
});
