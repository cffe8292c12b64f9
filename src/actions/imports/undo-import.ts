// Undoes an import: closes what it opened and restores what it changed, except what was amended since.

import type { RowUndo } from '../../model/custody/import-row.ts';
import { importResource, importTransitions, importWarningsMax, type Import } from '../../model/custody/import.ts';
import type { StoredImportRow } from '../../store/imports/import-rows.ts';
import type { KnownEntry } from '../../store/imports/stated-entries.ts';
import { TransactionBulk } from '../ledger/transaction-bulk.ts';
import { withdrawStatedHoldings } from '../reconciliation/stated-holding.ts';
import type { Work } from '../core/work.ts';
import { lockImport } from './book-import.ts';
import { auditImport, withCounts } from './import-record.ts';
import { batchRowsMax } from './import-writer.ts';
import { PointUndo } from './point-undo.ts';
import { TransactionUndo } from './transaction-undo.ts';

export async function undoImport(work: Work, id: string): Promise<Import> {
  const before = await lockImport(work, id, 'undo');
  const counts = await undoRows(work, before);
  await withdrawStatedHoldings(work, before.id);
  const { store, now } = work;
  const kept = {
    code: 'rows-kept' as const,
    detail: `${counts.kept} rows were amended since and are kept as they are. List them with undo=kept.`,
  };
  const warnings = counts.kept === 0 ? before.warnings : [...before.warnings.slice(0, importWarningsMax - 1), kept];
  const stored = await store.table(importResource).update(before.id, {
    state: importTransitions.undo.to,
    undoneAt: new Date(now),
    closedCount: counts.closed,
    restoredCount: counts.restored,
    keptCount: counts.kept,
    warnings,
  });
  const after = withCounts(stored);
  auditImport(work, 'change', { before, after });
  return after;
}

async function undoRows(work: Work, record: Import): Promise<Record<RowUndo, number>> {
  const { importRows, ledgerCounters, statedEntries } = work.store;
  if (record.client !== null) {
    work.ledgerLocks.clients.add(record.client);
    ledgerCounters.lockClients([record.client]);
  }
  const bulk = new TransactionBulk(work);
  const transactions = new TransactionUndo(work, bulk, await importRows.listRepeated(record.id));
  const points = new PointUndo(work);
  const counts: Record<RowUndo, number> = { closed: 0, restored: 0, kept: 0 };
  const earlier: KnownEntry[] = [];
  for (let after = 0; ;) {
    const query = { importId: record.id, outcomes: ['booked', 'amended'], isUndoable: true, after } as const;
    const rows = await importRows.list({ ...query, limit: batchRowsMax });
    const last = rows.at(-1);
    if (last === undefined) break;
    const undone = [...(await transactions.undo(rows)), ...(await points.undo(rows)), ...keepOthers(rows)];
    for (const { row, undo } of undone) {
      counts[undo]++;
      if (undo !== 'kept' && row.target?.type === 'transaction' && row.before !== null)
        earlier.push(JSON.parse(row.before));
    }
    await importRows.setUndo(
      record.id,
      undone.map(({ row: { number }, undo }) => ({ number, undo })),
    );
    after = last.number;
  }
  await statedEntries.forget(record.id);
  if (record.client !== null) statedEntries.put(record.client, latestByKey(earlier));
  bulk.finish();
  points.finish();
  return counts;
}

export interface UndoneRow {
  readonly row: StoredImportRow;
  readonly undo: RowUndo;
}

/** Instruments that were created stay: others may use them by now. */
function keepOthers(rows: readonly StoredImportRow[]): UndoneRow[] {
  return rows.filter(({ target }) => target?.type === 'instrument').map((row) => ({ row, undo: 'kept' }));
}

/** Of several states of one reference, the first is what was known before the import. */
function latestByKey(entries: readonly KnownEntry[]): KnownEntry[] {
  return [
    ...new Map(entries.toReversed().map((entry) => [`${entry.account} ${entry.reference}`, entry] as const)).values(),
  ];
}
