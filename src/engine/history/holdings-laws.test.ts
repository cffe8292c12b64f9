// Checks with randomly generated facts that what is held does not depend on what was asked before.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allEvents,
  factsOfTransactions,
  firstEventDay,
  generatedMarket,
  lastEventDay,
  withRowNumbers,
} from '../../../tests/setup/engine/generated-facts.ts';
import { History } from './history.ts';
import { holdings, type Coverage } from './holdings.ts';

const coverages: Readonly<Record<string, Coverage>> = {
  all: () => true,
  'the euro account': ({ account }) => account === 'euro',
  'all but one instrument': ({ instrument }) => instrument !== 'alpha',
};

test('the holdings of a day and of some places are the same, whatever days and places were asked for before', () => {
  const question = fc.record({
    day: fc.integer({ min: firstEventDay, max: lastEventDay }),
    of: fc.constantFrom(...Object.keys(coverages)),
  });
  let [held, days] = [0, new Set<number>()];
  fc.assert(
    fc.property(
      generatedMarket,
      allEvents,
      fc.array(question, { minLength: 2, maxLength: 4 }),
      (market, events, questions) => {
        const facts = factsOfTransactions(market, withRowNumbers(events), 'FIFO');
        const history = new History(facts);
        // Each of them twice, the second time after all others.
        for (const { day, of } of [...questions, ...questions]) {
          const request = { day, covers: coverages[of]! };
          const found = holdings(history, request);
          expect(found).toEqual(holdings(new History(facts), request));
          held += found.length;
          days.add(day);
        }
      },
    ),
    { numRuns: 60 },
  );
  expect([held > 0, days.size > 1]).toEqual([true, true]);
});
