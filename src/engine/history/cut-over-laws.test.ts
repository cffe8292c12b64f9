// Checks with randomly generated facts that it makes no difference how the time before a feed came in: booked row by row, uploaded as
// holdings up to the cut-over, or both.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  accounts,
  factsOfTransactions,
  firstEventDay,
  generatedMarket,
  lastEventDay,
  plainEvents,
  withRowNumbers,
} from '../../../tests/setup/engine/generated-facts.ts';
import { cashInstrument, findSyntheticInstrument } from '../ledger/position-key.ts';
import { Ledger } from '../ledger/ledger.ts';
import { performance } from '../returns/performance/performance.ts';
import { magnitude } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { Upload } from './facts.ts';
import { History } from './history.ts';

const covers = () => true;
/** One rounding for each position whose value an upload states. */
const slack = 1_000n;
const anyDay = fc.integer({ min: firstEventDay, max: lastEventDay - 1 });

/** What a custodian would have stated at the end of a day: the units of each depository at market, and the cash of each account. */
function uploadsOn(history: History, day: Day): Upload[] {
  const uploads = new Map<string, Extract<Upload, { kind: 'units' }>>();
  for (const [position, { depository, instrument }] of history.table.positions.entries()) {
    if (findSyntheticInstrument(instrument) !== undefined || depository === null) continue;
    const known = uploads.get(`${depository} ${instrument}`);
    const quantity = history.units(position).valueOn(day) + (known?.quantity ?? 0n);
    const marketValue = history.value(position, day).valuation.value + (known?.marketValue ?? 0n);
    const terms = { kind: 'units', day, depository, instrument, accrued: 0n, exchange: null } as const;
    uploads.set(`${depository} ${instrument}`, { ...terms, quantity, marketValue });
  }
  const cash = [...accounts].map(([account, { currency }]): Upload => {
    const position = history.table.find({ account, depository: null, instrument: cashInstrument(currency) });
    const balance = position === undefined ? 0n : history.units(position).valueOn(day);
    return { kind: 'cash', day, account, balance };
  });
  return [...uploads.values(), ...cash];
}

test('uploads before the first day of a feed and its rows after give the values, flows and returns of the whole ledger', () => {
  const isPriced = ({ instrument }: { instrument: string | null }): boolean => instrument !== 'bond';
  fc.assert(
    fc.property(generatedMarket, plainEvents, fc.array(anyDay, { minLength: 1, maxLength: 4 }), (market, all, days) => {
      const rows = withRowNumbers(all.filter(isPriced));
      const facts = factsOfTransactions(market, rows);
      const booked = new History(facts);
      const uploads = days.toSorted((one, other) => one - other).flatMap((day) => uploadsOn(booked, day));
      const cutOver = Math.max(...days);
      const later = Ledger.from(rows.filter(({ day }) => day > cutOver));
      const request = {
        window: { start: cutOver + 1, end: lastEventDay },
        method: 'start-end-of-day',
        axes: [],
        covers,
        fees: 'net',
        segmentsOf: () => ({}),
      } as const;
      const expected = performance(booked, request).whole;
      // The feed may bring rows from before the cut-over too: the uploads count there.
      for (const ledger of [later, facts.ledger]) {
        const { whole } = performance(new History({ ...facts, ledger, uploads }), request);
        for (let index = 0; index < expected.values.length; index++) {
          expect(magnitude(whole.values.at(index) - expected.values.at(index)) <= slack).toBe(true);
          expect(whole.flows.at(index)).toBe(expected.flows.at(index));
        }
      }
    }),
    { numRuns: 150 },
  );
});
