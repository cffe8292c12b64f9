// Books an import that was checked, and books it again for the rows that were refused or needed something.

import { withTightHeap } from '../../kit/memory/heap-growth.ts';
import { Refusal } from '../../kit/refusal.ts';
import {
  importResource,
  importTransitions,
  type Import,
  type ImportAct,
  type ImportWarning,
} from '../../model/custody/import.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { notFound } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { withProgress, type ImportProgress } from './import-progress.ts';
import { auditImport, boundedWarnings, countColumns, withCounts } from './import-record.ts';
import type { ImportSource } from './import-source.ts';
import { batchRowsMax } from './import-writer.ts';
import { RowProcessing } from './row-processing.ts';

export const importActRefusals: readonly RefusalCode[] = ['import-not-found', 'import-not-possible'];

/** Locks the import, so that two acts on it follow each other, and refuses what its state does not allow. */
export async function lockImport(work: Work, id: string, act: ImportAct): Promise<Import> {
  const stored = await work.store.table(importResource).lock(id, 'to-change');
  if (stored === undefined) throw notFound(importResource);
  const from: readonly string[] = importTransitions[act].from;
  if (!from.includes(stored.state)) {
    const detail = `An import that is ${stored.state} cannot be ${act === 'book' ? 'booked' : 'undone'}, only one that is ${from.join(' or ')}.`;
    throw new Refusal('import-not-possible', detail);
  }
  return withCounts(stored);
}

export function sourceOf(record: Import, options: Pick<ImportSource, 'mode' | 'createsInstruments'>): ImportSource {
  const { client, origin, format, fileName, digest, profile, account, depository, custodian } = record;
  return { client, origin, format, fileName, digest, profile, account, depository, custodian, ...options };
}

interface BookOptions {
  readonly createsInstruments: boolean;
}

export function bookImport(work: Work, id: string, options: BookOptions): Promise<Import> {
  return withTightHeap(() => book(work, id, options));
}

async function book(work: Work, id: string, { createsInstruments }: BookOptions): Promise<Import> {
  const before = await lockImport(work, id, 'book');
  const source = { ...sourceOf(before, { mode: 'book', createsInstruments }), ...(await coverageOf(work, before)) };
  const processing = new RowProcessing(work, source, before.id);
  const rows = { importId: before.id, clientId: before.client, act: 'book', fileName: before.fileName } as const;
  await withProgress(work, { ...rows, totalRows: openRows(before) }, (progress) =>
    bookRows(work, before, processing, progress),
  );
  if (before.state === 'checked') await recordBalances(work, before, processing);
  processing.finish();
  const { store, now } = work;
  const counts = countColumns(await store.importRows.countOutcomes(before.id), before.notKept);
  const isFirst = before.state === 'checked';
  // Only rows that were not booked before are looked at again: what is said of them is said anew, and of the rest only where all are.
  const renewed: readonly ImportWarning['code'][] = isFirst
    ? ['words-unknown', 'amounts-unexplained', 'opening-missing']
    : ['words-unknown'];
  const others = before.warnings.filter(({ code }) => !renewed.includes(code));
  const openings = isFirst ? await processing.listOpeningWarnings() : [];
  const warnings = boundedWarnings([...processing.listRowWarnings(), ...openings, ...others]);
  const changes = { ...counts, warnings, state: importTransitions.book.to, bookedAt: new Date(now) };
  const after = withCounts(await store.table(importResource).update(before.id, changes));
  auditImport(work, 'change', { before, after });
  return after;
}

/** What a feed brought may only go where its authority lets it today. */
async function coverageOf(
  { store: { custody } }: Work,
  record: Import,
): Promise<Pick<ImportSource, 'coveredAccounts'>> {
  const authority = await custody.feedRuns.findAuthority(record);
  if (authority === null) return {};
  return { coveredAccounts: new Set(await custody.links.listCovered('account', authority)) };
}

function openRows({ state, rowCount, needsCount, refusedCount }: Import): number {
  return state === 'checked' ? rowCount : needsCount + refusedCount;
}

/** All rows the first time; later those that could not be booked. */
async function bookRows(
  work: Work,
  { id, state }: Import,
  processing: RowProcessing,
  progress: ImportProgress,
): Promise<void> {
  const { importRows } = work.store;
  const outcomes = state === 'checked' ? undefined : (['needs', 'refused'] as const);
  let done = 0;
  for (let after = 0; ;) {
    const rows = await importRows.list({ importId: id, outcomes, after, limit: batchRowsMax });
    const last = rows.at(-1);
    if (last === undefined) return;
    const processed = await processing.process(
      rows.map(({ number, ordinal, stated }) => ({ number, ordinal, stated })),
    );
    await importRows.update(id, processed);
    after = last.number;
    done += rows.length;
    if (rows.length >= batchRowsMax) progress.report(done);
  }
}

async function recordBalances(work: Work, { id }: Import, processing: RowProcessing): Promise<void> {
  for (let after = 0; ; after += batchRowsMax) {
    const balances = await work.store.importRows.listBalances(id, after, batchRowsMax);
    if (balances.length === 0) return;
    await processing.recordBalances(balances);
  }
}
