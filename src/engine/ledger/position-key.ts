// Identifies a position: an account, a depository or both, and what is held there.

import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { HoldingPlace } from './transaction.ts';

export interface PositionKey extends HoldingPlace {
  readonly instrument: string;
}

const cashPrefix = 'cash:';
const feesOwedPrefix = 'fees:';

/** Cash is held too, as one instrument for each currency. */
export function cashInstrument(currency: IsoCurrency): string {
  return cashPrefix + currency;
}

/** Fees accrued but not paid, as uploads state them. */
export function feesOwedInstrument(currency: IsoCurrency): string {
  return feesOwedPrefix + currency;
}

/** Stands for the instrument of trades that named none. */
export const unidentifiedInstrument = 'unidentified';

export type SyntheticKind = 'cash' | 'fees-owed';

interface SyntheticInstrument {
  readonly kind: SyntheticKind;
  readonly currency: IsoCurrency;
}

/** Instruments that follow from a currency alone and are in no catalogue. */
export function findSyntheticInstrument(instrument: string): SyntheticInstrument | undefined {
  if (instrument.startsWith(cashPrefix)) return { kind: 'cash', currency: instrument.slice(cashPrefix.length) };
  if (instrument.startsWith(feesOwedPrefix))
    return { kind: 'fees-owed', currency: instrument.slice(feesOwedPrefix.length) };
  return undefined;
}

/** A text that no other position has. */
export function positionKeyText({ account, depository, instrument }: PositionKey): string {
  return JSON.stringify([account, depository, instrument]);
}
