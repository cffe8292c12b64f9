// Checks with generated ledgers that no money gets lost between the reports: what was gained in all is what was realised, what is not
// realised yet, and income less fees. Money is booked for accounts and for depositories, with and without units there.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { magnitude, type Fixed } from '../../kit/fixed.ts';
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

const event = fc.oneof(
  fc.tuple(account, money).map(([at, amount]) => `deposit ${at} ${amount}`),
  fc.tuple(place, share, units, price).map(([at, of, count, each]) => `buy ${at} ${of} ${count} @ ${each} fees 1`),
  fc.tuple(place, share, units, price).map(([at, of, count, each]) => `sell ${at} ${of} ${count} @ ${each} fees 1`),
  fc
    .tuple(fc.constantFrom('dividend', 'return-of-capital'), place, fc.constantFrom('X', 'Y', 'P'), money)
    .map((words) => words.join(' ')),
  fc
    .tuple(place, money, fc.constantFrom('', ' in-lieu 0.3', ' in-lieu 2'))
    .map(([at, paid, more]) => `merger ${at} X into Y 1:4 for ${paid}${more}`),
  fc.constantFrom('merger X into Y 3:2', 'split X 2:1', 'split Y 1:3', 'spin-off X into Y 1:2 share 30%'),
  fc.tuple(share, units, route).map(([of, count, { from, to }]) => `move ${from} ${of} ${count} to ${to}`),
  fc.tuple(fc.constantFrom('call', 'distribution'), place, money).map(([kind, at, paid]) => `${kind} ${at} P ${paid}`),
  fc.tuple(fc.constantFrom('0.1', '1'), route).map(([count, { from, to }]) => `move ${from} P ${count} to ${to}`),
  fc.tuple(account, money).map(([at, paid]) => `fee ${at} ${paid}`),
);

const date = fc.integer({ min: 1, max: 31 }).map((day) => `2024-01-${String(day).padStart(2, '0')}`);
const ledger = fc
  .record({
    method: fc.constantFrom('FIFO', 'AVERAGE'),
    events: fc.array(fc.tuple(date, event), { minLength: 1, maxLength: 14 }),
    prices: fc.uniqueArray(fc.tuple(share, date, price), { maxLength: 8, selector: ([of, on]) => `${of} ${on}` }),
    values: fc.uniqueArray(fc.tuple(date, money), { maxLength: 3, selector: ([on]) => on }),
  })
  .map(({ method, events, prices, values }) =>
    [
      'Generated',
      `client EUR ${method}`,
      'account A EUR, depositories D E',
      'account B EUR, depositories F',
      'instrument X listed EUR',
      'instrument Y listed EUR',
      'instrument P private-fund EUR',
      ...prices.map(([of, on, value]) => `price ${of} ${on} ${value}`),
      ...values.map(([on, value]) => `nav P ${on} ${value}`),
      ...events.map((words) => words.join(' ')),
    ].join('\n'),
  );

function sumOf(amounts: Iterable<Fixed>): Fixed {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}

/** One rounding for each lot whose cost or money is split. */
const slack = 1_000n;

test('the gain of the whole is realised, unrealised, or income less fees, and the flows of places add up every day', () => {
  fc.assert(
    fc.property(ledger, (text) => {
      const history = historyOfText(text);
      const { whole, axes } = performance(history, {
        window: { start: firstDay - 1, end: lastDay },
        method: 'start-end-of-day',
        axes: ['places'],
        covers,
        fees: 'net',
        segmentsOf: ({ account: at, depository }) => ({ places: [`${at}/${depository}`] }),
      });
      const days = Array.from({ length: whole.values.length }, (_, index) => index);
      const places = [...axes.places.values()];
      for (const day of days) {
        expect(whole.flows.at(day)).toBe(sumOf(places.map(({ flows }) => flows.at(day))));
      }
      const gain = whole.values.at(days.length - 1) - sumOf(days.map((day) => whole.flows.at(day)));
      const earned = sumOf(days.map((day) => whole.income.at(day) - whole.fees.at(day)));
      const realised = sumOf(realisedGains(history, { from: 0, to: lastDay, covers }).map((one) => one.referenceGain));
      const unrealised = sumOf(holdings(history, { day: lastDay, covers }).map((one) => one.unrealised));
      expect(magnitude(gain - realised - unrealised - earned) <= slack).toBe(true);
    }),
    { numRuns: 150 },
  );
});
