// Checks with randomly generated facts that rates are asked for only where an amount needs them.

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
import { ExchangeRates, MissingRateError } from '../currencies/exchange-rates.ts';
import type { CostMethod } from '../lots/lot.ts';
import { History } from './history.ts';
import { holdingAt, type Holding } from './holdings.ts';

/** Undefined if a rate is missing. */
function findHolding(history: History, position: number, day: number): Holding | undefined {
  try {
    return holdingAt(history, position, day);
  } catch (error) {
    if (error instanceof MissingRateError) return undefined;
    throw error;
  }
}

const text = (holding: Holding): string =>
  JSON.stringify({ ...holding, conversion: null }, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );

test('without rates a position is reported as with them, or not at all; one that holds nothing always is', () => {
  const method = fc.constantFrom<CostMethod>('FIFO', 'AVERAGE', 'SPECIFIC_ID');
  const day = fc.integer({ min: firstEventDay, max: lastEventDay });
  let emptyForeign = 0;
  fc.assert(
    fc.property(generatedMarket, allEvents, method, day, (market, events, by, on) => {
      const rows = withRowNumbers(events);
      const rated = new History(factsOfTransactions(market, rows, by));
      const unrated = new History(factsOfTransactions({ ...market, rates: new ExchangeRates([]) }, rows, by));
      for (const position of rated.table.sortedPositions()) {
        const whole = holdingAt(rated, position, on);
        const found = findHolding(unrated, position, on);
        const isForeign = whole.valuation.currency !== 'EUR';
        const isNothing = whole.quantity === 0n && whole.valuation.value === 0n;
        if (isNothing && isForeign) emptyForeign++;
        const isReported = found !== undefined || !isNothing;
        const isSame = found === undefined || isForeign || text(found) === text(whole);
        expect([isReported, isSame, found === undefined || !isNothing || found.marketValue === 0n]).toEqual([
          true,
          true,
          true,
        ]);
      }
    }),
    { numRuns: 150 },
  );
  expect(emptyForeign).toBeGreaterThan(0);
});
