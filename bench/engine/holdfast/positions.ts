// Units and cost of every position at the last date as the engine's reports get them: from facts it has never seen before,
// through a history of them.

import type { Facts } from '../../../src/engine/history/facts.ts';
import { History } from '../../../src/engine/history/history.ts';
import type { Stake } from '../../../src/engine/lots/lot.ts';
import { findSynthetic } from '../../../src/engine/ledger/position-key.ts';
import type { Day } from '../../../src/kit/day.ts';

export interface OurStakes {
  readonly history: History;
  /** By account and instrument. */
  readonly stakes: ReadonlyMap<string, Stake>;
}

export function ourStakes(facts: Facts, day: Day): OurStakes {
  const history = new History(facts);
  const stakes = new Map<string, Stake>();
  for (const [position, { account, instrument }] of history.table.positions.entries()) {
    if (findSynthetic(instrument) !== undefined) continue;
    stakes.set(`${account}:${instrument}`, history.stake(position, day));
  }
  return { history, stakes };
}
