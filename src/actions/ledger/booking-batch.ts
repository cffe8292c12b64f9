// What one batch of bookings opens and closes, and how the source's own references find what is there already.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { LedgerReference, LedgerRow } from '../../store/ledger/ledger-reader.ts';
import type { ResolvedTransaction } from './transaction-resolution.ts';

/** A transaction as it is in the ledger, or will be. */
export interface LedgerEntry {
  readonly id: Id;
  readonly createdAt: number;
  readonly sequence: number;
  contents: ResolvedTransaction;
  /** The version that it is opened with: set when it is written. */
  version: number;
  /** Present if it was stored before: closed when it is amended. */
  readonly stored: LedgerRow | undefined;
}

export function newEntry(
  { id, createdAt, sequence }: Pick<LedgerEntry, 'id' | 'createdAt' | 'sequence'>,
  contents: ResolvedTransaction,
  stored?: LedgerRow,
): LedgerEntry {
  return { id, createdAt, sequence, contents, version: 0, stored };
}

/** Whether its source has a reference for it. */
export function hasReference(resolved: ResolvedTransaction): resolved is ResolvedTransaction & LedgerReference {
  return resolved.account !== null && resolved.externalReference !== null;
}

/** Rows with one key are one transaction; undefined if the source has no reference for it. */
export function referenceKey({ account, source, externalReference }: ResolvedTransaction): string | undefined {
  return account === null || externalReference === null ? undefined : `${account} ${source} ${externalReference}`;
}

export function foundKey(row: LedgerRow): string {
  return defined(referenceKey(row), 'only rows with a source reference are looked up by it');
}

/** What one batch opens and closes. */
export class BookingBatch {
  readonly known = new Map<string, LedgerEntry>();
  readonly opened: LedgerEntry[] = [];
  readonly closed: LedgerRow[] = [];

  constructor(found: readonly LedgerRow[]) {
    for (const stored of found) this.known.set(foundKey(stored), newEntry(stored, stored, stored));
  }

  /** Of several that amend one transaction, the last is opened. */
  amend(entry: LedgerEntry, resolved: ResolvedTransaction): LedgerEntry {
    if (entry.stored === undefined) {
      entry.contents = resolved;
      return entry;
    }
    this.closed.push(entry.stored);
    return this.add(newEntry(entry, resolved), referenceKey(resolved));
  }

  add(entry: LedgerEntry, key: string | undefined): LedgerEntry {
    this.opened.push(entry);
    if (key !== undefined) this.known.set(key, entry);
    return entry;
  }
}
