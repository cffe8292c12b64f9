// Generates random facts of a small family for property tests: accounts in two currencies, two depositories, instruments of
// several kinds, and sixty days of events.

import fc from 'fast-check';

import { ExchangeRates } from '../../../src/engine/currencies/exchange-rates.ts';
import type { AccountFacts, Facts } from '../../../src/engine/history/facts.ts';
import type { ValuedInstrument, InstrumentTerms } from '../../../src/engine/instruments/instrument.ts';
import { Ledger } from '../../../src/engine/ledger/ledger.ts';
import type { CostMethod } from '../../../src/engine/lots/lot.ts';
import { Series, type Point } from '../../../src/engine/amounts/series.ts';
import type { LedgerTransaction, TransactionDetails, TransactionKind } from '../../../src/engine/ledger/transaction.ts';
import { multiply, oneFixed, type Fixed } from '../../../src/kit/fixed.ts';
import type { Day } from '../../../src/kit/day.ts';
import { usualSettings } from './usual-settings.ts';

export const firstEventDay: Day = 19_000;
export const lastEventDay: Day = firstEventDay + 60;

export const accounts: ReadonlyMap<string, AccountFacts> = new Map([
  ['euro', { currency: 'EUR', depositories: ['north'] }],
  ['dollar', { currency: 'USD', depositories: ['north', 'south'] }],
  ['second', { currency: 'EUR', depositories: ['south'] }],
]);

const instrumentCurrencies = { alpha: 'EUR', beta: 'USD', gamma: 'EUR', fund: 'USD', bond: 'USD', private: 'USD' };

export type InstrumentId = keyof typeof instrumentCurrencies;

export const tradedInstruments: readonly InstrumentId[] = ['alpha', 'beta', 'gamma', 'fund', 'bond'];

const hundredths = 10n ** 16n;

/** An amount between the bounds, in steps of a hundredth. */
function anyMoney(min: number, max: number): fc.Arbitrary<Fixed> {
  return fc.integer({ min: min * 100, max: max * 100 }).map((cents) => BigInt(cents) * hundredths);
}

const pick = fc.constantFrom.bind(fc) as <T>(...values: readonly T[]) => fc.Arbitrary<T>;
const anyDay = fc.integer({ min: firstEventDay, max: lastEventDay });

function series(min: number, max: number): fc.Arbitrary<Series> {
  const point = fc.record({
    day: fc.integer({ min: firstEventDay - 20, max: lastEventDay }),
    value: anyMoney(min, max),
  });
  const first: fc.Arbitrary<Point> = anyMoney(min, max).map((value) => ({ day: firstEventDay - 30, value }));
  return fc.tuple(first, fc.array(point, { maxLength: 12 })).map(([start, more]) => new Series([start, ...more]));
}

const emptySeries = new Series([]);

const termsOf: Readonly<Record<InstrumentId, InstrumentTerms>> = {
  alpha: { type: 'listed' },
  beta: { type: 'listed' },
  gamma: { type: 'listed' },
  fund: { type: 'fund' },
  bond: {
    type: 'bond',
    schedule: { maturity: lastEventDay + 400, frequency: 2 },
    convention: '30E/360',
    rate: 5n * hundredths,
  },
  private: { type: 'private-fund', commitment: 1_000_000n * oneFixed },
};

const instruments: fc.Arbitrary<ReadonlyMap<string, ValuedInstrument>> = fc
  .record({
    alpha: series(5, 50),
    beta: series(5, 50),
    gamma: series(1, 9),
    fund: series(90, 110),
    bond: series(80, 120),
  })
  .chain((prices) => series(50_000, 90_000).map((navs) => ({ ...prices, private: navs })))
  .map((points) => new Map(Object.entries(points).map(([id, found]) => [id, instrumentOf(id as InstrumentId, found)])));

function instrumentOf(id: InstrumentId, points: Series): ValuedInstrument {
  const isNav = id === 'fund' || id === 'private';
  const values = {
    prices: isNav ? emptySeries : points,
    netAssetValues: isNav ? points : emptySeries,
    indexFactors: emptySeries,
  };
  const priceUnit = id === 'bond' ? 'per 100' : '1';
  return { id, currency: instrumentCurrencies[id], priceUnit, terms: termsOf[id], ...values };
}

const rates: fc.Arbitrary<ExchangeRates> = fc
  .tuple(series(1, 2), series(1, 2))
  .map(([dollar, franc]) => new ExchangeRates([rateSeries('USD', dollar), rateSeries('CHF', franc)]));

function rateSeries(quote: string, points: Series) {
  return { base: 'EUR', quote, points: Array.from({ length: points.length }, (_, index) => points.at(index)) };
}

/** A transaction without its number. */
export type UnnumberedTransaction = Omit<LedgerTransaction, 'row'>;

interface EventParts extends Partial<UnnumberedTransaction> {
  readonly kind: TransactionKind;
  readonly day: Day;
  readonly account: string | null;
}

export function eventWith(parts: EventParts): UnnumberedTransaction {
  const currency = accounts.get(parts.account ?? '')?.currency ?? 'EUR';
  return {
    time: null,
    settlement: null,
    depository: null,
    instrument: null,
    quantity: 0n,
    amount: 0n,
    currency,
    price: null,
    value: 0n,
    details: null,
    ...parts,
  };
}

const account = pick('euro', 'dollar', 'second');
const place = pick(
  { account: 'euro', depository: 'north' },
  { account: 'dollar', depository: 'south' },
  { account: 'second', depository: null },
);

