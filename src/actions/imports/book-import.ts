// Books an import that was checked, and books it again for the rows that were refused or needed something.

import { withTightHeap } from '../../kit/memory/heap-growth.ts';
import { Refusal } from '../../kit/refusal.ts';
import { importResource, importTransitions, type Import, type ImportAct } from '../../model/custody/import.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { notFound } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { withProgress, type ImportProgress } from './import-progress.ts';
import { auditImport, boundedWarnings, countColumns, withCounts } from './import-record.ts';
import type { ImportSource } from './import-source.ts';
import { batchRowsMax } from './batch-size.ts';
import { RowProcessing } from './row-processing.ts';

export const importActRefusals: readonly RefusalCode[] = ['import-not-found', 'import-not-possible'];
export const bookImportRefusals: readonly RefusalCode[] = [...importActRefusals, 'cash-without-trades'];

const participles: Readonly<Record<ImportAct, string>> = { check: 'checked again', book: 'booked', undo: 'undone' };

/** Locks the import, so that two acts on it follow each other, and refuses what its state does not allow. */
export async function lockImport(work: Work, id: string, act: ImportAct): Promise<Import> {
  const stored = await work.store.table(importResource).lock(id, 'to-change');
  if (stored === undefined) throw notFound(importResource);
  const from: readonly string[] = importTransitions[act].from;
  if (!from.includes(stored.state)) {
    const detail = `An import that is ${stored.state} cannot be ${participles[act]}, only one that is ${from.join(' or ')}.`;
    throw new Refusal('import-not-possible', detail);
  }
  return withCounts(stored);
}

export function sourceOf(record: Import, options: Pick<ImportSource, 'mode' | 'createsInstruments'>): ImportSource {
  const { client, origin, format, fileName, digest, profile, account, depository, custodian } = record;
  return { client, origin, format, fileName, digest, profile, account, depository, custodian, ...options };
}

interface BookOptions {
  /** Undefined for what was said when the file was checked. */
  readonly createsInstruments: boolean | undefined;
  /** Whether cash is booked although trades of its account wait. */
  readonly allowsCashAlone: boolean;
}

export function bookImport(work: Work, id: string, options: BookOptions): Promise<Import> {
  return withTightHeap(() => book(work, id, options));
}

async function book(
  work: Work,
  id: string,
  { createsInstruments: said, allowsCashAlone }: BookOptions,
): Promise<Import> {
  const before = await lockImport(work, id, 'book');
  const createsInstruments = said ?? before.createInstruments;
  const after = await processImport(work, before, { mode: 'book', createsInstruments, allowsCashAlone });
  auditImport(work, 'change', { before, after });
  return after;
}

/** Books the rows of an import, or decides again what would become of them. */
export async function processImport(
  work: Work,
  before: Import,
  { mode, createsInstruments, allowsCashAlone }: BookOptions & Pick<ImportSource, 'mode'>,
): Promise<Import> {
  const options = { mode, createsInstruments: createsInstruments === true };
  const source = { ...sourceOf(before, options), ...(await coverageOf(work, before)) };
  const processing = new RowProcessing(work, source, before.id);
  const rows = { importId: before.id, clientId: before.client, act: mode, fileName: before.fileName } as const;
  await withProgress(work, { ...rows, totalRows: openRows(before) }, (progress) =>
    bookRows(work, before, processing, progress),
  );
  const isFirst = before.state === 'checked';
  // What is booked later is what was left out with the caller's consent.
  if (mode === 'book' && isFirst && !allowsCashAlone) processing.refuseCashAlone();
  if (before.state === 'checked') await recordBalances(work, before, processing);
  processing.finish();
  const { store, now } = work;
  const counts = countColumns(await store.importRows.countOutcomes(before.id), before.notKept);
  const others = before.warnings.filter(({ code }) => !isFirst || code !== 'opening-missing');
  const openings = isFirst ? await processing.listOpeningWarnings() : [];
  const warnings = boundedWarnings([...openings, ...others]);
  const booked = mode === 'book' ? { state: importTransitions.book.to, bookedAt: new Date(now) } : {};
  return withCounts(await store.table(importResource).update(before.id, { ...counts, ...booked, warnings }));
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
