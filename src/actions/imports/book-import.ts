// Books an import that was checked, and books it again for the rows that were refused or needed something.

import { withTightHeap } from '../../kit/memory/heap-growth.ts';
import { Refusal } from '../../kit/refusal.ts';
import {
  importResource,
  importTransitions,
  type DateOrder,
  type Import,
  type ImportAct,
  type ImportWarning,
} from '../../model/custody/import.ts';
import type { StoredImportRow } from '../../store/imports/import-rows.ts';
import type { StatementBalance } from '../../model/custody/statement.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { notFound } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { withProgress, type ImportProgress } from './import-progress.ts';
import { auditImport, boundedWarnings, countColumns, withCounts } from './import-record.ts';
import type { ImportSource } from './import-source.ts';
import { batchRowsMax } from './batch-size.ts';
import { done } from './row-result.ts';
import { reconciliationReason, RowProcessing, toSource } from './row-processing.ts';

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
  /** How dates are written that may be two days. */
  readonly dateOrder?: DateOrder | null;
}

export function bookImport(work: Work, id: string, options: BookOptions): Promise<Import> {
  return withTightHeap(() => book(work, id, options));
}

async function book(work: Work, id: string, options: BookOptions): Promise<Import> {
  const before = await lockImport(work, id, 'book');
  const createsInstruments = options.createsInstruments ?? before.createInstruments;
  const after = await processImport(work, before, { ...options, mode: 'book', createsInstruments });
  auditImport(work, 'change', { before, after });
  return after;
}

/** Books the rows of an import, or decides again what would become of them. */
export async function processImport(
  work: Work,
  before: Import,
  { mode, createsInstruments, allowsCashAlone, dateOrder: sent }: BookOptions & Pick<ImportSource, 'mode'>,
): Promise<Import> {
  const dateOrder = sent ?? before.dateOrder;
  const options = { mode, createsInstruments: createsInstruments === true };
  const source = { ...sourceOf(before, options), ...(await coverageOf(work, before)) };
  const processing = new RowProcessing(work, source, { importId: before.id, isAgain: before.state === 'booked' });
  const rows = { importId: before.id, clientId: before.client, act: mode, fileName: before.fileName } as const;
  await noteBalances(work, before, processing);
  await withProgress(work, { ...rows, totalRows: openRows(before) }, (progress) =>
    bookRows(work, { ...before, dateOrder }, processing, progress),
  );
  await processing.settle(before.warnings);
  const isFirst = before.state === 'checked';
  // What is booked later is what was left out with the caller's consent.
  if (mode === 'book' && isFirst && !allowsCashAlone) processing.refuseCashAlone();
  await recordBalances(work, before, processing);
  processing.finish();
  const { store, now } = work;
  const counts = countColumns(await store.importRows.countOutcomes(before.id), before.notKept);
  // Only rows that were not booked before are looked at again: what is said of them is said anew, and of the rest only where all are.
  const openings = await processing.listOpeningWarnings();
  const isRenewed = (warning: ImportWarning): boolean => {
    if (warning.code === 'words-unknown') return true;
    if (warning.code === 'amounts-unexplained') return isFirst;
    if (warning.code !== 'opening-missing') return false;
    return isFirst || openings.some((one) => one.account === warning.account && one.statement === warning.statement);
  };
  const others = before.warnings.filter((warning) => !isRenewed(warning));
  const warnings = boundedWarnings([...processing.listRowWarnings(), ...openings, ...others]);
  const booked = mode === 'book' ? { state: importTransitions.book.to, bookedAt: new Date(now) } : {};
  const changes = { ...counts, ...booked, warnings, dateOrder };
  return withCounts(await store.table(importResource).update(before.id, changes));
}

/** What a feed brought may only go where its authority lets it today. */
async function coverageOf(
  { store: { custody } }: Work,
  record: Import,
): Promise<Pick<ImportSource, 'coveredAccounts' | 'coveredDepositories'>> {
  const authority = await custody.feedRuns.findAuthority(record);
  if (authority === null) return {};
  const [accounts, depositories] = await Promise.all([
    custody.links.listCovered('account', authority),
    custody.links.listCovered('depository', authority),
  ]);
  return { coveredAccounts: new Set(accounts), coveredDepositories: new Set(depositories) };
}

function openRows({ state, rowCount, needsCount, refusedCount }: Import): number {
  return state === 'checked' ? rowCount : needsCount + refusedCount;
}

/** All rows the first time; later those that could not be booked. */
async function bookRows(
  work: Work,
  { id, state, dateOrder }: Import,
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
    const read = await readInOrder(work, { id, dateOrder }, rows);
    const processed = await processing.process(read.map(toSource));
    const balances = await recordReadBalances(processing, dateOrder, rows);
    await importRows.update(
      id,
      processed.map((row) => (balances.has(row.number) ? { ...row, ...forReconciliation } : row)),
    );
    after = last.number;
    done += rows.length;
    if (rows.length >= batchRowsMax) progress.report(done);
  }
}

/** Reads rows that waited for the order of day and month; from then on, they say what they say in it. */
async function readInOrder(
  { store }: Work,
  { id, dateOrder }: Pick<Import, 'id' | 'dateOrder'>,
  rows: readonly StoredImportRow[],
): Promise<readonly StoredImportRow[]> {
  if (dateOrder === null || dateOrder === 'year-month-day') return rows;
  const read = rows.map((row) => {
    const { stated } = row;
    const reading = stated.item === 'problem' ? stated.readings?.[dateOrder] : undefined;
    return reading === undefined || reading.item === 'balance' || reading.item === 'notice'
      ? row
      : { ...row, stated: reading };
  });
  const restated = read.filter((row, index) => row !== rows[index]);
  await store.importRows.restate(id, restated);
  return read;
}

const forReconciliation = done('unchanged', null, reconciliationReason);

/** Balances that waited for the order of day and month are compared with the ledger from then on. Returns their rows. */
async function recordReadBalances(
  processing: RowProcessing,
  dateOrder: DateOrder | null,
  rows: readonly StoredImportRow[],
): Promise<ReadonlySet<number>> {
  const read = rows.flatMap(({ number, stated }) => {
    const { readings } = stated.item === 'problem' ? stated : {};
    const reading = dateOrder === null || dateOrder === 'year-month-day' ? undefined : readings?.[dateOrder];
    return reading?.item === 'balance' ? [{ number, balance: reading }] : [];
  });
  if (read.length > 0) await processing.recordBalances(read.map(({ balance }) => balance));
  return new Set(read.map(({ number }) => number));
}

async function noteBalances(work: Work, record: Import, processing: RowProcessing): Promise<void> {
  for await (const balances of balancesOf(work, record))
    for (const balance of balances) processing.noteBalance(balance);
}

/** All the first time; later those of accounts that were not there before. */
async function recordBalances(work: Work, record: Import, processing: RowProcessing): Promise<void> {
  const { id, state } = record;
  const recorded = state === 'checked' ? undefined : await work.store.custody.statedHoldings.listCashAccounts(id);
  for await (const balances of balancesOf(work, record)) await processing.recordBalances(balances, recorded);
}

async function* balancesOf(work: Work, { id }: Import): AsyncGenerator<readonly StatementBalance[]> {
  for (let after = 0; ; after += batchRowsMax) {
    const balances = await work.store.importRows.listBalances(id, after, batchRowsMax);
    if (balances.length === 0) return;
    yield balances;
  }
}