const cashEvent: fc.Arbitrary<UnnumberedTransaction> = fc
  .record({ day: anyDay, account, kind: pick('flow', 'interest', 'fee'), amount: anyMoney(-500, 900) })
  .map((parts) => eventWith(parts as EventParts));

/**
 * A trade of units against cash: the amount paid is the value, converted at a rate near the market's if the currencies differ.
 */
export const tradeEvent: fc.Arbitrary<UnnumberedTransaction> = fc
  .record({
    day: anyDay,
    place,
    instrument: pick(...tradedInstruments),
    units: anyMoney(1, 100),
    side: pick(1n, -1n),
    price: anyMoney(5, 50),
    fees: anyMoney(0, 3),
    accrued: anyMoney(0, 2),
  })
  .map(({ day, place: at, instrument, units, side, price, fees, accrued }) => {
    const isBond = instrument === 'bond';
    const value = multiply(units, price) + side * fees;
    const cash = value + (isBond ? accrued : 0n);
    const isForeign = accounts.get(at.account)!.currency !== instrumentCurrencies[instrument];
    const amount = -side * (isForeign ? (cash * 9n) / 8n : cash);
    const details: TransactionDetails | null = isBond ? { accrued } : null;
    return eventWith({ kind: 'trade', day, ...at, instrument, quantity: side * units, amount, price, value, details });
  });

const incomeEvent: fc.Arbitrary<UnnumberedTransaction> = fc
  .record({
    day: anyDay,
    place,
    kind: pick('dividend', 'fee'),
    instrument: pick(...tradedInstruments),
    amount: anyMoney(-5, 50),
  })
  .map(({ place: at, ...parts }) => eventWith({ ...parts, ...at } as EventParts));

const fundEvent: fc.Arbitrary<UnnumberedTransaction> = fc
  .record({ day: anyDay, kind: pick('capital-call', 'distribution'), value: anyMoney(1_000, 20_000) })
  .map(({ day, kind, value }) =>
    eventWith({
      kind: kind as TransactionKind,
      day,
      account: 'dollar',
      depository: 'south',
      instrument: 'private',
      value,
      amount: kind === 'distribution' ? value : -value,
    }),
  );

const moveEvent: fc.Arbitrary<UnnumberedTransaction> = fc
  .record({ day: anyDay, amount: anyMoney(1, 400), counter: anyMoney(1, 400), isForeign: fc.boolean() })
  .map(({ day, amount, counter, isForeign }) =>
    eventWith({
      kind: isForeign ? 'fx' : 'flow',
      day,
      account: 'euro',
      amount: -amount,
      details: {
        counterCash: isForeign
          ? { account: 'dollar', currency: 'USD', amount: counter }
          : { account: 'second', currency: 'EUR', amount },
      },
    }),
  );

const inKindEvent: fc.Arbitrary<UnnumberedTransaction> = fc
  .record({ day: anyDay, instrument: pick('alpha', 'beta'), quantity: anyMoney(-40, 60), isOwn: fc.boolean() })
  .map(({ day, instrument, quantity, isOwn }) => {
    const details = isOwn ? { counterPlace: { account: 'dollar', depository: 'south' } } : null;
    return eventWith({ kind: 'flow', day, account: 'euro', depository: 'north', instrument, quantity, details });
  });

const actionEvent: fc.Arbitrary<UnnumberedTransaction> = fc
  .record({ day: anyDay, numerator: fc.bigInt(1n, 5n), denominator: fc.bigInt(1n, 3n), share: anyMoney(0, 1) })
  .chain((parts) =>
    pick('split', 'spin-off', 'merger', 'return-of-capital').map((action) => {
      const { day, numerator, denominator, share } = parts;
      const ratio = { numerator, denominator };
      const all = eventWith({ kind: 'corporate-action', day, account: null, instrument: 'alpha' });
      if (action === 'return-of-capital') {
        const amount = 10n * oneFixed;
        const at = { account: 'euro', depository: 'north', amount, value: amount };
        return { ...all, ...at, details: { action: { action } } } as UnnumberedTransaction;
      }
      const target = action === 'split' ? {} : { target: 'gamma' };
      const details = { action: { action, ratio, ...target, ...(action === 'spin-off' ? { share } : {}) } };
      return { ...all, details: details as TransactionDetails };
    }),
  );

export const plainEvents = fc.array(fc.oneof(cashEvent, tradeEvent, tradeEvent, incomeEvent, moveEvent), {
  maxLength: 40,
});

export const allEvents = fc.array(
  fc.oneof(cashEvent, tradeEvent, tradeEvent, tradeEvent, incomeEvent, fundEvent, moveEvent, inKindEvent, actionEvent),
  { maxLength: 40 },
);

export function withRowNumbers(events: readonly UnnumberedTransaction[]): LedgerTransaction[] {
  return events.map((one, index) => ({ ...one, row: index + 1 }));
}

export interface GeneratedMarket {
  readonly instruments: ReadonlyMap<string, ValuedInstrument>;
  readonly rates: ExchangeRates;
}

export const generatedMarket: fc.Arbitrary<GeneratedMarket> = fc.record({ instruments, rates });

export function factsOfTransactions(
  { instruments: marketInstruments, rates: marketRates }: GeneratedMarket,
  transactions: readonly LedgerTransaction[],
  method: CostMethod = 'FIFO',
): Facts {
  return {
    ledger: Ledger.from(transactions),
    uploads: [],
    accounts,
    instruments: marketInstruments,
    rates: marketRates,
    settings: { ...usualSettings, method },
  };
}
