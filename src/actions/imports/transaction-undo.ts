// Undoes what an import did to transactions: closes new ones, restores amended and cancelled ones, and keeps those amended since.

import type { Id } from '../../kit/id.ts';
import type { RowUndo } from '../../model/custody/import-row.ts';
import type { RepeatedTarget, StoredImportRow } from '../../store/imports/import-rows.ts';
import type { LedgerRow } from '../../store/ledger/ledger-reader.ts';
import type { ClosableTransaction } from '../ledger/booking-writer.ts';
import type { TransactionBulk } from '../ledger/transaction-bulk.ts';
import type { Work } from '../core/work.ts';

interface RowToUndo {
  readonly row: StoredImportRow;
  readonly id: Id;
  /** The first and last version that the import gave the transaction. */
  readonly first: number;
  readonly last: number;
  readonly isNew: boolean;
}

export class TransactionUndo {
  readonly #work: Work;
  readonly #bulk: TransactionBulk;
  /** Transactions that several rows of the import have changed. */
  readonly #repeated: ReadonlyMap<Id, RepeatedTarget>;
  readonly #done = new Map<Id, RowUndo>();

  constructor(work: Work, bulk: TransactionBulk, repeated: readonly RepeatedTarget[]) {
    this.#work = work;
    this.#bulk = bulk;
    this.#repeated = new Map(repeated.map((one) => [one.id, one]));
  }

  async undo(rows: readonly StoredImportRow[]): Promise<{ row: StoredImportRow; undo: RowUndo }[]> {
    const own = rows.flatMap((row) => this.#toUndo(row));
    if (own.length === 0) return [];
    const { ledger } = this.#work.store;
    const [current, versions] = await Promise.all([
      ledger.listCurrentVersions(own.map(({ id }) => id)),
      ledger.listVersions(own.map(({ id, first: version }) => ({ id, version }))),
    ]);
    const currentById = new Map(current.map((one) => [one.id, one]));
    const earlierById = new Map(versions.filter(({ isOpened }) => !isOpened).map((one) => [one.id, one]));
    const closed: ClosableTransaction[] = [];
    const reopened: { earlier: LedgerRow; isCurrent: boolean }[] = [];
    const undone = own.map((one) => {
      const known = this.#done.get(one.id);
      if (known !== undefined) return { row: one.row, undo: known };
      const present = currentById.get(one.id);
      const undo = undoOf(one, present?.openedVersion, earlierById.has(one.id));
      this.#done.set(one.id, undo);
      if (undo === 'closed' && present !== undefined) closed.push(present);
      const earlier = earlierById.get(one.id);
      if (undo === 'restored' && earlier !== undefined) reopened.push({ earlier, isCurrent: present !== undefined });
      return { row: one.row, undo };
    });
    for (const id of [...this.#done.keys()]) if (!this.#repeated.has(id)) this.#done.delete(id);
    await this.#bulk.close(closed);
    await this.#bulk.reopen(reopened);
    return undone;
  }

  #toUndo(row: StoredImportRow): RowToUndo[] {
    const { target, outcome } = row;
    if (target?.type !== 'transaction' || target.id === null) return [];
    const version = target.version ?? 0;
    const { first = version, last = version, isNew = outcome === 'booked' } = this.#repeated.get(target.id) ?? {};
    return [{ row, id: target.id, first, last, isNew }];
  }
}

/** What is no longer as the import left it is kept. */
function undoOf({ last, isNew }: RowToUndo, currentVersion: number | undefined, hasEarlier: boolean): RowUndo {
  if (isNew) return currentVersion === undefined || currentVersion === last ? 'closed' : 'kept';
  if (!hasEarlier) return 'kept';
  return currentVersion === undefined || currentVersion === last ? 'restored' : 'kept';
}
