// Undoes an import: closes what it opened and restores what it changed, except what was amended since.

import { withTightHeap } from '../../kit/memory/heap-growth.ts';
import type { Id } from '../../kit/id.ts';
import type { RowUndo } from '../../model/custody/import-row.ts';
import { importResource, importTransitions, type Import, type ImportWarning } from '../../model/custody/import.ts';
import type { StoredImportRow } from '../../store/imports/import-rows.ts';
import type { KnownEntry } from '../../store/imports/stated-entries.ts';
import { TransactionBulk } from '../ledger/transaction-bulk.ts';
import { withdrawStatedHoldings } from '../reconciliation/stated-holding.ts';
import type { Work } from '../core/work.ts';
import { lockImport } from './book-import.ts';
import { undoCreations, type KeptRecord } from './creation-undo.ts';
import { withProgress, type ImportProgress } from './import-progress.ts';
import { auditImport, boundedWarnings, withCounts } from './import-record.ts';
import { batchRowsMax } from './batch-size.ts';
import { PointUndo } from './point-undo.ts';
import { TransactionUndo } from './transaction-undo.ts';

export function undoImport(work: Work, id: string): Promise<Import> {
  return withTightHeap(() => undo(work, id));
}

async function undo(work: Work, id: string): Promise<Import> {
  const before = await lockImport(work, id, 'undo');
  const rows = { importId: before.id, clientId: before.client, act: 'undo', fileName: before.fileName } as const;
  const totalRows = before.bookedCount + before.amendedCount;
  const counts = await withProgress(work, { ...rows, totalRows }, (progress) => undoRows(work, before, progress));
  await withdrawStatedHoldings(work, before.id);
  const kept = await undoCreations(work, before.id);
  await undoInstrumentRows(work, before.id, { kept, counts });
  const { store, now } = work;
  const warnings = boundedWarnings([...listKept(counts.kept, kept), ...before.warnings]);
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

/** At most so many instruments are named in a warning. */
const namedMax = 5;

function listKept(rowCount: number, kept: readonly KeptRecord[]): ImportWarning[] {
  const warnings: ImportWarning[] = [];
  if (rowCount > 0) {
    const detail = `${rowCount} rows were amended since, or others use what they created, and are kept as they are. List them with undo=kept.`;
    warnings.push({ code: 'rows-kept', detail });
  }
  if (kept.length > 0) {
    const named = kept.slice(0, namedMax).map(({ id, name, reason }) => `${name.slice(0, 60)} (${id}): ${reason}`);
    const rest = kept.length > namedMax ? ` And ${kept.length - namedMax} more.` : '';
    const detail = `${kept.length} instruments that this import created stay. ${named.join(' ')}${rest}`;
    warnings.push({ code: 'instruments-kept', detail: detail.slice(0, 1_000) });
  }
  return warnings;
}

/** What is left are rows that only created an instrument: closed with it, or kept as long as others use it. */
async function undoInstrumentRows(
  { store: { importRows } }: Work,
  importId: Id,
  { kept, counts }: { readonly kept: readonly KeptRecord[]; readonly counts: Record<RowUndo, number> },
): Promise<void> {
  const keptIds = new Set<string | null | undefined>(kept.map(({ id }) => id));
  for (let after = 0; ;) {
    const rows = await importRows.list({
      importId,
      outcomes: ['booked', 'amended'],
      isUndoable: true,
      after,
      limit: batchRowsMax,
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    const undone = rows.map(({ number, target }) => {
      const undo: RowUndo = keptIds.has(target?.id) ? 'kept' : 'closed';
      return { number, undo };
    });
    for (const { undo } of undone) counts[undo]++;
    await importRows.setUndo(importId, undone);
    after = last.number;
  }
}

/** More than any row has. */
const afterLastRow = 2_147_483_647;

/** From the last row to the first: what several rows said about one thing is taken back in the opposite order, whatever batches they are in. */
async function undoRows(work: Work, record: Import, progress: ImportProgress): Promise<Record<RowUndo, number>> {
  const { importRows, ledgerCounters, statedEntries } = work.store;
  if (record.client !== null) {
    work.ledgerLocks.clients.add(record.client);
    ledgerCounters.lockClients([record.client]);
  }
  const bulk = new TransactionBulk(work);
  const transactions = new TransactionUndo(work, bulk, await importRows.listRepeated(record.id));
  const points = new PointUndo(work);
  const counts: Record<RowUndo, number> = { closed: 0, restored: 0, kept: 0 };
  let done = 0;
  for (let before = afterLastRow; ;) {
    const query = { importId: record.id, outcomes: ['booked', 'amended'], isUndoable: true, before } as const;
    const rows = await importRows.list({ ...query, limit: batchRowsMax });
    const last = rows.at(-1);
    if (last === undefined) break;
    const undone = [...(await transactions.undo(rows)), ...(await points.undo(rows.toReversed()))];
    for (const { undo } of undone) counts[undo]++;
    if (record.client !== null) statedEntries.put(record.client, entriesBefore(undone));
    await importRows.setUndo(
      record.id,
      undone.map(({ row: { number }, undo }) => ({ number, undo })),
    );
    before = last.number;
    done += rows.length;
    if (rows.length >= batchRowsMax) progress.report(done);
  }
  await statedEntries.forget(record.id);
  bulk.finish();
  points.finish();
  return counts;
}

/** What was known of references before these rows, the last of which are the first of the file. */
function entriesBefore(undone: readonly { readonly row: StoredImportRow; readonly undo: RowUndo }[]): KnownEntry[] {
  const entries = new Map<string, KnownEntry>();
  for (const { row, undo } of undone) {
    if (undo === 'kept' || row.target?.type !== 'transaction' || row.before === null) continue;
    const entry: KnownEntry = JSON.parse(row.before);
    entries.set(`${entry.account} ${entry.reference}`, entry);
  }
  return [...entries.values()];
}
