// How old a point may be, by what it is of. Knows no point.

import type { InstrumentTerms } from '../instrument.ts';
import type { Staleness } from '../quote.ts';

export interface StalenessByKind {
  /** Whatever has a market price: bonds too. */
  readonly listed: Staleness;
  readonly fund: Staleness;
  /** Private funds, loans, and what no type describes. */
  readonly private: Staleness;
}

export const usualStaleness: StalenessByKind = {
  listed: { daysMax: 10 },
  fund: { daysMax: 45 },
  private: { daysMax: 120 },
};

export function stalenessOf(
  type: InstrumentTerms['type'],
  { listed, fund, private: unlisted }: StalenessByKind,
): Staleness {
  switch (type) {
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
