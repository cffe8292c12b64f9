// How old a point may be, by what it is of. Knows no point.

import type { ValuedInstrument } from '../instruments/instrument.ts';
import type { Staleness } from '../instruments/quote.ts';

export interface StalenessByKind {
  /** Whatever has a market price: bonds too. */
  readonly listed: Staleness;
  readonly fund: Staleness;
  /** Private funds, loans, and what no type describes. */
  readonly private: Staleness;
}

export const defaultStaleness: StalenessByKind = {
  listed: { daysMax: 10 },
  fund: { daysMax: 45 },
  private: { daysMax: 120 },
};

/** What is said of the instrument itself, else of its kind. */
export function stalenessOf(
  { staleness, terms }: ValuedInstrument,
  { listed, fund, private: unlisted }: StalenessByKind,
): Staleness {
  if (staleness !== undefined) return staleness;
  switch (terms.type) {
    case 'fund':
      return fund;
    case 'private-fund':
    case 'loan':
    case 'other':
      return unlisted;
    default:
      return listed;
  }
}
