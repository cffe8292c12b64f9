// Where something is held: an account, a depository or both, and what. Knows no quantity.

import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { HoldingPlace } from './transaction.ts';

export interface PositionKey extends HoldingPlace {
  readonly instrument: string;
}

const cashPrefix = 'cash:';
const feesOwedPrefix = 'fees:';

/** Cash is held too: one instrument for each currency. */
export function cashInstrument(currency: IsoCurrency): string {
  return cashPrefix + currency;
}

/** Fees that have accrued but not been paid, as uploads state them. */
export function feesOwedInstrument(currency: IsoCurrency): string {
  return feesOwedPrefix + currency;
}

/** What the units of trades that named no instrument are of. */
export const unidentifiedInstrument = 'unidentified';

export type SyntheticKind = 'cash' | 'fees-owed';

export interface SyntheticInstrument {
  readonly kind: SyntheticKind;
  readonly currency: IsoCurrency;
}

/** What no catalogue lists because it follows from a currency alone. */
export function findSyntheticInstrument(instrument: string): SyntheticInstrument | undefined {
  if (instrument.startsWith(cashPrefix)) return { kind: 'cash', currency: instrument.slice(cashPrefix.length) };
  if (instrument.startsWith(feesOwedPrefix))
    return { kind: 'fees-owed', currency: instrument.slice(feesOwedPrefix.length) };
  return undefined;
}

/** Text that no other position has. */
export function positionKeyText({ account, depository, instrument }: PositionKey): string {
  return JSON.stringify([account, depository, instrument]);
}
