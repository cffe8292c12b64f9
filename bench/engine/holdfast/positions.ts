// Units and cost of every position at the last date, computed the way the engine's reports do: through a history of facts that it
// has not cached.

import type { Facts } from '../../../src/engine/history/facts.ts';
import { History } from '../../../src/engine/history/history.ts';
import type { QuantityAndCost } from '../../../src/engine/lots/lot.ts';
import { findSyntheticInstrument } from '../../../src/engine/ledger/position-key.ts';
import type { Day } from '../../../src/kit/day.ts';

export interface HoldfastPositions {
  readonly history: History;
  /** By account and instrument. */
  readonly quantitiesAndCosts: ReadonlyMap<string, QuantityAndCost>;
}

export function holdfastPositions(facts: Facts, day: Day): HoldfastPositions {
  const history = new History(facts);
  const quantitiesAndCosts = new Map<string, QuantityAndCost>();
  for (const [position, { account, instrument }] of history.table.positions.entries()) {
    if (findSyntheticInstrument(instrument) !== undefined) continue;
    quantitiesAndCosts.set(`${account}:${instrument}`, history.quantityAndCost(position, day));
  }
  return { history, quantitiesAndCosts };
}
