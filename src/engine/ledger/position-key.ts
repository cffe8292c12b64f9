// Identifies a position: an account, a depository or both, and what is held there.

import { findMoneyInstrument, moneyInstrumentId, type MoneyInstrument } from '../../model/instrument/built-in-id.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { HoldingPlace } from './transaction.ts';

export { unidentifiedInstrument } from '../../model/instrument/built-in-id.ts';

export interface PositionKey extends HoldingPlace {
  readonly instrument: string;
}

/** Cash is held too, as one instrument for each currency. */
export function cashInstrument(currency: IsoCurrency): string {
  return moneyInstrumentId({ kind: 'cash', currency });
}

/** Fees accrued but not paid, as uploads state them. */
export function feesOwedInstrument(currency: IsoCurrency): string {
  return moneyInstrumentId({ kind: 'fees-owed', currency });
}

/** Instruments that follow from a currency alone: cash, and fees owed. */
export function findSyntheticInstrument(instrument: string): MoneyInstrument | undefined {
  return findMoneyInstrument(instrument);
}

/** A text that no other position has. */
export function positionKeyText({ account, depository, instrument }: PositionKey): string {
  return JSON.stringify([account, depository, instrument]);
}
