// What one batch of bookings opens and closes, and how the source's own references find what is there already.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { LedgerReference, LedgerRow } from '../../store/ledger/ledger-reader.ts';
import type { ResolvedTransaction } from './transaction-resolution.ts';

/** A transaction as it is in the ledger. */
export interface LedgerEntry {
  readonly id: Id;
  readonly createdAt: number;
  readonly sequence: number;
  resolved: ResolvedTransaction;
  /** Present if it was stored before: closed when it is amended. */
  readonly stored?: LedgerRow;
}

export function sourceReference({
  account,
  source,
  externalReference,
}: ResolvedTransaction): LedgerReference | undefined {
  return account === null || externalReference === null ? undefined : { account, source, externalReference };
}

export function referenceKey({ account, source, externalReference }: LedgerReference): string {
  return `${account} ${source} ${externalReference}`;
}

export function foundKey(row: LedgerRow): string {
  return referenceKey(defined(sourceReference(row), 'only rows with a source reference are looked up by it'));
}

/** What one batch opens and closes. */
export class BookingBatch {
  readonly known = new Map<string, LedgerEntry>();
  readonly opened: LedgerEntry[] = [];
  readonly closed: LedgerRow[] = [];

  constructor(found: readonly LedgerRow[]) {
    for (const stored of found) {
      const { id, createdAt, sequence } = stored;
      this.known.set(foundKey(stored), { id, createdAt, sequence, resolved: stored, stored });
    }
  }

  /** Of several that amend one transaction, the last is opened. */
  amend(entry: LedgerEntry, resolved: ResolvedTransaction): LedgerEntry {
    if (entry.stored === undefined) {
      entry.resolved = resolved;
      return entry;
    }
    const { id, createdAt, sequence } = entry;
    this.closed.push(entry.stored);
    return this.add({ id, createdAt, sequence, resolved });
  }

  add(entry: LedgerEntry): LedgerEntry {
    this.opened.push(entry);
    const reference = sourceReference(entry.resolved);
    if (reference !== undefined) this.known.set(referenceKey(reference), entry);
    return entry;
  }
}
