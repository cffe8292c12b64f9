// Decides how old a point may be before it is stale, by the kind of instrument.

import { unreachable } from '../../kit/assert.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import type { Staleness } from '../instruments/quote.ts';

export interface StalenessByKind {
  /** Everything with a market price, bonds included. */
  readonly listed: Staleness;
  readonly fund: Staleness;
  /** Private funds, loans and instruments of type other. */
  readonly private: Staleness;
}

export const defaultStaleness: StalenessByKind = {
  listed: { daysMax: 10 },
  fund: { daysMax: 45 },
  private: { daysMax: 120 },
};

/** The instrument's own setting, else the one of its kind. */
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
    case 'listed':
    case 'bond':
    case 'zero-coupon':
    case 'fee':
    case 'forward':
      return listed;
    default:
      return unreachable(terms, 'the terms of an instrument');
  }
}
