// Checks with generated facts that a private fund that several own places paid for counts once: their values add up to its net asset
// value, rolled forward by all calls and distributions. Moving its units between them changes nothing, and a stake that leaves takes its
// part only.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  eventWith,
  factsOfTransactions,
  firstEventDay,
  generatedMarket,
  lastEventDay,
  withRowNumbers,
  type GeneratedMarket,
  type UnnumberedTransaction,
} from '../../../tests/setup/engine/generated-facts.ts';
import { oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { PositionKey } from '../ledger/position-key.ts';
import { explainDailyReturn, explainMarketValue } from '../explanation/explanation.ts';
import { checkedFigureNames } from '../../../tests/setup/engine/explanation-check.ts';
import { performance } from '../returns/performance/performance.ts';
import { History } from './history.ts';
import { holdings } from './holdings.ts';

const places = [
  { account: 'euro', depository: 'north', currency: 'EUR' },
  { account: 'dollar', depository: 'south', currency: 'USD' },
  { account: 'second', depository: 'south', currency: 'EUR' },
] as const;
const anyDay = fc.integer({ min: firstEventDay, max: lastEventDay });
const covers = ({ instrument }: { readonly instrument: string }): boolean => instrument === 'private';

const flow = fc
  .record({
    day: anyDay,
    kind: fc.constantFrom('capital-call', 'capital-call', 'distribution'),
    place: fc.constantFrom(...places),
    cents: fc.bigInt(1_000n, 90_000n),
  })
  .map(({ day, kind, place, cents }) => {
    const value = (cents * oneFixed) / 100n;
    const amount = kind === 'distribution' ? value : -value;
    return eventWith({ kind: kind as 'distribution', day, ...place, instrument: 'private', value, amount });
  });

/** Every place is called on the first day. */
const flows = fc.array(flow, { minLength: 2, maxLength: 12 }).map((some) => [
  ...places.map((place, index) => {
    const value = BigInt(100 * (index + 1)) * oneFixed;
    const call = { kind: 'capital-call', day: firstEventDay, ...place, instrument: 'private' } as const;
    return eventWith({ ...call, value, amount: -value });
  }),
  ...some,
]);

const move = fc
  .record({
    day: anyDay,
    percent: fc.bigInt(1n, 100n),
    route: fc.shuffledSubarray([...places], { minLength: 2, maxLength: 2 }),
  })
  .map(({ day, percent, route: [from, to] }) => {
    const quantity = (-oneFixed * percent) / 100n;
    const { account, depository } = to!;
    const details = { counterPlace: { account, depository } };
    return eventWith({ kind: 'flow', day, ...from!, instrument: 'private', quantity, details });
  });

function historyOf(market: GeneratedMarket, rows: readonly UnnumberedTransaction[]): History {
  return new History(factsOfTransactions(market, withRowNumbers(rows)));
}

/** The last net asset value and all later flows; what is paid out beyond the value does not make it negative. */
function rolledForward(market: GeneratedMarket, rows: readonly UnnumberedTransaction[], day: Day): Fixed {
  const nav = market.instruments.get('private')!.netAssetValues.find(day);
  return rows
    .filter((row) => row.day > (nav?.day ?? -Infinity) && row.day <= day && row.kind !== 'flow')
    .toSorted((one, other) => one.day - other.day || Number(one.amount > 0n) - Number(other.amount > 0n))
    .reduce(
      (value, { amount }) => (amount > 0n ? (value > amount ? value - amount : 0n) : value - amount),
      nav?.value ?? 0n,
    );
}

test('the places add up to the fund on every day, with or without moves, and explain their values', () => {
  fc.assert(
    fc.property(generatedMarket, flows, fc.array(move, { maxLength: 3 }), (market, some, moves) => {
      const rows = [...some, ...moves];
      const history = historyOf(market, rows);
      for (let day = firstEventDay; day <= lastEventDay; day += 9) {
        const held = holdings(history, { day, covers });
        const whole = held.reduce((sum, { valuation }) => sum + valuation.value, 0n);
        expect([day, whole]).toEqual([day, rolledForward(market, some, day)]);
        for (const holding of held) checkedFigureNames(explainMarketValue(history, holding));
      }
    }),
    { numRuns: 60 },
  );
});

test('a move makes no gain at either place: the flow is what was moved', () => {
  const gainsOf = (history: History, day: Day) => {
    const { axes } = performance(history, {
      window: { start: day, end: day },
      method: 'start-end-of-day',
      axes: ['places'],
      covers,
      fees: 'net',
      segmentsOf: ({ account }) => ({ places: [account ?? 'none'] }),
    });
    return new Map([...axes.places].map(([place, one]) => [place, one.values.at(0) - one.flows.at(0)]));
  };
  fc.assert(
    fc.property(generatedMarket, flows, move, (market, some, { day, ...rest }) => {
      const moved = { ...rest, day };
      const [still, after] = [historyOf(market, some), historyOf(market, [...some, moved])];
      if (day === firstEventDay) return;
      const [before, now] = [gainsOf(still, day), gainsOf(after, day)];
      for (const [place, gain] of now) expect([place, near(gain, before.get(place) ?? 0n)]).toEqual([place, true]);
    }),
    { numRuns: 60 },
  );
});

const departure = fc.record({ place: fc.constantFrom(...places), percent: fc.bigInt(1n, 100n), isSold: fc.boolean() });

interface Departure {
  readonly place: (typeof places)[number];
  readonly percent: bigint;
  readonly isSold: boolean;
}

/** A part of what a place holds on a day. Undefined if it holds nothing. */
function departureOn(
  day: Day,
  history: History,
  { place, percent, isSold }: Departure,
): UnnumberedTransaction | undefined {
  const found = holdings(history, { day, covers }).find(({ position }) => isAt(place, history.key(position)));
  if (found === undefined || found.quantity <= 0n) return undefined;
  const quantity = -(found.quantity * percent) / 100n;
  const parts = { day, ...place, instrument: 'private', quantity };
  if (!isSold) return eventWith({ kind: 'flow', ...parts });
  return eventWith({ kind: 'trade', ...parts, amount: oneFixed, value: oneFixed });
}

function isAt(place: Departure['place'], { account, depository }: PositionKey): boolean {
  return account === place.account && depository === place.depository;
}

test('a stake that is sold or given away leaves with its part, and the other places keep their values', () => {
  const moves = fc.array(move, { maxLength: 2 });
  fc.assert(
    fc.property(generatedMarket, fc.tuple(flows, moves), departure, anyDay, (market, some, leaving, day) => {
      const still = historyOf(market, some.flat());
      const row = departureOn(day, still, leaving);
      if (row === undefined) return;
      const after = holdings(historyOf(market, [...some.flat(), row]), { day, covers });
      const values = new Map(after.map(({ position, valuation }) => [position, valuation.value]));
      for (const { position, quantity, valuation } of holdings(still, { day, covers })) {
        const isLeft = isAt(leaving.place, still.key(position));
        const rest = isLeft ? quantity + row.quantity : quantity;
        const kept = (valuation.value * rest) / quantity;
        expect([position, near(values.get(position) ?? 0n, kept)]).toEqual([position, true]);
      }
    }),
    { numRuns: 100 },
  );
});

test('values and gains are explained after stakes were sold or given away', () => {
  const days = fc.array(fc.tuple(departure, anyDay), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(generatedMarket, flows, days, (market, some, leaving) => {
      let rows: readonly UnnumberedTransaction[] = some;
      for (const [one, day] of leaving.toSorted(([, left], [, right]) => left - right)) {
        const row = departureOn(day, historyOf(market, rows), one);
        if (row !== undefined) rows = [...rows, row];
      }
      const history = historyOf(market, rows);
      const changed = rows.flatMap((row) => (row.quantity === 0n ? [] : [row.day]));
      for (const day of [...changed, lastEventDay]) {
        for (const holding of holdings(history, { day, covers }))
          checkedFigureNames(explainMarketValue(history, holding));
        const { whole, positions } = performance(history, {
          window: { start: day, end: day },
          method: 'start-end-of-day',
          axes: [],
          covers,
          fees: 'net',
          segmentsOf: () => ({}),
        });
        const report = { history, fees: 'net', currency: 'EUR' } as const;
        const explained = explainDailyReturn({ segment: whole, positions, report }, day);
        expect(() => checkedFigureNames(explained)).not.toThrow();
      }
    }),
    { numRuns: 40 },
  );
});

/** Up to the rounding of conversions. */
function near(one: Fixed, other: Fixed): boolean {
  const difference = one - other;
  return difference <= 20n && difference >= -20n;
}
