// Checks with generated ledgers that no money gets lost between the reports: what was gained in all is what was realised, what is not
// realised yet, and income less fees. Money is booked for accounts and for depositories, with and without units there.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { magnitude, type Fixed } from '../../kit/fixed.ts';
import { privateMarkets } from '../private-markets/private-markets.ts';
import { performance } from '../returns/performance/performance.ts';
import { holdings } from './holdings.ts';
import { realisedGains } from './realised-gains.ts';

const covers = () => true;
const firstDay = toDayNumber('2024-01-02' as CalendarDate);
const lastDay = firstDay + 45;

function tenths(max: number): fc.Arbitrary<string> {
  return fc.integer({ min: 1, max }).map((value) => String(value / 10));
}

const [units, price, money] = [tenths(400), tenths(900), tenths(9_000)];
const account = fc.constantFrom('A', 'B');
const place = fc.constantFrom('A/D', 'A/E', 'A', 'B', 'B/F');
const share = fc.constantFrom('X', 'Y');
const route = fc
  .shuffledSubarray(['A/D', 'A/E', 'B/F'], { minLength: 2, maxLength: 2 })
  .map(([from = '', to = '']) => ({ from, to }));

/** Instruments in the currency of the cash, or in dollars that each row exchanges at its own rate. */
type InstrumentCurrency = 'EUR' | 'USD';

function eventIn(currency: InstrumentCurrency): fc.Arbitrary<string> {
  const rate =
    currency === 'EUR' ? fc.constant('') : fc.integer({ min: 70, max: 99 }).map((value) => ` rate 0.${value}`);
  const accrued = tenths(50).map((interest) => ` accrued ${interest}`);
  return fc.oneof(
    fc.tuple(account, money).map(([at, amount]) => `deposit ${at} ${amount}`),
    fc
      .tuple(place, share, units, price, rate)
      .map(([at, of, count, each, own]) => `buy ${at} ${of} ${count} @ ${each} fees 1${own}`),
    fc
      .tuple(place, share, units, price, rate)
      .map(([at, of, count, each, own]) => `sell ${at} ${of} ${count} @ ${each} fees 1${own}`),
    fc
      .tuple(fc.constantFrom('buy', 'sell'), place, units, price, accrued, rate)
      .map(([side, at, count, each, interest, own]) => `${side} ${at} Z ${count} @ ${each}${interest}${own}`),
    fc.tuple(place, fc.constantFrom('X', 'Y', 'P', 'Z'), money).map(([at, of, paid]) => `dividend ${at} ${of} ${paid}`),
    fc
      .tuple(place, fc.constantFrom('X', 'Y', 'P'), money, rate)
      .map(([at, of, paid, own]) => `return-of-capital ${at} ${of} ${paid}${own}`),
    fc
      .tuple(place, money, fc.constantFrom('', ' in-lieu 0.3', ' in-lieu 2'), rate)
      .map(([at, paid, more, own]) => `merger ${at} X into Y 1:4 for ${paid}${more}${own}`),
    fc.constantFrom('merger X into Y 3:2', 'split X 2:1', 'split Y 1:3', 'spin-off X into Y 1:2 share 30%'),
    fc.tuple(share, units, route).map(([of, count, { from, to }]) => `move ${from} ${of} ${count} to ${to}`),
    fc
      .tuple(fc.constantFrom('call', 'distribution'), place, money, rate)
      .map(([kind, at, paid, own]) => `${kind} ${at} P ${paid}${own}`),
    fc.tuple(fc.constantFrom('0.1', '1'), route).map(([count, { from, to }]) => `move ${from} P ${count} to ${to}`),
    fc.tuple(account, money).map(([at, paid]) => `fee ${at} ${paid}`),
  );
}

const date = fc.integer({ min: 1, max: 31 }).map((day) => `2024-01-${String(day).padStart(2, '0')}`);

function ledgerIn(currency: InstrumentCurrency): fc.Arbitrary<string> {
  return fc
    .record({
      method: fc.constantFrom('FIFO', 'AVERAGE'),
      events: fc.array(fc.tuple(date, eventIn(currency)), { minLength: 1, maxLength: 14 }),
      prices: fc.uniqueArray(fc.tuple(share, date, price), { maxLength: 8, selector: ([of, on]) => `${of} ${on}` }),
      values: fc.uniqueArray(fc.tuple(date, money), { maxLength: 3, selector: ([on]) => on }),
      rates: fc.uniqueArray(fc.tuple(date, fc.integer({ min: 70, max: 99 })), { maxLength: 4, selector: ([on]) => on }),
    })
    .map(({ method, events, prices, values, rates }) =>
      [
        'Generated',
        `client EUR ${method}`,
        'account A EUR, depositories D E',
        'account B EUR, depositories F',
        ...['X listed', 'Y listed', 'P private-fund'].map((words) => `instrument ${words} ${currency}`),
        `instrument Z bond ${currency}, rate 3.65%, count ACT/365, maturity 2026-07-01`,
        'rate USD/EUR 2023-01-01 0.9',
        ...rates.map(([on, value]) => `rate USD/EUR ${on} 0.${value}`),
        ...prices.map(([of, on, value]) => `price ${of} ${on} ${value}`),
        ...values.map(([on, value]) => `nav P ${on} ${value}`),
        ...events.map((words) => words.join(' ')),
      ].join('\n'),
    );
}

function sumOf(amounts: Iterable<Fixed>): Fixed {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}

/** One rounding for each lot whose cost or money is split. */
const slack = 1_000n;

test.each([
  ['the currency of the cash', 'EUR'],
  ['another currency, each row at its own rate', 'USD'],
] as const)(
  'in %s the gain is realised, unrealised, or income less fees; the flows of places add up, and a fund is paid in what flows into it',
  (_, currency) => {
    fc.assert(
      fc.property(ledgerIn(currency), (text) => {
        const history = historyOfText(text);
        const { whole, axes } = performance(history, {
          window: { start: firstDay - 1, end: lastDay },
          method: 'start-end-of-day',
          axes: ['places', 'instruments'],
          covers,
          fees: 'net',
          segmentsOf: ({ account: at, depository, instrument }) => ({
            places: [`${at}/${depository}`],
            instruments: [instrument],
          }),
        });
        const days = Array.from({ length: whole.values.length }, (_, index) => index);
        const places = [...axes.places.values()];
        for (const day of days) {
          expect(whole.flows.at(day)).toBe(sumOf(places.map(({ flows }) => flows.at(day))));
        }
        const gain = whole.values.at(days.length - 1) - sumOf(days.map((day) => whole.flows.at(day)));
        const earned = sumOf(days.map((day) => whole.income.at(day) - whole.fees.at(day)));
        const realised = sumOf(
          realisedGains(history, { from: 0, to: lastDay, covers }).map((one) => one.referenceGain),
        );
        const unrealised = sumOf(holdings(history, { day: lastDay, covers }).map((one) => one.unrealised));
        expect(magnitude(gain - realised - unrealised - earned) <= slack).toBe(true);
        const fund = axes.instruments.get('P');
        const paid = fund === undefined ? 0n : sumOf(days.map((day) => fund.flows.at(day)));
        const { paidIn, distributed } = privateMarkets(history, { day: lastDay, covers }).whole;
        expect(magnitude(paid - (paidIn - distributed)) <= slack).toBe(true);
      }),
      { numRuns: 150 },
    );
  },
);
