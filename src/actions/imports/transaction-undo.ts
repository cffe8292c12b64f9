// Undoes what an import did to transactions: closes new ones, restores amended and cancelled ones, and keeps those amended since.

import type { Id } from '../../kit/id.ts';
import type { RowUndo } from '../../model/custody/import-row.ts';
import type { RepeatedTarget } from '../../store/imports/import-row-sql.ts';
import type { StoredImportRow } from '../../store/imports/import-rows.ts';
import type { LedgerRow } from '../../store/ledger/ledger-reader.ts';
import { isSameTransaction } from '../ledger/booking-writer.ts';
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
      ledger.listCurrent(own.map(({ id }) => id)),
      ledger.listVersions({
        opened: distinct(own.map(({ id, last }) => ({ id, version: last }))),
        closed: distinct(own.filter(({ isNew }) => !isNew).map(({ id, first }) => ({ id, version: first }))),
      }),
    ]);
    const presentById = new Map(current.map((row) => [row.id, row]));
    const byVersion = new Map(
      versions.map(({ isOpened, namedVersion, ...row }) => [versionKey(isOpened, row.id, namedVersion), row]),
    );
    const closed: LedgerRow[] = [];
    const reopened: { earlier: LedgerRow; isCurrent: boolean }[] = [];
    const undone = own.map((one) => {
      const known = this.#done.get(one.id);
      if (known !== undefined) return { row: one.row, undo: known };
      const present = presentById.get(one.id);
      const written = byVersion.get(versionKey(true, one.id, one.last));
      const earlier = byVersion.get(versionKey(false, one.id, one.first));
      const undo = undoOf(one, { present, written, earlier });
      this.#done.set(one.id, undo);
      if (undo === 'closed' && present !== undefined) closed.push(present);
      if (undo === 'restored' && earlier !== undefined) reopened.push({ earlier, isCurrent: present !== undefined });
      return { row: one.row, undo };
    });
    for (const id of this.#done.keys()) if (!this.#repeated.has(id)) this.#done.delete(id);
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

interface UndoStates {
  readonly present: LedgerRow | undefined;
  /** What the import left. */
  readonly written: LedgerRow | undefined;
  /** What it replaced or closed. */
  readonly earlier: LedgerRow | undefined;
}

/** What is no longer as the import left it is kept. */
function undoOf({ isNew }: RowToUndo, { present, written, earlier }: UndoStates): RowUndo {
  const isAsLeft =
    present === undefined || written === undefined ? present === written : isSameTransaction(present, written);
  if (isNew) return isAsLeft || present === undefined ? 'closed' : 'kept';
  return isAsLeft && earlier !== undefined ? 'restored' : 'kept';
}

/** Several rows may have written one transaction. */
function distinct<T extends { readonly id: Id }>(keys: readonly T[]): T[] {
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}

function versionKey(isOpened: boolean, id: Id, version: number): string {
  return `${isOpened} ${id} ${version}`;
}
