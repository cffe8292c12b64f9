// Checks with randomly generated facts that moving units between own places never changes the value of a set that covers both.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  accounts,
  allEvents,
  eventWith,
  factsOfTransactions,
  firstEventDay,
  generatedMarket,
  lastEventDay,
  plainEvents,
  tradedInstruments,
  withRowNumbers,
  type GeneratedMarket,
  type UnnumberedTransaction,
} from '../../../tests/setup/engine/generated-facts.ts';
import { Series } from '../amounts/series.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import type { CostMethod } from '../lots/lot.ts';
import { performance, type PerformanceRequest } from '../returns/performance/performance.ts';
import { magnitude, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { HoldingPlace } from '../ledger/transaction.ts';
import type { Facts } from './facts.ts';
import { History } from './history.ts';
import { holdings } from './holdings.ts';
import { realisedGains } from './realised-gains.ts';

const covers = () => true;
const noSeries = new Series([]);
const places = [
  { account: 'euro', depository: 'north' },
  { account: 'dollar', depository: 'south' },
  { account: 'second', depository: 'south' },
] as const;
const method = fc.constantFrom<CostMethod>('FIFO', 'AVERAGE', 'SPECIFIC_ID');

/** One rounding for each position whose value is split or converted. */
const slack = 20n;
/** Also one for each lot whose cost is split. */
const gainSlack = 200n;

const request: PerformanceRequest<'places'> = {
  window: { start: firstEventDay, end: lastEventDay },
  method: 'start-end-of-day',
  axes: ['places'],
  covers,
  fees: 'net',
  segmentsOf: ({ account }) => ({ places: [account ?? 'none'] }),
};

/** The market, in which some instruments have no points: the last trade's price is used. */
const marketWithGaps = fc
  .tuple(generatedMarket, fc.subarray([...tradedInstruments]))
  .map(([market, unpriced]): GeneratedMarket => {
    const instruments = new Map(market.instruments);
    for (const id of unpriced) {
      instruments.set(id, { ...instruments.get(id)!, prices: noSeries, netAssetValues: noSeries });
    }
    return { ...market, instruments };
  });

const move = fc
  .record({
    day: fc.integer({ min: firstEventDay, max: lastEventDay }),
    instrument: fc.constantFrom(...tradedInstruments),
    quantity: fc.integer({ min: 1, max: 6_000 }).map((cents) => BigInt(cents) * (oneFixed / 100n)),
    route: fc.shuffledSubarray([...places], { minLength: 2, maxLength: 2 }),
    side: fc.constantFrom(1n, -1n),
  })
  .map(({ day, instrument, quantity, route: [at, counterPlace], side }) =>
    eventWith({
      kind: 'flow',
      day,
      ...at!,
      instrument,
      quantity: side * quantity,
      details: { counterPlace: counterPlace! },
    }),
  );

function valuesOf(market: GeneratedMarket, events: readonly UnnumberedTransaction[], by: CostMethod) {
  const { whole, axes } = performance(new History(factsOfTransactions(market, withRowNumbers(events), by)), request);
  return { whole, places: [...axes.places.values()] };
}

describe('moving units between own places', () => {
  test('changes neither the value nor the flow of the whole on any day, with or without a price', () => {
    fc.assert(
      fc.property(
        marketWithGaps,
        plainEvents,
        fc.array(move, { minLength: 1, maxLength: 5 }),
        method,
        (market, events, moves, by) => {
          const [still, moved] = [valuesOf(market, events, by), valuesOf(market, [...events, ...moves], by)];
          for (let index = 0; index < still.whole.values.length; index++) {
            expect(magnitude(moved.whole.values.at(index) - still.whole.values.at(index)) <= slack).toBe(true);
            expect(moved.whole.flows.at(index)).toBe(still.whole.flows.at(index));
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('leaves the gain of the whole as it was, and realises some only where it closes a short', () => {
    fc.assert(
      fc.property(
        marketWithGaps,
        plainEvents,
        fc.array(move, { minLength: 1, maxLength: 5 }),
        method,
        (market, events, moves, by) => {
          const [still, moved] = [events, [...events, ...moves]].map(
            (rows) => new History(factsOfTransactions(market, withRowNumbers(rows), by)),
          );
          expect(magnitude(gainOf(moved!) - gainOf(still!)) <= gainSlack).toBe(true);
          for (const { row, position, held } of realisedGains(moved!, { from: 0, to: lastEventDay, covers })) {
            if (row <= events.length) continue;
            const { account, details, quantity } = moves[row - events.length - 1]!;
            const receiver = quantity > 0n ? account : details!.counterPlace!.account;
            expect(moved!.key(position).account).toBe(receiver);
            expect(held.quantity < 0n).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  /** A private fund and a loan carry what happened to them: calls and distributions since the last value, and interest. */
  test.each([
    ['a private fund', { type: 'private-fund', commitment: 1_000_000n * oneFixed } as const],
    [
      'a loan',
      {
        type: 'loan',
        principal: 1_000n * oneFixed,
        rate: 5n * 10n ** 16n,
        convention: 'ACT/365',
        start: firstEventDay - 10,
        maturity: null,
      } as const,
    ],
  ])(
    'of %s leaves the value of the whole as it was on that day, however often they move',
    (_, terms: InstrumentTerms) => {
      fc.assert(
        fc.property(
          generatedMarket,
          allEvents,
          fc.array(share, { minLength: 1, maxLength: 4 }),
          (market, events, shares) => {
            const instruments = new Map(market.instruments).set('private', {
              ...market.instruments.get('private')!,
              terms,
            });
            const facts = (rows: readonly UnnumberedTransaction[]) =>
              factsOfTransactions({ ...market, instruments }, withRowNumbers(rows));
            expect(
              valueChanges({ instrument: 'private', events, shares }, facts).every((change) => change <= slack),
            ).toBe(true);
          },
        ),
        { numRuns: 100 },
      );
    },
  );
});

interface MovedShare {
  readonly day: Day;
  readonly percent: bigint;
  readonly route: readonly HoldingPlace[];
}

function shareBetween(all: readonly HoldingPlace[]): fc.Arbitrary<MovedShare> {
  return fc.record({
    day: fc.integer({ min: firstEventDay, max: lastEventDay }),
    percent: fc.bigInt(1n, 100n),
    route: fc.shuffledSubarray([...all], { minLength: 2, maxLength: 2 }),
  });
}

const share = shareBetween(places);

interface Moves {
  readonly instrument: string;
  readonly events: readonly UnnumberedTransaction[];
  readonly shares: readonly MovedShare[];
}

/** Moves one share after the other; lists by how much the value of the whole changed on the day of each. */
function valueChanges(
  { instrument, events, shares }: Moves,
  facts: (rows: readonly UnnumberedTransaction[]) => Facts,
): Fixed[] {
  const rows = [...events];
  const changes: Fixed[] = [];
  for (const { day, percent, route } of shares.toSorted((one, other) => one.day - other.day)) {
    const before = new History(facts(rows));
    const [from, to] = [route[0]!, route[1]!];
    const held = before.units(before.table.positionNumber({ ...from, instrument })).valueOn(day);
    if (held <= 0n) continue;
    const quantity = (-held * percent) / 100n;
    rows.push(eventWith({ kind: 'flow', day, ...from, instrument, quantity, details: { counterPlace: to } }));
    const after = new History(facts(rows));
    changes.push(magnitude(valueOf(after, day) - valueOf(before, day)));
  }
  return changes;
}

test('units whose places were uploaded at different prices are worth the same after a move', () => {
  const instrument = 'alpha';
  const uploadedPlaces = [...['north', 'south'].map((depository) => ({ account: null, depository })), places[0]];
  const worth = fc.bigInt(1n, 9_000n).map((cents) => cents * (oneFixed / 100n));
  const uploads = fc.array(
    fc.record({
      day: fc.integer({ min: firstEventDay - 9, max: firstEventDay - 1 }),
      depository: fc.constantFrom('north', 'south'),
      worth,
    }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(
      marketWithGaps,
      uploads,
      fc.array(shareBetween(uploadedPlaces), { minLength: 1, maxLength: 5 }),
      (market, stated, shares) => {
        const units = { kind: 'units', instrument, quantity: 10n * oneFixed, accrued: 0n, exchange: null } as const;
        const facts = (rows: readonly UnnumberedTransaction[]): Facts => ({
          ...factsOfTransactions(market, withRowNumbers(rows)),
          uploads: stated.map(({ day, depository, worth: marketValue }) => ({
            ...units,
            day,
            depository,
            marketValue,
          })),
        });
        expect(valueChanges({ instrument, events: [], shares }, facts).every((change) => change <= slack)).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});

/** Realised and unrealised. */
function gainOf(history: History): Fixed {
  const realised = realisedGains(history, { from: 0, to: lastEventDay, covers });
  const open = holdings(history, { day: lastEventDay, covers });
  return (
    realised.reduce((sum, { referenceGain }) => sum + referenceGain, 0n) +
    open.reduce((sum, { unrealised }) => sum + unrealised, 0n)
  );
}

function valueOf(history: History, day: Day): Fixed {
  return holdings(history, { day, covers }).reduce((sum, { marketValue }) => sum + marketValue, 0n);
}

test('the generated moves are between places that accounts have', () => {
  for (const { account, depository } of places) expect(accounts.get(account)!.depositories).toContain(depository);
});
