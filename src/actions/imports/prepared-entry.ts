// An entry whose records are known, with everything that decides about it.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import type { Decided, RowSource } from '../../store/imports/import-rows.ts';
import type { TransactionInput } from '../ledger/transaction-input.ts';
import { contentOf, custodianReference, derivedReference, statedDigest } from './entry-identity.ts';
import { kindOfLoneReversal, momentOf, negated, toTransactionInput, type EntryRecords } from './entry-input.ts';

export interface PreparedEntry {
  readonly entry: StatementEntry;
  readonly account: Id;
  /** Of an entry without a reference, one that is made of its content; another one if that stands for another entry. */
  reference: string;
  readonly isDerived: boolean;
  readonly ordinal: number;
  /** Of a reversal, that of the entry which it reverses. */
  readonly content: string;
  readonly date: CalendarDate;
  readonly digest: string;
  readonly statedAt: number | null;
  readonly input: TransactionInput | Refusal;
  /** The reference of what it cancels. */
  readonly cancelledReference: string | null;
  readonly isReversal: boolean;
  readonly decided: Decided | undefined;
}

function reversed(entry: StatementEntry): StatementEntry {
  const { amount, quantity } = entry;
  return {
    ...entry,
    ...(amount === undefined ? {} : { amount: negated(amount) }),
    ...(quantity === undefined ? {} : { quantity: negated(quantity) }),
  };
}

/** A reversal whose original is unknown is booked as what it does to the cash; one of units is not. */
function inputOf(entry: StatementEntry, records: EntryRecords, reference: string): TransactionInput | Refusal {
  try {
    const isReversal = entry.cancels === 'same-content';
    return toTransactionInput(isReversal ? { ...entry, kind: kindOfLoneReversal(entry) } : entry, records, reference);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

export function prepareEntry(
  entry: StatementEntry,
  records: EntryRecords,
  { ordinal, decided }: Pick<RowSource, 'ordinal' | 'decided'>,
): PreparedEntry {
  const { cancels, date } = entry;
  const isReversal = cancels === 'same-content';
  const own = custodianReference(entry.reference);
  const reference = own ?? derivedReference(contentOf(entry, records.instrument), date, ordinal);
  const input = inputOf(entry, records, reference);
  return {
    entry,
    account: records.account,
    reference,
    isDerived: own === null,
    ordinal,
    content: contentOf(isReversal ? reversed(entry) : entry, records.instrument),
    date,
    digest: input instanceof Refusal ? '' : statedDigest(input),
    statedAt: momentOf(entry.statedAt),
    input,
    cancelledReference: typeof cancels === 'object' ? custodianReference(cancels.reference) : null,
    isReversal,
    decided,
  };
}
