// What a custodian says is held: a balance of cash or units of an instrument, at a place at the end of a day. Reconciliation compares it
// with the ledger.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import type { NamedInstrument } from './statement.ts';

/** The names of the statement are resolved: where the instrument is unknown, its words are kept. */
export interface StatedHolding {
  readonly client: Id;
  /** `cash`: the quantity is a balance in `currency`. */
  readonly kind: 'units' | 'cash';
  /** The place: an account, a depository or both. Cash is held in an account. */
  readonly account: Id | null;
  readonly depository: Id | null;
  /** Null for cash, and for units of an instrument that is unknown. */
  readonly instrument: Id | null;
  /** The words of the file for the instrument. Required where the instrument is unknown. */
  readonly named: NamedInstrument | null;
  readonly date: CalendarDate;
  readonly quantity: Decimal;
  /** That of the balance or of the price. */
  readonly currency: string | null;
  readonly price: Decimal | null;
  readonly priceDate: CalendarDate | null;
  readonly value: Decimal | null;
  readonly valueCurrency: string | null;
  readonly cost: Decimal | null;
  /** When the custodian made the statement, if it says so, in milliseconds. */
  readonly statedAt: number | null;
}

/** The code that says most about which instrument is meant, or its name. */
function wordsKey({ isin, cusip, sedol, custodianCode, ticker, mic, name }: NamedInstrument): string {
  const code =
    (isin && `isin:${isin}`) ??
    (cusip && `cusip:${cusip}`) ??
    (sedol && `sedol:${sedol}`) ??
    (custodianCode && `code:${custodianCode}`) ??
    (ticker && `ticker:${ticker}@${mic ?? ''}`) ??
    `name:${name ?? ''}`;
  return code.replaceAll(/\s+/g, ' ').trim().toUpperCase().slice(0, 200);
}

/** Identifies what is held within a place: two statements with the same one are about the same. */
export function statedSubject({ kind, instrument, named, currency }: StatedHolding): string {
  if (kind === 'cash') return `cash:${currency ?? ''}`;
  return instrument ?? wordsKey(named ?? {});
}
