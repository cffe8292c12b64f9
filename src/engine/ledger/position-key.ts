// Where something is held: an account, a depository or both, and what. Knows no quantity.

import type { Currency } from '../currencies/exchange-rates.ts';
import type { Place } from './transaction.ts';

export interface PositionKey extends Place {
  readonly instrument: string;
}

const cashPrefix = 'cash:';
const feesOwedPrefix = 'fees:';

/** Cash is held too: one instrument for each currency. */
export function cashInstrument(currency: Currency): string {
  return cashPrefix + currency;
}

/** Fees that have accrued but not been paid, as uploads state them. */
export function feesOwedInstrument(currency: Currency): string {
  return feesOwedPrefix + currency;
}

/** What the units of trades that named no instrument are of. */
export const unidentifiedInstrument = 'unidentified';

export type SyntheticKind = 'cash' | 'fees-owed';

export interface Synthetic {
  readonly kind: SyntheticKind;
  readonly currency: Currency;
}

/** What no catalogue lists because it follows from a currency alone. */
export function findSynthetic(instrument: string): Synthetic | undefined {
  if (instrument.startsWith(cashPrefix)) return { kind: 'cash', currency: instrument.slice(cashPrefix.length) };
  if (instrument.startsWith(feesOwedPrefix))
    return { kind: 'fees-owed', currency: instrument.slice(feesOwedPrefix.length) };
  return undefined;
}

/** Text that no other position has. */
export function positionText({ account, depository, instrument }: PositionKey): string {
  return JSON.stringify([account, depository, instrument]);
}
