// The parts of lots' unrealised gains, with generated facts.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allEvents,
  factsOfTransactions,
  generatedMarket,
  lastEventDay,
  withRowNumbers,
} from '../../../tests/setup/engine/generated-facts.ts';
import { History } from '../history/history.ts';
import { holdings, lotSnapshotOf } from '../history/holdings.ts';
import type { CostMethod } from '../lots/lot.ts';
import { lotCostsAtDayRate, unrealisedParts } from './unrealised-parts.ts';

test('what the currency brought to the lots of a holding adds up to what it brought to the holding', () => {
  const method = fc.constantFrom<CostMethod>('FIFO', 'AVERAGE');
  fc.assert(
    fc.property(generatedMarket, allEvents, method, (market, events, by) => {
      const history = new History(factsOfTransactions(market, withRowNumbers(events), by));
      for (const holding of holdings(history, { day: lastEventDay, covers: () => true })) {
        const { lots } = lotSnapshotOf(history, holding, lastEventDay);
        if (lots.length === 0) continue;
        const sum = lotCostsAtDayRate(history, holding, lots).reduce((total, one) => total + one, 0n);
        expect(sum - holding.referenceCost).toBe(unrealisedParts(history, holding).currency);
      }
    }),
    { numRuns: 50 },
  );
});
