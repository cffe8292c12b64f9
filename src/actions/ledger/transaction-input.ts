// A transaction as it is requested, independent of the wire, and what is known about the records it names.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import type { ChangeOf } from '../../kit/resource.ts';
import type { IndexRatio } from '../../engine/instruments/accrued-interest.ts';
import type { ForeignPrice } from '../../model/custody/statement.ts';
import type { Client } from '../../model/structure/client.ts';
import { traitsOf, type Instrument } from '../../model/instrument/instrument.ts';
import type { transaction } from '../../model/ledger/transaction.ts';
import type { TransactionKind } from '../../model/ledger/transaction-kind.ts';
import type { ClassTerms } from '../../store/ledger/booking-terms.ts';

type Fields = Omit<ChangeOf<typeof transaction>, 'kind' | 'type' | 'client' | 'createdAt' | 'value' | 'unexplained'>;

/**
 * Units and cash with the signs of the ledger: in is positive, out is negative. A redemption or exchange of a forward contract
 * becomes its settlement.
 */
export interface TransactionInput extends Fields {
  readonly kind: TransactionKind;
  readonly date: CalendarDate;
  /** Income before withholding: only compared with the rest. */
  readonly gross?: Decimal | null;
  /** The price of 100 nominal with accrued interest: gives that interest, or is compared with it. */
  readonly dirtyPrice?: Decimal | null;
  /** The price in the currency of the instrument, where the cash is in another one: gives the exchange rate. */
  readonly foreignPrice?: ForeignPrice | undefined;
  /** What the caller takes the instrument for. */
  readonly instrumentIs?: 'a-bond' | 'no-bond';
}

/** What is known about the records that a transaction names. */
export interface TransactionContext {
  readonly client: Id | null;
  /** Null if it is booked for all holders. */
  readonly accountCurrency: string | null;
  readonly counterAccountCurrency: string | null;
  readonly instrument: Instrument | null;
  readonly targetInstrument: Instrument | null;
  /** For an index-linked bond whose factors are known. */
  readonly index?: IndexRatio | undefined;
  /** For a catalogue instrument that has a class. */
  readonly instrumentClass: ClassTerms | null;
  /** The client's, if it matters. */
  readonly accountingMethod: Client['accountingMethod'] | null;
}

/** A sale entered by hand without named lots. */
export function isManualSale({ kind, quantity, source, lots }: TransactionInput): boolean {
  return (
    traitsOfKind(kind).units === 'traded' &&
    quantity!.startsWith('-') &&
    (source ?? 'manual') === 'manual' &&
    !lots?.length
  );
}

export function isForward(instrument: Instrument | null): boolean {
  return instrument !== null && traitsOf(instrument.type).termFamily === 'forward';
}
