// Checks the flows of positions against their rows, converted one by one, whatever currency they are paid in.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  eventWith,
  factsOfTransactions,
  firstEventDay,
  withRowNumbers,
  type UnnumberedTransaction,
  type GeneratedMarket,
} from '../../../../tests/setup/engine/generated-facts.ts';
import type { Day } from '../../../kit/day.ts';
import { oneFixed, type Fixed } from '../../../kit/fixed.ts';
import { convertedAmount, ExchangeRates } from '../../currencies/exchange-rates.ts';
import { History } from '../../history/history.ts';
import { performance, type PerformanceRequest } from './performance.ts';
import { historyOfText } from '../../../../tests/setup/ledger-text/ledger-text.ts';
import { day as dayOf } from '../../../../tests/setup/engine/valued-holding.ts';
import { cashInstrument } from '../../ledger/position-key.ts';
import { Series } from '../../amounts/series.ts';

const none = new Series([]);
const rates = new ExchangeRates([
  {
    base: 'EUR',
    quote: 'USD',
    points: [0, 7, 9].map((day) => ({ day: firstEventDay + day - 1, value: oneFixed + BigInt(day + 3) * 10n ** 14n })),
  },
]);
const world: GeneratedMarket = {
  instruments: new Map([
    [
      'alpha',
      {
        id: 'alpha',
        currency: 'EUR',
        priceUnit: '1',
        terms: { type: 'listed' },
        prices: new Series([{ day: firstEventDay - 1, value: oneFixed }]),
        netAssetValues: none,
        indexFactors: none,
      },
    ],
  ]),
  rates,
};

const currencies = ['EUR', 'USD'] as const;
type PaidIn = (typeof currencies)[number];

interface Paid {
  readonly day: Day;
  readonly currency: PaidIn;
  readonly amount: Fixed;
}

function bought({ day, currency, amount }: Paid): UnnumberedTransaction {
  const place = { account: 'euro', depository: 'north', instrument: 'alpha' };
  return eventWith({ kind: 'trade', day, ...place, currency, quantity: oneFixed, amount: -amount, value: amount });
}

const window = { start: firstEventDay + 2, end: firstEventDay + 11 };

const request: PerformanceRequest<'instruments'> = {
  window,
  method: 'start-end-of-day',
  axes: ['instruments'],
  covers: () => true,
  fees: 'net',
  segmentsOf: ({ instrument }) => ({ instruments: [instrument] }),
};

function flowsOf(paid: readonly Paid[]): ReadonlyMap<string, readonly Fixed[]> {
  const { axes } = performance(new History(factsOfTransactions(world, withRowNumbers(paid.map(bought)))), request);
  const amountsOf = (id: string) => {
    const flows = axes.instruments.get(id)?.flows;
    return Array.from({ length: 10 }, (_, index) => flows?.at(index + 1) ?? 0n);
  };
  return new Map(['alpha', ...currencies.map(cashInstrument)].map((id) => [id, amountsOf(id)]));
}

function paidOn(paid: readonly Paid[]): readonly Fixed[] {
  return Array.from({ length: 10 }, (_, index) => {
    const day = window.start + index;
    return paid
      .filter((one) => one.day === day)
      .reduce(
        (sum, { currency: from, amount }) => sum + convertedAmount(amount, rates.get({ from, to: 'EUR', day })),
        0n,
      );
  });
}

const day = fc.integer({ min: firstEventDay, max: firstEventDay + 14 });
const short = fc.integer({ min: 1, max: 10 ** 9 }).map((cents) => BigInt(cents) * 10n ** 16n);
const long = fc.bigInt({ min: 1n, max: 10n ** 30n });

test.each([
  ['with two decimal places', short],
  ['with more digits than a double has', fc.oneof(short, long)],
  ['larger than two doubles hold', fc.oneof(short, long, fc.bigInt({ min: 10n ** 29n, max: 10n ** 36n }))],
])('amounts %s: cash paid in any currency is a flow into the units at the rate of its day', (_size, amount) => {
  const paidArbitrary = fc.record({ day, currency: fc.constantFrom(...currencies), amount });
  fc.assert(
    fc.property(fc.array(paidArbitrary, { maxLength: 12 }), (paid) => {
      const flows = flowsOf(paid);
      expect(flows.get('alpha')).toEqual(paidOn(paid));
      for (const currency of currencies) {
        const own = paid.filter((one) => one.currency === currency);
        expect(flows.get(cashInstrument(currency))).toEqual(paidOn(own).map((each) => -each));
      }
    }),
  );
});

test('ten thousand purchases, thousands of them on one day, are all counted', () => {
  const paid = Array.from({ length: 10_000 }, (_, index): Paid => {
    const currency = index % 5_000 < 2_500 ? 'EUR' : 'USD';
    return { day: firstEventDay + Math.min(8, index % 13), currency, amount: BigInt(index + 1) * 10n ** 15n };
  });
  expect(flowsOf(paid).get('alpha')).toEqual(paidOn(paid));
});

test('what a window covers begins with the first day on which anything happens to it, at the latest the last of the window', () => {
  const history = historyOfText(`Begins by and by
client EUR FIFO
account A EUR
instrument Before listed EUR
instrument Last listed EUR
instrument After listed EUR
instrument Paid listed EUR
instrument PaidAfter listed EUR
2024-01-01 buy A Before 1 @ 10
2024-01-09 dividend A Paid 1
2024-01-09 buy A Last 1 @ 10
2024-01-10 buy A After 1 @ 10
2024-01-10 dividend A PaidAfter 1
`);
  const { axes, positions } = performance(history, {
    ...request,
    window: { start: dayOf('2024-01-05'), end: dayOf('2024-01-09') },
  });
  expect([...axes.instruments.keys()].toSorted()).toEqual(['Before', 'Last', 'Paid', cashInstrument('EUR')]);
  expect(positions).toHaveLength(4);
});

test('the days of a year by which returns vary are those of the client’s settings, unless others are asked for', () => {
  const { facts } = historyOfText(`Varies
client EUR FIFO
account A EUR
instrument X listed EUR
price X 2024-01-01 10
price X 2024-01-09 11
2024-01-01 deposit A X 1
`);
  const ratioOf = (days: number | undefined, wanted: { volatilityDays?: number } = {}) => {
    const settings = { ...facts.settings, ...(days !== undefined && { volatilityDays: days }) };
    const span = { start: dayOf('2024-01-05'), end: dayOf('2024-01-12') };
    const { whole } = performance(new History({ ...facts, settings }), { ...request, ...wanted, window: span });
    const { ratio, deviation } = whole.path.volatility();
    return ratio! / deviation!;
  };
  expect(ratioOf(undefined)).toBeCloseTo(Math.sqrt(252), 10);
  expect(ratioOf(365)).toBeCloseTo(Math.sqrt(365), 10);
  expect(ratioOf(365, { volatilityDays: 12 })).toBeCloseTo(Math.sqrt(12), 10);
});
